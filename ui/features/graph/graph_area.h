#pragma once
// The central widget: breadcrumbs and zoom controls above the graph.
#include <QWidget>
#include <array>

#include "features/graph/graph_pane.h"
#include "features/graph/graph_presenter.h"
#include "features/graph/path_bar.h"
#include "features/numbers/numbers_presenter.h"
#include "features/problems/problems_presenter.h"
#include "session/selection_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class GraphArea final : public QWidget {
  Q_OBJECT
 public:
  GraphArea(Appearance& appearance, GraphPresenter& graph, ProblemsPresenter& problems, NumbersPresenter& numbers,
            SelectionPresenter& selection, QWidget* parent = nullptr);
  GraphPane* pane() const { return pane_; }
  /// "h.3 › attn", as the breadcrumbs show it.
  QString pathText() const;
  /// The title of the pane: breadcrumbs and buttons.
  QWidget* bar() const { return path_->parentWidget(); }

 Q_SIGNALS:
  void maximizeRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void restyle();
  /// Marks the nodes with problems, and those whose value differs.
  void mark();
  void follow(const Selection& selection);
  void rebuildPath();
  Appearance& appearance_;
  GraphPresenter& graph_;
  ProblemsPresenter& problems_;
  NumbersPresenter& numbers_;
  SelectionPresenter& selection_;
  GraphPane* pane_;
  PathBar* path_;
  QLabel* zoom_;
  std::array<QWidget*, 3> zoomButtons_ = {};
};

}  // namespace fxs::ui
