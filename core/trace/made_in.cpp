// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/made_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "mlir/text/expanded_aliases.h"
#include "trace/node_changes.h"

namespace fxs::trace {
namespace {

constexpr std::string_view kWork = "the pass that made an operation";

/// A snapshot, and by the operation that they came from and their name, its operations in text
/// order.
class Indexed {
 public:
  static Result<Indexed> of(const Trace& trace, std::size_t snapshot, const RunContext& context) {
    Indexed out;
    out.context_ = &context;
    out.snapshot_ = snapshot;
    FXS_TRY(out.text_, trace.open(snapshot));
    const std::size_t count = out.text_->module->ops.size();
    context.spend(Resource::Values, count, kWork);
    out.aliases_ = std::make_unique<const mlir::ExpandedAliases>(*out.text_->module);
    for (std::size_t i = 0; i < count; ++i)
      for (const mlir::OpId source : out.fromOf(mlir::OpId::of(i)))
        out.ops_[{source, out.nameOf(mlir::OpId::of(i))}].push_back(mlir::OpId::of(i));
    return out;
  }

  std::size_t snapshot() const { return snapshot_; }
  int from() const { return text_->origins->from(); }
  std::span<const mlir::OpId> fromOf(mlir::OpId id) const { return text_->origins->of(id).from; }
  std::string_view nameOf(mlir::OpId id) const { return text_->module->nameOf(id); }
  SeenOp seen(mlir::OpId id) const { return seenOp(*text_->module, *aliases_, id); }
  std::vector<SeenOp> seen(const std::vector<mlir::OpId>& ids) const {
    std::vector<SeenOp> out;
    for (const mlir::OpId id : ids) out.push_back(seen(id));
    return out;
  }
  std::string textOf(mlir::OpId id) const { return seen(id).text; }
  std::span<const mlir::OpId> madeOf(mlir::OpId source, std::string_view name) const {
    const auto found = ops_.find({source, name});
    if (found == ops_.end()) return {};
    return found->second;
  }
  /// In text order.
  std::vector<mlir::OpId> madeOf(mlir::OpId source) const {
    std::vector<mlir::OpId> out;
    for (auto at = ops_.lower_bound({source, std::string_view()});
         at != ops_.end() && at->first.first == source; ++at)
      out.insert(out.end(), at->second.begin(), at->second.end());
    std::sort(out.begin(), out.end());
    return out;
  }
  /// Those with the name and text of an operation of `other`, in text order.
  std::span<const mlir::OpId> sameText(const Indexed& other, mlir::OpId op) const {
    const std::string_view name = other.nameOf(op);
    const auto [found, isNew] = byText_.try_emplace(std::string(name));
    if (isNew) {
      const std::size_t count = text_->module->ops.size();
      context_->spend(Resource::Values, count, kWork);
      for (std::size_t i = 0; i < count; ++i)
        if (const mlir::OpId id = mlir::OpId::of(i); nameOf(id) == name)
          found->second[textOf(id)].push_back(id);
    }
    const auto same = found->second.find(other.textOf(op));
    if (same == found->second.end()) return {};
    return same->second;
  }
  /// Of `ops`, the first with that text, else the one at `position`; invalid if there is none.
  mlir::OpId heirOf(std::span<const mlir::OpId> ops, std::string_view text,
                    std::size_t position) const {
    context_->spend(Resource::Values, ops.size(), kWork);
    for (const mlir::OpId id : ops)
      if (textOf(id) == text) return id;
    return position < ops.size() ? ops[position] : mlir::OpId();
  }

