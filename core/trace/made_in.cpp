// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/made_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
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
  std::string textOf(mlir::OpId id) const { return seenOp(*text_->module, *aliases_, id).text; }
  std::span<const mlir::OpId> madeOf(mlir::OpId source, std::string_view name) const {
    const auto found = ops_.find({source, name});
    if (found == ops_.end()) return {};
    return found->second;
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
};

/// The operation in the snapshot that its location leads to.
mlir::OpId sameInSource(const Indexed& now, mlir::OpId op, const Indexed& source) {
  std::vector<mlir::OpId> named;
  for (const mlir::OpId id : now.fromOf(op))
    if (source.nameOf(id) == now.nameOf(op)) named.push_back(id);
  const mlir::OpId same = source.heirOf(named, now.textOf(op), 0);
  if (!same.valid()) return same;
  const auto rivals = now.madeOf(same, now.nameOf(op));
  return now.heirOf(rivals, source.textOf(same), 0) == op ? same : mlir::OpId();
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

/// The operation in the snapshot right before; invalid if it is new.
mlir::OpId sameBefore(const Indexed& now, mlir::OpId op, const Indexed& before) {
  if (now.from() == static_cast<int>(before.snapshot())) return sameInSource(now, op, before);
  if (now.from() < 0 || before.from() != now.from()) return {};
  return sameInSibling(now, op, before);
}

/// Follows `left` from `now` to the snapshot before it. What that made becomes invalid; false if
/// all are.
bool stepBack(const Indexed& now, const Indexed& before, std::vector<mlir::OpId>& left,
              std::vector<MadeIn>& made) {
  bool anyLeft = false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!left[i].valid()) continue;
    const mlir::OpId op = std::exchange(left[i], sameBefore(now, left[i], before));
    if (!left[i].valid()) continue;
    anyLeft = true;
    made[i].made = static_cast<int>(before.snapshot());
    if (made[i].lastChanged < 0 && before.textOf(left[i]) != now.textOf(op))
      made[i].lastChanged = static_cast<int>(now.snapshot());
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

std::string passText(const lower::PassTrace& passes, int snapshot) {
  const int pass = passes.snapshots[static_cast<std::size_t>(snapshot)].pass;
  return fmt::format("{} ({})", pass + 1, passes.passes[static_cast<std::size_t>(pass)].pass);
}

}  // namespace

Result<std::vector<MadeIn>> madeIn(const Trace& trace, std::size_t snapshot,
                                   const std::vector<mlir::OpId>& ops, const RunContext& context) {
  std::vector<MadeIn> out(ops.size(), MadeIn{static_cast<int>(snapshot), -1});
  if (!ops.empty()) FXS_CHECK(followBack(trace, snapshot, ops, out, context));
  for (MadeIn& each : out)
    if (each.lastChanged < 0) each.lastChanged = each.made;
  return out;
}

std::string madeInText(const lower::PassTrace& passes, const MadeIn& made) {
  const bool isImported = passes.snapshots[static_cast<std::size_t>(made.made)].pass < 0;
  std::string out = isImported ? "imported" : "made in pass " + passText(passes, made.made);
  if (made.lastChanged != made.made)
    out += "; last changed in " + passText(passes, made.lastChanged);
  return out;
}

}  // namespace fxs::trace
