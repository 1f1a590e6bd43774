// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/change.h"

#include <algorithm>

#include "base/safe_text.h"
#include "diagnose/static_sizes.h"
#include "import/torch_mlir_refusals.h"
#include "rewrite/complex_pairs.h"
#include "rewrite/decompose.h"
#include "rewrite/emit.h"
#include "rewrite/known_strides.h"
#include "rewrite/symbolic_sizes.h"

namespace fxs::diagnose {
namespace {

/// Of a symbolic size, so that sums of two are counted right, too.
constexpr std::int64_t kLongest = rewrite::kMostPositions / 2;

/// What counts along a symbolic size is right up to a limit, which becomes that of its range.
Result<fx::ProgramPtr> withSymbolicSizes(const fx::ProgramPtr& program,
                                         const fx::ProgramPtr& source, const RunContext& context) {
  const std::vector<rewrite::Rule> rules = rewrite::symbolicSizeRules(*program);
  std::vector<const rewrite::Rule*> all;
  for (const rewrite::Rule& rule : rules) all.push_back(&rule);
  rewrite::Report report;
  FXS_TRY(fx::Program draft, rewrite::decompose(*program, all, report, context));
  const bool isCounted = std::ranges::any_of(report.applied, [](const rewrite::Applied& applied) {
    return applied.rule == rewrite::kCounted;
  });
  if (isCounted)
    for (fx::RangeConstraint& range : draft.ranges)
      range.max = std::min(range.max.value_or(kLongest), kLongest);
  return rewrite::finish(std::move(draft), source, context);
}

}  // namespace

std::vector<Change> Proposals::of(const BlockedCall& call) const {
  std::vector<Change> out;
  for (const auto& propose : all_) propose(call, out);
  return out;
}

std::string fixCommand(const BlockedCall& call) {
  return "fxscope-cli fix " + shellWord(call.file) + " " +
         lower::shellOptionsFor(call.blocked.target) + " -o fixed.pt2 --python fixed.py";
}

bool isOf(const BlockedCall& call, const fx::Node& node) {
  return node.target == call.node.target &&
         std::binary_search(call.blocked.nodes.begin(), call.blocked.nodes.end(), node.origin);
}

rewrite::Rule ruleFor(const BlockedCall& call, std::string id,
                      decltype(rewrite::Rule::apply) apply) {
  rewrite::Rule rule;
  rule.target = call.node.target;
  rule.id = std::move(id);
  rule.apply = [nodes = call.blocked.nodes, apply = std::move(apply)](rewrite::Emitter& e) {
    return std::binary_search(nodes.begin(), nodes.end(), e.matched().origin) ? apply(e)
                                                                              : std::nullopt;
  };
  return rule;
}

CombinedChanges::CombinedChanges(const std::vector<const Change*>& all) {
  for (const Change* change : all) {
    backendLegal.insert(change->backendLegal.begin(), change->backendLegal.end());
    const bool known = std::find(lines.begin(), lines.end(), change->change) != lines.end();
    if (!known) lines.push_back(change->change);
    // A rule is for its own nodes; the others are for the whole program.
    if (!known || (!change->rules.empty() && !change->acrossNodes)) changes.push_back(change);
  }
}

RewritePlan::RewritePlan(const RewriteBase& base, const std::vector<const Change*>& changes)
    : options(base.options) {
  std::set<std::string> asked;
  const auto add = [&](const Change& change) {
    asked.insert(change.decompose.begin(), change.decompose.end());
    runDecompositions |= change.runDecompositions;
    for (const rewrite::Rule& rule : change.rules) rules.push_back(&rule);
    staticSizes |= change.staticSizes;
    if (change.keptSizes) keptSizes = change.keptSizes;
    acrossNodes |= change.acrossNodes;
    if (change.upperBounds)
      upperBounds = std::max(upperBounds.value_or(*change.upperBounds), *change.upperBounds);
  };
  for (const Change& change : base.applied) add(change);
  for (const Change* change : changes) add(*change);
  if (runDecompositions) {
    options.decompositions = rewrite::Decompositions::RunDecompositions;
    options.decompose.clear();
  }
  options.decompose.merge(asked);
  if ((staticSizes || keptSizes) && !base.parity) rules.push_back(&trueAssertions());
}

Result<fx::ProgramPtr> withRules(fx::ProgramPtr program, std::vector<const rewrite::Rule*> rules,
                                 const fx::ProgramPtr& source, const RunContext& context) {
  while (!rules.empty()) {
    std::vector<const rewrite::Rule*> now, later;
    for (const rewrite::Rule* rule : rules) {
      const bool taken = std::any_of(now.begin(), now.end(), [&](const rewrite::Rule* other) {
        return other->target == rule->target;
      });
      (taken ? later : now).push_back(rule);
    }
    rewrite::Report report;
    FXS_TRY(fx::Program draft, rewrite::decompose(*program, now, report, context));
    FXS_TRY(program, rewrite::finish(std::move(draft), source, context));
    rules = std::move(later);
  }
  return program;
}

Result<std::optional<Change>> runDecompositions(const RewriteBase& base,
                                                const RunContext& context) {
  if (base.parity || rewrite::isAsTorchMlir(base.options.decompositions) ||
      RewritePlan(base, {}).runDecompositions)
    return std::nullopt;
  const auto isCorrected = [](const fx::Node& node) {
    return std::ranges::any_of(rewrite::builtinRules().rules(), [&](const rewrite::Rule& rule) {
      return rule.corrects && rule.target == node.target;
    });
  };
  if (std::ranges::any_of(base.user->nodes, isCorrected) ||
      import::stridedWrite(*base.user) != nullptr)
    return std::nullopt;
  rewrite::RewriteOptions options = base.options;
  options.decompositions = rewrite::Decompositions::Default;
  options.decompose.clear();
  FXS_TRY(const auto rewritten, rewrite::rewrite(base.user, options, context));
  if (!rewritten->findings.empty()) return std::nullopt;
  // PyTorch makes its own layouts then: what was a copy of a reshape may become a view, with
  // strides that the next view of the program does not allow.
  std::vector<fx::NodeId> reshaped;
  const fx::Program& program = *rewritten->program;
  rewrite::withReshapes(rewritten->program, reshaped);
  const auto isViewOfReshape = [&](fx::NodeId id) {
    const fx::Node& view = program.originOf(program.node(id));
    const fx::NodeId* of = view.args.empty() ? nullptr : view.args.front().value.node();
    return view.target == "aten.view.default" && of != nullptr &&
           base.user->node(*of).target == "aten.reshape.default";
  };
  if (std::ranges::any_of(reshaped, isViewOfReshape)) return std::nullopt;
  Change change;
  change.id = "run-decompositions";
  change.change = "call program.run_decompositions() first";
  change.snippet = "program = program.run_decompositions()";
  change.language = "python";
  change.runDecompositions = true;
  return change;
}

Result<fx::ProgramPtr> changedProgram(const RewriteBase& base,
                                      const std::vector<const Change*>& changes,
                                      const RunContext& context) {
  const RewritePlan plan(base, changes);
  if (base.parity && (plan.runDecompositions || plan.upperBounds || !plan.rules.empty() ||
                      !plan.options.decompose.empty()))
    return fail(ErrorCode::Unsupported,
                "the program is imported unchanged and cannot be rewritten");
  fx::ProgramPtr program = base.user;
  if (plan.keptSizes) {
    FXS_TRY(program, withStaticSizes(program, *plan.keptSizes));
  } else if (plan.staticSizes) {
    // Those that are known only at run time get their bounds below.
    FXS_TRY(program, plan.upperBounds ? withStaticSizes(program, {}) : withStaticSizes(program));
  }
  if (base.parity) return program;
  FXS_TRY(const auto rewritten, rewrite::rewrite(program, plan.options, context));
  fx::ProgramPtr changed = rewritten->program;
  if (plan.upperBounds) {
    FXS_TRY(changed, withUpperBounds(changed, *plan.upperBounds, program, context));
    // Forms that the rules did not take with sizes that were not known.
    FXS_TRY(auto rules, rewrite::chosenRules(rewrite::builtinRules(), plan.options));
    FXS_TRY(changed, withRules(changed, std::move(rules), program, context));
  }
  FXS_TRY(changed, withRules(changed, plan.rules, program, context));
  if (plan.keptSizes) {
    FXS_TRY(changed, withSymbolicSizes(changed, program, context));
  }
  return plan.acrossNodes ? rewrite::withRealWeights(changed, program, context) : changed;
}

}  // namespace fxs::diagnose
