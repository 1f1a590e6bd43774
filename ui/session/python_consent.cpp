// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/python_consent.h"

#include <QDateTime>
#include <QFileInfo>
#include <QStandardPaths>

#include "text/words.h"

namespace fxs::ui {
namespace {

QString programOf(const std::string& python) {
  if (python != "auto") return text(python);
  const QString found = QStandardPaths::findExecutable("python3");
  return found.isEmpty() ? QString("python3") : found;
}

}  // namespace

PythonConsent::PythonConsent(std::string python, QString task, QObject* parent)
    : QObject(parent), python_(std::move(python)), task_(std::move(task)) {}

void PythonConsent::setPython(std::string python) {
  if (python == python_) return;
  // An answer holds for one interpreter.
  python_ = std::move(python);
  answers_.clear();
  setQuestion({});
}

void PythonConsent::setFile(const QString& file) {
  const QFileInfo is(file);
  file_ = file;
  key_ = QString("%1|%2|%3")
             .arg(is.absoluteFilePath())
             .arg(is.size())
             .arg(is.lastModified().toMSecsSinceEpoch());
  setQuestion({});
}

PythonUse PythonConsent::request() {
  if (python_.empty()) return {{}, "none; pass one with --python"};
  const auto [known, isNew] = answers_.emplace(key_, Answer::None);
  if (known->second == Answer::Yes) return {python_, {}};
  if (known->second == Answer::No)
    return {{}, "not run: you chose not to run Python for this file"};
  if (isNew || question_.isEmpty())
    setQuestion(QString("Run Python for %1? ").arg(QFileInfo(file_).fileName()) +
                task_.arg(programOf(python_)));
  return {{}, "not run: Python requires your permission for this file"};
}

void PythonConsent::agree() { answer(Answer::Yes); }
void PythonConsent::decline() { answer(Answer::No); }

void PythonConsent::answer(Answer answer) {
  if (question_.isEmpty()) return;
  answers_[key_] = answer;
  setQuestion({});
  if (answer == Answer::Yes) Q_EMIT agreed();
}

void PythonConsent::setQuestion(const QString& question) {
  if (question_ == question) return;
  question_ = question;
  Q_EMIT changed();
}

}  // namespace fxs::ui
