// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/problems/blocked_section.h"

#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "text/words.h"
#include "widgets/code_view.h"
#include "widgets/flow_layout.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kFewExperiments = 6;
constexpr std::size_t kSnippetLines = 20;                        ///< that are shown at once
constexpr int kClassWidth = 13 * kGrid, kNoteWidth = 8 * kGrid;  ///< at least, times the text scale

Role roleOf(const ExperimentRow& row) {
  switch (row.outcome) {
    case diagnose::Outcome::Passed: return row.helps() ? Role::Success : Role::Warning;
    case diagnose::Outcome::Failed: return Role::Error;
    case diagnose::Outcome::NotRun: return Role::Skipped;
  }
  return Role::Text;
}

QString inkOf(const ExperimentRow& row) {
  if (row.outcome != diagnose::Outcome::Passed) return "muted";
  return row.helps() ? "success" : "warning";
}

/// The property "banner" of a card, as in the style sheet.
QString cardStyle(fx::Severity severity) {
  if (severity == fx::Severity::Error) return "error";
  return severity == fx::Severity::Warning ? "warning" : "info";
}

/// The colour of a card's icon.
Role cardRole(fx::Severity severity) {
  if (severity == fx::Severity::Error) return Role::Error;
  return severity == fx::Severity::Warning ? Role::Warning : Role::Accent;
}

}  // namespace

QWidget* problemCard(const Appearance& appearance, const QString& icon, fx::Severity severity,
                     QWidget* parent) {
  auto* card = new QWidget(parent);
  card->setProperty("banner", cardStyle(severity));
  card->setAttribute(Qt::WA_StyledBackground);
  auto* row = makeBox<QHBoxLayout>(kGrid, kGrid);
  auto* sign = new QLabel(card);
  sign->setPixmap(pixmap(appearance, icon, cardRole(severity), 16, parent));
  sign->setAlignment(Qt::AlignTop);
  sign->setFixedWidth(appearance.scaled(2 * kGrid));
  row->addWidget(sign);
  card->setLayout(row);
  return card;
}

BlockedSection::BlockedSection(Appearance& appearance, ProblemsPresenter& problems,
                               DiagnosisPresenter& diagnosis, fx::NodeId node,
                               std::shared_ptr<OpenParts> open, QWidget* parent)
    : QWidget(parent),
      appearance_(appearance),
      problems_(problems),
      diagnosis_(diagnosis),
      node_(node),
      open_(std::move(open)) {
  auto* box = makeBox<QVBoxLayout>(0);
  setLayout(box);
  connect(&problems, &ProblemsPresenter::changed, this, &BlockedSection::refresh);
  connect(&diagnosis, &DiagnosisPresenter::stateChanged, this, &BlockedSection::refresh);
  refresh();
}

void BlockedSection::refresh() {
  std::vector<Shown> now;
  // The problems are those of a diagnosis that has just been dropped until they are made anew.
  for (const ProblemPart* part : problems_.at(node_))
    if (part->blocked >= 0 && problems_.diagnosis())
      now.push_back(
          {blockedState(*problems_.diagnosis(),
                        problems_.diagnosis()->blocked[static_cast<std::size_t>(part->blocked)]),
           part->severity});
  const bool wasRunning = !running_.isEmpty();
  running_ = diagnosis_.state().running && !now.empty() ? diagnosis_.state().step : QString();
  if (body_ && now == shown_ && wasRunning == !running_.isEmpty()) {
    for (ElidedLabel* note : notes_)
      if (wasRunning) note->setFullText(running_ + " …");
    return;
  }
  shown_ = std::move(now);
  rebuild();
}

void BlockedSection::rebuild() {
  // Deleted later, because the handler of one of its buttons may be running.
  if (body_) {
    layout()->removeWidget(body_);
    body_->hide();
    body_->deleteLater();
  }
  help_ = nullptr;
  notes_.clear();
  body_ = new QWidget(this);
  column_ = makeBox<QVBoxLayout>(kGrid / 2);
  body_->setLayout(column_);
  for (const Shown& shown : shown_) {
    // Problems of other output types are collapsed.
    const QString key = "target " + shown.state.target;
    if (shown.severity == fx::Severity::Note) {
      column_->addWidget(
          toggle(QString("also stops %1: %2").arg(shown.state.target, shown.state.className), key),
          0, Qt::AlignLeft);
      if (!open_->contains(key)) continue;
    }
    buildCard(shown);
    buildFacts(shown.state);
    buildExperiments(shown.state);
  }
  layout()->addWidget(body_);
  setVisible(!shown_.empty());
}

WrappedLabel* BlockedSection::makeText(const QString& text, TextSize size, const QString& ink) {
  return new WrappedLabel(appearance_, text, size, ink, body_);
}

int BlockedSection::helpTop() const { return help_ ? help_->mapTo(this, QPoint(0, 0)).y() : -1; }

