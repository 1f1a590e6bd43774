#pragma once
// A dock of the window: a thin title bar that holds its tabs (or its title), what the pane puts there, and float and close.
#include <QButtonGroup>
#include <QDockWidget>
#include <QStackedWidget>

#include "panes/controls.h"

namespace fxs::ui {

class DockFrame final : public QDockWidget {
  Q_OBJECT
 public:
  DockFrame(Appearance& appearance, const QString& id, const QString& title, QWidget* parent = nullptr);

  /// The first page without a tab name fills the dock under its plain title.
  void addPage(const QString& tab, QWidget* page);
  void setTabText(int index, const QString& text);
  void setCurrentPage(int index);
  int currentPage() const { return pages_->currentIndex(); }
  QToolButton* tab(int index) const { return tabs_[static_cast<std::size_t>(index)]; }
  /// Between the tabs and the buttons, right-aligned.
  void addToTitle(QWidget* widget, int stretch = 0);

  /// Closed with its button or action, as opposed to hidden because nothing is open.
  bool closedByUser() const { return closedByUser_; }
  void setClosedByUser(bool closed) { closedByUser_ = closed; }

 Q_SIGNALS:
  void pageChanged(int index);

 private:
  Appearance& appearance_;
  QHBoxLayout* bar_;
  QLabel* title_;
  QStackedWidget* pages_;
  std::vector<QToolButton*> tabs_;
  QButtonGroup* group_;
  int insertAt_ = 0;
  bool closedByUser_ = false;
};

}  // namespace fxs::ui
