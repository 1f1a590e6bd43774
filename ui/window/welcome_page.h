// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shown while no program is open: drop or open a file, or choose a recent file or a sample.
#include <QScrollArea>

#include "widgets/controls.h"

namespace fxs::ui {

struct WelcomeEntry {
  QString file, title, detail;
};

/// A dashed frame, highlighted while a file is dragged over the window.
class DropArea final : public QWidget {
  Q_OBJECT
 public:
  DropArea(Appearance& appearance, QWidget* parent) : QWidget(parent), appearance_(appearance) {}
  void setHint(bool on);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  Appearance& appearance_;
  bool hint_ = false;
};

class WelcomePage final : public QScrollArea {
  Q_OBJECT
 public:
  explicit WelcomePage(Appearance& appearance, QWidget* parent = nullptr);
  void setEntries(const std::vector<WelcomeEntry>& recent,
                  const std::vector<WelcomeEntry>& samples);
  void setDropHint(bool on) { drop_->setHint(on); }

 Q_SIGNALS:
  void openRequested();
  void fileChosen(const QString& file);

 private:
  QWidget* list(const QString& title, const std::vector<WelcomeEntry>& entries,
                const QString& emptyText);
  Appearance& appearance_;
  QWidget* card_;
  QHBoxLayout* lists_;
  DropArea* drop_;
};

/// The samples in a folder, sorted by name; the detail is the first comment line of the sample's
/// script.
std::vector<WelcomeEntry> samplesIn(const QString& folder);

}  // namespace fxs::ui