void BlockedSection::buildCard(const Shown& shown) {
  const BlockedState& state = shown.state;
  QWidget* card = problemCard(appearance_, state.icon, shown.severity, body_);
  auto* lines = makeBox<QVBoxLayout>(kGrid / 2);
  auto* head = new FlowLayout(kGrid / 2, {});
  QLabel* title =
      makeElided(state.target + ": " + state.className,
                 appearance_.sans(TextSize::Body, QFont::DemiBold), {}, card, Qt::ElideRight);
  title->setToolTip(state.title);
  head->addFilling(title, appearance_.scaled(kClassWidth));
  if (state.nodes.size() > 1) head->addWidget(steps(state.nodes));
  lines->addLayout(head);
  lines->addWidget(makeText(state.message, TextSize::Body));
  static_cast<QHBoxLayout*>(card->layout())->addLayout(lines, 1);
  column_->addWidget(card);
}

/// "3 of 12" among the nodes of the operation, with buttons to the previous and next.
QWidget* BlockedSection::steps(const std::vector<fx::NodeId>& nodes) {
  auto* all = new QWidget(body_);
  auto* row = makeBox<QHBoxLayout>(0);
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), node_);
  const auto count = static_cast<std::ptrdiff_t>(nodes.size());
  const std::ptrdiff_t position = at - nodes.begin();
  const auto button = [&](const QString& icon, const QString& name, std::ptrdiff_t step) {
    auto* go = new IconButton(appearance_, icon, name, body_);
    connect(go, &QToolButton::clicked, this,
            [this, to = nodes[static_cast<std::size_t>((position + step + count) % count)]] {
              Q_EMIT nodeRequested(to);
            });
    row->addWidget(go);
  };
  button("back", "Previous node with the same outcome", -1);
  QLabel* which = makeLabel(appearance_, QString("%1 of %2").arg(position + 1).arg(count),
                            TextSize::Small, "muted", body_);
  which->setToolTip("Nodes with the same outcome");
  row->addWidget(which);
  button("forward", "Next node with the same outcome", 1);
  all->setLayout(row);
  return all;
}

QToolButton* BlockedSection::toggle(const QString& shown, const QString& key) {
  const bool open = open_->contains(key);
  auto* button = new QToolButton(body_);
  button->setText(shown);
  button->setToolTip(shown);
  button->setMinimumWidth(kGrid);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setIcon(appearance_.icon(open ? "chevron-down" : "chevron-right"));
  button->setAccessibleName((open ? "Hide: " : "Show: ") + shown);
  connect(
      button, &QToolButton::clicked, this,
      [this, key] {
        if (!open_->erase(key)) open_->insert(key);
        rebuild();
      },
      Qt::QueuedConnection);
  return button;
}

void BlockedSection::buildFacts(const BlockedState& state) {
  if (!state.sizes.isEmpty()) column_->addWidget(makeText(state.sizes, TextSize::Body));
  if (!state.agreement.isEmpty())
    column_->addWidget(makeText(state.agreement, TextSize::Small, "warning"));
  const auto fact = [this](const QString& name, const QString& value) {
    if (value.isEmpty()) return;
    auto* row = makeBox<QHBoxLayout>(kGrid);
    QLabel* label = makeLabel(appearance_, name, TextSize::Small, "muted", body_);
    label->setMinimumWidth(appearance_.scaled(9 * kGrid));
    row->addWidget(label);
    row->addWidget(makeElided(value, appearance_.mono(TextSize::Small), {}, body_, Qt::ElideRight),
                   1);
    column_->addLayout(row);
  };
  fact("Stopped in", state.where);
  fact("Operation", state.operation);
  if (!state.tried.isEmpty()) fact("Rejected by", state.tried.join(", "));
  if (state.engineMessage.isEmpty()) return;
  const QString key = "words " + state.target;
  column_->addWidget(toggle("Engine output", key), 0, Qt::AlignLeft);
  if (!open_->contains(key)) return;
  WrappedLabel* said = makeText(state.engineMessage);
  said->setFont(appearance_.mono(TextSize::Small));
  column_->addWidget(said);
}

