// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/notes/note_section.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr std::chrono::milliseconds kTypingPause{1000};
constexpr int kMostLines = 10;

QString stateText(const notes::Placed& note) {
  return note.state == notes::State::OtherTarget
             ? "Written when the node was " + text(note.note.target)
             : QString("Written on another version of this program");
}

}  // namespace

NoteSection::NoteSection(Appearance& appearance, NotesPresenter& notes, QWidget* parent)
    : QWidget(parent), appearance_(appearance), notes_(notes) {
  auto* column = makeBox<QVBoxLayout>(2);
  auto* row = makeBox<QHBoxLayout>(kGrid / 2);
  button_ = new QToolButton(this);
  button_->setAccessibleName("Toggle the bookmark of the node");
  button_->setToolTip("Toggle the bookmark of the node (Ctrl+B)");
  row->addWidget(button_, 0, Qt::AlignTop);
  field_ = new QTextEdit(this);
  field_->setAcceptRichText(false);
  field_->setTabChangesFocus(true);
  field_->setAccessibleName("Note on the node");
  field_->setToolTip("A note on the node (Ctrl+Shift+B), kept in a file beside the program");
  field_->setPlaceholderText("Write a note …");
  field_->setProperty("field", true);
  field_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  field_->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  field_->installEventFilter(this);
  row->addWidget(field_, 1);
  column->addLayout(row);
  state_ = makeElided({}, appearance.sans(TextSize::Small), "warning", this, Qt::ElideRight);
  column->addWidget(state_);
  setLayout(column);
  pause_.setSingleShot(true);
  pause_.setInterval(kTypingPause);
  connect(&pause_, &QTimer::timeout, this, &NoteSection::commit);
  connect(button_, &QToolButton::clicked, this, &NoteSection::toggled);
  connect(field_, &QTextEdit::textChanged, this, [this] {
    if (field_->document()->isModified()) pause_.start();
  });
  connect(field_->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged,
          this, &NoteSection::fitField);
  connect(&notes, &NotesPresenter::changed, this, &NoteSection::refresh);
  connect(&appearance, &Appearance::changed, this, &NoteSection::refresh);
  refresh();
}

void NoteSection::setNode(fx::NodeId node) {
  commit();
  if (node != node_) field_->clear();  // also what could be undone
  field_->document()->setModified(false);
  node_ = node;
  refresh();
}

void NoteSection::commit() {
  pause_.stop();
  if (!field_->document()->isModified()) return;
  field_->document()->setModified(false);
  if (const std::optional<NoteDraft> written = draft_)
    notes_.write(*written, field_->toPlainText());
}

void NoteSection::refresh() {
  const notes::Placed* now = notes_.at(node_);
  button_->setIcon(
      appearance_.icon(now ? "bookmarked" : "bookmark", now ? Role::Accent : Role::TextMuted));
  button_->setIconSize(appearance_.iconSize());
  const bool isOther = now && now->state != notes::State::Same;
  state_->setFullText(isOther ? stateText(*now) : QString());
  state_->setVisible(isOther);
  // What is being typed is kept: it is merged with the other text when it is written.
  if (field_->document()->isModified()) return;
  draft_ = notes_.draft(node_);
  const QString text = now ? lines(now->note.text) : QString();
  if (field_->toPlainText().trimmed() == text) return;
  const QSignalBlocker quiet(field_);
  field_->setPlainText(text);
  field_->document()->setModified(false);
}

void NoteSection::fitField() {
  const int frame = field_->height() - field_->viewport()->height();
  const int most = kMostLines * QFontMetrics(field_->font()).lineSpacing();
  const int height =
      std::min(most, static_cast<int>(std::ceil(field_->document()->size().height())));
  field_->setFixedHeight(height + frame);
}

bool NoteSection::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut) commit();
  return QWidget::eventFilter(watched, event);
}

void NoteSection::hideEvent(QHideEvent* event) {
  commit();
  QWidget::hideEvent(event);
}

}  // namespace fxs::ui
