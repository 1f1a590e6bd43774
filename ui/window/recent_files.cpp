// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/recent_files.h"

#include <QFileInfo>
#include <utility>
#include <vector>

#include "text/words.h"
#include "window/welcome_page.h"

namespace fxs::ui {
namespace {

constexpr qsizetype kMaxRecent = 12;

}  // namespace

RecentFiles::RecentFiles(QSettings* settings, QString samplesFolder, QAction* open, QMenu& menu,
                         WelcomePage& welcome)
    : QObject(&menu),
      settings_(settings),
      samplesFolder_(std::move(samplesFolder)),
      open_(open),
      menu_(menu),
      welcome_(welcome) {
  // Another window may have opened some.
  connect(&menu, &QMenu::aboutToShow, this, &RecentFiles::refresh);
  refresh();
}

QStringList RecentFiles::all() const {
  return settings_ ? settings_->value("recent").toStringList() : QStringList();
}

void RecentFiles::remember(const QString& file) {
  if (!settings_ || file == "-") return;
  QStringList recent = all();
  const QString path = QFileInfo(file).absoluteFilePath();
  recent.removeAll(path);
  recent.prepend(path);
  while (recent.size() > kMaxRecent) recent.removeLast();
  settings_->setValue("recent", recent);
  refresh();
}

void RecentFiles::addEntry(const QString& title, const QString& file) {
  connect(menu_.addAction(withoutMnemonic(title)), &QAction::triggered, this,
          [this, file] { Q_EMIT chosen(file); });
}

void RecentFiles::refresh() {
  menu_.clear();
  menu_.addAction(open_);
  menu_.addSeparator();
  std::vector<WelcomeEntry> entries;
  for (const QString& file : all()) {
    if (!QFileInfo::exists(file)) continue;
    entries.push_back({file, QFileInfo(file).fileName(), QFileInfo(file).path()});
    addEntry(shown(QFileInfo(file).fileName()), file);
  }
  const std::vector<WelcomeEntry> samples = samplesIn(samplesFolder_);
  if (!samples.empty()) menu_.addSeparator();
  for (const WelcomeEntry& sample : samples)
    addEntry("Sample: " + shown(sample.title), sample.file);
  welcome_.setEntries(entries, samples);
}

}  // namespace fxs::ui
