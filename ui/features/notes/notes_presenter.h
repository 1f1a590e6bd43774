// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The bookmarks and notes of the open program. Every change is written at once to the file beside
// the program (notes/notes.h), together with what others wrote there. What cannot be written stays
// here, and is tried again with the next change.
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <map>
#include <vector>

#include "notes/notes.h"
#include "session/marks.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// The note of one node as it was when the user began to edit it. Can be written after another
/// program was opened.
struct NoteDraft {
  std::string file;  ///< the program's
  fx::ProgramPtr program;
  fx::NodeId node;
  std::optional<notes::Note> before;
};

/// For tool tips: "Note:", and below it the text, wrapped and indented.
QString noteTip(std::string_view text);

class NotesPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit NotesPresenter(Services& services);

  /// In the order of the program's nodes, those that are not in this program last.
  const std::vector<notes::Placed>& all() const { return all_; }
  /// Null if the node has none.
  const notes::Placed* at(fx::NodeId) const;

  /// Bookmarks the node, or removes its bookmark. False, and nothing changes, if it has a note with
  /// a text.
  bool toggle(fx::NodeId);
  /// std::nullopt if the program has no such node.
  std::optional<NoteDraft> draft(fx::NodeId) const;
  /// An empty text leaves a bookmark.
  void write(const NoteDraft&, const QString& text);
  void remove(const notes::NodeName&);
  bool canRestore() const { return !removed_.empty(); }
  /// Brings back what remove() removed last, and returns its node, which may be invalid.
  fx::NodeId restore();
  /// The noted node after `from` in the order of the program, or before it for -1; round at the
  /// ends. Invalid without notes.
  fx::NodeId next(fx::NodeId from, int direction) const;

  /// Why notes were not read or not written, and what became of them; "" if they were.
  const QString& problem() const { return problem_; }
  void tryAgain() { sync(); }
  /// "2 notes and 1 bookmark, 1 not in this program  ·  kept in model.pt2.fxscope.json"
  QString summary() const;

 Q_SIGNALS:
  void changed();

 private:
  void open();
  void sync();
  void outsideChange();
  void place();
  void change(const std::string& file, notes::Change);
  const std::string& version();
  notes::Note noteOf(const NoteDraft&, const std::string& text);
  QString stamp() const;
  std::vector<std::pair<fx::NodeId, Mark>> marks() const;

  SessionPresenter& session_;
  std::string file_;     ///< the program's; "" if none is beside which notes can be kept
  std::string version_;  ///< of the program; "" until needed
  notes::Notes saved_;   ///< as last read or written
  std::map<std::string, std::vector<notes::Change>> unsaved_;  ///< by the program's file
  std::vector<notes::Placed> all_;
  std::vector<std::pair<notes::NodeName, notes::Note>> removed_;
  QString problem_;
  QFileSystemWatcher watcher_;
  QString stamp_;  ///< of the file of notes, when it was last read or written
};

}  // namespace fxs::ui
