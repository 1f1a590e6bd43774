// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A row that breaks into further rows where it is narrow. One item can take the rest of its row: a
// summary between filter and buttons.
#include <QLayout>
#include <vector>

namespace fxs::ui {

class FlowLayout final : public QLayout {
 public:
  /// Pixels between items and around them.
  FlowLayout(int spacing, QMargins margins);
  ~FlowLayout() override;

  void insertWidget(int index, QWidget* widget);
  /// Takes the rest of its row; breaks to a row of its own where less than `least` pixels are left.
  void addFilling(QWidget* widget, int least);

  void addItem(QLayoutItem* item) override { items_.push_back(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  QSize sizeHint() const override;
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

 private:
  /// The height that is needed; moves the items if `moves`.
  int arrange(const QRect& rect, bool moves) const;
  std::vector<QLayoutItem*> items_;
  QWidget* filling_ = nullptr;
  int least_ = 0;
};

}  // namespace fxs::ui
