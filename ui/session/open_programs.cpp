// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/open_programs.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <array>
#include <utility>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kMostKept = 50;
constexpr std::size_t kMostClosed = 20;
constexpr qsizetype kMostOfALine = 16'384;  ///< paths have at most 4096 bytes

constexpr std::array<std::pair<const char*, QString KeptProgram::*>, 5> kMembers{
    {{"file", &KeptProgram::file},
     {"model", &KeptProgram::model},
     {"target", &KeptProgram::target},
     {"node", &KeptProgram::node},
     {"arrangement", &KeptProgram::arrangement}}};

}  // namespace

QStringList toLines(const std::vector<KeptProgram>& programs) {
  QStringList lines;
  for (const KeptProgram& program : programs) {
    QJsonObject members;
    for (const auto& [key, member] : kMembers)
      if (!(program.*member).isEmpty()) members[key] = program.*member;
    lines << QString::fromUtf8(QJsonDocument(members).toJson(QJsonDocument::Compact));
  }
  return lines;
}

std::vector<KeptProgram> keptFrom(const QStringList& lines) {
  std::vector<KeptProgram> out;
  for (const QString& line : lines) {
    if (out.size() == kMostKept) break;
    if (line.size() > kMostOfALine) continue;
    const QJsonObject members = QJsonDocument::fromJson(line.toUtf8()).object();
    KeptProgram program;
    for (const auto& [key, member] : kMembers) program.*member = members[key].toString();
    const bool isThere = std::any_of(
        out.begin(), out.end(), [&](const KeptProgram& each) { return each.file == program.file; });
    if (QFileInfo(program.file).isAbsolute() && !isThere) out.push_back(std::move(program));
  }
  return out;
}

OpenPrograms::OpenPrograms() { insert(0, {}, ++lastId_); }

const OpenProgram* OpenPrograms::find(int id) const {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [id](const OpenProgram& each) { return each.id == id; });
  return found == all_.end() ? nullptr : &*found;
}

int OpenPrograms::indexOf(const QString& file) const {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const OpenProgram& each) { return each.kept.file == file; });
  return found == all_.end() ? -1 : static_cast<int>(found - all_.begin());
}

QString OpenPrograms::title(int index) const {
  const auto fileOf = [](const OpenProgram& each) {
    return QFileInfo(each.shownFile.isEmpty() ? each.kept.file : each.shownFile);
  };
  const OpenProgram& program = all_[static_cast<std::size_t>(index)];
  const QFileInfo file = fileOf(program);
  const auto same = std::count_if(all_.begin(), all_.end(), [&](const OpenProgram& each) {
    return fileOf(each).fileName() == file.fileName();
  });
  return shown(same > 1 ? file.dir().dirName() + '/' + file.fileName() : file.fileName());
}

std::vector<KeptProgram> OpenPrograms::kept() const {
  std::vector<KeptProgram> out;
  for (const OpenProgram& each : all_)
    if (!each.kept.file.isEmpty()) out.push_back(each.kept);
  return out;
}

void OpenPrograms::insert(int index, KeptProgram program, int id) {
  all_.insert(all_.begin() + index, {id, std::move(program)});
}

int OpenPrograms::takeEmpty() {
  if (all_.size() != 1 || !all_.front().kept.file.isEmpty()) return ++lastId_;
  const int id = all_.front().id;
  all_.clear();
  return id;
}

int OpenPrograms::add(KeptProgram program) {
  const int id = takeEmpty();
  const int index = all_.empty() ? 0 : current_ + 1;
  insert(index, std::move(program), id);
  Q_EMIT changed();
  return index;
}

void OpenPrograms::restore(const std::vector<KeptProgram>& programs, const QString& current) {
  if (programs.empty()) return;
  const auto found = std::find_if(programs.begin(), programs.end(),
                                  [&](const KeptProgram& each) { return each.file == current; });
  const KeptProgram& chosen = found == programs.end() ? programs.front() : *found;
  const int id = takeEmpty();
  for (const KeptProgram& each : programs)
    if (indexOf(each.file) < 0)
      insert(static_cast<int>(all_.size()), each, &each == &chosen ? id : ++lastId_);
  current_ = indexOf(chosen.file);
  Q_EMIT changed();
}

void OpenPrograms::choose(int index) {
  if (index < 0 || index >= static_cast<int>(all_.size()) || index == current_) return;
  current_ = index;
  Q_EMIT changed();
}

void OpenPrograms::step(int direction) {
  const int count = static_cast<int>(all_.size());
  choose((current_ + direction + count) % count);
}

void OpenPrograms::update(const OpenProgram& program) {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const OpenProgram& each) { return each.id == program.id; });
  if (found == all_.end() || *found == program) return;
  *found = program;
  Q_EMIT changed();
}

void OpenPrograms::remove(int index) {
  all_.erase(all_.begin() + index);
  if (index < current_) --current_;
  if (all_.empty()) insert(0, {}, ++lastId_);
  current_ = std::min(current_, static_cast<int>(all_.size()) - 1);
}

void OpenPrograms::close(int index) {
  const KeptProgram& kept = all_[static_cast<std::size_t>(index)].kept;
  if (kept.file.isEmpty()) return;
  closed_.push_back({kept, index});
  if (closed_.size() > kMostClosed) closed_.erase(closed_.begin());
  remove(index);
  Q_EMIT changed();
}

void OpenPrograms::closeOthers(int index) {
  choose(index);  // so that none of the others is chosen meanwhile
  const int id = currentProgram().id;
  for (int i = static_cast<int>(all_.size()) - 1; i >= 0; --i)
    if (all_[static_cast<std::size_t>(i)].id != id) close(i);
}

void OpenPrograms::drop(int id) {
  const OpenProgram* found = find(id);
  if (!found) return;
  remove(static_cast<int>(found - all_.data()));
  Q_EMIT changed();
}

void OpenPrograms::reopen() {
  if (closed_.empty()) return;
  Closed last = std::move(closed_.back());
  closed_.pop_back();
  if (const int open = indexOf(last.kept.file); open >= 0) return choose(open);
  const int id = takeEmpty();
  current_ = std::min(last.index, static_cast<int>(all_.size()));
  insert(current_, std::move(last.kept), id);
  Q_EMIT changed();
}

}  // namespace fxs::ui
