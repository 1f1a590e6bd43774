// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The rewrite patterns that the engine tries on the selected node. Computed on request only,
// because it needs extra engine runs.
#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

#include "session/selection_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

struct PatternRow {
  QString stage, pass, pattern;
  QString op;      ///< the operation that it was tried on
  QString effect;  ///< "took effect", "refused" .., with the reason
  QString became;  ///< "linalg.generic, tensor.empty"; "" if unknown or nothing
  bool took = false;
};

class PatternPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit PatternPresenter(Services& services);

  /// Sets the node, and drops the results of another.
  void show(fx::NodeId node);
  void ask();
  /// The node's rewrites as a trace; null if unknown, or if the patterns cannot be applied one at a
  /// time.
  const trace::TracePtr& rewrites() const { return rewrites_; }
  bool asking() const { return asking_; }
  bool asked() const { return asked_; }
  const std::vector<PatternRow>& rows() const { return rows_; }
  /// Names of the patterns that took effect in a pass, given by name; empty if none did or none are
  /// known.
  QStringList effective(const QString& stage, const QString& pass) const;
  /// How the result was obtained and how reliable it is; or the error.
  const QString& how() const { return how_; }
  /// Failures of the engine at the node, with the patterns tried there, one line each.
  const QStringList& stops() const { return stops_; }

 Q_SIGNALS:
  void changed();

 private:
  void forget();
  session::Environment environment_;
  SessionPresenter& session_;
  JobQueue& jobs_;
  fx::NodeId node_;
  bool asking_ = false, asked_ = false;
  std::vector<PatternRow> rows_;
  QString how_;
  QStringList stops_;
  trace::TracePtr rewrites_;
};

}  // namespace fxs::ui
