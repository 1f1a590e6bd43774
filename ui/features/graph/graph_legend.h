// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The row under the graph's title: what the colours mean, how many nodes a query found, with
// buttons to go from one to the next, and which part of the graph is shown, with a button to show
// all again. Hidden while the whole graph is shown in its own colours.
#include <QWidget>

#include "features/graph/colour_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class GraphLegend final : public QWidget {
  Q_OBJECT
 public:
  GraphLegend(Appearance& appearance, ColourPresenter& colours, QWidget* parent = nullptr);
  /// "12 of 2,369 nodes: 2 steps around add_3"; "" for the whole graph.
  void setPart(const QString& text);
  /// What it says, parts separated by " | ".
  QString fullText() const;

 Q_SIGNALS:
  void stepRequested(int direction);
  void showAllRequested();

 protected:
  void resizeEvent(QResizeEvent*) override;

 private:
  void fit();
  void rebuild();
  void addText(const QString& text);
  Appearance& appearance_;
  ColourPresenter& colours_;
  QHBoxLayout* row_;
  std::vector<ElidedLabel*> entries_;
  QWidget* title_ = nullptr;  ///< before the entries
  QString part_;
  QStringList said_;
};

}  // namespace fxs::ui