void BlockedSection::buildExperiments(const BlockedState& state) {
  auto* head = new FlowLayout(kGrid, {});
  QLabel* title = makeHeading(appearance_, "Verified fixes", body_);
  if (!help_) help_ = title;
  head->addWidget(title);
  QString note =
      state.experimentsNote.isEmpty() ? QString("no fixes were tried") : state.experimentsNote;
  if (!running_.isEmpty()) note = running_ + " …";
  notes_.push_back(
      makeElided(note, appearance_.sans(TextSize::Small), "muted", body_, Qt::ElideRight));
  head->addFilling(notes_.back(), appearance_.scaled(kNoteWidth));
  if (std::any_of(state.experiments.begin(), state.experiments.end(),
                  [](const ExperimentRow& row) { return row.helps(); })) {
    QToolButton* apply = makeBoxed(
        "Apply fixes …", "Write the program with every verified fix (Ctrl+Shift+E)", body_);
    connect(apply, &QToolButton::clicked, this, &BlockedSection::fixRequested);
    head->addWidget(apply);
  }
  column_->addLayout(head);
  // Fixes that work are always shown; of the others a few, or all if expanded.
  std::vector<const ExperimentRow*> rest;
  for (const ExperimentRow& row : state.experiments)
    if (row.helps()) buildExperiment(row, state.target);
    else rest.push_back(&row);
  const QString key = "rest " + state.target;
  const bool helped = rest.size() < state.experiments.size();
  const bool all = open_->contains(key) || (!helped && rest.size() <= kFewExperiments);
  if (!rest.empty() && (helped || rest.size() > kFewExperiments))
    column_->addWidget(
        toggle(
            QString("%1 that %2 not work").arg(rest.size()).arg(rest.size() == 1 ? "does" : "do"),
            key),
        0, Qt::AlignLeft);
  if (!all) return;
  for (const ExperimentRow* row : rest) buildExperiment(*row, state.target);
}

void BlockedSection::buildExperiment(const ExperimentRow& row, const QString& target) {
  auto* line = makeBox<QHBoxLayout>(kGrid);
  auto* icon = new QLabel(body_);
  icon->setPixmap(pixmap(appearance_, row.icon, roleOf(row), kSign, this));
  icon->setToolTip(row.verdict);
  icon->setFixedWidth(appearance_.scaled(kSign));
  icon->setAlignment(Qt::AlignTop);
  line->addWidget(icon);
  line->addWidget(makeText(row.change, TextSize::Body, row.helps() ? QString() : QString("muted")),
                  1);
  column_->addLayout(line);
  // The verdict with its icon; then the cost of the fix, or why it does not work.
  auto* sure = makeBox<QHBoxLayout>(kGrid / 2);
  sure->setContentsMargins(appearance_.scaled(kSign) + kGrid, 0, 0, 0);
  if (row.verified > diagnose::Verified::ByItself) {
    auto* proved = new QLabel(body_);
    proved->setPixmap(pixmap(appearance_, "proved", Role::Success, kSign, this));
    sure->addWidget(proved);
  }
  QLabel* verdict =
      makeElided(row.verdict, appearance_.sans(TextSize::Small), inkOf(row), body_, Qt::ElideRight);
  if (!row.message.isEmpty()) verdict->setToolTip(row.verdict + '\n' + row.message);
  sure->addWidget(verdict);
  const bool passed = row.outcome == diagnose::Outcome::Passed;
  QString more;
  if (!passed || !row.helps()) more = row.message.section('\n', 0, 0);
  else if (!row.cost.isEmpty()) more = "trade-off: " + row.cost;
  const QFont small = appearance_.sans(TextSize::Small);
  sure->addWidget(
      makeElided(more.isEmpty() ? more : "·  " + more, small, "muted", body_, Qt::ElideRight), 1);
  column_->addLayout(sure);
  // Of a diagnosis that goes on, snippets may still change their form.
  if (row.helps() && running_.isEmpty()) buildSnippet(row, target);
}

void BlockedSection::buildSnippet(const ExperimentRow& row, const QString& target) {
  if (row.snippet.isEmpty()) return;
  const QString code = row.snippet.trimmed();
  const auto count = static_cast<std::size_t>(code.count('\n') + 1);
  const QString key = "snippet " + target + ' ' + row.change;
  auto* line = makeBox<QHBoxLayout>(kGrid / 2);
  line->setContentsMargins(appearance_.scaled(kSign) + kGrid, 0, 0, 0);
  line->addWidget(toggle(
      QString("%1 (%2)").arg(row.language == "sh" ? "Command" : "Python", counted(count, "line")),
      key));
  line->addStretch(1);
  auto* copy = new IconButton(appearance_, "copy", "Copy this snippet", body_);
  connect(copy, &QToolButton::clicked, this,
          [this, snippet = row.snippet] { Q_EMIT copyRequested(snippet); });
  line->addWidget(copy);
  column_->addLayout(line);
  if (!open_->contains(key)) return;
  auto* view = new CodeView(appearance_, body_);
  view->setAccessibleName("Snippet, " + row.language);
  view->setPlain(true);
  view->setCode(CodeText::of(code.toStdString()));
  // As high as its lines, and not wrapped.
  const int lines = static_cast<int>(std::min(count, kSnippetLines));
  view->setFixedHeight(view->lineRect(0).height() * lines +
                       view->horizontalScrollBar()->sizeHint().height() + kGrid);
  column_->addWidget(view);
}

}  // namespace fxs::ui
