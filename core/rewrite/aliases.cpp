// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/aliases.h"

#include <fmt/format.h>

#include <utility>

namespace fxs::rewrite {
namespace {
/// Limit for views of views, so that propagating writes stays cheap on hostile programs.
constexpr std::uint32_t kMaxDepth = 256;
}  // namespace

Aliases::Aliases(Transcription& step) : step_(step), records_(step.source().nodes.size()) {}

Aliases::Record& Aliases::record(fx::NodeId value) {
  // Chains were flattened when added, so one hop is enough.
  Record& found = records_[value.index()];
  return found.same.valid() ? records_[found.same.index()] : found;
}

void Aliases::addRoot(fx::NodeId value, fx::Argument current) {
  Record& added = records_[value.index()];
  added = {};
  added.known = true;
  added.root = value;
  added.current = std::move(current);
  storages_[value] = {};
}

void Aliases::addView(fx::NodeId value, fx::NodeId of, ViewStep step, fx::Argument current,
                      std::uint32_t generation) {
  const Record& parent = record(of);
  Record& added = records_[value.index()];
  added = {};
  added.known = true;
  added.parent = records_[of.index()].same.valid() ? records_[of.index()].same : of;
  added.root = parent.root;
  added.step = step;
  added.current = std::move(current);
  added.generation = generation;
  added.depth = parent.depth + 1;
}

void Aliases::addSame(fx::NodeId value, fx::NodeId of) {
  records_[value.index()] = {};
  records_[value.index()].known = true;
  records_[value.index()].same = records_[of.index()].same.valid() ? records_[of.index()].same : of;
}

void Aliases::mayShare(fx::NodeId a, fx::NodeId b) {
  const fx::NodeId rootA = rootOf(a), rootB = rootOf(b);
  if (rootA == rootB) return;
  step_.spend(Resource::Values, 1);
  storages_[rootA].perhaps.push_back(rootB);
  storages_[rootB].perhaps.push_back(rootA);
}

fx::NodeId Aliases::rootOf(fx::NodeId value) { return record(value).root; }

std::optional<std::int64_t> Aliases::beginOf(fx::NodeId value) {
  std::int64_t begin = 0;
  const Record* at = &record(value);
  for (; at->parent.valid(); at = &records_[at->parent.index()]) {
    const std::optional<std::int64_t> added =
        at->step.begin ? at->step.begin : offsetAdded(at->step);
    if (!added || __builtin_add_overflow(begin, *added, &begin)) return std::nullopt;
    if (at->step.begin) return begin;
  }
  const fx::TensorMeta* root = step_.source().node(at->root).val.tensor();
  if (root == nullptr || !root->storageOffset.isStatic() ||
      __builtin_add_overflow(begin, root->storageOffset.value(), &begin))
    return std::nullopt;
  return begin;
}

fx::Argument Aliases::takeAnew(const Record& view, const fx::Argument& base,
                               std::uint32_t generation) {
  if (view.step.same) return base;
  if (!view.step.hasParts) return rewrite::takeAnew(step_, view.step, base);
  Taken& taken = parts_[view.step.view->id];
  if (!taken.call.valid() || taken.generation != generation) {
    taken.generation = generation;
    taken.call = *rewrite::takeAnew(step_, view.step, base).node();
  }
  return step_.emitGetitem(taken.call, view.step.part,
                           view.step.to ? fx::Value(*view.step.to) : fx::Value(fx::Unknown{}));
}

fx::Argument Aliases::read(fx::NodeId value) {
  std::vector<Record*> stale;
  Record* at = &record(value);
  const std::uint32_t now = storages_[at->root].generation;
  while (at->generation != now && at->parent.valid()) {
    stale.push_back(at);
    at = &records_[at->parent.index()];
  }
  if (stale.empty()) return at->current;
  const fx::Node& reader = step_.current();
  fx::Argument current = at->current;
  for (auto view = stale.rbegin(); view != stale.rend(); ++view) {
    if ((*view)->step.view) step_.at(*(*view)->step.view, step_.writing());
    current = takeAnew(**view, current, now);
    (*view)->current = current;
    (*view)->generation = now;
  }
  step_.at(reader, step_.writing());
  return current;
}

std::string Aliases::writeObstacle(fx::NodeId value) {
  const Record* at = &record(value);
  if (!at->known) return "it writes to something that is not a tensor of the graph";
  if (at->depth > kMaxDepth)
    return fmt::format("it is a view through more than {} views", kMaxDepth);
  while (at->parent.valid()) {
    if (std::string reason = undoObstacle(at->step); !reason.empty()) return reason;
    at = &records_[at->parent.index()];
  }
  return {};
}

void Aliases::write(fx::NodeId value, const fx::Argument& now) {
  Record* at = &record(value);
  Storage& storage = storages_[at->root];
  const fx::NodeId root = at->root;
  const std::uint32_t next = storage.generation + 1;
  fx::Argument current = now;
  while (true) {
    if (!at->parent.valid()) break;
    const fx::NodeId parentId = at->parent;
    Record& parent = records_[parentId.index()];
    const fx::Argument before = undoNeedsBase(at->step) ? read(parentId) : parent.current;
    fx::Argument after = undo(step_, at->step, before, current);
    at->current = std::move(current);
    at->generation = next;
    current = std::move(after);
    at = &parent;
  }
  at->current = std::move(current);
  at->generation = next;
  storages_[root].generation = next;
  step_.spend(Resource::Values, storages_[root].perhaps.size());
  for (fx::NodeId other : storages_[root].perhaps) {
    Storage& shared = storages_[other];
    if (!shared.writtenPerhapsBy.valid()) shared.writtenPerhapsBy = step_.current().id;
  }
}

}  // namespace fxs::rewrite
