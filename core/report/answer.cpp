// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/python_decompositions.h"
#include "lower/stopped.h"
#include "report/diagnose_causes.h"
#include "report/diagnose_words.h"
#include "report/finding.h"
#include "report/line.h"

namespace fxs::report {
namespace {

constexpr std::size_t kNamedOperators = 2;  ///< that a sentence names

Answer answerWith(const lower::OutputType& type, Answer::Standing standing, std::string brief,
                  const std::string& more = {}) {
  std::string sentence = brief;
  if (!more.empty()) sentence += ". " + more + ".";
  std::string message = fmt::format("{}: {}", lower::name(type), sentence);
  return {standing, std::move(message), std::move(sentence), std::move(brief)};
}

Answer answerOfLowered(const lower::OutputType& type, const std::vector<fx::Finding>& findings,
                       const diagnose::Computed* computed) {
  std::string brief = "lowers";
  if (computed != nullptr) brief += ", " + computedText(*computed);
  const std::size_t warnings = countCauses(findings, fx::Severity::Warning);
  if (warnings > 0) brief += ", " + counted(warnings, "warning");
  const bool isDoubted = computed != nullptr && computed->verdict == "suspicious";
  Answer::Standing standing =
      warnings > 0 || isDoubted ? Answer::Standing::Warned : Answer::Standing::Lowers;
  if (computed != nullptr && computed->accused) standing = Answer::Standing::Stops;
  return answerWith(type, standing, std::move(brief));
}

/// Of a type that is known to lower or not.
Answer answerOfOther(const diagnose::OtherType& type) {
  if (*type.lowers) return answerWith(type.target, Answer::Standing::Lowers, "lowers");
  return answerWith(type.target, Answer::Standing::Stops,
                    fmt::format("stops at {}, {}", counted(type.operators.size(), "operator"),
                                counted(type.nodes, "node")));
}

/// "stops in convert-torch-to-tosa, at aten.diff.default"; in brief "stops at aten.diff.default".
Answer answerOfStopped(const lower::OutputType& type, const lower::StageResult& stage,
                       const std::vector<fx::Finding>& findings) {
  std::vector<std::string> targets;
  for (const fx::Finding& finding : findings)
    if (finding.severity == fx::Severity::Error && !finding.target.empty())
      addOnce(targets, finding.target);
  const std::string stops =
      stage.status == lower::StageStatus::Crashed ? "the engine crashes" : "stops";
  const std::string where =
      stage.failingPass.empty() ? "at " + stage.id : "in " + stage.failingPass;
  if (targets.empty()) return answerWith(type, Answer::Standing::Stops, stops + ' ' + where);
  const std::string named = firstOf(targets, kNamedOperators);
  Answer out = answerWith(type, Answer::Standing::Stops, stops + ' ' + where + ", at " + named);
  out.brief = stops + " at " + named;
  return out;
}

/// Why it is not known whether it lowers; "" if it is known.
std::string notKnownText(const lower::Lowering& lowering, const lower::StageResult& stage) {
  if (lower::wasStopped(lowering)) return "it was cancelled";
  if (stage.status == lower::StageStatus::Timeout) return limitText(stage.id);
  return lower::isKnown(stage.status) ? std::string() : "the engine gave no answer at " + stage.id;
}

/// What is known of fixes, as a sentence without its period; "" if none was tried.
std::string fixSentence(const diagnose::Diagnosis& diagnosis,
                        const diagnose::TargetDiagnosis& target) {
  if (std::string fixed = fixedText(target); !fixed.empty()) {
    if (fixed.ends_with(',')) fixed.pop_back();
    const bool isRight =
        *target.fixedLowers && (!target.fixedComputed || target.fixedComputed->isSame());
    return (isRight ? "Fix verified: " : "With the fixes found, ") + fixed;
  }
  const std::vector<const diagnose::Blocked*> entries = diagnosis.of(target.target);
  const bool isTried =
      std::any_of(entries.begin(), entries.end(), [](const diagnose::Blocked* entry) {
        return std::any_of(
            entry->experiments.begin(), entry->experiments.end(),
            [](const diagnose::Experiment& x) { return x.outcome != diagnose::Outcome::NotRun; });
      });
  const bool isHelped =
      std::any_of(entries.begin(), entries.end(),
                  [](const diagnose::Blocked* entry) { return bestOf(*entry) != nullptr; });
  if (isHelped) return {};
  if (std::any_of(entries.begin(), entries.end(),
                  [](const auto* entry) { return diagnose::isLeftToPython(*entry); }))
    return "PyTorch's own decomposition was not tried";
  return isTried ? "No fix was found" : "No fix is known";
}

}  // namespace

Answer answerOf(const lower::Lowering& lowering, const std::vector<fx::Finding>& findings,
                const diagnose::Computed* computed) {
  const auto stage = std::find_if(
      lowering.stages.begin(), lowering.stages.end(),
      [](const lower::StageResult& each) { return each.status != lower::StageStatus::Ok; });
  if (stage != lowering.stages.end()) {
    if (const std::string reason = notKnownText(lowering, *stage); !reason.empty())
      return answerWith(lowering.target, Answer::Standing::NotKnown,
                        "not known whether it lowers: " + reason);
    return answerOfStopped(lowering.target, *stage, findings);
  }
  if (const std::size_t errors = countCauses(findings, fx::Severity::Error); errors > 0)
    return answerWith(lowering.target, Answer::Standing::Stops,
                      "lowers, with " + counted(errors, "error"));
  return answerOfLowered(lowering.target, findings, computed);
}

Answer answerOf(const diagnose::Diagnosis& diagnosis, const diagnose::TargetDiagnosis& target) {
  const std::size_t blocking = blockedOperations(diagnosis, target.target);
  if (target.lowers && blocking == 0)
    return answerOfLowered(target.target, target.warnings,
                           target.computed ? &*target.computed : nullptr);
  const auto [outcome, message, also] = verdictOf(diagnosis, target);
  if (!target.lowers && !target.isKnown)
    return answerWith(target.target, Answer::Standing::NotKnown, outcome + ": " + message);
  const bool isStopped = !target.lowers && blocking > 0;
  Answer out = answerWith(target.target, Answer::Standing::Stops,
                          isStopped ? blockersText(diagnosis, target) : outcome + ": " + message,
                          fixSentence(diagnosis, target));
  if (std::string sizes = sizesBlock(diagnosis, target); isStopped && !sizes.empty())
    out.brief = std::move(sizes);
  return out;
}

std::optional<Answer> answerIn(const diagnose::Diagnosis& diagnosis,
                               const lower::OutputType& type) {
  for (const diagnose::TargetDiagnosis& target : diagnosis.targets)
    if (target.target == type) return answerOf(diagnosis, target);
  for (const diagnose::OtherType& other : diagnosis.otherTypes)
    if (other.target == type && other.lowers) return answerOfOther(other);
  const std::string id = fmt::format("target:{}", lower::name(type));
  for (const diagnose::Blocked& entry : diagnosis.blocked)
    for (const diagnose::Experiment& x : entry.experiments)
      if (x.id == id && diagnose::verifiedBy(x) > diagnose::Verified::ByItself)
        return answerWith(type, Answer::Standing::Lowers, "lowers");
  return std::nullopt;
}

}  // namespace fxs::report
