// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/node_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/number_from.h"
#include "mlir/text/op_text_writer.h"
#include "trace/op_weight.h"

namespace fxs::trace {
namespace {

/// Calls `use` with each operation and its own nodes.
template <class Use>
void eachOwned(const OpenText& text, Use use) {
  for (std::size_t i = 0; i < text.origins->size(); ++i) {
    const OpOrigin origin = text.origins->of(mlir::OpId::of(i));
    // Operations that a node only uses, such as a shared constant, are not its own.
    if (origin.link != Link::None && origin.link != Link::Users)
      use(mlir::OpId::of(i), origin.nodes);
  }
}

std::map<fx::NodeId, std::vector<SeenOp>> opsByNode(const OpenText& text) {
  std::map<fx::NodeId, std::vector<SeenOp>> out;
  const mlir::ExpandedAliases aliases(*text.module);
  eachOwned(text, [&](mlir::OpId id, std::span<const fx::NodeId> nodes) {
    for (const fx::NodeId node : nodes) out[node].push_back(seenOp(*text.module, aliases, id));
  });
  return out;
}

/// "linalg.generic x4" for each name that is more frequent in `of`, the most important first.
std::vector<std::string> surplus(const std::vector<SeenOp>& of, const std::vector<SeenOp>& over) {
  std::map<std::string_view, int> count;
  std::vector<std::string_view> order;
  for (const SeenOp& op : of)
    if (++count[op.name] == 1) order.push_back(op.name);
  for (const SeenOp& op : over) --count[op.name];
  std::stable_sort(order.begin(), order.end(), [](std::string_view a, std::string_view b) {
    return weightOf(a) < weightOf(b);
  });
  std::vector<std::string> out;
  for (const std::string_view name : order)
    if (const int more = count[name]; more > 0)
      out.push_back(more == 1 ? std::string(name) : fmt::format("{} x{}", name, more));
  return out;
}

/// 4 of "linalg.generic x4".
std::size_t countIn(std::string_view item) {
  const std::size_t mark = item.rfind(" x");
  if (mark == std::string_view::npos) return 1;
  return numberFrom<std::size_t>(item.substr(mark + 2)).value_or(1);
}

/// Number of operations in `after` whose text is not in `before`, without those that are new by
/// name.
std::size_t changedTexts(const std::vector<SeenOp>& before, const std::vector<SeenOp>& after) {
  std::map<std::pair<std::string_view, std::string_view>, int> texts;
  std::map<std::string_view, int> names;
  for (const SeenOp& op : before) {
    ++texts[{op.name, op.text}];
    ++names[op.name];
  }
  std::map<std::string_view, int> unmatched;
  for (const SeenOp& op : after) {
    if (int& left = texts[{op.name, op.text}]; left > 0) {
      --left;
      --names[op.name];
    } else {
      ++unmatched[op.name];
    }
  }
  std::size_t out = 0;
  for (const auto& [name, count] : unmatched)
    out += static_cast<std::size_t>(std::min(count, names[name]));
  return out;
}

}  // namespace

SeenOp seenOp(const mlir::Module& module, const mlir::ExpandedAliases& aliases, mlir::OpId id) {
  SeenOp out{id, module.nameOf(id), {}};
  mlir::OpTextWriter(module, aliases, id, mlir::NoNames{}, out.text);
  return out;
}

std::string shownNames(const std::vector<std::string>& items) {
  constexpr std::size_t kFew = 6;
  const auto firstServing = std::find_if(items.begin(), items.end(), [](const std::string& item) {
    return weightOf(item.substr(0, item.find(' '))) == OpWeight::Serves;
  });
  const auto important = static_cast<std::size_t>(firstServing - items.begin());
  const std::size_t folded = important == 0 ? kFew : important;
  const std::size_t shown = items.size() <= kFew ? items.size() : folded;
  std::string out;
  std::size_t left = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i < shown) out += (i == 0 ? "" : ", ") + items[i];
    else left += countIn(items[i]);
  }
  if (left > 0) out += fmt::format(" and {} constants, casts etc.", left);
  return out;
}

std::string OpsChange::text() const {
  std::string out;
  if (!gone.empty() && !made.empty()) out = shownNames(gone) + " became " + shownNames(made);
  else if (!gone.empty())
    out = shownNames(gone) + (after.empty() ? " was removed: nothing is left" : " disappeared");
  else if (!made.empty()) out = shownNames(made) + " appeared";
  if (changed > 0)
    out += fmt::format("{}{} changed", out.empty() ? "" : "; ",
                       changed == 1 ? "1 operation" : fmt::format("{} operations", changed));
  return out;
}

OpsChange changeOf(const std::vector<SeenOp>& before, const std::vector<SeenOp>& after) {
  OpsChange out;
  out.gone = surplus(before, after);
  out.made = surplus(after, before);
  out.changed = changedTexts(before, after);
  if (out.empty()) return out;
  for (const SeenOp& op : before) out.before.push_back(op.op);
  for (const SeenOp& op : after) out.after.push_back(op.op);
  return out;
}

std::vector<SeenOp> opsOf(const OpenText& text, fx::NodeId node) {
  std::vector<SeenOp> out;
  const mlir::ExpandedAliases aliases(*text.module);
  eachOwned(text, [&](mlir::OpId id, std::span<const fx::NodeId> nodes) {
    if (std::find(nodes.begin(), nodes.end(), node) != nodes.end())
      out.push_back(seenOp(*text.module, aliases, id));
  });
  return out;
}

std::vector<std::pair<fx::NodeId, OpsChange>> changesByNode(const OpenText& before,
                                                            const OpenText& after) {
  std::vector<std::pair<fx::NodeId, OpsChange>> out;
  const auto then = opsByNode(before);
  auto now = opsByNode(after);
  for (const auto& [node, ops] : then) now.try_emplace(node);
  for (const auto& [node, ops] : now) {
    const auto old = then.find(node);
    OpsChange change = changeOf(old == then.end() ? std::vector<SeenOp>() : old->second, ops);
    if (!change.empty()) out.emplace_back(node, std::move(change));
  }
  return out;
}

std::map<fx::NodeId, std::vector<std::string>> opNamesByNode(const OpenText& text) {
  std::map<fx::NodeId, std::vector<SeenOp>> ops;
  eachOwned(text, [&](mlir::OpId id, std::span<const fx::NodeId> nodes) {
    for (const fx::NodeId node : nodes) ops[node].push_back({id, text.module->nameOf(id), {}});
  });
  std::map<fx::NodeId, std::vector<std::string>> out;
  for (const auto& [node, seen] : ops) out.emplace(node, surplus(seen, {}));
  return out;
}

}  // namespace fxs::trace
