#include "editor.h"

#include <QDesktopServices>
#include <QProcess>
#include <QStandardPaths>
#include <QUrl>

namespace fxs::ui {
namespace {

constexpr const char* kKnown[] = {"code -g {file}:{line}", "codium -g {file}:{line}",      "kate -l {line} {file}",
                                  "gedit {file} +{line}",  "pycharm --line {line} {file}", "subl {file}:{line}"};

bool start(const QString& command, const QString& file, int line) {
  QStringList words = QProcess::splitCommand(command);
  if (words.isEmpty()) return false;
  for (QString& word : words) word.replace("{line}", QString::number(line)).replace("{file}", file);
  const QString program = QStandardPaths::findExecutable(words.takeFirst());
  return !program.isEmpty() && QProcess::startDetached(program, words);
}

}  // namespace

bool openInEditor(const QString& file, int line, const QString& command) {
  if (!command.isEmpty()) return start(command, file, line);
  for (const char* known : kKnown)
    if (start(known, file, line)) return true;
  return QDesktopServices::openUrl(QUrl::fromLocalFile(file));
}

}  // namespace fxs::ui
