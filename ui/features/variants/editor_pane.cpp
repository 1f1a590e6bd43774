// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/variants/editor_pane.h"

#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "text/words.h"

namespace fxs::ui {

EditorPane::EditorPane(Appearance& appearance, Services& services, QWidget* parent)
    : QWidget(parent), edit_(services.get<EditPresenter>()), appearance_(appearance) {
  auto* column = makeBox<QVBoxLayout>(0);
  auto* bar = makeBox<QHBoxLayout>(kGrid / 2, kGrid / 2);
  continue_ = makeBoxed("Continue", "Lower the edited text (Ctrl+Return)", this);
  discard_ = makeBoxed("Discard", "Discard the edit (Ctrl+Shift+Return)", this);
  sign_ = new QLabel(this);
  problem_ = makeElided({}, appearance.sans(TextSize::Small), "muted", this, Qt::ElideRight);
  problem_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  next_ = new IconButton(appearance, "forward", "Next error of the text (Ctrl+F8)", this);
  bar->addWidget(continue_);
  bar->addWidget(discard_);
  bar->addWidget(sign_);
  bar->addWidget(problem_, 1);
  bar->addWidget(next_);
  column->addLayout(bar);
  editor_ = new CodeEditor(appearance, this);
  editor_->setOperations(&edit_.operations());
  editor_->setPlainText(exact(edit_.text()));
  find_ = new FindBar(
      appearance, services,
      {editor_, [this] { return editor_->textCursor().selectedText(); },
       [this] { return CodeText::of(editor_->toPlainText().toStdString()); },
       [this] { return static_cast<std::uint32_t>(editor_->textCursor().blockNumber()); },
       [this](std::vector<FindMatch> matches) { editor_->setMatches(std::move(matches)); },
       [this](int index) { editor_->goToMatch(index); }},
      this);
  column->addWidget(find_);
  column->addWidget(editor_, 1);
  setLayout(column);
  setFocusProxy(editor_);
  connect(editor_, &QPlainTextEdit::textChanged, this,
          [this] { edit_.setText(editor_->toPlainText().toStdString()); });
  connect(editor_, &QPlainTextEdit::textChanged, find_, &FindBar::textEdited);
  connect(&edit_, &EditPresenter::problemsChanged, this, &EditorPane::refresh);
  connect(&appearance, &Appearance::changed, this, &EditorPane::refresh);
  connect(continue_, &QToolButton::clicked, this, &EditorPane::continueRequested);
  connect(discard_, &QToolButton::clicked, this, &EditorPane::discardRequested);
  connect(next_, &QToolButton::clicked, this, &EditorPane::goToProblem);
  refresh();
}

void EditorPane::refresh() {
  const std::vector<EditProblem>& problems = edit_.problems();
  editor_->setProblems(problems);
  const EditProblem* error = edit_.firstError();
  const EditProblem* first = error || problems.empty() ? error : &problems.front();
  QString message = edit_.summary();
  if (first) message += QString(", line %1: %2").arg(first->line + 1).arg(first->message);
  problem_->setFullText(message);
  setInk(problem_, error ? "error" : "muted");
  struct Sign {
    const char* icon;
    Role role;
  };
  Sign sign{"done", Role::Success};
  if (first) sign = {"warning", Role::Warning};
  if (error) sign = {"error", Role::Error};
  sign_->setVisible(first || !(edit_.checking() || edit_.isUnchecked()));
  sign_->setPixmap(pixmap(appearance_, sign.icon, sign.role, kSign, this));
  next_->setEnabled(first != nullptr);
}

void EditorPane::goToProblem() {
  const std::vector<EditProblem>& problems = edit_.problems();
  if (problems.empty()) return;
  const auto line = static_cast<std::uint32_t>(editor_->textCursor().blockNumber());
  const auto next = std::find_if(problems.begin(), problems.end(),
                                 [&](const EditProblem& each) { return each.line > line; });
  const EditProblem& to = next == problems.end() ? problems.front() : *next;
  editor_->goTo(to.line, to.column);
}

}  // namespace fxs::ui
