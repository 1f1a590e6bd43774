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

/// What a table has for the calls that rules make is for those of all other functions, too.
TableFunctions::Inner TableFunctions::innerCalls() const {
  Inner out;
  for (const auto& [target, of] : replaced_)
    if (!of.rules.contains(nullptr))
      for (const rewrite::Rule* rule : of.inner) out[rule->target].rules.insert(rule);
  for (auto& [target, calls] : out) {
    calls.isAnyKept = kept_.contains(target);
    if (const auto known = replaced_.find(target); known != replaced_.end())
      calls.rules.insert(known->second.rules.begin(), known->second.rules.end());
  }
  for (const auto& [target, of] : replaced_)
    for (const rewrite::ReplacedCall& form : of.forms)
      for (const fx::Node& node : form.replacement->nodes)
        if (const auto calls = out.find(node.target); calls != out.end())
          calls->second.isAnyKept = true;
  return out;
}

/// A function for each rule, where one for all of them would be for these sizes alone.
void TableFunctions::chooseInner() {
  for (auto& [target, of] : replaced_)
    if (!of.inner.empty() && std::ranges::all_of(of.forms, isOfAnySize)) of.rules = {nullptr};
  bool isChosen = false;
  while (!isChosen) {
    const Inner all = innerCalls();
    const auto isFunction = [&](const rewrite::Rule* rule) {
      const InnerCalls& calls = all.at(rule->target);
      return isInTable(rule->target) && !rewrite::isDecomposedAboveAutograd(rule->target) &&
             !bodyForAll(calls.rules, calls.isAnyKept).empty();
    };
    isChosen = true;
    for (auto& [target, of] : replaced_) {
      if (of.rules.contains(nullptr) || std::ranges::all_of(of.inner, isFunction)) continue;
      of.rules = {nullptr};
      isChosen = false;
    }
  }
  for (const auto& [target, calls] : innerCalls())
    if (calls.isAnyKept) keep(target);
  std::map<std::string, Replaced> made;
  for (const auto& [target, of] : replaced_) {
    if (of.rules.contains(nullptr)) continue;
    const bool isStatic =
        std::ranges::all_of(of.forms, [](const auto& form) { return hasStaticSizes(*form.call); });
    for (const rewrite::Rule* rule : of.inner) {
      Replaced& other = made[rule->target];
      other.rules.insert(rule);
      other.nodes.insert(other.nodes.end(), of.nodes.begin(), of.nodes.end());
      other.corrects |= rule->corrects;
      other.isOfPytorch &= rewrite::isInPytorchTable(rule->target) && isStatic;
    }
  }
  for (auto& [target, other] : made) {
    Replaced& of = replaced_[target];
    of.rules.merge(other.rules);
    of.nodes.insert(of.nodes.end(), other.nodes.begin(), other.nodes.end());
    of.corrects |= other.corrects;
    of.isOfPytorch &= other.isOfPytorch;
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
  chooseInner();
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
