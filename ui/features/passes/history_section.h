// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inspector section for the history of a node: what each pass made of it, and the patterns that
// were tried on it, once they are asked for.
#include <QVBoxLayout>
#include <QWidget>

#include "features/passes/history_presenter.h"
#include "features/passes/pattern_presenter.h"
#include "theme/appearance.h"

namespace fxs::ui {

class HistorySection final : public QWidget {
  Q_OBJECT
 public:
  HistorySection(Appearance& appearance, HistoryPresenter& history, PatternPresenter& patterns,
                 QWidget* parent);

 Q_SIGNALS:
  /// A pass was clicked; -1: the import.
  void passRequested(int pass);
  void rewritesRequested();

 private:
  void rebuild();
  void buildPatterns(QVBoxLayout* list);
  Appearance& appearance_;
  HistoryPresenter& history_;
  PatternPresenter& patterns_;
};

}  // namespace fxs::ui
