// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The text that is being edited, at most one, and what the tool of its stage says of it: it is
// parsed again, in a job, whenever it was not typed in for a moment.
#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "session/session_presenter.h"
#include "session/shown_text.h"

namespace fxs::ui {

/// What an edited text takes the place of.
struct EditSource {
  ShownText shown;                  ///< the text in the panes
  QString title;                    ///< "Torch backend IR", "3 · canonicalize"
  int variant = -1;                 ///< whose text it is; -1: of the program
  std::string stage;                ///< as lower::Edit
  std::optional<std::size_t> pass;  ///< as lower::Edit
  std::string passName;             ///< of `pass`
  std::string original;             ///< the text with what panes elide
};

/// What the tool says at a place of the text.
struct EditProblem {
  std::uint32_t line = 0, column = 0;  ///< 0-based; the column in bytes
  bool isError = true;                 ///< else a warning
  QString message;                     ///< one line
  friend bool operator==(const EditProblem&, const EditProblem&) = default;
};
/// Those in the error output of a tool that read the text on standard input, in text order.
std::vector<EditProblem> problemsIn(std::string_view errors);

/// Parses and verifies a text of a stage with the stage's tool, and runs no pass: sessionEdits(),
/// or a test double. Unsupported if its tool reads no MLIR.
using EditChecker = std::function<Result<std::vector<EditProblem>>(
    const session::SnapshotPtr&, const EditSource&, const std::string& text, const RunContext&)>;
EditChecker sessionEdits(session::Environment environment);

class EditPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit EditPresenter(Services& services);

  /// Begins an edit of `text`, which discards the one before.
  void begin(EditSource source, std::string text);
  /// Null if nothing is being edited.
  const EditSource* source() const { return source_ ? &*source_ : nullptr; }
  /// Ends the edit.
  void discard();

  const std::string& text() const { return text_; }
  /// What the edit began with.
  const std::string& begun() const { return begun_; }
  void setText(std::string text);
  bool isChanged() const { return source_ && text_ != begun_; }

  /// Of the text that was parsed last, whose lines may have moved since.
  const std::vector<EditProblem>& problems() const { return problems_; }
  /// The first error; null if there is none.
  const EditProblem* firstError() const;
  /// problems() are not those of text() yet.
  bool checking() const { return pending_.isActive() || checking_.running(); }
  /// Nothing says whether there are problems; summary() says why.
  bool isUnchecked() const { return !checking_.state().message.isEmpty(); }
  /// "No errors", "2 errors"; why the text is not checked.
  QString summary() const;

  /// Names of operations to complete: of the torch dialect, and what the program's texts have.
  const std::vector<std::string>& operations() const { return operations_; }
  void setOperations(std::vector<std::string> names);

 Q_SIGNALS:
  /// Another text is being edited, or none.
  void sourceChanged();
  void textChanged();
  void problemsChanged();

 private:
  void check();
  SessionPresenter& session_;
  EditChecker checker_;
  std::optional<EditSource> source_;
  std::string begun_, text_;
  std::vector<EditProblem> problems_;
  std::vector<std::string> operations_;
  QTimer pending_;
  Task<Result<std::vector<EditProblem>>> checking_;
};

}  // namespace fxs::ui
