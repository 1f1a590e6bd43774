// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/stages/arranged_texts_presenter.h"

namespace fxs::ui {
namespace {

ShownTexts standardTexts(Arrangement arrangement) {
  switch (arrangement) {
    case Arrangement::Stages: return {"fx", LastStage{}};
    case Arrangement::Passes: return {Handle::From, Handle::To};
    case Arrangement::Graph:
    case Arrangement::Diagnosis:
    case Arrangement::Numbers: return {LastStage{}};
  }
  return {};
}

}  // namespace

ArrangedTextsPresenter::ArrangedTextsPresenter(Services& services)
    : arrangement_(services.get<ArrangementPresenter>()), stages_(services.get<StagePresenter>()) {
  show();
  connect(&arrangement_, &ArrangementPresenter::changed, this, &ArrangedTextsPresenter::show);
  connect(&arrangement_, &ArrangementPresenter::textsWanted, this, [this] {
    if (arrangement_.current() == Arrangement::Passes) return;  // always the same
    arrangement_.setTexts(stages_.showsHandles() ? stages_.lastingPanes() : stages_.panes());
  });
  connect(&stages_.passes(), &PassPresenter::handlesChanged, this,
          &ArrangedTextsPresenter::showPasses);
}

void ArrangedTextsPresenter::show() {
  const Arrangement now = arrangement_.current();
  ShownTexts texts = arrangement_.texts();
  if (texts.empty() || texts.size() > StagePresenter::kMaxPanes || now == Arrangement::Passes)
    texts = standardTexts(now);
  // Snapshots of a former trace, and variants that were dropped, are gone.
  for (ShownText& text : texts)
    if (isTransient(text) && !std::holds_alternative<Handle>(text) && !stages_.stage(text))
      text = LastStage{};
  stages_.setPanes(texts);
  showPasses();
}

void ArrangedTextsPresenter::showPasses() {
  if (arrangement_.current() != Arrangement::Passes) return;
  stages_.setPanes(standardTexts(Arrangement::Passes));
  PassPresenter& passes = stages_.passes();
  // Something to see before and after: the first pass that changed the module.
  if (passes.trace() && passes.to() < 0) passes.step(1);
}

}  // namespace fxs::ui
