// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/diagnose_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/joined.h"
#include "base/take_until.h"
#include "report/diagnose_causes.h"

namespace fxs::report {

using diagnose::Experiment;
using diagnose::Outcome;
using diagnose::Proof;

std::size_t blockedOperations(const diagnose::Diagnosis& diagnosis,
                              const lower::OutputType& target) {
  const std::vector<const diagnose::Blocked*> entries = diagnosis.of(target);
  return static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(),
                    [](const diagnose::Blocked* entry) { return stops(*entry); }));
}

std::size_t blockedNodes(const diagnose::Diagnosis& diagnosis, const lower::OutputType& target) {
  std::set<fx::NodeId> nodes;
  for (const diagnose::Blocked* entry : diagnosis.of(target))
    if (stops(*entry)) nodes.insert(entry->nodes.begin(), entry->nodes.end());
  return nodes.size();
}

std::string_view markOf(const Experiment& experiment) {
  if (experiment.outcome == Outcome::Failed) return "failed";
  if (experiment.outcome == Outcome::NotRun) return "not run";
  if (experiment.proof == Proof::Proved) return "proved";
  return experiment.proof == Proof::Disproved ? "disproved" : "passed";
}

std::string verdictOf(const Experiment& experiment) {
  if (experiment.outcome == Outcome::Failed) return "does not work";
  if (experiment.outcome == Outcome::NotRun) return "not run";
  return std::string(diagnose::title(diagnose::verifiedBy(experiment))) +
         (experiment.proof == Proof::Disproved ? ", but not in the whole program" : "");
}

std::string computedText(const diagnose::Computed& computed) {
  if (computed.isSame())
    return "and computes what is expected by " + computed.reference + " for " + computed.scope;
  if (computed.isWrong()) return "and computes a wrong result: " + computed.message;
  return fmt::format("and what it computes is {}: {}",
                     computed.verdict == "suspicious" ? "suspicious" : "not known",
                     computed.message);
}

std::string symbolsOf(const diagnose::SizeSource& source) {
  constexpr std::size_t kFew = 3;
  const std::vector<std::string>& all = source.symbols;
  if (all.size() < kFew) return joined(all);
  const auto numberOf = [](const std::string& symbol) {
    return std::strtoll(symbol.c_str() + 1, nullptr, 10);
  };
  bool isRange = true;
  for (std::size_t i = 1; i < all.size(); ++i)
    isRange &= all[i].front() == 'u' && numberOf(all[i]) == numberOf(all[i - 1]) + 1;
  return isRange ? all.front() + " .. " + all.back() : firstOf(all, kFew);
}

std::string titleOf(const diagnose::SizeSource& source) {
  return fmt::format("Sizes known only at run time ({}, from {})", symbolsOf(source), source.name);
}

std::string dependenceText(const diagnose::Diagnosis& diagnosis, const diagnose::Blocked& blocked) {
  if (!blocked.sizes || blocked.sizes->source >= diagnosis.sizeSources.size() ||
      blocksForSizes(diagnosis, blocked))
    return {};
  const diagnose::SizeDependence& sizes = *blocked.sizes;
  const std::string all = fmt::format("sizes known only at run time ({})",
                                      symbolsOf(diagnosis.sizeSources[sizes.source]));
  if (sizes.makes) return "makes " + all;
  const bool isSame = sizes.message.empty() || blocked.message.ends_with(sizes.message) ||
                      sizes.message.ends_with(blocked.message);
  switch (sizes.withNumbers) {
    case diagnose::WithNumbers::Lowers:
      return "depends on " + all + "; with numbers in their place it lowers by itself";
    case diagnose::WithNumbers::Fails:
      return "depends on " + all + ", and fails with numbers in their place too" +
             (isSame ? "" : ": " + sizes.message);
    case diagnose::WithNumbers::NotKnown: break;
  }
  return "depends on " + all + "; whether it lowers with numbers in their place is not known" +
         (sizes.message.empty() ? "" : ": " + sizes.message);
}

std::string outcomeText(const diagnose::OtherType& type) {
  const std::string name(lower::name(type.target));
  if (!type.lowers) return "whether the program lowers to " + name + " is not known";
  if (*type.lowers) return "the whole program lowers to " + name;
  if (type.operators.empty()) return name + " stops, at no operator that is known";
  const std::size_t count = type.operators.size();
  return fmt::format("{} stops at {}{} ({}, {})", name, counted(count, "operator"),
                     count == 1 ? " only" : "", firstOf(type.operators, 3),
                     counted(type.nodes, "node"));
}

std::string sizesBlock(const diagnose::Diagnosis& diagnosis,
                       const diagnose::TargetDiagnosis& target) {
  for (const diagnose::Blocked* entry : diagnosis.of(target.target))
    if (blocksForSizes(diagnosis, *entry)) return "sizes known only at run time block it";
  return {};
}

