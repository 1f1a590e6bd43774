// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/find_bar.h"

#include <QKeyEvent>
#include <QLocale>
#include <algorithm>
#include <utility>

#include "text/words.h"
#include "widgets/code_view.h"

namespace fxs::ui {

FindBar::FindBar(Appearance& appearance, Services& services, CodeView& view, QWidget* parent)
    : FindBar(appearance, services,
              {&view, [&view] { return view.selectedText(); }, [&view] { return view.code(); },
               [&view] { return view.cursorPosition().line; },
               [&view](std::vector<FindMatch> matches) { view.setMatches(std::move(matches)); },
               [&view](int index) { view.setCurrentMatch(index); }},
              parent) {}

FindBar::FindBar(Appearance& appearance, Services& services, FindTarget target, QWidget* parent)
    : QWidget(parent), target_(std::move(target)), searching_(services) {
  auto* row = makeBox<QHBoxLayout>();
  row->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
  edit_ = new QLineEdit(this);
  edit_->setPlaceholderText("Find in this text");
  edit_->setAccessibleName("Find in this text");
  edit_->setClearButtonEnabled(false);
  edit_->setMinimumWidth(80);
  regex_ = new IconButton(appearance, "regex", "Regular expression", this);
  regex_->setCheckable(true);
  matchCase_ = new QToolButton(this);
  matchCase_->setText("Aa");
  matchCase_->setToolTip("Match case");
  matchCase_->setAccessibleName("Match case");
  matchCase_->setCheckable(true);
  count_ = makeLabel(appearance, {}, TextSize::Small, "muted", this);
  count_->setMinimumWidth(64);
  auto* previousButton =
      new IconButton(appearance, "chevron-up", "Previous match (Shift+F3)", this);
  auto* nextButton = new IconButton(appearance, "chevron-down", "Next match (F3)", this);
  auto* closeButton = new IconButton(appearance, "close", "Close (Esc)", this);
  row->addWidget(edit_, 1);
  row->addWidget(regex_);
  row->addWidget(matchCase_);
  row->addWidget(count_);
  row->addWidget(previousButton);
  row->addWidget(nextButton);
  row->addWidget(closeButton);
  setLayout(row);
  hide();
  const auto goes = [this] { search(Then::Goes); };
  connect(edit_, &QLineEdit::textChanged, this, goes);
  connect(regex_, &QToolButton::toggled, this, goes);
  connect(matchCase_, &QToolButton::toggled, this, goes);
  connect(previousButton, &QToolButton::clicked, this, &FindBar::previous);
  connect(nextButton, &QToolButton::clicked, this, &FindBar::next);
  connect(closeButton, &QToolButton::clicked, this, &FindBar::dismiss);
}

void FindBar::start() {
  const QString selected = target_.selectedText();
  setVisible(true);
  if (!selected.isEmpty() && !selected.contains('\n')) edit_->setText(selected);
  edit_->setFocus();
  edit_->selectAll();
  search(Then::Goes);
}

void FindBar::dismiss() {
  searching_.supersede();
  steps_ = 0;
  hide();
  target_.setMatches({});
  target_.widget->setFocus();
}

void FindBar::textChanged() {
  if (isVisible()) search(Then::Goes);
}

void FindBar::textEdited() {
  if (isVisible()) search(Then::Stays);
}

void FindBar::search(Then then) {
  const FindQuery query{edit_->text().toStdString(), regex_->isChecked(), matchCase_->isChecked()};
  searching_.start([code = target_.code(),
                    query](const RunContext& context) { return ui::find(*code, query, context); },
                   [this, then](Found found) {
                     found_ = std::move(found);
                     target_.setMatches(found_.matches);
                     // The first match at or after the cursor.
                     const auto at = std::lower_bound(
                         found_.matches.begin(), found_.matches.end(), target_.cursorLine(),
                         [](const FindMatch& m, std::uint32_t line) { return m.line < line; });
                     const bool isAfterAll = at == found_.matches.end();
                     const auto index =
                         isAfterAll ? 0 : static_cast<int>(at - found_.matches.begin());
                     show(found_.matches.empty() ? -1 : index, then);
                     if (const int steps = std::exchange(steps_, 0)) step(steps);
                     Q_EMIT searched();
                   });
}

void FindBar::next() { step(1); }

void FindBar::previous() { step(-1); }

void FindBar::step(int by) {
  if (!isVisible()) return start();
  if (searching_.running()) {
    steps_ += by;
    return;
  }
  const auto size = static_cast<int>(found_.matches.size());
  if (size) show(((current_ + by) % size + size) % size);
}

void FindBar::show(int index, Then then) {
  current_ = index;
  if (index >= 0 && then == Then::Goes) target_.setCurrentMatch(index);
  const QLocale locale(QLocale::English);
  setInk(count_, !found_.error.empty() || (found_.matches.empty() && !edit_->text().isEmpty())
                     ? "error"
                     : "muted");
  count_->setToolTip(text(found_.error));
  if (!found_.error.empty()) count_->setText("invalid pattern");
  else if (edit_->text().isEmpty()) count_->setText({});
  else if (found_.matches.empty()) count_->setText("no match");
  else
    count_->setText(QString("%1 of %2%3")
                        .arg(locale.toString(index + 1),
                             locale.toString(static_cast<qulonglong>(found_.matches.size())),
                             found_.more ? QString("+") : QString()));
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return dismiss();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    return event->modifiers() & Qt::ShiftModifier ? previous() : next();
  QWidget::keyPressEvent(event);
}

}  // namespace fxs::ui
