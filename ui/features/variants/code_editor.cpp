// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/variants/code_editor.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>
#include <algorithm>

#include "features/variants/completion_state.h"
#include "mlir/text/lexer.h"
#include "widgets/code_colours.h"

namespace fxs::ui {
namespace {

constexpr int kNumberMargin = kGrid;  ///< on either side of line numbers
/// Names are proposed from so many characters on.
constexpr qsizetype kTyped = 2;
/// Matches that are marked: each costs a look with every line that is drawn.
constexpr std::size_t kMostMarked = 1000;

class Margin final : public QWidget {
 public:
  explicit Margin(CodeEditor* editor) : QWidget(editor), editor_(editor) {}
  QSize sizeHint() const override { return {editor_->marginWidth(), 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override { editor_->paintMargin(event); }

 private:
  CodeEditor* editor_;
};

}  // namespace

MlirHighlighter::MlirHighlighter(const Appearance& appearance, QTextDocument* document)
    : QSyntaxHighlighter(document), appearance_(appearance) {}

void MlirHighlighter::highlight(const QTextBlock& block) {
  asked_ = block.blockNumber();
  rehighlightBlock(block);
  asked_ = -1;
}

void MlirHighlighter::highlightBlock(const QString& line) {
  // A line that has its colours keeps them while it is typed in.
  if (currentBlock().blockNumber() != asked_ && currentBlockState() != 1) return;
  setCurrentBlockState(1);
  const QByteArray bytes = line.toUtf8();
  const bool isAscii = bytes.size() == line.size();
  const std::string_view text(bytes.data(), static_cast<std::size_t>(bytes.size()));
  const auto column = [&](std::size_t byte) {
    return isAscii ? static_cast<int>(byte)
                   : static_cast<int>(
                         QString::fromUtf8(bytes.left(static_cast<qsizetype>(byte))).size());
  };
  for (const mlir::Token& token : mlir::lexLine(text.substr(0, kMaxLexed))) {
    const int begin = column(token.range.begin);
    setFormat(begin, column(token.range.end) - begin, appearance_.color(roleOf(token.kind)));
  }
}

CodeEditor::CodeEditor(Appearance& appearance, QWidget* parent)
    : QPlainTextEdit(parent), appearance_(appearance) {
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setTabChangesFocus(true);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName("Edited text");
  highlighter_ = new MlirHighlighter(appearance, document());
  margin_ = new Margin(this);
  completer_ = new QCompleter(&names_, this);
  completer_->setWidget(this);
  completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  completer_->popup()->setAccessibleName("Completions");
  connect(completer_, qOverload<const QString&>(&QCompleter::activated), this,
          &CodeEditor::insertCompletion);
  connect(this, &QPlainTextEdit::blockCountChanged, this,
          [this] { setViewportMargins(marginWidth(), 0, 0, 0); });
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
    if (dy) margin_->scroll(0, dy);
    else margin_->update(0, rect.y(), margin_->width(), rect.height());
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &CodeEditor::refreshMarks);
  connect(&appearance, &Appearance::changed, this, &CodeEditor::applyTheme);
  applyTheme();
}

void CodeEditor::applyTheme() {
  setFont(appearance_.mono());
  QPalette colours = palette();
  colours.setColor(QPalette::Base, appearance_.color(Role::Surface));
  colours.setColor(QPalette::Text, appearance_.color(Role::CodeText));
  colours.setColor(QPalette::Highlight, appearance_.color(Role::AccentSoft));
  colours.setColor(QPalette::HighlightedText, appearance_.color(Role::CodeText));
  setPalette(colours);
  colorSelection();
  setViewportMargins(marginWidth(), 0, 0, 0);
  highlighter_->rehighlight();
  refreshMarks();
}

void CodeEditor::colorSelection() {
  // While the focus is in the find bar, the selection is the current match, and covers its mark.
  QPalette colors = palette();
  const Role role = matches_.empty() ? Role::AccentSoft : Role::FindCurrent;
  colors.setColor(QPalette::Inactive, QPalette::Highlight, appearance_.color(role));
  setPalette(colors);
}

int CodeEditor::marginWidth() const {
  const int digits = std::max<int>(3, static_cast<int>(QString::number(blockCount()).size()));
  return 2 * kNumberMargin + appearance_.scaled(kSign) +
         digits * fontMetrics().horizontalAdvance('9');
}

void CodeEditor::paintEvent(QPaintEvent* event) {
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    if (blockBoundingGeometry(block).translated(contentOffset()).top() > viewport()->height())
      break;
    if (block.userState() != 1) highlighter_->highlight(block);
  }
  QPlainTextEdit::paintEvent(event);
}

void CodeEditor::paintMargin(QPaintEvent* event) {
  QPainter painter(margin_);
  painter.fillRect(event->rect(), appearance_.color(Role::Surface));
  painter.setFont(font());
  const int sign = appearance_.scaled(kSign), height = fontMetrics().height();
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const int top = qRound(blockBoundingGeometry(block).translated(contentOffset()).top());
    if (top > event->rect().bottom()) break;
    const auto line = static_cast<std::uint32_t>(block.blockNumber());
    const bool isCurrent = block.blockNumber() == textCursor().blockNumber();
    painter.setPen(appearance_.color(isCurrent ? Role::Text : Role::CodeGutter));
    painter.drawText(0, top, margin_->width() - kNumberMargin, height, Qt::AlignRight,
                     QString::number(line + 1));
    const auto problem = std::find_if(problems_.begin(), problems_.end(),
                                      [&](const EditProblem& each) { return each.line == line; });
    if (problem == problems_.end()) continue;
    const QIcon icon = problem->isError ? appearance_.icon("error", Role::Error)
                                        : appearance_.icon("warning", Role::Warning);
    icon.paint(&painter, kNumberMargin / 2, top + (height - sign) / 2, sign, sign);
  }
}

void CodeEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  const QRect inside = contentsRect();
  margin_->setGeometry(inside.left(), inside.top(), marginWidth(), inside.height());
}

QTextCursor CodeEditor::positionOf(const EditProblem& problem) const {
  const QTextBlock block = document()->findBlockByNumber(static_cast<int>(problem.line));
  QTextCursor cursor(document());
  if (!block.isValid()) {
    cursor.movePosition(QTextCursor::End);
    return cursor;
  }
  const QByteArray bytes = block.text().toUtf8().left(static_cast<qsizetype>(problem.column));
  cursor.setPosition(block.position() + static_cast<int>(QString::fromUtf8(bytes).size()));
  return cursor;
}

void CodeEditor::setProblems(std::vector<EditProblem> problems) {
  if (problems_ == problems) return;
  problems_ = std::move(problems);
  refreshMarks();
  margin_->update();
}

QTextCursor CodeEditor::cursorOver(const FindMatch& match) const {
  QTextCursor cursor = positionOf({match.line, match.begin, true, {}});
  cursor.setPosition(positionOf({match.line, match.end, true, {}}).position(),
                     QTextCursor::KeepAnchor);
  return cursor;
}

void CodeEditor::setMatches(std::vector<FindMatch> matches) {
  matches_ = std::move(matches);
  colorSelection();
  refreshMarks();
}

void CodeEditor::goToMatch(int index) {
  setTextCursor(cursorOver(matches_.at(static_cast<std::size_t>(index))));
  centerCursor();
}