std::string blockersText(const diagnose::Diagnosis& diagnosis,
                         const diagnose::TargetDiagnosis& target) {
  std::set<std::size_t> sources;
  std::set<fx::NodeId> ofSizes, others;
  std::size_t entries = 0;
  for (const diagnose::Blocked* entry : diagnosis.of(target.target)) {
    if (!stops(*entry)) continue;
    const bool isForSizes = blocksForSizes(diagnosis, *entry);
    if (isForSizes) sources.insert(entry->sizes->source);
    else ++entries;
    (isForSizes ? ofSizes : others).insert(entry->nodes.begin(), entry->nodes.end());
  }
  if (entries == 0 && sources.empty()) return "no blocking operation was found";
  const auto at = [](const std::set<fx::NodeId>& nodes) {
    return nodes.empty() ? std::string("nodes that the engine does not name")
                         : counted(nodes.size(), "node");
  };
  std::string own = fmt::format("{} {} it, at {}",
                                counted(entries, sources.empty() ? "operation" : "other operation"),
                                entries == 1 ? "blocks" : "block", at(others));
  if (sources.empty()) return own;
  std::vector<std::string> names;
  for (const std::size_t source : sources) addOnce(names, diagnosis.sizeSources[source].name);
  std::string out = fmt::format("{}, from {}, at {}", sizesBlock(diagnosis, target),
                                firstOf(names, 2), at(ofSizes));
  return entries == 0 ? out : out + "; " + own;
}

std::string limitText(std::string_view stage) {
  return fmt::format("it reached a limit (--timeout, --memory) at {}", stage);
}

Verdict verdictOf(const diagnose::Diagnosis& diagnosis, const diagnose::TargetDiagnosis& target) {
  const std::size_t entries = blockedOperations(diagnosis, target.target);
  const std::size_t alone = diagnosis.of(target.target).size() - entries;
  const std::string also = alone == 0 ? std::string()
                                      : fmt::format("{} failed by itself, but not in the program",
                                                    counted(alone, "operation"));
  const bool isWrong = target.computed && target.computed->isWrong();
  if (target.lowers && entries == 0)
    return {"lowers" + (target.computed ? ", " + computedText(*target.computed) : std::string()),
            "", also};
  if (target.lowers && isWrong)
    return {"lowers, and computes a wrong result",
            fmt::format("{} {} wrong by itself", counted(entries, "operation"),
                        entries == 1 ? "is" : "are"),
            also};
  if (target.exceedsBudget()) return {"not known whether it lowers", target.restMessage, also};
  if (!target.lowers && !target.isKnown)
    return {"not known whether it lowers", limitText(target.stoppedAt), also};
  std::string where = "lowers, although";
  if (!target.lowers)
    where = target.stoppedAt.empty() ? "does not lower" : "stops at " + target.stoppedAt;
  const bool isComplete = entries > 0 && target.restLowers.value_or(false);
  return {where, blockersText(diagnosis, target) + (isComplete ? "; the list is complete" : ""),
          also};
}

std::string fixedText(const diagnose::TargetDiagnosis& target) {
  if (!target.fixedLowers) return {};
  if (!*target.fixedLowers) return "the whole program does not lower";
  if (!target.fixedComputed) return "the whole program lowers";
  if (target.fixedComputed->isSame())
    return "the whole program lowers and computes the same for " + target.fixedComputed->scope;
  return "the whole program lowers, " + computedText(*target.fixedComputed) + ",";
}

std::string incompleteText(const diagnose::TargetDiagnosis& target) {
  if (target.exceedsBudget() || target.restLowers.value_or(false)) return {};
  if (!target.restLowers) return target.restMessage;
  return "the list is incomplete: " +
         (target.restMessage.empty()
              ? "without the blocked operations, the rest still does not lower"
              : target.restMessage);
}

std::vector<fx::Finding> warningsOf(const diagnose::Diagnosis& diagnosis) {
  std::vector<fx::Finding> out;
  for (const diagnose::TargetDiagnosis& target : diagnosis.targets)
    for (const fx::Finding& warning : target.warnings) {
      // Output types with a stage in common have its warnings.
      const bool isKnown = std::any_of(out.begin(), out.end(), [&](const fx::Finding& f) {
        return f.node == warning.node && f.op == warning.op && f.stage == warning.stage &&
               f.message == warning.message;
      });
      if (!isKnown) out.push_back(warning);
    }
  return out;
}

std::string_view statusOf(const diagnose::SupportRow::Cell& cell) {
  if (cell.blocked > 0) return "failed";
  if (cell.wrong > 0) return "wrong";
  return cell.known ? "ok" : "skipped";
}

std::string operationOf(const diagnose::Blocked& blocked) {
  if (!blocked.fxTarget.empty()) return blocked.fxTarget;
  return blocked.op.empty() ? "unknown operation" : blocked.op;
}

std::string firstNodeOf(const diagnose::Blocked& blocked, const fx::Program& program) {
  if (blocked.nodes.empty() || blocked.nodes.front().index() >= program.nodes.size()) return {};
  return program.node(blocked.nodes.front()).name;
}

std::string targetsOf(const diagnose::Diagnosis& diagnosis) {
  std::string out;
  for (const diagnose::TargetDiagnosis& target : diagnosis.targets)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", lower::name(target.target));
  return out;
}

std::string shortened(std::string_view text, std::size_t lines, std::size_t columns) {
  while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
  std::string out;
  std::size_t shown = 0, left = 0;
  while (!text.empty()) {
    std::string_view line = takeUntil('\n', text);
    if (shown == lines) {
      ++left;
      continue;
    }
    out += shown++ == 0 ? "" : "\n";
    if (line.size() > columns) {
      std::size_t cut = columns;
      while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0U) == 0x80U)
        --cut;  // not inside a UTF-8 sequence
      out += fmt::format("{} .. ({} more characters)", line.substr(0, cut), line.size() - cut);
    } else {
      out += line;
    }
  }
  if (left > 0) out += fmt::format("\n({} more)", counted(left, "line"));
  return out;
}

}  // namespace fxs::report
