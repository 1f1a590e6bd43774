// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/next_step.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

#include "base/counted.h"
#include "base/joined.h"
#include "base/safe_text.h"
#include "diagnose/python_decompositions.h"
#include "diagnose/static_sizes.h"
#include "lower/output_types.h"
#include "registry/registry.h"
#include "rewrite/rule.h"

namespace fxs::diagnose {
namespace {

using Step = NextStep::Kind;
using Types = std::vector<lower::OutputType>;

/// What does not lower.
struct Unlowered {
  std::string target;    ///< of the user's node; "" if it is not known
  bool hasForms = true;  ///< the same operator may lower in another form
};

/// A file to write in the current folder: "model.fixed.pt2".
std::string fileBeside(const std::string& file, std::string_view ending) {
  return std::filesystem::path(file).stem().string() + std::string(ending);
}

std::string namesOf(const Types& types) {
  std::vector<std::string> out;
  for (const lower::OutputType& type : types) out.emplace_back(lower::name(type));
  return joined(out);
}

/// `--to tosa,stablehlo`, and what they are made of, each option once.
std::vector<std::string> optionsOf(const Types& types) {
  std::string to;
  std::vector<std::string> out;
  for (const lower::OutputType& type : types) {
    const std::vector<std::string> own = lower::optionsFor(type);
    for (std::size_t i = 0; i + 1 < own.size(); i += 2) {
      if (own[i] == "--to") {
        to += (to.empty() ? "" : ",") + own[i + 1];
        continue;
      }
      const std::array pair{own[i], own[i + 1]};
      if (std::search(out.begin(), out.end(), pair.begin(), pair.end()) == out.end())
        out.insert(out.end(), pair.begin(), pair.end());
    }
  }
  if (!to.empty()) out.insert(out.begin(), {"--to", to});
  return out;
}

NextStep stepOf(Step kind, std::string message, std::string command, const std::string& file,
                const Types& types, const std::vector<std::string>& more = {}) {
  // A name that begins with a dash would be read as an option.
  NextStep out{
      kind, std::move(message), {std::move(command), file.starts_with('-') ? "./" + file : file}};
  for (const std::vector<std::string>& options : {optionsOf(types), more})
    out.arguments.insert(out.arguments.end(), options.begin(), options.end());
  return out;
}

/// Whether a command can name the file or node: a forged one could look like another line.
bool isNamed(const std::string& name) {
  return !name.empty() && name != "-" && printable(name) == name;
}

bool isDecomposable(const session::Request& request, const std::string& target) {
  const auto& rules = rewrite::builtinRules().rules();
  const std::set<std::string>& requested = request.rewrite.decompose;
  return !requested.contains(target) && !requested.contains(target.substr(0, target.rfind('.'))) &&
         std::any_of(rules.begin(), rules.end(), [&](const rewrite::Rule& rule) {
           return !rule.essential && rule.target == target;
         });
}

/// Whether a change that fxscope knows is likely to make all of them lower.
bool isLikelyFixed(const session::Snapshot& s, const std::vector<Unlowered>& all) {
  if (s.capture->module || s.capture->kernel || all.empty()) return false;
  bool hasStaticForm = false;
  if (!chosenSizes(*s.capture->program).empty())
    hasStaticForm = withStaticSizes(s.capture->program).has_value();
  return std::all_of(all.begin(), all.end(), [&](const Unlowered& each) {
    return isDecomposable(s.request, each.target) || (each.hasForms && hasStaticForm);
  });
}

/// Whether a registry of the output type has handlers for all of them.
bool areInRegistries(const session::Snapshot& s, const lower::OutputType& type,
                     const std::vector<Unlowered>& all) {
  if (s.capture->module || all.empty() || !chosenSizes(*s.capture->program).empty()) return false;
  return std::all_of(all.begin(), all.end(), [&](const Unlowered& each) {
    const std::string_view opClass = registry::OpClasses::builtin().of(each.target);
    return !opClass.empty() &&
           std::any_of(type->registries.begin(), type->registries.end(),
                       [&](const std::string& name) {
                         const registry::Registry* found = registry::builtinRegistries().find(name);
                         return found != nullptr && found->handlers.contains(opClass);
                       });
  });
}

NextStep byRegistries(const std::string& file, const Types& types, std::string message) {
  const auto written = std::find_if(types.begin(), types.end(), [](const lower::OutputType& type) {
    return !type->registries.empty();
  });
  if (written == types.end())
    return stepOf(Step::Registry, std::move(message), "registry", file, {},
                  {"-o", fileBeside(file, ".mlir")});
  return stepOf(Step::Registry, std::move(message), "lower", file, {*written},
                {"--via", std::string(session::kRegistries.name)});
}

constexpr const char* kKnownMessage = "registries know the operators that do not lower";

NextStep byFix(const std::string& file, const Types& types, std::string message) {
  return stepOf(Step::Fix, std::move(message), "fix", file, types,
                {"-o", fileBeside(file, ".fixed.pt2")});
}

/// Of the types whose texts can be run.
std::optional<NextStep> byCompare(const std::string& file, const Types& types) {
  Types run;
  std::copy_if(
      types.begin(), types.end(), std::back_inserter(run),
      [](const lower::OutputType& type) { return lower::keepsFunction(*type.operator->()); });
  if (run.empty()) return std::nullopt;
  return stepOf(Step::Compare, "it lowers to " + namesOf(run) + "; compare what it computes",
                "compare", file, run);
}

std::optional<NextStep> ofLowered(const session::Snapshot& s) {
  if (s.request.route->name == "fixed")
    return byFix(s.request.file, {s.lowering->target}, "write the fixed program to a file");
  if (s.capture->kernel) return std::nullopt;
  return byCompare(s.request.file, {s.lowering->target});
}

/// Whether it can be fixed: by another change than an option of the lowering.
bool isFixed(const Blocked& entry) {
  return std::any_of(entry.experiments.begin(), entry.experiments.end(), [](const Experiment& x) {
    return x.outcome == Outcome::Passed && x.proof != Proof::Disproved && x.id != "keep-whole" &&
           !x.id.starts_with("target:") && x.id != kPaddedResults;
  });
}

/// What stops the program for one output type.
std::vector<const Blocked*> stoppingAt(const Diagnosis& diagnosis, const lower::OutputType& type) {
  std::vector<const Blocked*> out = diagnosis.of(type);
  std::erase_if(out, [](const Blocked* entry) { return !stops(*entry); });
  return out;
}

bool areTried(const std::vector<const Blocked*>& entries) {
  return std::any_of(entries.begin(), entries.end(),
                     [](const Blocked* entry) { return !entry->experiments.empty(); });
}

std::vector<Unlowered> unlowered(const std::vector<const Blocked*>& entries) {
  std::vector<Unlowered> out;
  for (const Blocked* entry : entries)
    out.push_back({entry->fxTarget, entry->kind != Kind::NotRegistered &&
                                        entry->kind != Kind::NotImported &&
                                        entry->kind != Kind::NotFunctional});
  return out;
}

/// Empty if one of the findings is that an engine gave no answer.
std::vector<Unlowered> unlowered(const std::vector<fx::Finding>& findings) {
  std::vector<Unlowered> out;
  for (const fx::Finding& finding : findings) {
    if (lower::isNoAnswer(finding)) return {};
    if (finding.severity != fx::Severity::Error) continue;
    const std::string& kind = finding.kind;
    out.push_back({finding.target, kind != "not-registered" && kind != "not-imported" &&
                                       kind != "not-functionalized"});
  }
  return out;
}

/// "linalg-on-tensors", to which the whole program lowers; "" if there is none.
std::string otherTypeOf(const std::vector<const Blocked*>& entries) {
  constexpr std::string_view kTarget = "target:";
  if (entries.empty()) return {};
  for (const Experiment& x : entries.front()->experiments)
    if (x.id.starts_with(kTarget) && verifiedBy(x) > Verified::ByItself)
      return x.id.substr(kTarget.size());
  return {};
}

/// Where sizes that are known only at run time block the type, and another goes further.
std::optional<NextStep> byFurtherType(const std::string& file, const Diagnosis& diagnosis,
                                      const lower::OutputType& type) {
  const std::vector<const Blocked*> entries = diagnosis.of(type);
  if (std::none_of(entries.begin(), entries.end(),
                   [&](const Blocked* entry) { return blocksForSizes(diagnosis, *entry); }))
    return std::nullopt;
  const std::optional<OtherType> further = furtherThan(diagnosis, type);
  if (!further) return std::nullopt;
  const std::string to(lower::name(further->target));
  std::string message = "the whole program lowers to " + to;
  if (!*further->lowers) {
    const std::size_t operators = further->operators.size();
    message = to + " goes further: it stops at " + counted(operators, "operator") +
              (operators == 1 ? " only" : "");
  }
  return stepOf(Step::OtherType, std::move(message), "lower", file, {}, {"--to", to});
}

NextStep ofStopped(const session::Snapshot& s, const Diagnosis& diagnosis, const Types& stopped) {
  const std::string& file = s.request.file;
  if (s.capture->kernel) return byRegistries(file, stopped, kKernelMessage);
  const auto known = std::find_if(stopped.begin(), stopped.end(), [&](const auto& type) {
    return areInRegistries(s, type, unlowered(stoppingAt(diagnosis, type)));
  });
  if (known != stopped.end()) return byRegistries(file, {*known}, kKnownMessage);
  const auto entries = stoppingAt(diagnosis, stopped.front());
  if (const std::string other = otherTypeOf(entries); !other.empty())
    return stepOf(Step::OtherType, "the whole program lowers to " + other, "lower", file, {},
                  {"--to", other});
  if (const std::optional<NextStep> further = byFurtherType(file, diagnosis, stopped.front()))
    return *further;
  if (!entries.empty() && std::all_of(entries.begin(), entries.end(), [](const Blocked* entry) {
        return isFixed(*entry) || isLeftToPython(*entry);
      }))
    return stepOf(Step::Diagnose, "PyTorch decomposes what stops it; a Python with it can try that",
                  "diagnose", file, {stopped.front()}, {"--python", "auto"});
  // The one to report is one that nothing helps.
  std::vector<std::string> more{"-o", fileBeside(file, ".zip")};
  const auto unfixed = std::find_if(entries.begin(), entries.end(), [](const Blocked* entry) {
    return !isFixed(*entry) && !entry->nodes.empty();
  });
  if (unfixed != entries.end() && unfixed != entries.begin()) {
    const std::string& node = s.capture->program->node((*unfixed)->nodes.front()).name;
    if (isNamed(node)) more.insert(more.end(), {"--node", node});
  }
  return stepOf(Step::Bundle,
                areTried(entries) ? "no change that was tried makes it lower; share what fails"
                                  : "no change is known that makes it lower; share what fails",
                "bundle", file, {stopped.front()}, more);
}

/// The output types of a diagnosis by what is known of them.
struct Verdicts {
  Types lower;    ///< and it is not known what they compute
  Types fixed;    ///< do not lower, and a change is verified or likely to help
  Types stopped;  ///< do not lower
  Types wrong;
  bool isVerified = false;  ///< of `fixed`

