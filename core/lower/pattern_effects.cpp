// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pattern_effects.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace fxs::lower {
namespace {

/// The iteration limit of MLIR's greedy driver (canonicalize's default).
constexpr int kMaxIterations = 10;

/// The patterns tried on one operation in sequence: positions in `mine`.
struct Visit {
  std::vector<std::size_t> attempts;
};

bool sameVisit(const LoggedAttempt& a, const LoggedAttempt& b) {
  return a.pass == b.pass && a.greedyRun == b.greedyRun && a.iteration == b.iteration &&
         a.inside == b.inside && a.inConversion == b.inConversion && a.op == b.op;
}

std::vector<Visit> visitsOf(const PatternLog& log, const std::vector<int>& mine) {
  const auto at = [&](std::size_t i) -> const LoggedAttempt& {
    return log.attempts[static_cast<std::size_t>(mine[i])];
  };
  std::vector<Visit> out;
  // Attempts on operations created during an attempt come before its next one: keep open visits,
  // innermost last.
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const LoggedAttempt& attempt = at(i);
    bool joined = false;
    while (!open.empty() && !joined) {
      Visit& visit = out[open.back()];
      const bool repeats =
          std::any_of(visit.attempts.begin(), visit.attempts.end(),
                      [&](std::size_t k) { return at(k).pattern == attempt.pattern; });
      if (sameVisit(at(visit.attempts.back()), attempt) && !repeats) {
        visit.attempts.push_back(i);
        joined = true;
      } else if (attempt.inside == mine[visit.attempts.back()]) {
        break;
      } else {
        open.pop_back();
      }
    }
    if (joined) continue;
    open.push_back(out.size());
    out.push_back({{i}});
  }
  return out;
}

int count(const OpCounts& counts, const std::string& op) {
  const auto found = counts.find(op);
  return found == counts.end() ? 0 : found->second;
}

bool somethingNew(const PassSurroundings& s) {
  return std::any_of(s.after.begin(), s.after.end(),
                     [&](const auto& op) { return op.second > count(s.before, op.first); });
}

constexpr std::string_view kAgain = "the same operation is tried again in the next iteration";
constexpr std::string_view kGone =
    "the operation no longer exists after the pass, and the node has new ones";

/// How often an operation is visited in an iteration of a greedy driver.
class Visits {
 public:
  void add(const LoggedAttempt& first) {
    if (first.iteration > 0) ++counts_[key(first, first.iteration)];
  }
  /// Whether it was visited as often in the next iteration, and so still exists.
  bool again(const LoggedAttempt& first) const {
    if (first.iteration == 0) return false;
    const auto now = counts_.find(key(first, first.iteration)),
               next = counts_.find(key(first, first.iteration + 1));
    return now != counts_.end() && next != counts_.end() && next->second >= now->second;
  }

 private:
  using Key = std::tuple<int, int, int, std::string>;
  static Key key(const LoggedAttempt& a, int iteration) {
    return {a.pass, a.greedyRun, iteration, withoutNames(a.op)};
  }
  std::map<Key, int> counts_;
};

/// The verdict on the last attempt of a visit that tried every pattern known for its operation.
Verdict afterWholeList(const PatternLog& log, const LoggedAttempt& attempt,
                       const PassSurroundings& around, bool again) {
  if (attempt.inConversion) {
    if (around.failed) {
      if (attempt.opName == around.failedOp)
        return {Effect::Refused, "the engine's error names the operation"};
      return {Effect::Unknown, "the pass failed, which discards all its changes"};
    }
    if (!around.known) return {Effect::Unknown, "the operations after the pass are unknown"};
    const int before = count(around.before, attempt.opName),
              after = count(around.after, attempt.opName);
    if (after == 0 && somethingNew(around)) return {Effect::TookEffect, kGone};
    if (before > 0 && after >= before)
      return {Effect::Refused, "the operation still exists after the pass"};
    return {Effect::Unknown, "several such operations, some of which still exist after the pass"};
  }
  if (attempt.pass >= 0 && log.passes[static_cast<std::size_t>(attempt.pass)].ended == kNotEnded)
    return {again ? Effect::Refused : Effect::Unknown,
            again ? kAgain : "the log ends in this pass"};
  const int last = log.lastIteration(attempt.pass, attempt.greedyRun);
  if (attempt.iteration > 0 && attempt.iteration == last && last < kMaxIterations)
    return {Effect::Refused, "no pattern applies in the last iteration"};
  if (again) return {Effect::Refused, kAgain};
  if (around.known && count(around.before, attempt.opName) > 0 &&
      count(around.after, attempt.opName) == 0 && somethingNew(around))
    return {Effect::TookEffect, kGone};
  return {Effect::Unknown, "the log does not say"};
}

}  // namespace

