#include "report/diagnose_causes.h"

#include <algorithm>
#include <tuple>

#include "report/diagnose_words.h"

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
    return x.outcome == diagnose::Outcome::Passed && x.proof != diagnose::Proof::Disproved && !isOtherType(x);
  };
  for (const diagnose::TargetDiagnosis& target : diagnosis.targets) {
    if (target.target != entry.target || !target.fixedLowers.value_or(false)) continue;
    for (const Experiment& x : entry.experiments)
      if (works(x) && std::find(target.changes.begin(), target.changes.end(), lastChange(x)) != target.changes.end()) return &x;
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
  const bool says = !a.op.empty() && a.op != "torch.operator" && !a.op.starts_with("torch.constant.");
  return says && a.op == b.op && a.kind == b.kind;
}

}  // namespace

bool isOtherType(const Experiment& experiment) { return experiment.id.starts_with("target:"); }

std::vector<Cause> causesOf(const diagnose::Diagnosis& diagnosis) {
  std::vector<Cause> out;
  for (const Blocked& entry : diagnosis.blocked) {
    const Experiment* fix = fixOf(diagnosis, entry);
    const std::string change(fix != nullptr ? lastChange(*fix) : "");
    const auto known = std::find_if(out.begin(), out.end(), [&](const Cause& cause) {
      if (fix != nullptr) return cause.change == change;
      return cause.fix == nullptr &&
             std::any_of(cause.entries.begin(), cause.entries.end(), [&](const Blocked* other) { return haveOneCause(*other, entry); });
    });
    Cause& cause = known != out.end() ? *known : out.emplace_back();
    cause.entries.push_back(&entry);
    // One that needs no other change tells more.
    if (cause.fix == nullptr || (cause.fix->change != change && fix->change == change)) cause.fix = fix;
    cause.change = change;
    cause.nodes.insert(cause.nodes.end(), entry.nodes.begin(), entry.nodes.end());
  }
  for (Cause& cause : out) {
    std::sort(cause.nodes.begin(), cause.nodes.end());
    cause.nodes.erase(std::unique(cause.nodes.begin(), cause.nodes.end()), cause.nodes.end());
  }
  const auto order = [](const Cause& cause) {
    const bool blocks = std::any_of(cause.entries.begin(), cause.entries.end(), [](const Blocked* entry) { return stops(*entry); });
    return std::tuple(!blocks, cause.fix == nullptr, -static_cast<std::ptrdiff_t>(cause.nodes.size()));
  };
  std::stable_sort(out.begin(), out.end(), [&](const Cause& a, const Cause& b) { return order(a) < order(b); });
  return out;
}

}  // namespace fxs::report
