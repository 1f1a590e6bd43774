// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/diagnosis.h"

#include <algorithm>
#include <array>

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

bool stops(const Blocked& blocked) { return blocked.agreement != Agreement::AloneOnly; }

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
