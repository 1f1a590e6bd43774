// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The files that were opened last, and the samples: in a menu and on the welcome page.
#include <QMenu>
#include <QObject>
#include <QSettings>
#include <QStringList>

namespace fxs::ui {

class WelcomePage;

class RecentFiles final : public QObject {
  Q_OBJECT
 public:
  /// `settings`: keeps them; null for none. `open`: the first entry of the menu.
  RecentFiles(QSettings* settings, QString samplesFolder, QAction* open, QMenu& menu,
              WelcomePage& welcome);

  QStringList all() const;
  void remember(const QString& file);

 Q_SIGNALS:
  void chosen(const QString& file);

 private:
  void refresh();
  void addEntry(const QString& title, const QString& file);
  QSettings* settings_;
  QString samplesFolder_;
  QAction* open_;
  QMenu& menu_;
  WelcomePage& welcome_;
};

}  // namespace fxs::ui
