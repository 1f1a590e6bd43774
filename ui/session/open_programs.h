// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The programs of a window, each a tab, and those that were closed: what is kept of each, also
// between runs. What a program shows while it is open is in its own Services.
#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

namespace fxs::ui {

/// Enough to open a program again as it was left.
struct KeptProgram {
  QString file = {};         ///< absolute; "" for none
  QString model = {};        ///< of read::Capture::models; "" for the first
  QString target = {};       ///< name of the output type; "" for that to start with
  QString node = {};         ///< the selected one, by name; "" for none
  QString arrangement = {};  ///< by name
  bool operator==(const KeptProgram&) const = default;
};

/// A line of JSON each, for the settings.
QStringList toLines(const std::vector<KeptProgram>& programs);
/// What is not understood is left out, as are files that are there twice, and all after the 50th.
std::vector<KeptProgram> keptFrom(const QStringList& lines);

struct OpenProgram {
  int id = 0;
  KeptProgram kept = {};
  QString shownFile = {};  ///< what its tab is named for, such as a reduced program; "": kept.file
  bool isBusy = false;
  bool operator==(const OpenProgram&) const = default;
};

class OpenPrograms final : public QObject {
  Q_OBJECT
 public:
  OpenPrograms();

  /// Never empty: a window without a program has one that has no file.
  const std::vector<OpenProgram>& all() const { return all_; }
  int current() const { return current_; }
  const OpenProgram& currentProgram() const { return all_[static_cast<std::size_t>(current_)]; }
  /// By id; null if it is closed.
  const OpenProgram* find(int id) const;
  /// The index of the one with a file; -1 if there is none.
  int indexOf(const QString& file) const;
  /// The name of the file, with its folder where two have the same name.
  QString title(int index) const;
  /// Those with a file.
  std::vector<KeptProgram> kept() const;

  /// Adds one after the current one, which stays the current one; in place of one without a file.
  /// Returns its index.
  int add(KeptProgram program);
  /// Adds all at the end, and chooses that of the file `current`, or the first. Those that are open
  /// stay as they are.
  void restore(const std::vector<KeptProgram>& programs, const QString& current);
  void choose(int index);
  /// Goes to the next (1) or the previous (-1), around.
  void step(int direction);
  void update(const OpenProgram& program);
  void close(int index);
  void closeOthers(int index);
  /// Closes one that could not be read: it cannot be reopened.
  void drop(int id);
  bool canReopen() const { return !closed_.empty(); }
  /// Opens the one that was closed last, where it was.
  void reopen();

 Q_SIGNALS:
  void changed();

 private:
  struct Closed {
    KeptProgram kept;
    int index;
  };
  /// Removes the one without a file, if it is there. Returns an id for the next: its own, or a new
  /// one.
  int takeEmpty();
  void remove(int index);
  void insert(int index, KeptProgram program, int id);
  std::vector<OpenProgram> all_;
  std::vector<Closed> closed_;  ///< last at the end
  int current_ = 0;
  int lastId_ = 0;
};

}  // namespace fxs::ui
