#pragma once
// The central widget: breadcrumbs and zoom controls above the graph.
#include <QWidget>

#include "features/graph/graph_pane.h"
#include "features/graph/graph_presenter.h"
#include "features/graph/path_bar.h"
#include "features/problems/problems_presenter.h"
#include "session/selection_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class GraphArea final : public QWidget {
  Q_OBJECT
 public:
  GraphArea(Appearance& appearance, GraphPresenter& graph, ProblemsPresenter& problems, SelectionPresenter& selection,
            QWidget* parent = nullptr);
  GraphPane* pane() const { return pane_; }
  /// "h.3 › attn", as the breadcrumbs show it.
  QString pathText() const;

 private:
  void restyle();
  void follow(const Selection& selection);
  void rebuildPath();
  Appearance& appearance_;
  GraphPresenter& graph_;
  ProblemsPresenter& problems_;
  SelectionPresenter& selection_;
  GraphPane* pane_;
  PathBar* path_;
  QLabel* zoom_;
};

}  // namespace fxs::ui