void CodeEditor::refreshMarks() {
  QList<QTextEdit::ExtraSelection> marks;
  QTextEdit::ExtraSelection line;
  line.format.setBackground(appearance_.color(Role::LineCurrent));
  line.format.setProperty(QTextFormat::FullWidthSelection, true);
  line.cursor = textCursor();
  line.cursor.clearSelection();
  marks << line;
  for (std::size_t i = 0; i < std::min(matches_.size(), kMostMarked); ++i) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = cursorOver(matches_[i]);
    const bool isCurrent = mark.cursor.selectionStart() == textCursor().selectionStart() &&
                           mark.cursor.selectionEnd() == textCursor().selectionEnd();
    mark.format.setBackground(appearance_.color(isCurrent ? Role::FindCurrent : Role::FindMatch));
    marks << mark;
  }
  for (const EditProblem& problem : problems_) {
    QTextEdit::ExtraSelection mark;
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(appearance_.color(problem.isError ? Role::Error : Role::Warning));
    mark.cursor = positionOf(problem);
    if (!mark.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor))
      mark.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    marks << mark;
  }
  // Positions are those of UTF-16 units.
  const QString text = toPlainText();
  const QString before = text.left(textCursor().position());
  const std::string bytes = text.toStdString();
  const auto brackets = bracketsAt(bytes, static_cast<std::size_t>(before.toUtf8().size()));
  if (brackets) {
    for (const std::size_t at : {brackets->first, brackets->second}) {
      QTextEdit::ExtraSelection mark;
      mark.format.setBackground(appearance_.color(Role::Occurrence));
      mark.cursor = QTextCursor(document());
      mark.cursor.setPosition(static_cast<int>(QString::fromStdString(bytes.substr(0, at)).size()));
      mark.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
      marks << mark;
    }
  }
  setExtraSelections(marks);
}

void CodeEditor::goTo(std::uint32_t line, std::uint32_t column) {
  setTextCursor(positionOf({line, column, true, {}}));
  centerCursor();
  setFocus();
}

void CodeEditor::complete(bool always) {
  const QString before = toPlainText().left(textCursor().position());
  const std::string text = before.toStdString();
  static const std::vector<std::string> kNone;
  const Completion found = completionAt(text, text.size(), operations_ ? *operations_ : kNone);
  const auto typed = static_cast<qsizetype>(text.size() - found.begin);
  if (found.names.empty() || (!always && typed < kTyped)) return completer_->popup()->hide();
  QStringList names;
  for (const std::string& name : found.names) names << QString::fromStdString(name);
  names_.setStringList(names);
  QRect at = cursorRect();
  at.translate(marginWidth(), 0);
  at.setWidth(completer_->popup()->sizeHintForColumn(0) +
              completer_->popup()->verticalScrollBar()->sizeHint().width() + kGrid);
  completer_->complete(at);
  completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
}

void CodeEditor::insertCompletion(const QString& name) {
  const std::string text = toPlainText().left(textCursor().position()).toStdString();
  const Completion found = completionAt(text, text.size(), {});
  QTextCursor cursor = textCursor();
  cursor.movePosition(QTextCursor::PreviousCharacter, QTextCursor::KeepAnchor,
                      static_cast<int>(QString::fromStdString(text.substr(found.begin)).size()));
  cursor.insertText(name);
  setTextCursor(cursor);
}

void CodeEditor::keyPressEvent(QKeyEvent* event) {
  const bool isListed = completer_->popup()->isVisible();
  if (isListed) switch (event->key()) {
      case Qt::Key_Enter:
      case Qt::Key_Return:
      case Qt::Key_Tab:
      case Qt::Key_Escape: return event->ignore();  // of the list
      default: break;
    }
  if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier)
    return complete(true);
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isReturn && event->modifiers() == Qt::NoModifier) {
    const std::string line =
        textCursor().block().text().left(textCursor().positionInBlock()).toStdString();
    return insertPlainText('\n' + QString::fromStdString(indentAfter(line, line.size())));
  }
  QPlainTextEdit::keyPressEvent(event);
  const QString typed = event->text();
  const bool isName = !typed.isEmpty() && (typed.front().isLetterOrNumber() || typed == "." ||
                                           typed == "_" || typed == "%");
  if (isName || isListed) complete(false);
}

bool CodeEditor::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QPoint at = viewport()->mapFromGlobal(help->globalPos());
  const auto line = static_cast<std::uint32_t>(cursorForPosition({0, at.y()}).blockNumber());
  QStringList tips;
  for (const EditProblem& problem : problems_)
    if (problem.line == line) tips << (problem.isError ? "error: " : "warning: ") + problem.message;
  QToolTip::showText(help->globalPos(), tips.join('\n'), this);
  return true;
}

}  // namespace fxs::ui