 private:
  const RunContext* context_ = nullptr;
  std::size_t snapshot_ = 0;
  std::shared_ptr<const OpenText> text_;
  std::unique_ptr<const mlir::ExpandedAliases> aliases_;
  std::map<std::pair<mlir::OpId, std::string_view>, std::vector<mlir::OpId>> ops_;
  /// By name and text, of the names that were asked for.
  mutable std::map<std::string, std::map<std::string, std::vector<mlir::OpId>>> byText_;
};

/// Constants that a pass merges may share a location that leads to all of them: the second with
/// its text is the second of `named`.
mlir::OpId nthInSource(const Indexed& now, mlir::OpId op, std::span<const mlir::OpId> rivals,
                       const Indexed& source, const std::vector<mlir::OpId>& named) {
  const std::string text = now.textOf(op);
  std::size_t position = 0;
  for (auto each = rivals.begin(); each != rivals.end() && *each != op; ++each)
    position += now.textOf(*each) == text ? 1u : 0u;
  for (const mlir::OpId id : named)
    if (source.textOf(id) == text && position-- == 0) return id;
  return {};
}

/// The operation in the snapshot that its location leads to.
mlir::OpId sameInSource(const Indexed& now, mlir::OpId op, const Indexed& source) {
  std::vector<mlir::OpId> named;
  for (const mlir::OpId id : now.fromOf(op))
    if (source.nameOf(id) == now.nameOf(op)) named.push_back(id);
  const mlir::OpId same = source.heirOf(named, now.textOf(op), 0);
  if (!same.valid()) return same;
  const auto rivals = now.madeOf(same, now.nameOf(op));
  if (now.heirOf(rivals, source.textOf(same), 0) == op) return same;
  return named.size() > 1 ? nthInSource(now, op, rivals, source, named) : mlir::OpId();
}

/// The operation in the snapshot right before, if the locations of both lead to an earlier one.
mlir::OpId sameInSibling(const Indexed& now, mlir::OpId op, const Indexed& before) {
  const auto from = now.fromOf(op);
  if (from.empty()) return {};
  const auto rivals = now.madeOf(from.front(), now.nameOf(op));
  const auto position =
      static_cast<std::size_t>(std::find(rivals.begin(), rivals.end(), op) - rivals.begin());
  return before.heirOf(before.madeOf(from.front(), now.nameOf(op)), now.textOf(op), position);
}

/// Where a pass makes one of several constants, that has no location: the first of them.
mlir::OpId firstOfMerged(const Indexed& now, mlir::OpId op, const Indexed& before) {
  const auto same = before.sameText(now, op);
  return same.empty() ? mlir::OpId() : same.front();
}

/// The operation in the snapshot right before; invalid if it is new.
mlir::OpId sameBefore(const Indexed& now, mlir::OpId op, const Indexed& before) {
  if (now.from() >= 0 && now.fromOf(op).empty()) return firstOfMerged(now, op, before);
  if (now.from() == static_cast<int>(before.snapshot())) return sameInSource(now, op, before);
  if (now.from() < 0 || before.from() != now.from()) return {};
  return sameInSibling(now, op, before);
}

/// Of an operation that `now` has and the module before it has not.
std::vector<std::string> sourceNames(const Indexed& now, mlir::OpId op, const Indexed& before) {
  std::vector<std::string> out;
  if (now.from() == static_cast<int>(before.snapshot()))
    for (const mlir::OpId source : now.fromOf(op)) out.emplace_back(before.nameOf(source));
  return out;
}

/// Follows one operation from `now` to the module before it; invalid if `now` made it.
mlir::OpId stepBack(const Indexed& now, mlir::OpId op, const Indexed& before, MadeIn& made) {
  const mlir::OpId same = sameBefore(now, op, before);
  if (!same.valid()) {
    made.sources = sourceNames(now, op, before);
    return same;
  }
  made.made = static_cast<int>(before.snapshot());
  made.first = same;
  if (made.lastChanged < 0 && before.textOf(same) != now.textOf(op))
    made.lastChanged = static_cast<int>(now.snapshot());
  return same;
}

/// Follows `left` from `now` to the snapshot before it. What that made becomes invalid; false if
/// all are.
bool stepBack(const Indexed& now, const Indexed& before, std::vector<mlir::OpId>& left,
              std::vector<MadeIn>& made) {
  bool anyLeft = false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!left[i].valid()) continue;
    left[i] = stepBack(now, left[i], before, made[i]);
    anyLeft = anyLeft || left[i].valid();
  }
  return anyLeft;
}

