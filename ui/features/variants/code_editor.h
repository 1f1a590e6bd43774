// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An editor of MLIR text: line numbers, syntax colours of the lines in view, matching brackets,
// completion, and problems underlined, with a sign in the margin and their message as tool tip.
#include <QCompleter>
#include <QPlainTextEdit>
#include <QStringListModel>
#include <QSyntaxHighlighter>

#include "features/variants/edit_presenter.h"
#include "text/code_text.h"
#include "theme/appearance.h"

namespace fxs::ui {

/// Colours the lines that were asked for only, so that a large text opens at once.
class MlirHighlighter final : public QSyntaxHighlighter {
  Q_OBJECT
 public:
  MlirHighlighter(const Appearance& appearance, QTextDocument* document);
  void highlight(const QTextBlock& block);

 protected:
  void highlightBlock(const QString& line) override;

 private:
  const Appearance& appearance_;
  int asked_ = -1;  ///< number of the block to colour
};

class CodeEditor final : public QPlainTextEdit {
  Q_OBJECT
 public:
  CodeEditor(Appearance& appearance, QWidget* parent = nullptr);

  /// Names of operations to complete; sorted.
  void setOperations(const std::vector<std::string>* operations) { operations_ = operations; }
  void setProblems(std::vector<EditProblem> problems);
  const std::vector<EditProblem>& problems() const { return problems_; }
  /// What was found in the text, in text order; bytes.
  void setMatches(std::vector<FindMatch> matches);
  /// Selects a match.
  void goToMatch(int index);
  /// Moves the cursor to a place, 0-based; the column in bytes.
  void goTo(std::uint32_t line, std::uint32_t column);
  QCompleter* completer() const { return completer_; }
  /// Opens the list of completions, also of a short prefix.
  void complete(bool always);
  void paintMargin(QPaintEvent* event);
  int marginWidth() const;

 protected:
  void keyPressEvent(QKeyEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void paintEvent(QPaintEvent*) override;
  bool event(QEvent*) override;

 private:
  void applyTheme();
  void colorSelection();
  void refreshMarks();
  void insertCompletion(const QString& name);
  /// A cursor over the word of a problem.
  QTextCursor positionOf(const EditProblem& problem) const;
  QTextCursor cursorOver(const FindMatch& match) const;

  Appearance& appearance_;
  MlirHighlighter* highlighter_;
  QWidget* margin_;
  QCompleter* completer_;
  QStringListModel names_;
  const std::vector<std::string>* operations_ = nullptr;
  std::vector<EditProblem> problems_;
  std::vector<FindMatch> matches_;
};

}  // namespace fxs::ui
