#pragma once
// Shown while no program is open: drop or open a file, or choose a recent file or a sample.
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
  /// Highlights the drop area while a file is dragged over the window.
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

/// The samples in a folder, sorted by name; the detail is the first comment line of the sample's script.
std::vector<WelcomeEntry> samplesIn(const QString& folder);

}  // namespace fxs::ui
