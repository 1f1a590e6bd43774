// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_pair_presenter.h"

namespace fxs::ui {

GraphPairPresenter::GraphPairPresenter(GraphPresenter& program, OpGraphPresenter& first,
                                       OpGraphPresenter& second, Services& services)
    : program_(program),
      first_(first),
      second_(second),
      stages_(services.get<StagePresenter>()),
      comparing_(services, WorkFor::View) {
  for (OpGraphPresenter* each : {&first, &second}) {
    connect(each, &OpGraphPresenter::chosenChanged, this, &GraphPairPresenter::compare);
    connect(each, &OpGraphPresenter::operationsChanged, this, &GraphPairPresenter::compare);
  }
  for (GraphPresenter* each : {&program, &first.graph(), &second.graph()})
    connect(each, &GraphPresenter::expandedChanged, this, [this, each] { expandOther(*each); });
}

void GraphPairPresenter::setShown(bool shown) {
  if (shown_ == shown) return;
  shown_ = shown;
  if (!shown) {
    closed_ = second_.chosen();
    second_.choose(std::nullopt);  // so that it follows nothing while it is closed
  } else if (closed_) {
    second_.choose(closed_);
  } else {
    second_.choose(counterpart());
    if (first_.chosen() == ShownText(Handle::To)) {  // A is left of B
      first_.choose(Handle::From);
      second_.choose(Handle::To);
    }
  }
  Q_EMIT shownChanged();
  compare();
}

std::optional<ShownText> GraphPairPresenter::counterpart() const {
  const std::optional<ShownText>& first = first_.chosen();
  if (!first || std::holds_alternative<Alternative>(*first)) return stages_.resolved(LastStage{});
  if (const auto* variant = std::get_if<VariantStage>(&*first)) return StageId(variant->stage);
  if (const auto* handle = std::get_if<Handle>(&*first))
    return *handle == Handle::From ? Handle::To : Handle::From;
  const std::vector<std::pair<ShownText, QString>> choices = second_.choices();
  for (const auto& [text, title] : choices)
    if (std::holds_alternative<Alternative>(text) && (stages_.textOf(text) || stages_.shows(text)))
      return text;
  // The stage before; the program before the first.
  std::optional<ShownText> before;
  for (const auto& [text, title] : choices) {
    if (text == *first) break;
    before = text;
  }
  return before;
}

void GraphPairPresenter::expandOther(const GraphPresenter& graph) {
  if (!shown_) return;
  GraphPresenter& first = first_.chosen() ? first_.graph() : program_;
  GraphPresenter& second = second_.chosen() ? second_.graph() : program_;
  if (&graph == &first) second.expandAs(first);
  else if (&graph == &second) first.expandAs(second);
}

void GraphPairPresenter::compare() {
  const bool isPair = shown_ && first_.chosen() && second_.chosen() && first_.text() &&
                      second_.text() && first_.text() != second_.text();
  const auto type = isPair ? stages_.typeOf(*first_.chosen()) : std::nullopt;
  // Between two dialects everything differs.
  if (!type || type != stages_.typeOf(*second_.chosen())) return forget();
  if (a_ == first_.text() && b_ == second_.text()) return;
  a_ = first_.text();
  b_ = second_.text();
  comparing_.start([a = a_, b = b_](const RunContext&) { return diffView(a, b); },
                   [this](const std::shared_ptr<const DiffView>& made) {
                     first_.setDifference(made);
                     second_.setDifference(made);
                   });
}

void GraphPairPresenter::forget() {
  a_.reset();
  b_.reset();
  comparing_.supersede();
  first_.setDifference(nullptr);
  second_.setDifference(nullptr);
}

}  // namespace fxs::ui
