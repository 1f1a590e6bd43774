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

/// The attempts on operations of the node.
class NodeAttempts {
 public:
  NodeAttempts(const PatternLog& log, const std::vector<int>& mine) : log_(log), mine_(mine) {}
  const PatternLog& log() const { return log_; }
  std::size_t size() const { return mine_.size(); }
  /// Index into PatternLog::attempts.
  int indexOf(std::size_t position) const { return mine_[position]; }
  const LoggedAttempt& at(std::size_t position) const {
    return log_.attempts[static_cast<std::size_t>(mine_[position])];
  }

 private:
  const PatternLog& log_;
  const std::vector<int>& mine_;
};

std::vector<Visit> visitsOf(const NodeAttempts& mine) {
  std::vector<Visit> out;
  // Attempts on operations created during an attempt come before its next one: keep open visits,
  // innermost last.
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const LoggedAttempt& attempt = mine.at(i);
    bool joined = false;
    while (!open.empty() && !joined) {
      Visit& visit = out[open.back()];
      const bool repeats =
          std::any_of(visit.attempts.begin(), visit.attempts.end(),
                      [&](std::size_t k) { return mine.at(k).pattern == attempt.pattern; });
      if (sameVisit(mine.at(visit.attempts.back()), attempt) && !repeats) {
        visit.attempts.push_back(i);
        joined = true;
      } else if (attempt.inside == mine.indexOf(visit.attempts.back())) {
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

/// The verdict on an attempt that may have taken effect, by the operations after its conversion.
Verdict afterConversion(const LoggedAttempt& attempt, const PassSurroundings& around) {
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

bool isInOpenPass(const PatternLog& log, const LoggedAttempt& attempt) {
  return attempt.pass >= 0 && log.passes[static_cast<std::size_t>(attempt.pass)].ended == kNotEnded;
}

/// Whether the operation no longer exists after the pass, and the node has new ones.
bool isReplaced(const LoggedAttempt& attempt, const PassSurroundings& around) {
  return around.known && count(around.before, attempt.opName) > 0 &&
         count(around.after, attempt.opName) == 0 && somethingNew(around);
}

/// The verdict on the last attempt of a visit that tried every pattern known for its operation.
Verdict afterAllPatterns(const PatternLog& log, const LoggedAttempt& attempt,
                         const PassSurroundings& around, bool again) {
  if (attempt.inConversion) return afterConversion(attempt, around);
  if (isInOpenPass(log, attempt))
    return {again ? Effect::Refused : Effect::Unknown,
            again ? kAgain : "the log ends in this pass"};
  const int last = log.lastIteration(attempt.pass, attempt.greedyRun);
  if (attempt.iteration > 0 && attempt.iteration == last && last < kMaxIterations)
    return {Effect::Refused, "no pattern applies in the last iteration"};
  if (again) return {Effect::Refused, kAgain};
  if (isReplaced(attempt, around)) return {Effect::TookEffect, kGone};
  return {Effect::Unknown, "the log does not say"};
}

/// The visits with the most patterns, by pass class and operation: the patterns known for it.
class PatternLists {
 public:
  PatternLists(const NodeAttempts& mine, const std::vector<Visit>& visits) : mine_(mine) {
    for (const Visit& visit : visits) {
      const Visit*& known = longest_[keyOf(mine.at(visit.attempts.front()))];
      if (known == nullptr || known->attempts.size() < visit.attempts.size()) known = &visit;
    }
  }

  /// Whether the visit ended before a pattern that is known to be next.
  bool endsEarly(const Visit& visit) const {
    const LoggedAttempt& last = mine_.at(visit.attempts.back());
    const Visit& full = *longest_.at(keyOf(last));
    if (visit.attempts.size() >= full.attempts.size()) return false;
    if (!std::equal(visit.attempts.begin(), visit.attempts.end(), full.attempts.begin(),
                    [&](std::size_t a, std::size_t b) {
                      return mine_.at(a).pattern == mine_.at(b).pattern;
                    }))
      return false;
    // A conversion does not try a pattern again on what that pattern made.
    return !isInside(last, mine_.at(full.attempts[visit.attempts.size()]).pattern);
  }

 private:
  using Key = std::pair<std::string, std::string>;
  Key keyOf(const LoggedAttempt& a) const {
    return {
        a.pass < 0 ? std::string() : mine_.log().passes[static_cast<std::size_t>(a.pass)].passClass,
        a.opName};
  }
  bool isInside(const LoggedAttempt& attempt, const std::string& pattern) const {
    const std::vector<LoggedAttempt>& all = mine_.log().attempts;
    for (int inside = attempt.inside; inside >= 0;
         inside = all[static_cast<std::size_t>(inside)].inside)
      if (all[static_cast<std::size_t>(inside)].pattern == pattern) return true;
    return false;
  }

  const NodeAttempts& mine_;
  std::map<Key, const Visit*> longest_;
};

/// The verdict on an attempt after which no further pattern was tried on the operation, although
/// one is known.
Verdict afterEarlyEnd(const LoggedAttempt& attempt, const PassSurroundings& around) {
  if (around.failed && attempt.inConversion)
    return {Effect::Undone, "the pass failed, which discards the changes of this pattern"};
  return {Effect::TookEffect, "no further pattern was tried on the operation"};
}

/// Whether the engine's error names the operation of the attempt.
bool isNamedByError(const LoggedAttempt& attempt, const PassSurroundings& around) {
  return around.failed && attempt.inConversion && attempt.opName == around.failedOp;
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

bool isInferredFromAbsence(std::string_view reason) { return reason == kGone; }

std::vector<Verdict> effectsOf(const PatternLog& log, const std::vector<int>& mine,
                               const std::vector<PassSurroundings>& surroundings) {
  const NodeAttempts attempts(log, mine);
  const std::vector<Visit> visits = visitsOf(attempts);
  const PatternLists lists(attempts, visits);
  Visits counts;
  for (const Visit& visit : visits) counts.add(attempts.at(visit.attempts.front()));
  std::vector<Verdict> out(mine.size());
  const PassSurroundings nothing;
  for (const Visit& visit : visits) {
    for (std::size_t k = 0; k + 1 < visit.attempts.size(); ++k)
      out[visit.attempts[k]] = {Effect::Refused,
                                attempts.at(visit.attempts[k]).hasInner
                                    ? "its result could not be converted further"
                                    : "the next pattern was tried on the same operation"};
    const LoggedAttempt& last = attempts.at(visit.attempts.back());
    Verdict& verdict = out[visit.attempts.back()];
    const PassSurroundings& around =
        last.pass >= 0 && static_cast<std::size_t>(last.pass) < surroundings.size()
            ? surroundings[static_cast<std::size_t>(last.pass)]
            : nothing;
    if (!last.completed) verdict = {Effect::Unknown, "the engine did not return from it"};
    else if (lists.endsEarly(visit) && !isNamedByError(last, around))
      verdict = afterEarlyEnd(last, around);
    else verdict = afterAllPatterns(log, last, around, counts.again(last));
  }
  return out;
}

}  // namespace fxs::lower
