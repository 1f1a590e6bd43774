// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/stop.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "mlir/compare/diff.h"
#include "mlir/text/expanded_aliases.h"
#include "mlir/text/function_types.h"
#include "trace/attribute.h"
#include "trace/made_in.h"
#include "trace/selected_ops.h"

namespace fxs::trace {
namespace {

/// A module that is looked at, and its operations that have the terms.
struct Looked {
  int snapshot = -1;
  std::shared_ptr<const OpenText> text;
  std::vector<SeenOp> ops;
};

/// The operations and the ones of the other module that belong to them.
struct Sides {
  std::vector<mlir::OpId> before, after;
  bool empty() const { return before.empty() && after.empty(); }
};

std::vector<mlir::OpId> idsOf(const std::vector<SeenOp>& ops) {
  std::vector<mlir::OpId> out;
  for (const SeenOp& op : ops) out.push_back(op.op);
  return out;
}

/// Those whose text is more frequent than in `others`.
std::vector<mlir::OpId> missingIn(const std::vector<SeenOp>& others,
                                  const std::vector<SeenOp>& ops) {
  std::map<std::string_view, std::size_t> left;
  for (const SeenOp& op : others) ++left[op.text];
  std::vector<mlir::OpId> out;
  for (const SeenOp& op : ops) {
    std::size_t& same = left[op.text];
    if (same == 0) out.push_back(op.op);
    else --same;
  }
  return out;
}

Sides differences(const Looked& before, const Looked& now) {
  return {missingIn(now.ops, before.ops), missingIn(before.ops, now.ops)};
}

/// Same rank, and a size that is known only in `now`.
bool becameStatic(std::string_view before, std::string_view now) {
  const auto a = mlir::tensorType(before), b = mlir::tensorType(now);
  if (!a || !b || a->sizes.size() != b->sizes.size()) return false;
  for (std::size_t i = 0; i < a->sizes.size(); ++i)
    if (a->sizes[i] == mlir::kDynamic && b->sizes[i] != mlir::kDynamic) return true;
  return false;
}

bool changedElementType(std::string_view before, std::string_view now) {
  const auto a = mlir::tensorType(before), b = mlir::tensorType(now);
  return a && b && mlir::signless(a->element) != mlir::signless(b->element);
}

using CompareTypes = bool(std::string_view before, std::string_view now);

bool anyResult(const mlir::Module& before, const mlir::Module& now, const mlir::OpPair& pair,
               CompareTypes isDifferent) {
  if (!pair.a.valid() || !pair.b.valid()) return false;
  const mlir::IndexRange a = before.op(pair.a).results, b = now.op(pair.b).results;
  if (a.size() != b.size()) return false;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    if (isDifferent(before.typeOf(mlir::ValueId{a.begin + i}).of(before.text),
                    now.typeOf(mlir::ValueId{b.begin + i}).of(now.text)))
      return true;
  return false;
}

/// `ops` in text order.
bool has(const std::vector<SeenOp>& ops, mlir::OpId id) {
  const auto found = std::lower_bound(ops.begin(), ops.end(), id,
                                      [](const SeenOp& op, mlir::OpId to) { return op.op < to; });
  return found != ops.end() && found->op == id;
}

/// Pairs of operations of the structural diff with such a result; of those with the terms, if there
/// are any.
Sides otherResults(const Condition& condition, const Looked& before, const Looked& now) {
  CompareTypes& isDifferent =
      condition.event == Event::SizeStatic ? becameStatic : changedElementType;
  Sides out;
  for (const mlir::OpPair& pair : mlir::diff(*before.text->module, *now.text->module).pairs) {
    const bool isMeant = condition.terms.empty() || has(before.ops, pair.a) || has(now.ops, pair.b);
    if (!isMeant || !anyResult(*before.text->module, *now.text->module, pair, isDifferent))
      continue;
    out.before.push_back(pair.a);
    out.after.push_back(pair.b);
  }
  return out;
}

std::vector<SeenOp> withoutNode(const OpenText& text) {
  std::vector<SeenOp> out;
  const mlir::ExpandedAliases aliases(*text.module);
  for (std::size_t i = 0; i < text.origins->size(); ++i) {
    const mlir::OpId id = mlir::OpId::of(i);
    if (text.origins->of(id).link == Link::None && !isFrame(text.module->nameOf(id)))
      out.push_back(seenOp(*text.module, aliases, id));
  }
  return out;
}

std::set<fx::NodeId> nodesOf(const OpenText& text, const std::vector<mlir::OpId>& ops) {
  std::set<fx::NodeId> out;
  for (const mlir::OpId id : ops) {
    const OpOrigin origin = text.origins->of(id);
    if (origin.link != Link::None && origin.link != Link::Users)
      out.insert(origin.nodes.begin(), origin.nodes.end());
  }
  return out;
}

/// Operations of the nodes.
std::vector<mlir::OpId> ownedBy(const std::set<fx::NodeId>& nodes, const OpenText& text) {
  std::vector<mlir::OpId> out;
  for (std::size_t i = 0; i < text.origins->size(); ++i) {
    const OpOrigin origin = text.origins->of(mlir::OpId::of(i));
    if (origin.link == Link::None || origin.link == Link::Users) continue;
    if (std::any_of(origin.nodes.begin(), origin.nodes.end(),
                    [&](fx::NodeId node) { return nodes.contains(node); }))
      out.push_back(mlir::OpId::of(i));
  }
  return out;
}

/// What `ops` came from: by their locations, or else the operations of their nodes.
std::vector<mlir::OpId> sourcesOf(const std::vector<mlir::OpId>& ops, const Looked& now,
                                  const Looked& before) {
  if (now.text->origins->from() != before.snapshot)
    return ownedBy(nodesOf(*now.text, ops), *before.text);
  std::set<mlir::OpId> out;
  for (const mlir::OpId id : ops) {
    const auto from = now.text->origins->of(id).from;
    out.insert(from.begin(), from.end());
  }
  return {out.begin(), out.end()};
}

/// What came from `ops`, likewise.
std::vector<mlir::OpId> resultsOf(const std::vector<mlir::OpId>& ops, const Looked& before,
                                  const Looked& now) {
  if (now.text->origins->from() != before.snapshot)
    return ownedBy(nodesOf(*before.text, ops), *now.text);
  const std::set<mlir::OpId> wanted(ops.begin(), ops.end());
  std::vector<mlir::OpId> out;
  for (std::size_t i = 0; i < now.text->origins->size(); ++i) {
    const auto from = now.text->origins->of(mlir::OpId::of(i)).from;
    if (std::any_of(from.begin(), from.end(), [&](mlir::OpId id) { return wanted.contains(id); }))
      out.push_back(mlir::OpId::of(i));
  }
  return out;
}

bool holdsFor(std::size_t count, const Condition& condition) {
  switch (condition.comparison) {
    case Comparison::Less: return count < condition.count;
    case Comparison::AtMost: return count <= condition.count;
    case Comparison::Equal: return count == condition.count;
    case Comparison::AtLeast: return count >= condition.count;
    case Comparison::More: return count > condition.count;
  }
  return false;
}

/// Of Match: where the text matches now, and did not before.
std::optional<Sides> matched(const query::Pattern& expression, const Looked* before,
                             const Looked& now) {
  const auto found = expression.find(now.text->text);
  if (!found || (before != nullptr && expression.matches(before->text->text))) return std::nullopt;
  const mlir::OpId op = now.text->module->opAt(found->begin);
  return Sides{{}, op.valid() ? std::vector{op} : std::vector<mlir::OpId>()};
}

/// Of Count: where it holds now, and did not before.
std::optional<Sides> counted(const Condition& condition, const Looked* before, const Looked& now) {
  if (!holdsFor(now.ops.size(), condition)) return std::nullopt;
  if (before == nullptr) return Sides{{}, idsOf(now.ops)};
  if (holdsFor(before->ops.size(), condition)) return std::nullopt;
  return differences(*before, now);
}

/// Of the events that compare two modules.
std::optional<Sides> changed(const Condition& condition, const Looked& before, const Looked& now) {
  if (condition.event == Event::OriginsLost && before.ops.size() >= now.ops.size())
    return std::nullopt;
  const bool comparesTypes =
      condition.event == Event::SizeStatic || condition.event == Event::TypeChanges;
  Sides out = comparesTypes ? otherResults(condition, before, now) : differences(before, now);
  if (out.empty()) return std::nullopt;
  return out;
}

/// `before`: null for the first module.
std::optional<Sides> sidesOf(const Condition& condition, const Looked* before, const Looked& now) {
  const bool hadNone = before == nullptr || before->ops.empty();
  switch (condition.event) {
    case Event::Appears:
      if (!hadNone || now.ops.empty()) return std::nullopt;
      return Sides{{}, idsOf(now.ops)};
    case Event::Vanishes:
      if (hadNone || !now.ops.empty()) return std::nullopt;
      return Sides{idsOf(before->ops), {}};
    case Event::Count: return counted(condition, before, now);
    case Event::Match: return matched(*condition.expression, before, now);
    default: break;
  }
  if (before == nullptr) return std::nullopt;
  return changed(condition, *before, now);
}

Stop stopAt(Sides sides, const Looked* before, const Looked& now, const lower::PassTrace& passes) {
  Stop out;
  out.snapshot = now.snapshot;
  out.pass = passes.snapshots[static_cast<std::size_t>(now.snapshot)].pass;
  out.countAfter = now.ops.size();
  if (before != nullptr) {
    out.before = before->snapshot;
    out.countBefore = before->ops.size();
    if (sides.before.empty()) sides.before = sourcesOf(sides.after, now, *before);
    else if (sides.after.empty()) sides.after = resultsOf(sides.before, *before, now);
  }
  out.opsBefore = std::move(sides.before);
  out.opsAfter = std::move(sides.after);
  return out;
}

/// The stage that failed, and is known to; null if none did.
const lower::StageResult* failedStage(const lower::PassTrace& passes) {
  for (const lower::StageResult& stage : passes.stages)
    if (stage.status == lower::StageStatus::Failed || stage.status == lower::StageStatus::Crashed)
      return &stage;
  return nullptr;
}

/// The module before a pass, by the snapshots; -1 for none.
int moduleBefore(const lower::PassTrace& passes, int pass) {
  int out = -1;
  for (std::size_t i = 0; i < passes.snapshots.size(); ++i)
    if (!passes.snapshots[i].failure && passes.snapshots[i].pass < pass) out = static_cast<int>(i);
  return out;
}

/// The operations that the engine names, or their node's.
Result<std::vector<mlir::OpId>> failedOps(const Trace& trace, const Stop& stop,
                                          const std::vector<fx::Finding>& findings) {
  std::vector<mlir::OpId> out;
  if (stop.before < 0 || findings.empty() || findings.front().op.empty()) return out;
  FXS_TRY(const auto text, trace.open(static_cast<std::size_t>(stop.before)));
  const fx::Finding& finding = findings.front();
  for (std::size_t i = 0; i < text->module->ops.size(); ++i) {
    const mlir::OpId id = mlir::OpId::of(i);
    const auto nodes = text->origins->of(id).nodes;
    if (text->module->nameOf(id) == finding.op &&
        (!finding.node.valid() ||
         std::find(nodes.begin(), nodes.end(), finding.node) != nodes.end()))
      out.push_back(id);
  }
  return out;
}

Result<std::optional<Stop>> firstFailure(const Trace& trace, std::size_t from) {
  const lower::PassTrace& passes = trace.passes();
  const lower::StageResult* stage = failedStage(passes);
  if (stage == nullptr && !passes.madeElsewhere()) return std::nullopt;
  int failed = -1, last = -1;
  for (int i = 0; i < static_cast<int>(passes.passes.size()); ++i) {
    const lower::PassRun& pass = passes.passes[static_cast<std::size_t>(i)];
    if (pass.failed && failed < 0) failed = i;
    if (pass.ran && (stage == nullptr || pass.stage == stage->id)) last = i;
  }
  if (failed < 0 && stage == nullptr) return std::nullopt;
  Stop out;
  out.pass = failed < 0 ? last : failed;
  if (from > 0 && from < passes.snapshots.size() && out.pass < passes.snapshots[from].pass)
    return std::nullopt;
  out.before = moduleBefore(passes, failed < 0 ? last + 1 : failed);
  if (failed >= 0) out.snapshot = passes.passes[static_cast<std::size_t>(failed)].snapshot;
  if (out.snapshot >= 0 && !passes.snapshots[static_cast<std::size_t>(out.snapshot)].failure)
    out.snapshot = -1;
  if (stage != nullptr) {
    if (!stage->findings.empty()) out.message = stage->findings.front().message;
    FXS_TRY(out.opsBefore, failedOps(trace, out, stage->findings));
  }
  if (out.message.empty())
    out.message =
        failed < 0 ? "the stage " + stage->id + " failed after its last pass" : "the pass failed";
  return out;
}

/// The operations that the terms of a condition select in the module after its pass.
Result<std::vector<MadeIn>> followedOps(const Trace& trace, const Condition& condition,
                                        const OpSelection& selection, const RunContext& context) {
  const std::size_t count = trace.passes().passes.size();
  const int module = *condition.after > count
                         ? -1
                         : moduleBefore(trace.passes(), static_cast<int>(*condition.after));
  if (module < 0)
    return fail(ErrorCode::Usage, "condition: after=: expected a pass from 0, the import, to " +
                                      std::to_string(count) + ", got " +
                                      std::to_string(*condition.after));
  FXS_TRY(const auto text, trace.open(static_cast<std::size_t>(module)));
  const std::vector<mlir::OpId> ops = idsOf(selection.in(*text, context));
  if (ops.empty() || ops.size() > kStepsOfOp)
    return fail(ErrorCode::Usage,
                "condition: the module after pass " + std::to_string(*condition.after) + " has " +
                    std::to_string(ops.size()) + " such operations; expected 1 to " +
                    std::to_string(kStepsOfOp));
  return madeIn(trace, static_cast<std::size_t>(module), ops, context);
}

/// Where an operation was made, and each pass that changed or replaced it.
Result<std::vector<HistoryEntry>> changesOf(const Trace& trace, const MadeIn& op,
                                            const RunContext& context) {
  const auto made = static_cast<std::size_t>(op.made);
  FXS_TRY(std::vector<HistoryEntry> out, wentTo(trace, made, op.first, context));
  if (made == 0) return out;
  Looked before{op.made - 1, nullptr, {}}, now{op.made, nullptr, {}};
  FXS_TRY(before.text, trace.open(made - 1));
  FXS_TRY(now.text, trace.open(made));
  HistoryEntry entry;
  entry.pass = trace.passes().snapshots[made].pass;
  entry.snapshot = op.made;
  entry.before = sourcesOf({op.first}, now, before);
  entry.after = {op.first};
  out.insert(out.begin(), std::move(entry));
  return out;
}

Result<std::optional<Stop>> firstChange(const Trace& trace, const Condition& condition,
                                        const OpSelection& selection, std::size_t from,
                                        const RunContext& context) {
  FXS_TRY(const auto ops, followedOps(trace, condition, selection, context));
  std::optional<Stop> out;
  std::set<mlir::OpId> before, after;
  for (const MadeIn& op : ops) {
    FXS_TRY(const auto changes, changesOf(trace, op, context));
    const auto first = std::find_if(changes.begin(), changes.end(), [&](const HistoryEntry& each) {
      return each.snapshot >= static_cast<int>(from);
    });
    if (first == changes.end() || (out && out->snapshot < first->snapshot)) continue;
    if (!out || first->snapshot < out->snapshot) {
      out = Stop{first->pass, first->snapshot, first->snapshot - 1, {}, {}, 0, 0, {}};
      before.clear();
      after.clear();
    }
    before.insert(first->before.begin(), first->before.end());
    after.insert(first->after.begin(), first->after.end());
  }
  if (!out) return out;
  out->opsBefore = {before.begin(), before.end()};
  out->opsAfter = {after.begin(), after.end()};
  out->countBefore = before.size();
  out->countAfter = after.size();
  return out;
}

}  // namespace

Result<std::optional<Stop>> firstStop(const Trace& trace, const Condition& condition,
                                      std::size_t from, const RunContext& context) {
  FXS_TRY(const OpSelection selection, OpSelection::of(condition.terms, trace));
  if (condition.event == Event::Fails) return firstFailure(trace, from);
  if (condition.after) return firstChange(trace, condition, selection, from, context);
  const lower::PassTrace& passes = trace.passes();
  const bool hasTerms = !condition.terms.empty();
  std::optional<Looked> before;
  for (std::size_t i = from > 0 ? from - 1 : 0; i < passes.snapshots.size(); ++i) {
    if (passes.snapshots[i].failure) continue;
    Looked now{static_cast<int>(i), nullptr, {}};
    FXS_TRY(now.text, trace.open(i));
    context.spend(Resource::Values, now.text->module->ops.size(), "a condition");
    if (hasTerms) now.ops = selection.in(*now.text, context);
    if (condition.event == Event::OriginsLost) now.ops = withoutNode(*now.text);
    if (i >= from) {
      const Looked* earlier = before ? &*before : nullptr;
      if (auto sides = sidesOf(condition, earlier, now))
        return stopAt(*std::move(sides), earlier, now, passes);
    }
    before = std::move(now);
  }
  return std::nullopt;
}

}  // namespace fxs::trace
