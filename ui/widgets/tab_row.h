// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tabs in a row. Those that do not fit are in the menu of a button after the others; the current
// one always fits.
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>
#include <vector>

#include "theme/appearance.h"

namespace fxs::ui {

class TabRow final : public QWidget {
  Q_OBJECT
 public:
  explicit TabRow(Appearance& appearance, QWidget* parent = nullptr);

  void addTab(const QString& text);
  void setText(int tab, const QString& text);
  void setCurrent(int tab);
  int count() const { return static_cast<int>(tabs_.size()); }
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// By the user, also for the current tab.
  void chosen(int tab);

 protected:
  void resizeEvent(QResizeEvent*) override;
  bool event(QEvent*) override;

 private:
  void fit();
  QHBoxLayout* row_;
  QButtonGroup* group_;
  QToolButton* more_;
  std::vector<QToolButton*> tabs_;
};

}  // namespace fxs::ui
