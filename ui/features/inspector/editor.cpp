// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/inspector/editor.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QUrl>

namespace fxs::ui {
namespace {

constexpr const char* kKnown[] = {"code -g {file}:{line}",        "codium -g {file}:{line}",
                                  "kate -l {line} {file}",        "gedit {file} +{line}",
                                  "pycharm --line {line} {file}", "subl {file}:{line}"};

bool start(const QString& command, const QString& file, int line) {
  QStringList words = QProcess::splitCommand(command);
  if (words.isEmpty()) return false;
  for (QString& word : words) word.replace("{line}", QString::number(line)).replace("{file}", file);
  const QString program = QStandardPaths::findExecutable(words.takeFirst());
  return !program.isEmpty() && QProcess::startDetached(program, words);
}

}  // namespace

bool openInEditor(const QString& file, int line, const QString& command) {
  // The path comes from an untrusted file. An absolute path cannot be mistaken for an option;
  // reading a pipe or device might never end.
  const QFileInfo info(file);
  if (!info.isFile()) return false;
  const QString path = info.absoluteFilePath();
  if (!command.isEmpty()) return start(command, path, line);
  for (const char* known : kKnown)
    if (start(known, path, line)) return true;
  // The desktop might execute anything else, such as a program or a launcher.
  return info.suffix() == "py" && !info.isExecutable() &&
         QDesktopServices::openUrl(QUrl::fromLocalFile(path));
}

}  // namespace fxs::ui
