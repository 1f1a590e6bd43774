// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A dock with a thin title bar that contains its tabs (or its title), widgets of the page, and the
// buttons to maximize, float and close it. Its content can be made so low that only the title is
// left: a strip, which opens when it is clicked.
#include <QDockWidget>
#include <QStackedWidget>

#include "widgets/controls.h"
#include "widgets/tab_row.h"

namespace fxs::ui {

class DockFrame final : public QDockWidget {
  Q_OBJECT
 public:
  DockFrame(Appearance& appearance, const QString& id, const QString& title,
            QWidget* parent = nullptr);

  /// Adds a page and sets its object name to `id`. With "" as `tab` the page has no tab and the
  /// dock shows its title.
  void addPage(const QString& id, const QString& tab, QWidget* page);
  /// The parent to make a page with: moved to it later, all that the page holds is styled again.
  QWidget* parentOfPages() const { return pages_; }
  QStringList pages() const;
  QWidget* page(const QString& id) const {
    return pages_->findChild<QWidget*>(id, Qt::FindDirectChildrenOnly);
  }
  void setTabText(const QString& id, const QString& text);
  void setCurrentPage(const QString& id);
  QString currentPage() const { return pages_->currentWidget()->objectName(); }
  /// Adds a widget between the tabs and the buttons, right-aligned.
  void addToTitle(QWidget* widget, int stretch = 0);
  /// Gives the page the keyboard focus: what had it last, else the page's own choice, else the
  /// first that can have it.
  void focusPage();

  /// Only the title is left.
  bool isStrip() const;
  int titleHeight() const { return titleBarWidget()->height(); }
  /// With its title, all that the current page holds.
  int heightOfContent() const;

 Q_SIGNALS:
  void pageChosen(const QString& id);  ///< by the user
  void maximizeRequested();
  void openRequested();  ///< of a strip
  void contentChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QHBoxLayout* bar_;
  QLabel* title_;
  TabRow* tabs_;
  QStackedWidget* pages_;
  int insertAt_;
};

}  // namespace fxs::ui
