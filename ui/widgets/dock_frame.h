#pragma once
// A dock of the window: a thin title bar that holds its tabs (or its title), what the pane puts there, and float and close.
#include <QButtonGroup>
#include <QDockWidget>
#include <QStackedWidget>

#include "widgets/controls.h"

namespace fxs::ui {

class DockFrame final : public QDockWidget {
  Q_OBJECT
 public:
  DockFrame(Appearance& appearance, const QString& id, const QString& title, QWidget* parent = nullptr);

  /// The page's name is `id` then. A page without a tab name fills the dock under its plain title.
  void addPage(const QString& id, const QString& tab, QWidget* page);
  QStringList pages() const;
  QWidget* page(const QString& id) const { return pages_->findChild<QWidget*>(id, Qt::FindDirectChildrenOnly); }
  void setTabText(const QString& id, const QString& text);
  void setCurrentPage(const QString& id);
  QString currentPage() const { return pages_->currentWidget()->objectName(); }
  /// Between the tabs and the buttons, right-aligned.
  void addToTitle(QWidget* widget, int stretch = 0);

  /// Closed with its button or action, as opposed to hidden because nothing is open.
  bool closedByUser() const { return closedByUser_; }
  void setClosedByUser(bool closed) { closedByUser_ = closed; }

 private:
  Appearance& appearance_;
  QHBoxLayout* bar_;
  QLabel* title_;
  QStackedWidget* pages_;
  QButtonGroup* group_;
  int insertAt_ = 0;
  bool closedByUser_ = false;
};

}  // namespace fxs::ui
