// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/rewrite.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "rewrite/decompose.h"
#include "rewrite/functionalize.h"
#include "rewrite/inline_contexts.h"
#include "rewrite/inline_control_flow.h"
#include "rewrite/inline_vmap.h"
#include "rewrite/node_choices.h"
#include "rewrite/rule.h"
#include "rewrite/transcription.h"

namespace fxs::rewrite {

void RewriteRules::add(Rule rule) {
  const std::string& target = rule.target;
  if (rule.id.empty())
    rule.id = "decompose:" +
              (target.ends_with(".default") ? target.substr(0, target.rfind('.')) : target);
  rules_.push_back(std::move(rule));
}

void RewriteRules::addEach(std::initializer_list<std::string_view> targets, std::string_view reason,
                           bool essential, const std::function<Results(Emitter&)>& apply) {
  for (const std::string_view target : targets)
    add({std::string(target), std::string(reason), essential, apply});
}

const RewriteRules& builtinRules() {
  static const RewriteRules kRules = [] {
    RewriteRules collected;
    registerAllRewriteRules(collected);
    std::vector<Rule> rules = collected.rules();
    // Of two forms of one operator, the one that is registered first is tried first.
    std::stable_sort(rules.begin(), rules.end(),
                     [](const Rule& a, const Rule& b) { return a.target < b.target; });
    RewriteRules sorted;
    for (Rule& rule : rules) sorted.add(std::move(rule));
    return sorted;
  }();
  return kRules;
}

namespace {

/// The control flow of the program that these rules inline.
std::set<std::string_view> controlFlow(const fx::Program& program,
                                       const std::vector<const Rule*>& rules) {
  std::set<std::string_view> out;
  for (const Rule* rule : rules)
    if (!rule->apply && std::ranges::any_of(program.nodes, [&](const fx::Node& node) {
          return node.target == rule->target;
        }))
      out.insert(rule->target);
  return out;
}

/// The program after the steps that it needs; std::nullopt if it needs none.
Result<std::optional<fx::Program>> afterSteps(const fx::ProgramPtr& user,
                                              const RewriteOptions& options, Report& report,
                                              const RunContext& run) {
  FXS_TRY(const std::vector<const Rule*> rules, chosenRules(builtinRules(), options));
  FXS_TRY(const NodeChoices nodes, nodeChoices(*user, options));
  std::optional<fx::Program> draft;
  const auto current = [&]() -> const fx::Program& { return draft ? *draft : *user; };
  const auto advance = [&](fx::Program next) {
    next.original = user;
    draft = std::move(next);
  };
  run.report({"rewriting the graph", 0});
  if (!options.arguments.empty()) {
    FXS_TRY(fx::Program next, withArguments(*user, options, report.applied));
    advance(std::move(next));
  }
  if (options.functionalize && hasContextRegions(current())) {
    FXS_TRY(fx::Program next, inlineContexts(current(), report, run));
    advance(std::move(next));
  }
  if (options.functionalize && needsFunctionalization(current())) {
    FXS_TRY(fx::Program next,
            functionalize(current(), isAsTorchMlir(options.decompositions), report, run));
    advance(std::move(next));
  }
  if (const std::set<std::string_view> inlined = controlFlow(current(), rules); !inlined.empty()) {
    FXS_TRY(fx::Program next, inlineControlFlow(current(), inlined, report, run));
    advance(std::move(next));
  }
  if (options.functionalize && hasVmap(current())) {
    FXS_TRY(std::optional<fx::Program> next, inlineVmap(current(), report, run));
    if (next) advance(std::move(*next));
  }
  if (!nodes.decompose.empty() || anyRuleMatches(current(), rules)) {
    FXS_TRY(fx::Program next, decompose(current(), rules, report, run, nodes));
    advance(std::move(next));
  }
  if (runsDefault(options.decompositions))
    for (fx::Finding& unknown : unknownForms(current()))
      report.findings.push_back(std::move(unknown));
  if (options.decompositions == Decompositions::RunDecompositions) {
    RewriteOptions after;
    after.decompositions = Decompositions::TorchMlir;
    FXS_TRY(const std::vector<const Rule*> table, chosenRules(builtinRules(), after));
    FXS_TRY(fx::Program next, decompose(current(), table, report, run));
    advance(std::move(next));
  }
  FXS_CHECK(ensureDecomposed(*user, nodes, report.applied));
  return draft;
}

}  // namespace

Result<std::shared_ptr<const Rewritten>> rewrite(fx::ProgramPtr user, const RewriteOptions& options,
                                                 const RunContext& run) {
  Report report;
  FXS_TRY(std::optional<fx::Program> draft, afterSteps(user, options, report, run));
  const bool forTorchMlir = isAsTorchMlir(options.decompositions);
  auto out = std::make_shared<Rewritten>();
  if (forTorchMlir) {
    if (!draft) {
      draft = *user;
      draft->original = user;
    }
    FXS_TRY(out->program, finish(std::move(*draft), user, run, Unused::All));
  } else if (!draft || report.applied.empty()) {
    out->program = user;
  } else {
    FXS_TRY(out->program, finish(std::move(*draft), user, run));
  }
  out->applied = std::move(report.applied);
  out->findings = std::move(report.findings);
  if (options.decompositions == Decompositions::TorchMlir) {
    const std::vector<fx::Finding> notes = otherForms(*user);
    out->findings.insert(out->findings.end(), notes.begin(), notes.end());
  }
  return std::shared_ptr<const Rewritten>(std::move(out));
}

}  // namespace fxs::rewrite
