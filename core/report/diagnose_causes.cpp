// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/diagnose_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/joined.h"
#include "report/diagnose_words.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

/// The last of the changes of an experiment.
std::string_view lastChange(const Experiment& experiment) {
  constexpr std::string_view kThen = ", then ";
  const std::string_view change = experiment.change;
  const std::size_t at = change.rfind(kThen);
  return at == std::string_view::npos ? change : change.substr(at + kThen.size());
}

/// The experiment that the target's verified changes contain, else the best one.
const Experiment* fixOf(const diagnose::Diagnosis& diagnosis, const Blocked& entry) {
  const auto works = [](const Experiment& x) {
    return x.outcome == diagnose::Outcome::Passed && x.proof != diagnose::Proof::Disproved &&
           !isOtherType(x);
  };
  for (const diagnose::TargetDiagnosis& target : diagnosis.targets) {
    if (target.target != entry.target || !target.fixedLowers.value_or(false)) continue;
    for (const Experiment& x : entry.experiments)
      if (works(x) && std::find(target.changes.begin(), target.changes.end(), lastChange(x)) !=
                          target.changes.end())
        return &x;
  }
  const auto first = std::find_if(entry.experiments.begin(), entry.experiments.end(), works);
  return first == entry.experiments.end() ? nullptr : &*first;
}

/// Sizes and what is computed from them, without a tensor among the results.
bool isOnSizes(const Blocked& entry) {
  const std::size_t arrow = entry.types.rfind(" -> ");
  if (arrow == std::string::npos) return false;
  const std::string_view result = std::string_view(entry.types).substr(arrow + 4);
  return result.starts_with("Sym") || (result == "None" && entry.types.starts_with("(Sym"));
}

bool haveOneCause(const Blocked& a, const Blocked& b) {
  if (stops(a) != stops(b)) return false;
  if (isOnSizes(a) && isOnSizes(b)) return true;
  if (!a.fxTarget.empty() && a.fxTarget == b.fxTarget) return true;
  // The engine also names constants and torch.operator, which say nothing about the operation.
  const bool says =
      !a.op.empty() && a.op != "torch.operator" && !a.op.starts_with("torch.constant.");
  return says && a.op == b.op && a.kind == b.kind;
}

/// A change that an entry also requires after that of its cause.
void addMore(const Experiment* own, Cause& cause) {
  if (own != nullptr && lastChange(*own) != cause.change)
    addOnce(cause.more, std::string(lastChange(*own)));
}

/// Nodes in order, and what blocks and has a way out first.
void arrange(std::vector<Cause>& causes) {
  for (Cause& cause : causes) {
    std::sort(cause.nodes.begin(), cause.nodes.end());
    cause.nodes.erase(std::unique(cause.nodes.begin(), cause.nodes.end()), cause.nodes.end());
  }
  const auto order = [](const Cause& cause) {
    return std::tuple(!blocks(cause), cause.sizes == nullptr, cause.fix == nullptr,
                      -static_cast<std::ptrdiff_t>(cause.nodes.size()));
  };
  std::stable_sort(causes.begin(), causes.end(),
                   [&](const Cause& a, const Cause& b) { return order(a) < order(b); });
}

}  // namespace

bool isOtherType(const Experiment& experiment) { return experiment.id.starts_with("target:"); }

bool isAmong(const diagnose::Diagnosis& diagnosis, const Experiment& otherType) {
  return isOtherType(otherType) &&
         std::any_of(diagnosis.targets.begin(), diagnosis.targets.end(), [&](const auto& target) {
           return otherType.id == fmt::format("target:{}", lower::name(target.target));
         });
}

const Experiment* suggestionOf(const Cause& cause) {
  if (cause.fix != nullptr) return cause.fix;
  for (const Blocked* entry : cause.entries)
    for (const Experiment& x : entry->experiments)
      if (isOtherType(x) && diagnose::verifiedBy(x) > diagnose::Verified::ByItself) return &x;
  return nullptr;
}

