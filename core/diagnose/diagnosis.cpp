// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/diagnosis.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "base/counted.h"
#include "base/joined.h"
#include "base/safe_text.h"

namespace fxs::diagnose {
namespace {

struct KindText {
  std::string_view name, title;
};
constexpr std::array<KindText, kKindCount> kKinds{{
    {"not-functionalized", "its write cannot be functionalized"},
    {"not-imported", "the torch dialect cannot represent it"},
    {"not-registered", "the engine's torch dialect does not register it"},
    {"no-pattern", "no pattern of this output type matches it"},
    {"pattern-refused", "the patterns for it rejected this form"},
    {"types-lost", "its element type or rank was lost during lowering"},
    {"numeric-type", "this output type does not support its element types"},
    {"verifier", "it was lowered to invalid IR"},
    {"contract", "its text violates the contract of its stage"},
    {"crash", "the engine crashes on it"},
    {"timeout", "the engine did not end on it within its time limit"},
    {"memory", "the engine runs out of memory on it"},
    {"not-a-tensor", "this output type returns only tensors"},
    {"wrong-result", "it lowers, and computes a wrong value"},
    {"unknown", "the engine stopped at it for a reason that is not known"},
    {"illegal-op", "this output type does not lower it"},
}};
/// What a dialect says of sizes: the TOSA specification, StableHLO's and MLIR's tensor types.
struct DialectSizes {
  std::string_view dialect, title;
  bool areStatic = false;
};
constexpr std::array<DialectSizes, 3> kDialects{
    {{"tosa", "TOSA", true}, {"stablehlo", "StableHLO", false}, {"linalg", "linalg", false}}};

/// Of the first of these dialects that texts of the output type have; null if there is none.
const DialectSizes* sizesOf(const lower::OutputType& type) {
  if (!type->contract) return nullptr;
  const std::vector<std::string>& left = type->contract->left;
  for (const DialectSizes& each : kDialects)
    if (std::find(left.begin(), left.end(), each.dialect) != left.end()) return &each;
  return nullptr;
}

const KindText& textOf(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view name(Kind kind) { return textOf(kind).name; }
std::string_view title(Kind kind) { return textOf(kind).title; }

std::string_view name(Outcome outcome) {
  constexpr std::array<std::string_view, 3> names{"passed", "failed", "not-run"};
  return names[static_cast<std::size_t>(outcome)];
}

std::string_view name(Proof proof) {
  constexpr std::array<std::string_view, 3> names{"not-tried", "proved", "disproved"};
  return names[static_cast<std::size_t>(proof)];
}

std::string_view name(Verified verified) {
  constexpr std::array<std::string_view, 4> names{"nothing", "by-itself", "whole-lowers",
                                                  "whole-computes"};
  return names[static_cast<std::size_t>(verified)];
}

std::string_view title(Verified verified) {
  constexpr std::array<std::string_view, 4> titles{"not verified", "lowers by itself",
                                                   "whole program lowers with it",
                                                   "whole program lowers and computes the same"};
  return titles[static_cast<std::size_t>(verified)];
}

Verified verifiedBy(const Experiment& experiment) {
  if (experiment.outcome != Outcome::Passed) return Verified::Nothing;
  if (experiment.proof != Proof::Proved || experiment.withPlaceholders) return Verified::ByItself;
  return experiment.computesSame ? Verified::WholeComputes : Verified::WholeLowers;
}

std::string_view name(Agreement agreement) {
  constexpr std::array<std::string_view, 4> names{"confirmed", "alone-only", "whole-only",
                                                  "not-checked"};
  return names[static_cast<std::size_t>(agreement)];
}

std::vector<std::string> triedOf(const Blocked& b) {
  return b.tried ? *b.tried : std::vector<std::string>();
}

std::string_view name(WithNumbers outcome) {
  constexpr std::array<std::string_view, 3> names{"lowers", "fails", "not-known"};
  return names[static_cast<std::size_t>(outcome)];
}

bool stops(const Blocked& blocked) { return blocked.agreement != Agreement::AloneOnly; }

bool failsForSizes(const Blocked& blocked) {
  if (!blocked.sizes || blocked.sizes->withNumbers == WithNumbers::Fails) return false;
  if (blocked.sizes->withNumbers == WithNumbers::Lowers) return true;
  const DialectSizes* dialect = sizesOf(blocked.target);
  return dialect != nullptr && dialect->areStatic && blocked.stage == blocked.target->stage.id;
}

std::string sizesSentence(const lower::OutputType& target, const std::string& operators) {
  const DialectSizes* dialect = sizesOf(target);
  if (dialect == nullptr) return {};
  const std::string title(dialect->title);
  if (dialect->areStatic) return title + " has static sizes only";
  return title + " has dynamic sizes, but its pipeline in this engine lowers " + operators +
         " with static ones only";
}

const Experiment* bestOf(const Blocked& blocked) {
  const Experiment* passed = nullptr;
  for (const Experiment& experiment : blocked.experiments) {
    if (experiment.outcome != Outcome::Passed) continue;
    if (experiment.proof == Proof::Proved) return &experiment;
    if (passed == nullptr && experiment.proof != Proof::Disproved) passed = &experiment;
  }
  return passed;
}

std::vector<const Blocked*> Diagnosis::of(const lower::OutputType& target) const {
  std::vector<const Blocked*> out;
  for (const Blocked& entry : blocked)
    if (entry.target == target) out.push_back(&entry);
  return out;
}

const Experiment* upperBoundsOf(const Diagnosis& diagnosis, const Blocked& blocked) {
  const auto target =
      std::ranges::find(diagnosis.targets, blocked.target, &TargetDiagnosis::target);
  if (target == diagnosis.targets.end() || !target->fixedLowers.value_or(false)) return nullptr;
  const auto found = std::ranges::find_if(blocked.experiments, [&](const Experiment& x) {
    return (x.id == kUpperBounds || x.id == kPaddedResults) &&
           std::ranges::find(target->changes, x.change) != target->changes.end();
  });
  return found == blocked.experiments.end() ? nullptr : &*found;
}

bool blocksForSizes(const Diagnosis& diagnosis, const Blocked& blocked) {
  if (!blocked.sizes || blocked.sizes->source >= diagnosis.sizeSources.size() || !stops(blocked))
    return false;
  const bool isFixed = std::ranges::any_of(diagnosis.targets, [&](const TargetDiagnosis& target) {
    return target.target == blocked.target && target.fixedLowers.value_or(false);
  });
  if (isFixed) return upperBoundsOf(diagnosis, blocked) != nullptr;
  if (failsForSizes(blocked)) return true;
  return blocked.sizes->makes && blocked.kind != Kind::NotRegistered &&
         blocked.kind != Kind::NotImported &&
         std::ranges::any_of(diagnosis.blocked, [&](const Blocked& other) {
           return other.target == blocked.target && other.sizes && stops(other) &&
                  other.sizes->source == blocked.sizes->source && failsForSizes(other);
         });
}

OtherType outcomeOf(const Diagnosis& diagnosis, const TargetDiagnosis& target) {
  OtherType out{target.target, target.lowers, {}, 0};
  if (!target.lowers && !target.isKnown) out.lowers.reset();
  std::set<fx::NodeId> nodes;
  for (const Blocked* entry : diagnosis.of(target.target)) {
    if (!stops(*entry)) continue;
    const std::string& name = entry->fxTarget.empty() ? entry->op : entry->fxTarget;
    if (std::find(out.operators.begin(), out.operators.end(), name) == out.operators.end())
      out.operators.push_back(name);
    nodes.insert(entry->nodes.begin(), entry->nodes.end());
  }
  out.nodes = nodes.size();
  return out;
}

std::vector<OtherType> besides(const Diagnosis& diagnosis, const lower::OutputType& target) {
  std::vector<OtherType> out;
  for (const TargetDiagnosis& each : diagnosis.targets)
    if (each.target != target) out.push_back(outcomeOf(diagnosis, each));
  for (const OtherType& each : diagnosis.otherTypes)
    if (each.target != target) out.push_back(each);
  const auto order = [](const OtherType& each) {
    return std::tuple(!each.lowers, !each.lowers.value_or(false), each.operators.size(),
                      each.nodes);
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const OtherType& a, const OtherType& b) { return order(a) < order(b); });
  return out;
}

std::optional<OtherType> furtherThan(const Diagnosis& diagnosis, const lower::OutputType& target) {
  std::optional<OtherType> own;
  for (const TargetDiagnosis& each : diagnosis.targets)
    if (each.target == target) own = outcomeOf(diagnosis, each);
  if (!own || own->lowers.value_or(true)) return std::nullopt;
  for (OtherType& each : besides(diagnosis, target)) {
    if (!each.lowers) continue;
    const bool isListed = !each.operators.empty();
    const bool isLess =
        isListed && each.operators.size() < own->operators.size() && each.nodes < own->nodes;
    if (*each.lowers || isLess) return std::move(each);
  }
  return std::nullopt;
}

BeyondTorchMlir::Operators BeyondTorchMlir::operators() const {
  Operators out;
  for (const Outcome& outcome : outcomes)
    for (const auto& [target, nodes] : outcome.operators)
      out[target] = std::max(out[target], nodes);
  return out;
}

std::vector<std::string> sentences(const BeyondTorchMlir& beyond) {
  std::vector<std::string> out;
  std::vector<const BeyondTorchMlir::Outcome*> left;
  for (const BeyondTorchMlir::Outcome& outcome : beyond.outcomes) left.push_back(&outcome);
  while (!left.empty()) {
    const BeyondTorchMlir::Operators& same = left.front()->operators;
    std::vector<std::string> operators, lowers, fails, unknown;
    for (const auto& [target, nodes] : same)
      operators.push_back(printable(target) +
                          (nodes > 1 ? " (" + counted(nodes, "node") + ")" : ""));
    for (const BeyondTorchMlir::Outcome* outcome : left) {
      if (outcome->operators != same) continue;
      const std::string name(lower::name(outcome->target));
      if (!outcome->lowers) unknown.push_back(name);
      else if (*outcome->lowers) lowers.push_back(name);
      else fails.push_back(name + " at " + printable(outcome->failsAt));
    }
    std::vector<std::string> says;
    if (!lowers.empty()) says.push_back("lowers to " + joined(lowers));
    if (!fails.empty()) says.push_back("fails for " + joined(fails));
    if (!unknown.empty()) says.push_back("is not known for " + joined(unknown));
    out.push_back("rewritten or imported beyond torch-mlir: " + joined(operators) +
                  "; without it, fx.export_and_import " + joined(says));
    std::erase_if(
        left, [&](const BeyondTorchMlir::Outcome* outcome) { return outcome->operators == same; });
  }
  return out;
}

}  // namespace fxs::diagnose
