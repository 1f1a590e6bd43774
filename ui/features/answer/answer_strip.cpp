// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/answer/answer_strip.h"

#include <QVBoxLayout>
#include <utility>

#include "text/words.h"
#include "widgets/stage_sign.h"

namespace fxs::ui {
namespace {

using Standing = report::Answer::Standing;

/// What a verdict looks like, and what a screen reader says of it.
struct StandingSign {
  const char* icon;
  Role role;
  const char* name;
};

StandingSign signOf(Standing standing, bool isRunning = false) {
  if (isRunning && standing == Standing::NotKnown) return {"running", Role::Accent, "Running"};
  switch (standing) {
    case Standing::Lowers: return {"done", Role::Success, "Lowers"};
    case Standing::Warned: return {"warning", Role::Warning, "Lowers, with warnings"};
    case Standing::Stops: return {"error", Role::Error, "Does not lower"};
    case Standing::NotKnown: break;
  }
  return {"skipped", Role::Skipped, "Not known"};
}

}  // namespace

AnswerStrip::AnswerStrip(Appearance& appearance, AnswerPresenter& answer, StagePresenter& stages,
                         std::function<QAction*(const QString&)> actionOf, QWidget* parent)
    : QWidget(parent),
      appearance_(appearance),
      answer_(answer),
      stagePresenter_(stages),
      actionOf_(std::move(actionOf)) {
  setObjectName("answer");
  auto* rows = makeBox<QVBoxLayout>(0);
  rows->setContentsMargins(kGrid, 0, kGrid, kGrid / 2);
  auto* first = makeBox<QHBoxLayout>(kGrid);
  sign_ = new QLabel(this);
  sign_->setFixedWidth(appearance.scaled(2 * kGrid));
  first->addWidget(sign_);
  message_ =
      makeElided({}, appearance.sans(TextSize::Body, QFont::DemiBold), {}, this, Qt::ElideRight);
  message_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  first->addWidget(message_, 1);
  buttons_ = makeBox<QHBoxLayout>(kGrid / 2);
  first->addLayout(buttons_);
  rows->addLayout(first);
  auto* second = makeBox<QHBoxLayout>(kGrid);
  stageRow_ = new FittedRow(appearance, "Stages", FittedRow::Hide::First, this);
  typeRow_ = new FittedRow(appearance, "Other output types", FittedRow::Hide::Last, this);
  also_ = makeLabel(appearance, "also", TextSize::Small, "muted", this);
  second->addWidget(stageRow_, 1);
  second->addWidget(also_);
  second->addWidget(typeRow_);
  rows->addLayout(second);
  setLayout(rows);
  connect(&answer, &AnswerPresenter::changed, this, &AnswerStrip::refresh);
  connect(&stages, &StagePresenter::stagesChanged, this, &AnswerStrip::refreshStages);
  connect(&appearance, &Appearance::changed, this, &AnswerStrip::refresh);
  connect(stageRow_, &FittedRow::chosen, this, [this](int entry) {
    const std::vector<Stage> all = stagePresenter_.stepsAndStages();
    if (static_cast<std::size_t>(entry) < all.size())
      Q_EMIT stageChosen(all[static_cast<std::size_t>(entry)].id);
  });
  connect(typeRow_, &FittedRow::chosen, this, [this](int entry) {
    const std::vector<TypeAnswer>& types = answer_.state().types;
    if (static_cast<std::size_t>(entry) < types.size())
      Q_EMIT typeChosen("target-" + text(lower::name(types[static_cast<std::size_t>(entry)].type)));
  });
  refresh();
}

void AnswerStrip::refresh() {
  const AnswerState& state = answer_.state();
  setVisible(!state.message.isEmpty());
  const StandingSign sign = signOf(state.standing, state.running);
  sign_->setPixmap(pixmap(appearance_, sign.icon, sign.role, 2 * kGrid, this));
  sign_->setAccessibleName(sign.name);
  sign_->setToolTip(sign.name);
  message_->setFont(appearance_.sans(TextSize::Body, QFont::DemiBold));
  message_->setFullText(state.message);
  refreshSteps();
  refreshStages();
  refreshTypes();
}

void AnswerStrip::refreshSteps() {
  if (answer_.state().steps == shownSteps_) return;
  shownSteps_ = answer_.state().steps;
  // Deleted later, because the handler of one of them may be running.
  for (QToolButton* button : std::exchange(steps_, {})) {
    buttons_->removeWidget(button);
    button->hide();
    button->deleteLater();
  }
  for (const AnswerStep& step : shownSteps_) {
    QAction* action = actionOf_(step.action);
    if (!action) continue;
    QToolButton* button = makeBoxed({}, {}, this);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setObjectName("step-" + step.action);
    // It follows the action: whether it is enabled, and why not.
    const auto follow = [button, action, step] {
      button->setText(action->iconText());
      button->setEnabled(action->isEnabled());
      const bool isReason = action->isEnabled() && !step.message.isEmpty();
      button->setToolTip(isReason ? step.message + "\n" + action->toolTip() : action->toolTip());
    };
    follow();
    connect(action, &QAction::changed, button, follow);
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    buttons_->addWidget(button);
    button->show();
    steps_.push_back(button);
  }
}

void AnswerStrip::refreshStages() {
  std::vector<FittedRow::Entry> entries;
  if (stagePresenter_.hasProgram())
    for (const Stage& stage : stagePresenter_.stepsAndStages()) {
      const QString time = stage.seconds ? ' ' + text(*stage.seconds) : QString();
      const QString status = statusText(stage.mark);
      entries.push_back({withoutMnemonic(name(stage.id)) + time, stage.title + ": " + status + time,
                         iconOf(stage.mark), roleOf(stage.mark)});
    }
  stageRow_->setEntries(std::move(entries));
}

void AnswerStrip::refreshTypes() {
  std::vector<FittedRow::Entry> entries;
  for (const TypeAnswer& each : answer_.state().types) {
    const StandingSign sign = signOf(each.standing);
    entries.push_back({withoutMnemonic(each.message), each.message, sign.icon, sign.role});
  }
  also_->setVisible(!entries.empty());
  typeRow_->setEntries(std::move(entries));
}

}  // namespace fxs::ui
