#pragma once
// A dock with a thin title bar that contains its tabs (or its title), widgets of the page, and the float and close buttons.
#include <QButtonGroup>
#include <QDockWidget>
#include <QStackedWidget>

#include "widgets/controls.h"

namespace fxs::ui {

class DockFrame final : public QDockWidget {
  Q_OBJECT
 public:
  DockFrame(Appearance& appearance, const QString& id, const QString& title, QWidget* parent = nullptr);

  /// Adds a page and sets its object name to `id`. With "" as `tab` the page has no tab and the dock shows its title.
  void addPage(const QString& id, const QString& tab, QWidget* page);
  QStringList pages() const;
  QWidget* page(const QString& id) const { return pages_->findChild<QWidget*>(id, Qt::FindDirectChildrenOnly); }
  void setTabText(const QString& id, const QString& text);
  void setCurrentPage(const QString& id);
  QString currentPage() const { return pages_->currentWidget()->objectName(); }
  /// Adds a widget between the tabs and the buttons, right-aligned.
  void addToTitle(QWidget* widget, int stretch = 0);

  /// Closed by the user, as opposed to hidden because no program is open.
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