std::string_view name(Effect effect) {
  switch (effect) {
    case Effect::TookEffect: return "took effect";
    case Effect::Refused: return "refused";
    case Effect::Undone: return "undone";
    case Effect::Unknown: break;
  }
  return "unknown";
}

bool isInferredFromAbsence(std::string_view why) { return why == kGone; }

std::vector<Verdict> effectsOf(const PatternLog& log, const std::vector<int>& mine,
                               const std::vector<PassSurroundings>& surroundings) {
  const std::vector<Visit> visits = visitsOf(log, mine);
  const auto at = [&](std::size_t i) -> const LoggedAttempt& {
    return log.attempts[static_cast<std::size_t>(mine[i])];
  };
  // The longest list of patterns seen for an operation, by pass class.
  std::map<std::pair<std::string, std::string>, const Visit*> longest;
  const auto keyOf = [&](const LoggedAttempt& a) {
    return std::pair(
        a.pass < 0 ? std::string() : log.passes[static_cast<std::size_t>(a.pass)].passClass,
        a.opName);
  };
  Visits counts;
  for (const Visit& visit : visits) {
    counts.add(at(visit.attempts.front()));
    const Visit*& known = longest[keyOf(at(visit.attempts.front()))];
    if (known == nullptr || known->attempts.size() < visit.attempts.size()) known = &visit;
  }
  std::vector<Verdict> out(mine.size());
  const PassSurroundings nothing;
  for (const Visit& visit : visits) {
    for (std::size_t k = 0; k + 1 < visit.attempts.size(); ++k)
      out[visit.attempts[k]] = {Effect::Refused,
                                at(visit.attempts[k]).hasInner
                                    ? "its result could not be converted further"
                                    : "the next pattern was tried on the same operation"};
    const LoggedAttempt& last = at(visit.attempts.back());
    Verdict& verdict = out[visit.attempts.back()];
    const PassSurroundings& around =
        last.pass >= 0 && static_cast<std::size_t>(last.pass) < surroundings.size()
            ? surroundings[static_cast<std::size_t>(last.pass)]
            : nothing;
    const Visit& full = *longest[keyOf(last)];
    bool early = visit.attempts.size() < full.attempts.size();
    for (std::size_t k = 0; early && k < visit.attempts.size(); ++k)
      early = at(visit.attempts[k]).pattern == at(full.attempts[k]).pattern;
    if (early) {
      // A conversion does not try a pattern again on what that pattern made.
      const std::string& next = at(full.attempts[visit.attempts.size()]).pattern;
      for (int inside = last.inside; inside >= 0 && early;
           inside = log.attempts[static_cast<std::size_t>(inside)].inside)
        early = log.attempts[static_cast<std::size_t>(inside)].pattern != next;
    }
    const bool named = around.failed && last.inConversion && last.opName == around.failedOp;
    if (!last.completed) verdict = {Effect::Unknown, "the engine did not return from it"};
    else if (early && !named && around.failed && last.inConversion)
      verdict = {Effect::Undone, "the pass failed, which discards the changes of this pattern"};
    else if (early && !named)
      verdict = {Effect::TookEffect, "no further pattern was tried on the operation"};
    else verdict = afterWholeList(log, last, around, counts.again(last));
  }
  return out;
}

}  // namespace fxs::lower