Result<> followBack(const Trace& trace, std::size_t snapshot, std::vector<mlir::OpId> left,
                    std::vector<MadeIn>& made, const RunContext& context) {
  FXS_TRY(Indexed now, Indexed::of(trace, snapshot, context));
  for (bool anyLeft = true; anyLeft && now.snapshot() > 0;) {
    FXS_TRY(Indexed before, Indexed::of(trace, now.snapshot() - 1, context));
    anyLeft = stepBack(now, before, left, made);
    now = std::move(before);
  }
  return {};
}

/// Follows operations back from one module to the next, and each to what it was made of.
class WayBack {
 public:
  WayBack(int snapshot, mlir::OpId op) : waiting_{{snapshot, {op}}} {}

  Result<std::vector<OpStep>> steps(const Trace& trace, const RunContext& context) && {
    std::optional<Indexed> now;
    while (out_.size() < kStepsOfOp && !(live_.empty() && waiting_.empty())) {
      const int next =
          live_.empty() ? waiting_.rbegin()->first : static_cast<int>(now->snapshot()) - 1;
      FXS_TRY(Indexed before, Indexed::of(trace, static_cast<std::size_t>(next), context));
      if (!live_.empty()) stepTo(before, *now);
      start(before);
      now = std::move(before);
      if (next == 0) finishAll();
    }
    return std::move(out_);
  }

 private:
  struct Followed {
    OpStep step;
    mlir::OpId at;  ///< in the module that is looked at
  };

  void start(const Indexed& now) {
    const auto found = waiting_.find(static_cast<int>(now.snapshot()));
    if (found == waiting_.end()) return;
    for (const mlir::OpId op : found->second)
      if (std::none_of(live_.begin(), live_.end(),
                       [&](const Followed& each) { return each.at == op; }))
        live_.push_back({{found->first, op, {found->first, -1, op}}, op});
    waiting_.erase(found);
  }

  void stepTo(const Indexed& before, const Indexed& now) {
    for (Followed& each : live_) {
      const mlir::OpId op = each.at;
      each.at = stepBack(now, op, before, each.step.made);
      if (each.at.valid()) continue;
      finish(each.step);
      for (const mlir::OpId source : now.fromOf(op)) waiting_[now.from()].insert(source);
    }
    std::erase_if(live_, [](const Followed& each) { return !each.at.valid(); });
  }

  void finish(OpStep step) {
    if (step.made.lastChanged < 0) step.made.lastChanged = step.made.made;
    if (out_.size() < kStepsOfOp) out_.push_back(std::move(step));
  }
  void finishAll() {
    for (const Followed& each : live_) finish(each.step);
    live_.clear();
  }

  std::map<int, std::set<mlir::OpId>> waiting_;  ///< by snapshot, where they are followed from
  std::vector<Followed> live_;
  std::vector<OpStep> out_;
};

/// What several constants became, of which this is one; none if they did not.
std::vector<mlir::OpId> mergedOf(const Indexed& before, mlir::OpId op, const Indexed& now) {
  std::vector<mlir::OpId> out;
  for (const mlir::OpId id : now.sameText(before, op))
    if (now.fromOf(id).empty()) out.push_back(id);
  return out;
}