const Experiment& weakestOf(const Cause& cause, const Experiment& experiment) {
  const Experiment* out = &experiment;
  for (const Blocked* entry : cause.entries)
    for (const Experiment& x : entry->experiments)
      if (x.id == experiment.id && x.outcome == diagnose::Outcome::Passed &&
          diagnose::verifiedBy(x) < diagnose::verifiedBy(*out))
        out = &x;
  return *out;
}

bool blocks(const Cause& cause) {
  return std::any_of(cause.entries.begin(), cause.entries.end(),
                     [](const Blocked* entry) { return stops(*entry); });
}

std::vector<StopLocation> stopsOf(const Cause& cause) {
  std::vector<StopLocation> out;
  std::vector<std::string> seen;
  for (const Blocked* entry : cause.entries) {
    const std::string name(lower::name(entry->target));
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
    seen.push_back(name);
    std::vector<std::string> passes;
    for (const Blocked* other : cause.entries)
      if (other->target == entry->target)
        addOnce(passes, other->pass.empty() ? other->stage : other->pass);
    std::string at = firstOf(passes, 2);
    const auto same = std::find_if(out.begin(), out.end(), [&](const StopLocation& location) {
      return location.passes == at;
    });
    if (same == out.end()) out.push_back({std::move(at), name});
    else same->targets += ", " + name;
  }
  return out;
}

std::vector<std::string> operatorsOf(const Cause& cause) {
  std::vector<std::string> out;
  for (const Blocked* entry : cause.entries) addOnce(out, operationOf(*entry));
  return out;
}

std::vector<std::string> countedOperatorsOf(const Cause& cause) {
  std::vector<std::string> out;
  for (const std::string& name : operatorsOf(cause)) {
    std::set<fx::NodeId> nodes;
    for (const Blocked* entry : cause.entries)
      if (operationOf(*entry) == name) nodes.insert(entry->nodes.begin(), entry->nodes.end());
    out.push_back(fmt::format("{} ({})", name, counted(nodes.size(), "node")));
  }
  return out;
}

std::string titleOf(const Cause& cause) {
  constexpr std::size_t kOperators = 3;
  return cause.sizes != nullptr ? titleOf(*cause.sizes) : firstOf(operatorsOf(cause), kOperators);
}

std::vector<const Blocked*> alsoOn(const Cause& cause, const diagnose::Diagnosis& diagnosis) {
  std::vector<const Blocked*> out;
  for (const Blocked& entry : diagnosis.blocked)
    if (entry.sizes && stops(entry) && !blocksForSizes(diagnosis, entry) &&
        &diagnosis.sizeSources[entry.sizes->source] == cause.sizes)
      out.push_back(&entry);
  return out;
}

std::vector<std::string> sizesSentences(const Cause& cause) {
  constexpr std::size_t kOperators = 3;
  std::vector<lower::OutputType> targets;
  for (const Blocked* entry : cause.entries) addOnce(targets, entry->target);
  std::vector<std::string> out;
  for (const lower::OutputType& target : targets) {
    std::vector<std::string> operators;
    for (const Blocked* entry : cause.entries)
      if (entry->target == target) addOnce(operators, operationOf(*entry));
    if (std::string each = diagnose::sizesSentence(target, firstOf(operators, kOperators));
        !each.empty())
      out.push_back(std::move(each));
  }
  return out;
}

std::string reasonOf(const Cause& cause) {
  if (cause.sizes != nullptr)
    return fmt::format("{}, {}", counted(cause.nodes.size(), "node"),
                       counted(operatorsOf(cause).size(), "operator"));
  std::vector<std::string_view> titles;
  for (const Blocked* entry : cause.entries) addOnce(titles, diagnose::title(entry->kind));
  if (titles.size() == 1) return std::string(titles.front());
  return cause.fix != nullptr ? std::string("one change fixes all")
                              : fmt::format("{} different reasons", titles.size());
}

