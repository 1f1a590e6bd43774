// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/attribute.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "trace/dispatches.h"

namespace fxs::trace {
namespace {

/// A constant is attributed to at most this many of the nodes that use it.
constexpr std::size_t kMaxUserNodes = 64;

bool isConstantLike(const mlir::Module& module, mlir::OpId id) {
  const mlir::Op& op = module.op(id);
  return op.operands.size() == 0 && op.results.size() == 1 && module.regionsOf(id).empty();
}

std::string_view textOf(const mlir::Module& module, const mlir::Op& op) {
  std::string_view text = module.text.substr(op.name.begin, op.head.end - op.name.begin);
  while (text.ends_with(' ') || text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

bool isUnlocated(const Origin& origin) { return origin.link == Link::None && origin.from.empty(); }

void sortOnce(std::vector<fx::NodeId>& nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

/// `@seed` of an operation that defines a symbol and no value; "" when it has none.
std::string_view symbolDefinedBy(const mlir::Module& module, const mlir::Op& op) {
  if (op.results.size() > 0) return {};
  const std::string_view head = op.head.of(module.text);
  const std::size_t at = head.find('@');
  return at == std::string_view::npos ? std::string_view()
                                      : head.substr(at, head.find_first_of(" (){}<>,:", at) - at);
}

/// Limit of the search for symbol names, which is quadratic, in bytes of heads.
constexpr std::size_t kMaxLookedAt = std::size_t{1} << 30;

/// Attributes operations without users that others refer to by symbol, such as globals.
void attributeToNamers(const mlir::Module& module, std::vector<Origin>& origins) {
  std::size_t lookedAt = 0;
  for (std::size_t i = 0; i < origins.size() && lookedAt < kMaxLookedAt; ++i) {
    if (origins[i].link != Link::None || isFrame(module.nameOf(mlir::OpId::of(i)))) continue;
    const std::string_view symbol = symbolDefinedBy(module, module.ops[i]);
    if (symbol.empty()) continue;
    for (std::size_t other = 0; other < origins.size() && origins[i].nodes.size() < kMaxUserNodes;
         ++other) {
      if (other == i || origins[other].link == Link::None) continue;
      const std::string_view head = module.ops[other].head.of(module.text);
      lookedAt += head.size();
      const std::size_t at = head.find(symbol);
      if (at == std::string_view::npos) continue;
      if (at + symbol.size() < head.size() &&
          std::string_view(" (){}<>,:").find(head[at + symbol.size()]) == std::string_view::npos)
        continue;
      origins[i].nodes.insert(origins[i].nodes.end(), origins[other].nodes.begin(),
                              origins[other].nodes.end());
    }
    if (origins[i].nodes.empty()) continue;
    sortOnce(origins[i].nodes);
    origins[i].link = Link::Users;
  }
}

}  // namespace

void attributeToEqualConstants(const mlir::Module& module, std::vector<Origin>& origins,
                               const Before& before, const RunContext& context) {
  std::unordered_map<std::string_view, std::vector<mlir::OpId>> equal;
  for (std::size_t i = 0; i < before.module.ops.size(); ++i)
    if (isConstantLike(before.module, mlir::OpId::of(i)))
      equal[textOf(before.module, before.module.ops[i])].push_back(mlir::OpId::of(i));
  for (std::size_t i = 0; i < origins.size(); ++i) {
    Origin& origin = origins[i];
    if (!isUnlocated(origin) || !isConstantLike(module, mlir::OpId::of(i))) continue;
    const auto at = equal.find(textOf(module, module.ops[i]));
    if (at == equal.end()) continue;
    context.spend(Resource::Values, at->second.size(), "the trace: constants without locations");
    Link link = Link::Exact;
    for (const mlir::OpId constant : at->second) {
      const OpOrigin known = before.origins.of(constant);
      origin.from.emplace_back(before.snapshot, constant);
      if (known.link == Link::None) continue;
      link = std::max(link, known.link);
      context.spend(Resource::Values, known.nodes.size(), "the trace: constants without locations");
      origin.nodes.insert(origin.nodes.end(), known.nodes.begin(), known.nodes.end());
    }
    if (origin.nodes.empty()) continue;
    origin.link = link;
    sortOnce(origin.nodes);
  }
}

namespace {

/// Finds operations of the previous snapshot that may have been folded into a constant.
class Rewritten {
 public:
  Rewritten(const Before& before, std::vector<bool> survives)
      : before_(before), survives_(std::move(survives)) {}

  /// The nodes of `op` in the previous snapshot, if it and all operations that vanished before it
  /// have those nodes only; else empty.
  std::span<const fx::NodeId> nodesOf(mlir::OpId op) const {
    constexpr std::size_t kMaxVanished = 256;
    const OpOrigin origin = before_.origins.of(op);
    if (origin.link != Link::Exact) return {};
    std::vector<mlir::OpId> vanished{op};
    for (std::size_t at = 0; at < vanished.size(); ++at)
      for (const mlir::Operand& operand : before_.module.operandsOf(vanished[at])) {
        if (!operand.value.valid()) continue;
        const mlir::Value& value = before_.module.value(operand.value);
        if (value.kind != mlir::ValueKind::Result || survives_[value.op.index()] ||
            isConstantLike(before_.module, value.op))
          continue;
        const OpOrigin producer = before_.origins.of(value.op);
        if (producer.link != Link::Exact ||
            !std::equal(producer.nodes.begin(), producer.nodes.end(), origin.nodes.begin(),
                        origin.nodes.end()))
          return {};
        if (std::find(vanished.begin(), vanished.end(), value.op) == vanished.end())
          vanished.push_back(value.op);
        if (vanished.size() > kMaxVanished) return {};
      }
    return origin.nodes;
  }

 private:
  const Before& before_;
  std::vector<bool> survives_;
};

}  // namespace

namespace {

/// A new constant whose users are all known, and were operations of which `rewrittenOf()` knows
/// whose they were alone, belongs to those nodes. `beforeOf(user)` is what the user was in the
/// snapshot before; empty when that is not known.
template <class RewrittenOf, class BeforeOf>
void attributeNewConstants(const mlir::Module& module, std::vector<Origin>& origins,
                           RewrittenOf rewrittenOf, BeforeOf beforeOf) {
  std::optional<Rewritten> rewritten;  // created lazily, as most snapshots have no such constant
  for (std::size_t i = 0; i < origins.size(); ++i) {
    Origin& origin = origins[i];
    if (!isUnlocated(origin) || !isConstantLike(module, mlir::OpId::of(i))) continue;
    if (!rewritten) rewritten.emplace(rewrittenOf());
    std::vector<fx::NodeId> nodes;
    bool all = true;
    for (const mlir::OperandId use : module.usesOf(mlir::ValueId{module.ops[i].results.begin})) {
      const mlir::OpId user = module.operands[use.index()].user;
      const std::vector<mlir::OpId> were = beforeOf(user);
      all = all && origins[user.index()].link == Link::Exact && !were.empty();
      for (const mlir::OpId op : were) {
        const auto of = rewritten->nodesOf(op);
        all = all && !of.empty();
        nodes.insert(nodes.end(), of.begin(), of.end());
      }
      if (!all) break;
    }
    if (!all || nodes.empty()) continue;
    sortOnce(nodes);
    origin.link = Link::Exact;
    origin.nodes = std::move(nodes);
  }
}

/// Operations of a snapshot by name and by their sorted source operations in an earlier one.
using Alike =
    std::map<std::pair<std::string_view, std::vector<mlir::OpId>>, std::vector<mlir::OpId>>;

std::pair<std::string_view, std::vector<mlir::OpId>> likenessOf(std::string_view name,
                                                                std::vector<mlir::OpId> from) {
  std::sort(from.begin(), from.end());
  return {name, std::move(from)};
}

}  // namespace

void attributeToRewritten(const mlir::Module& module, std::vector<Origin>& origins,
                          const Before& before) {
  const auto beforeOf = [&](mlir::OpId op) {
    std::vector<mlir::OpId> out;
    for (const auto& [snapshot, from] : origins[op.index()].from) {
      if (snapshot != before.snapshot) return std::vector<mlir::OpId>();
      out.push_back(from);
    }
    return out;
  };
  const auto rewritten = [&] {
    std::vector<bool> survives(before.module.ops.size(), false);
    for (const Origin& origin : origins)
      for (const auto& [snapshot, op] : origin.from)
        if (snapshot == before.snapshot) survives[op.index()] = true;
    return Rewritten(before, std::move(survives));
  };
  attributeNewConstants(module, origins, rewritten, beforeOf);
}

void attributeToFolded(const mlir::Module& module, std::vector<Origin>& origins,
                       const Before& before) {
  const int earlier = before.origins.from();
  const auto likeness = [&](mlir::OpId op) {
    std::vector<mlir::OpId> from;
    for (const auto& [snapshot, of] : origins[op.index()].from)
      if (snapshot == earlier) from.push_back(of);
    return likenessOf(module.nameOf(op), std::move(from));
  };
  const auto likenessBefore = [&](mlir::OpId op) {
    const auto from = before.origins.of(op).from;
    return likenessOf(before.module.nameOf(op), {from.begin(), from.end()});
  };
  Alike now, then;
  const auto rewritten = [&] {
    for (std::size_t i = 0; i < origins.size(); ++i)
      now[likeness(mlir::OpId::of(i))].push_back(mlir::OpId::of(i));
    for (std::size_t i = 0; i < before.module.ops.size(); ++i)
      then[likenessBefore(mlir::OpId::of(i))].push_back(mlir::OpId::of(i));
    std::vector<bool> survives(before.module.ops.size(), false);
    for (const auto& [key, ops] : then) {
      const auto still = now.find(key);
      // If some of several equal operations vanished, it is unknown which.
      if (key.second.empty() || still == now.end() || still->second.size() < ops.size()) continue;
      for (const mlir::OpId op : ops) survives[op.index()] = true;
    }
    return Rewritten(before, std::move(survives));
  };
  const auto beforeOf = [&](mlir::OpId op) {
    const auto key = likeness(op);
    const auto at = then.find(key);
    const bool alone =
        !key.second.empty() && at != then.end() && at->second.size() == 1 && now[key].size() == 1;
    return alone ? at->second : std::vector<mlir::OpId>();
  };
  attributeNewConstants(module, origins, rewritten, beforeOf);
}

bool isFrame(std::string_view opName) {
  // The last three are functions of LLVM IR and assembly.
  return opName == "builtin.module" || opName.ends_with(".func") || opName == "define" ||
         opName == "declare" || opName == "function";
}

void attributeToParents(const mlir::Module& module, std::vector<Origin>& origins,
                        const RunContext& context) {
  // Parents precede nested operations, so one pass resolves chains of parents.
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const mlir::OpId parent = module.ops[i].parent;
    if (origins[i].link != Link::None || !parent.valid() || isFrame(module.nameOf(parent)))
      continue;
    const Origin& around = origins[parent.index()];
    if (around.link == Link::None) continue;
    context.spend(Resource::Values, around.nodes.size(), "the trace: operations inside of others");
    origins[i].link = Link::Parent;
    origins[i].nodes = around.nodes;
  }
}

namespace {

/// At most one more than kMaxUserNodes.
std::vector<fx::NodeId> nodesOfUsers(const mlir::Op& op, const mlir::Module& module,
                                     const std::vector<Origin>& origins) {
  std::vector<fx::NodeId> out;
  for (std::uint32_t v = op.results.begin; v < op.results.end; ++v)
    for (const mlir::OperandId use : module.usesOf(mlir::ValueId{v})) {
      const Origin& user = origins[module.operands[use.index()].user.index()];
      if (user.link == Link::None) continue;
      for (const fx::NodeId node : user.nodes) {
        if (std::find(out.begin(), out.end(), node) != out.end()) continue;
        out.push_back(node);
        if (out.size() > kMaxUserNodes) return out;
      }
    }
  return out;
}

}  // namespace

void attributeToUsers(const mlir::Module& module, std::vector<Origin>& origins) {
  // Users follow their operands, so one reverse pass resolves chains of unknown operations.
  for (std::size_t i = origins.size(); i-- > 0;) {
    Origin& origin = origins[i];
    const mlir::Op& op = module.ops[i];
    if (origin.link != Link::None || isFrame(module.nameOf(mlir::OpId::of(i)))) continue;
    std::vector<fx::NodeId> nodes = nodesOfUsers(op, module, origins);
    if (nodes.empty()) continue;
    if (nodes.size() > kMaxUserNodes) nodes.resize(kMaxUserNodes);
    std::sort(nodes.begin(), nodes.end());
    origin.link = Link::Users;
    origin.nodes = std::move(nodes);
  }
  attributeToNamers(module, origins);
}

void attributeToDispatches(const mlir::Module& module, std::vector<Origin>& origins,
                           const RunContext& context) {
  const std::vector<mlir::OpId> function = dispatchesOf(module);
  std::unordered_map<std::size_t, std::vector<fx::NodeId>> nodes;
  for (std::size_t i = 0; i < origins.size(); ++i) {
    if (!function[i].valid() || origins[i].link == Link::None) continue;
    std::vector<fx::NodeId>& known = nodes[function[i].index()];
    for (const fx::NodeId node : origins[i].nodes)
      if (known.size() <= kMaxUserNodes &&
          std::find(known.begin(), known.end(), node) == known.end())
        known.push_back(node);
  }
  for (auto& [of, known] : nodes) sortOnce(known);
  for (std::size_t i = 0; i < origins.size(); ++i) {
    if (origins[i].link != Link::None || !function[i].valid() || function[i].index() == i) continue;
    const auto known = nodes.find(function[i].index());
    if (known == nodes.end() || known->second.size() > kMaxUserNodes) continue;
    context.spend(Resource::Values, known->second.size(), "the trace: operations of a dispatch");
    origins[i].link = Link::Dispatch;
    origins[i].nodes = known->second;
  }
}

Counts countsOf(const mlir::Module& module, const std::vector<Origin>& origins) {
  Counts out;
  out.ops = origins.size();
  for (std::size_t i = 0; i < origins.size(); ++i) {
    if (isFrame(module.nameOf(mlir::OpId::of(i)))) continue;
    ++out.counted;
    switch (origins[i].link) {
      case Link::Exact: ++out.exact; break;
      case Link::DebugLine: ++out.debugLine; break;
      case Link::Parent: ++out.inherited; break;
      case Link::Users: ++out.users; break;
      case Link::Dispatch: ++out.dispatch; break;
      case Link::SourceLine: ++out.sourceLine; break;
      case Link::None: break;
    }
  }
  return out;
}

}  // namespace fxs::trace