  Verdicts(const session::Snapshot& s, const Diagnosis& diagnosis) {
    for (const TargetDiagnosis& target : diagnosis.targets) {
      if (target.computed && target.computed->accused) wrong.push_back(target.target);
      else if (target.lowers && !target.computed) lower.push_back(target.target);
      if (!target.lowers && target.isKnown) addStopped(s, diagnosis, target);
    }
  }

 private:
  void addStopped(const session::Snapshot& s, const Diagnosis& diagnosis,
                  const TargetDiagnosis& target) {
    const std::vector<const Blocked*> entries = stoppingAt(diagnosis, target.target);
    const bool areFixed = std::all_of(entries.begin(), entries.end(),
                                      [](const Blocked* entry) { return isFixed(*entry); });
    const bool isProved = target.fixedLowers.value_or(false) && areFixed;
    isVerified |= isProved;
    // Of changes that each help, and not together, fix finds others in several rounds.
    const bool isFixedLikely = areTried(entries) ? areFixed : isLikelyFixed(s, unlowered(entries));
    (isProved || isFixedLikely ? fixed : stopped).push_back(target.target);
  }
};

}  // namespace

std::string_view name(Step kind) {
  constexpr std::array<std::string_view, 6> names{"fix",    "registry",   "compare",
                                                  "bundle", "other-type", "diagnose"};
  return names[static_cast<std::size_t>(kind)];
}

std::optional<NextStep> nextStep(const session::Snapshot& s) {
  const std::string& file = s.request.file;
  if (!s.lowering || !s.capture || !isNamed(file)) return std::nullopt;
  const lower::Lowering& lowering = *s.lowering;
  if (lowering.edit || !lowering.skipped.empty() || !lowering.pipelines.empty())
    return std::nullopt;
  if (s.lowersRight()) return ofLowered(s);
  const std::vector<Unlowered> all = unlowered(s.findings());
  if (all.empty() || !lower::isKnown(lowering.stages)) return std::nullopt;
  const Types types{lowering.target};
  const bool isByRegistries = s.request.route == &session::kRegistries;
  if (s.capture->kernel) {
    if (isByRegistries) return std::nullopt;
    return byRegistries(file, types, kKernelMessage);
  }
  if (isLikelyFixed(s, all))
    return byFix(file, types, "a change may make it lower; fix tries and verifies it");
  if (!isByRegistries && areInRegistries(s, lowering.target, all))
    return byRegistries(file, types, kKnownMessage);
  return stepOf(Step::Diagnose, "find every operation that blocks it, and what makes it lower",
                "diagnose", file, types);
}

std::optional<NextStep> nextStep(const session::Snapshot& s, const Diagnosis& diagnosis) {
  const std::string& file = s.request.file;
  if (!s.capture || !isNamed(file) || !diagnosis.complete) return std::nullopt;
  const Verdicts types(s, diagnosis);
  if (!types.fixed.empty())
    return byFix(file, types.fixed,
                 types.isVerified
                     ? "a verified fix makes the whole program lower to " + namesOf(types.fixed)
                     : "a change may make it lower; fix tries and verifies it");
  if (!types.wrong.empty())
    return stepOf(Step::Bundle, "it computes a wrong result; share it with its values", "bundle",
                  file, {types.wrong.front()}, {"--wrong", "-o", fileBeside(file, ".zip")});
  if (!types.stopped.empty()) return ofStopped(s, diagnosis, types.stopped);
  if (types.lower.empty() || s.capture->kernel) return std::nullopt;
  return byCompare(file, types.lower);
}

std::optional<NextStep> nextStepOfFixed(const std::string& file,
                                        const std::vector<lower::OutputType>& lowersTo) {
  if (!isNamed(file)) return std::nullopt;
  return byCompare(file, lowersTo);
}

}  // namespace fxs::diagnose