std::vector<std::string> messagesOf(const Cause& cause) {
  const bool oneOperator = operatorsOf(cause).size() == 1;
  std::vector<std::string> seen, out;
  for (const Blocked* entry : cause.entries) {
    const std::string key = fmt::format("{} {}", diagnose::name(entry->kind), entry->op);
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
    seen.push_back(key);
    std::string_view message = entry->message;
    if (oneOperator && message.starts_with(entry->fxTarget + ": "))
      message.remove_prefix(entry->fxTarget.size() + 2);
    addOnce(out, std::string(message));
  }
  return out;
}

fx::NodeId shownNodeOf(const std::vector<fx::NodeId>& nodes, const fx::Program& program) {
  if (nodes.empty()) return {};
  const auto at = std::find_if(nodes.begin(), nodes.end(), [&](fx::NodeId id) {
    return sourceLocationOf(program, id).line.has_value();
  });
  return at != nodes.end() ? *at : nodes.front();
}

std::vector<std::size_t> fixNumbers(const std::vector<Cause>& causes,
                                    const diagnose::TargetDiagnosis& target) {
  std::vector<std::size_t> out;
  if (!target.fixedLowers) return out;
  const auto begin = causes.begin();
  for (auto cause = begin; cause != causes.end(); ++cause) {
    const auto isSame = [&](const Cause& other) { return other.change == cause->change; };
    if (std::find(target.changes.begin(), target.changes.end(), cause->change) !=
            target.changes.end() &&
        std::none_of(begin, cause, isSame))
      out.push_back(static_cast<std::size_t>(cause - begin) + 1);
  }
  const auto isOfCause = [&](const std::string& change) {
    return std::any_of(causes.begin(), causes.end(), [&](const Cause& cause) {
      return cause.change == change ||
             std::find(cause.more.begin(), cause.more.end(), change) != cause.more.end();
    });
  };
  const bool areAll = std::all_of(target.changes.begin(), target.changes.end(), isOfCause);
  return areAll ? out : std::vector<std::size_t>();
}

std::string firstOf(const std::vector<std::string>& all, std::size_t most) {
  const std::size_t shown = std::min(all.size(), most);
  std::string out = joined(
      std::vector<std::string>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown)));
  return shown == all.size() ? out : out + fmt::format(" and {} more", all.size() - shown);
}

std::vector<Cause> causesOf(const diagnose::Diagnosis& diagnosis) {
  std::vector<Cause> out;
  for (const Blocked& entry : diagnosis.blocked) {
    const diagnose::SizeSource* sizes =
        blocksForSizes(diagnosis, entry) ? &diagnosis.sizeSources[entry.sizes->source] : nullptr;
    const Experiment* fix =
        sizes == nullptr ? fixOf(diagnosis, entry) : diagnose::upperBoundsOf(diagnosis, entry);
    const std::string change(fix != nullptr ? lastChange(*fix) : "");
    const auto known = std::find_if(out.begin(), out.end(), [&](const Cause& cause) {
      if (sizes != nullptr || cause.sizes != nullptr) return cause.sizes == sizes;
      if (fix != nullptr) return cause.change == change;
      return cause.fix == nullptr &&
             std::any_of(cause.entries.begin(), cause.entries.end(),
                         [&](const Blocked* other) { return haveOneCause(*other, entry); });
    });
    Cause& cause = known != out.end() ? *known : out.emplace_back();
    cause.entries.push_back(&entry);
    // One that needs no other change tells more.
    if (cause.fix == nullptr || (cause.fix->change != change && fix->change == change))
      cause.fix = fix;
    cause.change = change;
    cause.sizes = sizes;
    if (fix != nullptr && sizes != nullptr) addMore(fixOf(diagnosis, entry), cause);
    cause.nodes.insert(cause.nodes.end(), entry.nodes.begin(), entry.nodes.end());
  }
  arrange(out);
  return out;
}

}  // namespace fxs::report
