// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/table_functions.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "rewrite/rewrite.h"
#include "rewrite/rule.h"

namespace fxs::diagnose {
namespace {

constexpr std::string_view kKeep = "NotImplemented";

/// The body of one function for all calls, those that stay among them; "" if there is none.
std::string_view bodyForAll(const std::set<const rewrite::Rule*>& rules, bool isAnyKept) {
  if (rules.empty() || rules.contains(nullptr)) return "";
  const rewrite::Rule& most = **std::ranges::max_element(rules, {}, &rewrite::Rule::pythonLevel);
  const bool isForEach = std::ranges::all_of(rules, [&](const rewrite::Rule* rule) {
    return rule == &most || (rule->id == most.id && rule->pythonLevel < most.pythonLevel);
  });
  const bool isKept = !isAnyKept || most.python.find(kKeep) != most.python.npos;
  return isForEach && isKept ? most.python : std::string_view();
}

bool hasStaticSizes(const fx::Program& program) {
  return std::ranges::all_of(program.nodes, [](const fx::Node& node) {
    const fx::TensorMeta* meta = node.val.tensor();
    return node.val.symbol() == nullptr && (meta == nullptr || meta->isStaticShape());
  });
}

const std::string& targetOf(const rewrite::ReplacedCall& call) {
  return std::ranges::find_if(call.call->nodes,
                              [](const fx::Node& node) {
                                return node.op == fx::NodeOp::CallFunction &&
                                       node.target != fx::kGetitem;
                              })
      ->target;
}

bool isInTable(const std::string& target) {
  return !rewrite::isNeverKept(target) && !rewrite::isTableIgnored(target);
}

/// Whether the operands of the call may have other sizes.
bool isOfAnySize(const rewrite::ReplacedCall& call) {
  return call.isGeneral && std::ranges::none_of(call.call->nodes, [](const fx::Node& node) {
           const fx::TensorMeta* meta = node.val.tensor();
           return node.op == fx::NodeOp::Placeholder && meta != nullptr &&
                  std::ranges::any_of(meta->sizes, &fx::SymInt::isStatic);
         });
}

}  // namespace

void TableFunctions::add(rewrite::ReplacedCall call, const std::vector<fx::NodeId>& nodes,
                         const std::vector<const rewrite::Rule*>& rules, bool corrects) {
  const std::string& target = targetOf(call);
  Replaced& of = replaced_[target];
  of.nodes.insert(of.nodes.end(), nodes.begin(), nodes.end());
  of.corrects |= corrects;
  of.isOfPytorch &=
      rules.size() == 1 && rewrite::isInPytorchTable(target) && hasStaticSizes(*call.call);
  const bool areFunctions =
      !rules.empty() &&
      (rules.back()->isPythonWhole ||
       std::ranges::none_of(rules, [](const auto* rule) { return rule->python.empty(); }));
  of.rules.insert(areFunctions ? rules.back() : nullptr);
  if (areFunctions && !rules.back()->isPythonWhole) of.inner.insert(rules.begin(), rules.end() - 1);
  of.forms.push_back(std::move(call));
}

bool TableFunctions::canReplaceInner(const std::set<std::string>& kept, const Rules& inner) const {
  std::map<std::string, Rules> all;
  for (const rewrite::Rule* rule : inner) {
    if (!isInTable(rule->target) || rewrite::isDecomposedAboveAutograd(rule->target)) return false;
    const auto known = replaced_.find(rule->target);
    Rules& ofTarget = all[rule->target];
    if (known != replaced_.end())
      ofTarget.insert(known->second.rules.begin(), known->second.rules.end());
    ofTarget.insert(rule);
  }
  return std::ranges::all_of(all, [&](const auto& entry) {
    return !bodyForAll(entry.second, kept.contains(entry.first)).empty();
  });
}

/// A function for each rule, where one for all of them would be for these sizes alone.
void TableFunctions::chooseInner(Replaced& of) {
  if (of.inner.empty()) return;
  std::set<std::string> kept = kept_;
  for (const rewrite::ReplacedCall& form : of.forms)
    for (const fx::Node& node : form.replacement->nodes) kept.insert(node.target);
  if (std::ranges::all_of(of.forms, isOfAnySize) || !canReplaceInner(kept, of.inner)) {
    of.rules = {nullptr};
    return;
  }
  for (const rewrite::Rule* rule : of.inner) {
    if (kept.contains(rule->target)) keep(rule->target);
    Replaced& other = replaced_[rule->target];
    other.rules.insert(rule);
    other.nodes.insert(other.nodes.end(), of.nodes.begin(), of.nodes.end());
    other.corrects |= rule->corrects;
    other.isOfPytorch &=
        rewrite::isInPytorchTable(rule->target) &&
        std::ranges::all_of(of.forms, [](const auto& form) { return hasStaticSizes(*form.call); });
  }
}

/// PythonDecomposition::function; std::nullopt for an operator that a table cannot replace.
std::optional<std::string> TableFunctions::functionFor(const std::string& target,
                                                       const Replaced& of) const {
  const bool isAnyKept = kept_.contains(target);
  if (!isInTable(target)) return std::nullopt;
  if (of.isOfPytorch && !isAnyKept) return "";
  const std::string_view body = bodyForAll(of.rules, isAnyKept);
  auto function =
      body.empty() ? rewrite::pythonFunction(of.forms) : rewrite::pythonFunction(target, body);
  return function ? std::optional(*std::move(function)) : std::nullopt;
}

Result<std::vector<PythonDecomposition>> TableFunctions::take(std::set<std::string>& leftOut,
                                                              const RunContext& context) && {
  for (auto& [target, of] : replaced_) {
    if (!isInTable(target) || kept_.contains(target)) continue;
    const bool isOfOneRule = of.inner.empty() && !bodyForAll(of.rules, false).empty();
    if (of.isOfPytorch || isOfOneRule) continue;
    for (rewrite::ReplacedCall& form : of.forms) {
      FXS_TRY(form, generalized(form, rewriting_, context));
    }
  }
  for (auto& entry : replaced_) chooseInner(entry.second);
  std::vector<PythonDecomposition> out;
  for (auto& [target, of] : replaced_) {
    auto function = functionFor(target, of);
    if (!function) {
      leftOut.insert(target);
      continue;
    }
    std::ranges::sort(of.nodes);
    of.nodes.erase(std::ranges::unique(of.nodes).begin(), of.nodes.end());
    out.push_back({target, std::move(of.nodes), *std::move(function), of.corrects});
  }
  return out;
}

}  // namespace fxs::diagnose
