// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/notes/notes_presenter.h"

#include <QDateTime>
#include <QFileInfo>
#include <algorithm>

#include "session/next_node.h"
#include "text/node_text.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr qsizetype kTipLines = 12;
constexpr int kNoteMarks = 30;  ///< their place among the marks of a node

std::string now() { return QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString(); }

QString fileOfNotes(const std::string& program) { return exact(notes::fileBeside(program)); }

}  // namespace

QString noteTip(std::string_view text) {
  QStringList out{"Note:"};
  for (const QString& line : lines(text).split('\n'))
    out << inTipWidth("  " + line, "  ").split('\n');
  if (out.size() > kTipLines) out = out.mid(0, kTipLines) << "  …";
  return out.join('\n');
}

NotesPresenter::NotesPresenter(Services& services) : session_(services.get<SessionPresenter>()) {
  auto& marks = services.get<Marks>();
  marks.add({kNoteMarks, [this] { return this->marks(); }});
  connect(this, &NotesPresenter::changed, &marks, &Marks::refresh);
  connect(&session_, &SessionPresenter::programChanged, this, &NotesPresenter::open);
  // The folder tells that the file appeared or was replaced, the file that it was written in place.
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &NotesPresenter::outsideChange);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &NotesPresenter::outsideChange);
}

void NotesPresenter::open() {
  const std::string before = std::exchange(file_, session_.snapshot()->request.file);
  if (file_ == "-") file_.clear();
  if (file_ != before) {
    saved_.clear();
    removed_.clear();
  }
  version_.clear();
  const QStringList watched = watcher_.files() + watcher_.directories();
  if (!watched.isEmpty()) watcher_.removePaths(watched);
  if (!file_.empty()) watcher_.addPath(QFileInfo(fileOfNotes(file_)).path());
  sync();
}

void NotesPresenter::sync() {
  problem_.clear();
  std::vector<notes::Change>& mine = unsaved_[file_];
  if (file_.empty()) {
    if (!mine.empty())
      problem_ =
          "Standard input has no file beside which notes can be kept: they are in this window only";
    return place();
  }
  auto result = mine.empty() ? notes::readBeside(file_) : notes::changeBeside(file_, mine);
  if (result) {
    saved_ = *std::move(result);
    mine.clear();
  } else {
    problem_ = text(result.error().message) +
               (mine.empty()
                    ? ". The file is left as it is, and notes that you make now stay in this window"
                    : ". The file is left as it is, and your changes are in this window only");
  }
  stamp_ = stamp();
  if (const QString file = fileOfNotes(file_);
      QFileInfo::exists(file) && !watcher_.files().contains(file))
    watcher_.addPath(file);
  place();
}

QString NotesPresenter::stamp() const {
  const QFileInfo file(fileOfNotes(file_));
  return file.exists()
             ? QString("%1 %2").arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch())
             : QString();
}

void NotesPresenter::outsideChange() {
  if (stamp() != stamp_) sync();
}

const std::string& NotesPresenter::version() {
  if (version_.empty()) version_ = notes::versionOf(*session_.program());
  return version_;
}

void NotesPresenter::place() {
  notes::Notes shown = saved_;
  for (const notes::Change& change : unsaved_[file_]) notes::apply(change, shown);
  const fx::ProgramPtr program = session_.program();
  all_ = shown.empty() || !program ? std::vector<notes::Placed>()
                                   : notes::placed(shown, *program, version());
  Q_EMIT changed();
}

std::vector<std::pair<fx::NodeId, Mark>> NotesPresenter::marks() const {
  std::vector<std::pair<fx::NodeId, Mark>> out;
  for (const notes::Placed& each : all_)
    out.emplace_back(each.node, each.note.text.empty()
                                    ? Mark{Emphasis::Flag, "bookmarked", {}}
                                    : Mark{Emphasis::Note, "comment", noteTip(each.note.text)});
  return out;
}

const notes::Placed* NotesPresenter::at(fx::NodeId node) const {
  if (!node.valid()) return nullptr;
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const notes::Placed& each) { return each.node == node; });
  return found == all_.end() ? nullptr : &*found;
}

void NotesPresenter::change(const std::string& file, notes::Change change) {
  unsaved_[file].push_back(std::move(change));
  if (file == file_) return sync();
  // Another program was opened meanwhile.
  const auto result = notes::changeBeside(file, unsaved_[file]);
  if (result) {
    unsaved_.erase(file);
  } else {
    problem_ = text(result.error().message) +
               ". The file is left as it is, and your changes are in this window only";
    Q_EMIT changed();
  }
}

std::optional<NoteDraft> NotesPresenter::draft(fx::NodeId node) const {
  const fx::ProgramPtr program = session_.program();
  if (!program || !node.valid() || node.index() >= program->nodes.size()) return std::nullopt;
  const notes::Placed* now = at(node);
  return NoteDraft{file_, program, node, now ? std::optional(now->note) : std::nullopt};
}

notes::Note NotesPresenter::noteOf(const NoteDraft& draft, const std::string& text) {
  const std::string written =
      draft.program == session_.program() ? version() : notes::versionOf(*draft.program);
  return {text, draft.program->node(draft.node).target, now(), written};
}

void NotesPresenter::write(const NoteDraft& draft, const QString& text) {
  const std::string utf8 = text.trimmed().toStdString();
  if (draft.before ? draft.before->text == utf8 : utf8.empty()) return;
  change(draft.file,
         {notes::nameOf(*draft.program, draft.node), draft.before, noteOf(draft, utf8)});
}

bool NotesPresenter::toggle(fx::NodeId node) {
  const std::optional<NoteDraft> on = draft(node);
  if (!on) return true;
  if (on->before && !on->before->text.empty()) return false;
  change(file_, {notes::nameOf(*on->program, node), on->before,
                 on->before ? std::nullopt : std::optional(noteOf(*on, {}))});
  return true;
}

void NotesPresenter::remove(const notes::NodeName& name) {
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const notes::Placed& each) { return each.name == name; });
  if (found == all_.end()) return;
  const notes::Note note = found->note;
  removed_.emplace_back(name, note);
  change(file_, {name, note, std::nullopt});
}

fx::NodeId NotesPresenter::restore() {
  if (removed_.empty()) return {};
  const auto [name, note] = removed_.back();
  removed_.pop_back();
  change(file_, {name, std::nullopt, note});
  const auto found =
      std::find_if(all_.begin(), all_.end(),
                   [&, name = name](const notes::Placed& each) { return each.name == name; });
  return found == all_.end() ? fx::NodeId{} : found->node;
}

fx::NodeId NotesPresenter::next(fx::NodeId from, int direction) const {
  std::vector<fx::NodeId> nodes;
  for (const notes::Placed& each : all_)
    if (each.node.valid()) nodes.push_back(each.node);
  return nextNode(nodes, from, direction);
}

QString NotesPresenter::summary() const {
  if (all_.empty()) return {};
  const QString kept = file_.empty() ? QString("in this window only")
                                     : "kept in " + shown(QFileInfo(fileOfNotes(file_)).fileName());
  return text(notes::summary(all_)) + "  ·  " + kept;
}

}  // namespace fxs::ui
