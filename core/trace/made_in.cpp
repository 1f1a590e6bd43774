// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/made_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "mlir/text/expanded_aliases.h"
#include "trace/node_changes.h"

namespace fxs::trace {
namespace {

/// A snapshot and an operation of it.
struct Located {
  std::size_t snapshot = 0;
  std::shared_ptr<const OpenText> text;
  mlir::OpId op;
};

std::string textOf(const OpenText& text, mlir::OpId id) {
  return seenOp(*text.module, mlir::ExpandedAliases(*text.module), id).text;
}

/// Operations called `name` that came from `source`, in text order.
std::vector<mlir::OpId> madeOf(const OpenText& text, std::string_view name, mlir::OpId source,
                               const RunContext& context) {
  std::vector<mlir::OpId> out;
  for (std::size_t i = 0; i < text.module->ops.size(); ++i) {
    context.spend(Resource::Values, 1, "the pass that made an operation");
    const mlir::OpId id = mlir::OpId::of(i);
    const auto from = text.origins->of(id).from;
    if (text.module->nameOf(id) == name &&
        std::find(from.begin(), from.end(), source) != from.end())
      out.push_back(id);
  }
  return out;
}

/// The first with that text, else the one at `position`; invalid if there is none.
mlir::OpId heirOf(const std::vector<mlir::OpId>& ops, const OpenText& in, std::string_view text,
                  std::size_t position) {
  const mlir::ExpandedAliases aliases(*in.module);
  for (const mlir::OpId id : ops)
    if (seenOp(*in.module, aliases, id).text == text) return id;
  return position < ops.size() ? ops[position] : mlir::OpId();
}

/// The operation in the snapshot that its location leads to.
mlir::OpId sameInSource(const Located& at, const OpenText& source, const RunContext& context) {
  const std::string_view name = at.text->module->nameOf(at.op);
  std::vector<mlir::OpId> named;
  for (const mlir::OpId id : at.text->origins->of(at.op).from)
    if (source.module->nameOf(id) == name) named.push_back(id);
  const mlir::OpId same = heirOf(named, source, textOf(*at.text, at.op), 0);
  if (!same.valid()) return same;
  const std::vector<mlir::OpId> rivals = madeOf(*at.text, name, same, context);
  return heirOf(rivals, *at.text, textOf(source, same), 0) == at.op ? same : mlir::OpId();
}

/// The operation in the snapshot right before, if the locations of both lead to an earlier one.
mlir::OpId sameInSibling(const Located& at, const OpenText& before, const RunContext& context) {
  const auto from = at.text->origins->of(at.op).from;
  if (from.empty()) return {};
  const std::string_view name = at.text->module->nameOf(at.op);
  const std::vector<mlir::OpId> now = madeOf(*at.text, name, from.front(), context);
  const auto position =
      static_cast<std::size_t>(std::find(now.begin(), now.end(), at.op) - now.begin());
  const std::vector<mlir::OpId> earlier = madeOf(before, name, from.front(), context);
  return heirOf(earlier, before, textOf(*at.text, at.op), position);
}

/// The operation in the snapshot right before; invalid if it is new.
mlir::OpId sameBefore(const Located& at, const Located& before, const RunContext& context) {
  const int from = at.text->origins->from();
  if (from == static_cast<int>(before.snapshot)) return sameInSource(at, *before.text, context);
  if (from < 0 || before.text->origins->from() != from) return {};
  return sameInSibling(at, *before.text, context);
}

std::string passText(const lower::PassTrace& passes, int snapshot) {
  const int pass = passes.snapshots[static_cast<std::size_t>(snapshot)].pass;
  return fmt::format("{} ({})", pass + 1, passes.passes[static_cast<std::size_t>(pass)].pass);
}

}  // namespace

Result<std::vector<MadeIn>> madeIn(const Trace& trace, std::size_t snapshot,
                                   const std::vector<mlir::OpId>& ops, const RunContext& context) {
  std::vector<MadeIn> out(ops.size());
  std::vector<mlir::OpId> left = ops;  // invalid once it is known which snapshot made it
  Located at{snapshot, nullptr, {}};
  FXS_TRY(at.text, trace.open(snapshot));
  for (bool anyLeft = !ops.empty(); anyLeft;) {
    anyLeft = false;
    Located before{at.snapshot - 1, nullptr, {}};
    if (at.snapshot > 0) {
      FXS_TRY(before.text, trace.open(before.snapshot));
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!left[i].valid()) continue;
      out[i].made = static_cast<int>(at.snapshot);
      at.op = left[i];
      left[i] = before.text == nullptr ? mlir::OpId() : sameBefore(at, before, context);
      if (!left[i].valid()) continue;
      anyLeft = true;
      if (out[i].lastChanged < 0 && textOf(*before.text, left[i]) != textOf(*at.text, at.op))
        out[i].lastChanged = out[i].made;
    }
    at = std::move(before);
  }
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