/// What the operation is in the next module; std::nullopt if locations do not say.
std::optional<std::vector<mlir::OpId>> becameOf(const Indexed& before, mlir::OpId op,
                                                const Indexed& now) {
  if (now.from() == static_cast<int>(before.snapshot())) {
    std::vector<mlir::OpId> made = now.madeOf(op);
    return made.empty() ? mergedOf(before, op, now) : made;
  }
  if (now.from() < 0 || before.from() != now.from()) return std::nullopt;
  if (before.fromOf(op).empty()) {
    std::vector<mlir::OpId> merged = mergedOf(before, op, now);
    return merged.empty() ? std::nullopt : std::optional(std::move(merged));
  }
  std::vector<mlir::OpId> out = now.madeOf(before.fromOf(op).front());
  for (const mlir::OpId each : out)
    if (sameInSibling(now, each, before) == op) return std::vector{each};
  std::erase_if(out, [&](mlir::OpId each) { return sameInSibling(now, each, before).valid(); });
  return out.empty() ? mergedOf(before, op, now) : out;
}

std::optional<std::vector<mlir::OpId>> becameOf(const Indexed& before,
                                                const std::vector<mlir::OpId>& ops,
                                                const Indexed& now) {
  std::set<mlir::OpId> out;
  for (const mlir::OpId op : ops) {
    const auto became = becameOf(before, op, now);
    if (!became) return std::nullopt;
    out.insert(became->begin(), became->end());
  }
  return std::vector<mlir::OpId>(out.begin(), out.end());
}

std::string passText(const lower::PassTrace& passes, int snapshot) {
  const int pass = passes.snapshots[static_cast<std::size_t>(snapshot)].pass;
  return fmt::format("{} ({})", pass + 1, passes.passes[static_cast<std::size_t>(pass)].pass);
}

}  // namespace

Result<std::vector<MadeIn>> madeIn(const Trace& trace, std::size_t snapshot,
                                   const std::vector<mlir::OpId>& ops, const RunContext& context) {
  std::vector<MadeIn> out;
  for (const mlir::OpId op : ops) out.push_back({static_cast<int>(snapshot), -1, op});
  if (!ops.empty()) FXS_CHECK(followBack(trace, snapshot, ops, out, context));
  for (MadeIn& each : out)
    if (each.lastChanged < 0) each.lastChanged = each.made;
  return out;
}

Result<std::vector<OpStep>> cameFrom(const Trace& trace, std::size_t snapshot, mlir::OpId op,
                                     const RunContext& context) {
  return WayBack(static_cast<int>(snapshot), op).steps(trace, context);
}

Result<std::vector<HistoryEntry>> wentTo(const Trace& trace, std::size_t snapshot, mlir::OpId op,
                                         const RunContext& context) {
  const std::vector<lower::IrSnapshot>& snapshots = trace.passes().snapshots;
  std::vector<HistoryEntry> out;
  std::vector<mlir::OpId> live{op};
  FXS_TRY(Indexed now, Indexed::of(trace, snapshot, context));
  for (std::size_t next = snapshot + 1; next < snapshots.size() && !live.empty(); ++next) {
    if (snapshots[next].failure) break;  // the failed pass is rolled back
    FXS_TRY(Indexed after, Indexed::of(trace, next, context));
    auto became = becameOf(now, live, after);
    if (!became) break;
    HistoryEntry entry{changeOf(now.seen(live), after.seen(*became))};
    entry.pass = snapshots[next].pass;
    entry.snapshot = static_cast<int>(next);
    if (!entry.empty()) out.push_back(std::move(entry));
    live = *std::move(became);
    if (live.size() > kStepsOfOp) live.resize(kStepsOfOp);
    now = std::move(after);
  }
  return out;
}

std::string madeInText(const lower::PassTrace& passes, const MadeIn& made,
                       std::string_view pattern) {
  const bool isImported = passes.snapshots[static_cast<std::size_t>(made.made)].pass < 0;
  std::string out = isImported ? "imported" : "made in pass " + passText(passes, made.made);
  if (!isImported && !pattern.empty()) out += fmt::format(" by {}", pattern);
  if (made.lastChanged != made.made)
    out += "; last changed in " + passText(passes, made.lastChanged);
  return out;
}

}  // namespace fxs::trace
