// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/arrangement/arrangement_presenter.h"

namespace fxs::ui {

QString title(Arrangement arrangement) {
  switch (arrangement) {
    case Arrangement::Graph: return "Graph";
    case Arrangement::Stages: return "Stages";
    case Arrangement::Passes: return "Passes";
    case Arrangement::Diagnosis: return "Diagnosis";
    case Arrangement::Numbers: return "Numbers";
  }
  return {};
}

QString name(Arrangement arrangement) { return title(arrangement).toLower(); }

std::optional<Arrangement> arrangementFrom(const QString& text) {
  for (const Arrangement each : kArrangements)
    if (name(each) == text) return each;
  return std::nullopt;
}

ArrangementPresenter::Shown ArrangementPresenter::standard(Arrangement arrangement) {
  switch (arrangement) {
    case Arrangement::Graph: return {"problems", {LastStage{}}};
    case Arrangement::Stages: return {"problems", StagePresenter::kStandardPanes};
    case Arrangement::Passes: return {"passes", {Handle::From, Handle::To}};
    case Arrangement::Diagnosis: return {"problems", {LastStage{}}};
    case Arrangement::Numbers: return {"numbers", {LastStage{}}};
  }
  return {};
}

ArrangementPresenter::ArrangementPresenter(Services& services)
    : stages_(services.get<StagePresenter>()) {
  for (const Arrangement each : kArrangements) shown_[each] = standard(each);
  show();
  connect(&stages_.passes(), &PassPresenter::handlesChanged, this,
          &ArrangementPresenter::showPasses);
}

void ArrangementPresenter::choose(Arrangement arrangement) {
  if (arrangement == current_) return;
  Q_EMIT aboutToChange();
  shown_[current_].texts = texts();
  current_ = arrangement;
  show();
  Q_EMIT changed();
}

void ArrangementPresenter::reset() {
  shown_[current_] = standard(current_);
  show();
  Q_EMIT changed();
}

ShownTexts ArrangementPresenter::texts() const {
  if (current_ == Arrangement::Passes) return standard(current_).texts;
  return stages_.showsHandles() ? stages_.lastingPanes() : stages_.panes();
}

void ArrangementPresenter::show() {
  ShownTexts texts = shown_[current_].texts;
  // Snapshots of a former trace are gone.
  for (ShownText& text : texts)
    if (std::holds_alternative<PassSnapshot>(text) && !stages_.stage(text)) text = LastStage{};
  stages_.setPanes(texts);
  showPasses();
}

void ArrangementPresenter::showPasses() {
  if (current_ != Arrangement::Passes) return;
  stages_.setPanes(standard(current_).texts);
  PassPresenter& passes = stages_.passes();
  // Something to see before and after: the first pass that changed the module.
  if (passes.trace() && passes.to() < 0) passes.step(1);
}

QStringList ArrangementPresenter::saved() const {
  QStringList all;
  for (const auto& [arrangement, shown] : shown_) {
    QStringList names;
    for (const ShownText& text : arrangement == current_ ? texts() : shown.texts)
      names << ui::name(std::holds_alternative<PassSnapshot>(text) ? ShownText(LastStage{}) : text);
    all << QString("%1: %2; %3").arg(ui::name(arrangement), shown.page, names.join(' '));
  }
  return all;
}

void ArrangementPresenter::restore(const QStringList& saved, Arrangement current) {
  for (const QString& line : saved) {
    const auto arrangement = arrangementFrom(line.section(": ", 0, 0));
    if (!arrangement) continue;
    Shown& shown = shown_[*arrangement];
    shown.page = line.section(": ", 1).section("; ", 0, 0);
    ShownTexts texts;
    for (const QString& text : line.section("; ", 1).split(' ', Qt::SkipEmptyParts))
      texts.push_back(shownTextFrom(text));
    const bool valid = !texts.empty() && texts.size() <= StagePresenter::kMaxPanes &&
                       arrangement != Arrangement::Passes;
    if (valid) shown.texts = texts;
  }
  current_ = current;
  show();
  Q_EMIT changed();
}

}  // namespace fxs::ui
