#pragma once
// Nothing is open: drop a file here, open one, or take a recent one or a sample.
#include <QWidget>

#include "widgets/controls.h"

namespace fxs::ui {

struct WelcomeEntry {
  QString file, title, detail;
};

class WelcomePage final : public QWidget {
  Q_OBJECT
 public:
  explicit WelcomePage(Appearance& appearance, QWidget* parent = nullptr);
  void setEntries(const std::vector<WelcomeEntry>& recent, const std::vector<WelcomeEntry>& samples);
  /// Shows that a file held above the window may be dropped.
  void setDropHint(bool on);

 Q_SIGNALS:
  void openRequested();
  void fileChosen(const QString& file);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QWidget* list(const QString& title, const std::vector<WelcomeEntry>& entries, const QString& emptyText);
  Appearance& appearance_;
  QWidget* card_;
  QHBoxLayout* lists_;
  QWidget* drop_;
  bool dropHint_ = false;
};

/// The samples in a folder, with what each shows (the first comment line of its script), by name.
std::vector<WelcomeEntry> samplesIn(const QString& folder);

}  // namespace fxs::ui
