// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Buttons in a row, of which those that do not fit are hidden; the tool tip of the row names all.
#include <QToolButton>
#include <vector>

#include "theme/appearance.h"

namespace fxs::ui {

class FittedRow final : public QWidget {
  Q_OBJECT
 public:
  /// Where buttons are hidden first.
  enum class Hide : std::uint8_t { First, Last };
  struct Entry {
    QString text, tip, icon;
    Role role = Role::TextMuted;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  FittedRow(Appearance& appearance, const QString& name, Hide hide, QWidget* parent = nullptr);
  void setEntries(std::vector<Entry> entries);
  const std::vector<QToolButton*>& buttons() const { return buttons_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void chosen(int entry);

 protected:
  void resizeEvent(QResizeEvent*) override { arrange(); }

 private:
  void rebuild();
  void arrange();
  Appearance& appearance_;
  Hide hide_;
  std::vector<Entry> entries_;
  std::vector<QToolButton*> buttons_;
};

}  // namespace fxs::ui
