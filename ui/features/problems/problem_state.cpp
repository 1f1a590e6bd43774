// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/problems/problem_state.h"

#include <algorithm>
#include <map>

#include "report/diagnose_causes.h"
#include "report/diagnose_words.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

QString spaced(std::string_view word) { return text(word).replace('-', ' '); }

QString operationOf(const diagnose::Blocked& blocked) {
  for (const std::string* name : {&blocked.fxTarget, &blocked.op})
    if (!name->empty()) return text(*name);
  return text(blocked.message);
}

/// What it is listed under.
QString problemOf(const diagnose::Diagnosis& diagnosis, const diagnose::Blocked& blocked) {
  return blocksForSizes(diagnosis, blocked)
             ? text(report::titleOf(diagnosis.sizeSources[blocked.sizes->source]))
             : operationOf(blocked);
}

QString operationOf(const fx::Finding& finding) {
  for (const std::string* name : {&finding.target, &finding.op})
    if (!name->empty()) return text(*name);
  return text(finding.message);
}

/// Parts in order of insertion, one for each operation and cause.
class Groups {
 public:
  ProblemPart& part(const QString& operation, std::string cause) {
    const auto [at, added] = index_.try_emplace({operation, std::move(cause)}, parts_.size());
    if (added) parts_.push_back({operation, {}});
    return parts_[at->second].second;
  }
  void add(const fx::Finding& finding) {
    ProblemPart& into =
        part(operationOf(finding), std::string(fx::name(finding.severity)) + '\n' + finding.stage +
                                       '\n' + finding.kind + '\n' + finding.message);
    into.severity = finding.severity;
    into.operation = operationOf(finding);
    into.className = spaced(finding.kind);
    into.icon = exact(fx::name(finding.severity));
    into.stage = text(finding.stage);
    into.pass = text(finding.pass);
    into.message = text(finding.message);
    if (finding.node.valid()) into.nodes.push_back(finding.node);
    into.count = std::max({into.count, finding.count, into.nodes.size()});
  }
  std::vector<std::pair<QString, ProblemPart>> take() { return std::move(parts_); }

 private:
  std::map<std::pair<QString, std::string>, std::size_t> index_;
  std::vector<std::pair<QString, ProblemPart>> parts_;
};

ProblemPart partOf(const diagnose::Blocked& blocked, int index, const lower::OutputType& target) {
  ProblemPart part;
  // If the whole program lowers with it, it is a warning only.
  part.severity = blocked.agreement == diagnose::Agreement::AloneOnly ? fx::Severity::Warning
                                                                      : fx::Severity::Error;
  if (blocked.target != target) part.severity = fx::Severity::Note;
  part.className = className(blocked.kind);
  part.icon = iconOf(blocked.kind);
  part.operation = operationOf(blocked);
  part.target = text(lower::name(blocked.target));
  part.stage = text(blocked.stage);
  part.pass = text(blocked.pass);
  part.types = text(blocked.types);
  part.message = text(blocked.message);
  part.nodes = blocked.nodes;
  part.count = blocked.nodes.size();
  part.blocked = index;
  return part;
}

int rank(const ProblemPart& part) {
  return part.blocked >= 0 && part.severity != fx::Severity::Note ? 3
                                                                  : static_cast<int>(part.severity);
}

/// Of sizes known only at run time: its tip, and the output type that goes further.
void describeSizes(Problem& problem, const diagnose::Diagnosis& diagnosis) {
  problem.isForSizes = true;
  problem.className = "run-time sizes";
  problem.icon = "class-run-time-sizes";
  std::vector<std::string> operators;
  const diagnose::Blocked& first =
      diagnosis.blocked[static_cast<std::size_t>(problem.parts.front().blocked)];
  for (const ProblemPart& part : problem.parts) {
    const auto& blocked = diagnosis.blocked[static_cast<std::size_t>(part.blocked)];
    if (blocked.target == first.target) report::addOnce(operators, report::operationOf(blocked));
  }
  QStringList tip{problem.operation,
                  text(diagnose::sizesSentence(first.target, report::firstOf(operators, 3)))};
  for (const diagnose::OtherType& other : besides(diagnosis, first.target))
    tip << text(report::outcomeText(other));
  tip.removeAll(QString());
  problem.tip = tip.join('\n');
  const auto further = furtherThan(diagnosis, first.target);
  if (!further) return;
  problem.help = text(report::outcomeText(*further));
  if (*further->lowers) problem.verified = diagnose::Verified::WholeLowers;
}

