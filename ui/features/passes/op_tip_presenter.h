// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// In the tool tip of an operation: the pass that made it, what that pass does, and the pass that
// changed it last. Found in a job when the pointer rests on it.
#include <QObject>
#include <QString>

#include "features/passes/op_origin_presenter.h"
#include "features/passes/pass_docs_presenter.h"
#include "session/op_tips.h"

namespace fxs::ui {

class OpTipPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit OpTipPresenter(Services& services);

 private:
  struct Made {
    QString message;      ///< "made in pass 12 (convert-torch-to-linalg)"
    QString stage, pass;  ///< "" if it was imported
  };
  static Result<Made> madeIn(const trace::Trace& trace, int snapshot, std::uint32_t line,
                             const RunContext& context);
  QString tip(const TextOp& op);
  QString madeText();

  OpOriginPresenter& origins_;
  PassDocsPresenter& docs_;
  OpTips& tips_;
  TextOp asked_;
  trace::TracePtr trace_;  ///< that asked_ was looked up in; null: nothing was asked
  Made made_;
  Task<Result<Made>> finding_;
};

}  // namespace fxs::ui
