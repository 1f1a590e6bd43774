// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/notes/notes_model.h"

#include <QDateTime>
#include <algorithm>

#include "features/notes/notes_presenter.h"
#include "text/words.h"

namespace fxs::ui {

namespace {

constexpr qsizetype kCellCharacters = 500;

QString versionText(const notes::Placed& each) {
  switch (each.state) {
    case notes::State::Same: return {};
    case notes::State::OtherVersion: return "another version";
    case notes::State::OtherTarget: return "was " + text(each.note.target);
    case notes::State::Gone: return "not in this program";
  }
  return {};
}

QString placedName(const notes::Placed& each) { return text(notes::fullName(each.name)); }

QString placedLine(const notes::Placed& each) {
  return lines(each.note.text).replace('\n', ' ').left(kCellCharacters);
}

}  // namespace

void NotesModel::setNotes(std::vector<notes::Placed> notes) {
  beginResetModel();
  notes_ = std::move(notes);
  endResetModel();
}

QModelIndex NotesModel::indexOf(const notes::NodeName& name) const {
  const auto found = std::find_if(notes_.begin(), notes_.end(),
                                  [&](const notes::Placed& each) { return each.name == name; });
  return found == notes_.end() ? QModelIndex()
                               : index(static_cast<int>(found - notes_.begin()), Node);
}

QModelIndex NotesModel::indexOf(fx::NodeId node) const {
  const auto found = std::find_if(notes_.begin(), notes_.end(),
                                  [&](const notes::Placed& each) { return each.node == node; });
  return !node.valid() || found == notes_.end()
             ? QModelIndex()
             : index(static_cast<int>(found - notes_.begin()), Node);
}

int NotesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(notes_.size());
}

QVariant NotesModel::cell(const notes::Placed& each, int column) {
  switch (column) {
    case Node: return placedName(each);
    case Version: return versionText(each);
    case Note: return placedLine(each);
    default: return {};
  }
}

QVariant NotesModel::tip(const notes::Placed& each, int column) {
  switch (column) {
    case Node:
      return QString("%1  %2\nchanged %3")
          .arg(placedName(each), text(each.note.target),
               QDateTime::fromString(exact(each.note.time), Qt::ISODate)
                   .toLocalTime()
                   .toString("yyyy-MM-dd HH:mm"));
    case Note: return placedLine(each).isEmpty() ? QVariant() : QVariant(noteTip(each.note.text));
    default: return {};
  }
}

QVariant NotesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const notes::Placed& each = noteAt(index.row());
  const QString line = placedLine(each);
  switch (role) {
    case Qt::DisplayRole: return cell(each, index.column());
    case Qt::ToolTipRole: return tip(each, index.column());
    case Qt::AccessibleTextRole:
      if (index.column() != Node) return {};
      return QString("%1 on %2").arg(line.isEmpty() ? "bookmark" : "note", placedName(each)) +
             (each.state == notes::State::Same ? QString() : ", " + versionText(each));
    case kFilterText:
      return QStringList{placedName(each), text(each.note.target), line, versionText(each)}.join(
          ' ');
    case kIsInProgram: return each.node.valid();
    case kHasText: return !line.isEmpty();
    default: return {};
  }
}

}  // namespace fxs::ui
