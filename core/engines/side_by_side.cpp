// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engines/side_by_side.h"

#include <algorithm>

#include "mlir/compare/diff.h"

namespace fxs::engines {
namespace {

std::shared_ptr<const trace::SnapshotOrigins> originsAt(const Side& side, std::size_t stage) {
  return stage < side.origins.size() ? side.origins[stage] : nullptr;
}

/// Whether no operation of the text leads to a node, though it has some.
bool hasNoNodes(const trace::SnapshotOrigins& origins) {
  return origins.counts().counted > 0 && origins.counts().coverage() == 0;
}

std::optional<StageChange> changeOfStage(const Side& from, const Side& to, std::size_t i) {
  const lower::StageResult &before = from.lowering.stages[i], &after = to.lowering.stages[i];
  if (before.status != lower::StageStatus::Ok || after.status != lower::StageStatus::Ok ||
      before.text == after.text)
    return std::nullopt;
  StageChange out;
  out.stage = before.id;
  const auto a = trace::openText(before.text, originsAt(from, i), before.form);
  const auto b = trace::openText(after.text, originsAt(to, i), after.form);
  for (const auto& [text, side] : {std::pair(&a, &from), std::pair(&b, &to)})
    if ((*text)->module->ops.empty()) {
      out.unread = "no operation can be read in the text of " + labelOf(side->lowering.engine);
      return out;
    }
  const mlir::Diff diff = mlir::diff(*a->module, *b->module);
  if (diff.empty()) return std::nullopt;
  out.added = diff.added;
  out.removed = diff.removed;
  out.changed = diff.changed;
  out.moved = diff.moved;
  for (const auto& [text, side] : {std::pair(&a, &from), std::pair(&b, &to)})
    if (hasNoNodes(*(*text)->origins)) {
      out.unplaced = "no operation in the text of " + labelOf(side->lowering.engine) +
                     " has a location that leads to a node";
      return out;
    }
  for (auto& [node, ops] : trace::changesByNode(*a, *b))
    out.nodes.push_back({node, std::move(ops)});
  return out;
}

}  // namespace

const std::string& labelOf(const lower::Engine& engine) {
  return engine.name.empty() ? engine.path : engine.name;
}

std::vector<std::optional<std::size_t>> repeated(const std::vector<lower::Engine>& engines) {
  std::vector<std::optional<std::size_t>> out;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    std::size_t first = 0;
    while (engines[first].sha256 != engines[i].sha256) ++first;
    out.push_back(first < i ? std::optional(first) : std::nullopt);
  }
  return out;
}

bool SideBySide::differs() const {
  return std::any_of(types.begin(), types.end(), [](const TypeOutcomes& type) {
    const auto& all = type.outcomes;
    return std::adjacent_find(all.begin(), all.end(),
                              [](const Outcome& a, const Outcome& b) {
                                return !sameOutcome(a, b);
                              }) != all.end() ||
           std::any_of(type.steps.begin(), type.steps.end(),
                       [](const Step& step) { return !step.stages.empty(); });
  });
}

bool SideBySide::isUnanswered() const {
  return std::any_of(types.begin(), types.end(), [](const TypeOutcomes& type) {
    return !std::all_of(type.outcomes.begin(), type.outcomes.end(), isKnown);
  });
}

std::vector<StageChange> changesBetween(const Side& from, const Side& to,
                                        const RunContext& context) {
  std::vector<StageChange> out;
  for (std::size_t i = 0; i < std::min(from.lowering.stages.size(), to.lowering.stages.size());
       ++i) {
    if (context.stop.stop_requested()) return out;
    if (auto change = changeOfStage(from, to, i)) out.push_back(*std::move(change));
  }
  return out;
}

}  // namespace fxs::engines