void describe(Problem& problem, const diagnose::Diagnosis* diagnosis) {
  std::stable_sort(problem.parts.begin(), problem.parts.end(),
                   [](const ProblemPart& a, const ProblemPart& b) { return rank(a) > rank(b); });
  std::size_t withoutNodes = 0;
  for (const ProblemPart& part : problem.parts) {
    problem.nodes.insert(problem.nodes.end(), part.nodes.begin(), part.nodes.end());
    withoutNodes = std::max(withoutNodes, part.count);
  }
  std::sort(problem.nodes.begin(), problem.nodes.end());
  problem.nodes.erase(std::unique(problem.nodes.begin(), problem.nodes.end()), problem.nodes.end());
  problem.count = std::max(problem.nodes.size(), withoutNodes);
  for (const ProblemPart& part : problem.parts)
    if (!part.target.isEmpty() && !problem.targets.contains(part.target))
      problem.targets << part.target;
  problem.className = problem.parts.front().className;
  problem.icon = problem.parts.front().icon;
  if (!diagnosis) return;
  const int blocked = problem.parts.front().blocked;
  if (blocked >= 0 &&
      blocksForSizes(*diagnosis, diagnosis->blocked[static_cast<std::size_t>(blocked)]))
    describeSizes(problem, *diagnosis);
  if (problem.isForSizes &&
      upperBoundsOf(*diagnosis, diagnosis->blocked[static_cast<std::size_t>(blocked)]) == nullptr)
    return;
  for (const ProblemPart& part : problem.parts) {
    if (part.blocked < 0 || part.target != problem.parts.front().target) continue;
    const auto& experiments =
        diagnosis->blocked[static_cast<std::size_t>(part.blocked)].experiments;
    const auto best =
        std::find_if(experiments.begin(), experiments.end(), [](const diagnose::Experiment& e) {
          return e.outcome == diagnose::Outcome::Passed && e.proof != diagnose::Proof::Disproved;
        });
    if (best == experiments.end()) continue;
    problem.help = text(best->change);
    problem.verified = diagnose::verifiedBy(*best);
    return;
  }
}

/// The nodes that do not lower to the target, ascending.
std::vector<fx::NodeId> blockedNodes(const diagnose::Diagnosis& diagnosis,
                                     const lower::OutputType& target) {
  std::vector<fx::NodeId> nodes;
  for (const diagnose::Blocked& blocked : diagnosis.blocked)
    if (blocked.target == target)
      nodes.insert(nodes.end(), blocked.nodes.begin(), blocked.nodes.end());
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::vector<Problem> byOperation(std::vector<std::pair<QString, ProblemPart>> parts) {
  std::vector<Problem> problems;
  std::map<QString, std::size_t> indices;
  for (auto& [operation, part] : parts) {
    std::sort(part.nodes.begin(), part.nodes.end());
    const auto [at, added] = indices.try_emplace(operation, problems.size());
    if (added) problems.emplace_back().operation = operation;
    problems[at->second].parts.push_back(std::move(part));
  }
  return problems;
}

/// What blocks the program first, and of that sizes; then by node; problems without nodes are last.
bool comesBefore(const Problem& a, const Problem& b) {
  const int rankA = rank(a.parts.front()), rankB = rank(b.parts.front());
  if (rankA != rankB) return rankA > rankB;
  if (a.isForSizes != b.isForSizes) return a.isForSizes;
  if (a.nodes.empty() || b.nodes.empty()) return !a.nodes.empty() && b.nodes.empty();
  return a.nodes.front() < b.nodes.front();
}

}  // namespace

std::vector<Problem> groupProblems(const std::vector<fx::Finding>& findings,
                                   const diagnose::Diagnosis* diagnosis,
                                   const lower::OutputType& target) {
  Groups groups;
  std::vector<fx::NodeId> explained;
  std::vector<fx::Finding> all = findings;
  if (diagnosis) {
    for (std::size_t i = 0; i < diagnosis->blocked.size(); ++i) {
      const diagnose::Blocked& blocked = diagnosis->blocked[i];
      groups.part(problemOf(*diagnosis, blocked), "blocked " + std::to_string(i)) =
          partOf(blocked, static_cast<int>(i), target);
    }
    explained = blockedNodes(*diagnosis, target);
    for (const diagnose::TargetDiagnosis& other : diagnosis->targets)
      if (other.target != target)
        all.insert(all.end(), other.warnings.begin(), other.warnings.end());
  }
  for (const fx::Finding& finding : all)
    if (finding.severity != fx::Severity::Error || !finding.node.valid() ||
        !std::binary_search(explained.begin(), explained.end(), finding.node))
      groups.add(finding);
  std::vector<Problem> problems = byOperation(groups.take());
  for (Problem& problem : problems) describe(problem, diagnosis);
  std::stable_sort(problems.begin(), problems.end(), comesBefore);
  return problems;
}

QString className(diagnose::Kind kind) { return spaced(diagnose::name(kind)); }
QString iconOf(diagnose::Kind kind) { return "class-" + text(diagnose::name(kind)); }

}  // namespace fxs::ui
