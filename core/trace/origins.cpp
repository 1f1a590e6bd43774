// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/origins.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "mlir/text/document.h"
#include "mlir/text/shown_text.h"
#include "trace/attribute.h"
#include "trace/prior_snapshots.h"

namespace fxs::trace {
namespace {

constexpr std::string_view kWhat = "links of operations to nodes";
/// Operations or nodes per unit of Resource::Values, since each is a few bytes.
constexpr std::uint64_t kKeptInAValue = 4;

/// The weaker of two ways to know a node.
Link weaker(Link a, Link b) {
  return a == Link::None || b == Link::None ? Link::None : std::max(a, b);
}

/// Appends without duplicates.
void addOnce(std::vector<fx::NodeId>& out, std::span<const fx::NodeId> more) {
  constexpr std::size_t kFew = 64;
  if (out.size() + more.size() <= kFew) {
    for (const fx::NodeId node : more)
      if (std::find(out.begin(), out.end(), node) == out.end()) out.push_back(node);
    return;
  }
  std::set<fx::NodeId> known(out.begin(), out.end());
  for (const fx::NodeId node : more)
    if (known.insert(node).second) out.push_back(node);
}

/// Resolves the locations of a text through earlier snapshots.
class Linker {
 public:
  Linker(const mlir::Document& document, const PriorSnapshots& earlier, const RunContext& context)
      : document_(document), earlier_(earlier), context_(context) {}

  std::shared_ptr<const SnapshotOrigins> link() const {
    const mlir::Module& module = document_.module;
    std::vector<Origin> origins(module.ops.size());
    int from = -1;
    for (std::size_t i = 0; i < module.ops.size(); ++i) {
      origins[i] = ofLocation(module.ops[i].location.of(module.text), from);
      context_.spend(Resource::Values, origins[i].nodes.size() / kKeptInAValue, kWhat);
    }
    // Equal constants are in the previous snapshot; rewritten operations are where the locations
    // lead.
    const auto before = [&](int snapshot) {
      const auto at = earlier_.loaded.find(snapshot);
      return at == earlier_.loaded.end()
                 ? std::optional<Before>()
                 : std::optional<Before>(
                       {snapshot, at->second.document->module,
                        *earlier_.snapshots[static_cast<std::size_t>(snapshot)].origins});
    };
    const int previous = static_cast<int>(earlier_.snapshots.size()) - 1;
    const int hop = from;
    if (const auto last = before(previous)) {
      attributeToEqualConstants(module, origins, *last, context_);
      from = std::max(from, hop < 0 ? previous : hop);
    }
    if (const auto target = before(hop)) attributeToRewritten(module, origins, *target);
    if (const auto last = before(previous);
        last && hop >= 0 && previous != hop && last->origins.from() == hop)
      attributeToFolded(module, origins, *last);
    attributeToParents(module, origins, context_);
    attributeToUsers(module, origins);
    attributeToDispatches(module, origins, context_);
    auto out = std::make_shared<SnapshotOrigins>();
    for (std::size_t i = 0; i < origins.size(); ++i) {
      const Origin& origin = origins[i];
      std::vector<mlir::OpId> ops;
      for (const auto& [snapshot, op] : origin.from)
        if (snapshot == from) ops.push_back(op);
      out->add(origin.link, origin.nodes, ops, module.ops[i].firstLine + 1);
    }
    out->setFrom(from);
    out->setCounts(countsOf(module, origins));
    return out;
  }

 private:
  /// The operation of an earlier snapshot to which a place leads; nullopt for a line of Python, and
  /// for one that is not known.
  std::optional<std::pair<int, mlir::OpId>> opAt(const mlir::FilePosition& location) const {
    if (location.file > earlier_.hops.size()) return std::nullopt;
    const lower::HopFile& hop = earlier_.hops[location.file - 1];
    const std::int64_t line = std::int64_t{location.line} - 1 + hop.shift;
    if (static_cast<std::size_t>(hop.snapshot) >= earlier_.snapshots.size()) return std::nullopt;
    const std::vector<mlir::OpId>& byLine =
        earlier_.snapshots[static_cast<std::size_t>(hop.snapshot)].byLine;
    if (line < 0 || static_cast<std::size_t>(line) >= byLine.size()) return std::nullopt;
    const mlir::OpId op = byLine[static_cast<std::size_t>(line)];
    if (!op.valid()) return std::nullopt;
    return std::pair(hop.snapshot, op);
  }

  Origin ofLocation(std::string_view body, int& latest) const {
    Origin out;
    if (body.empty() || body == "unknown") return out;
    bool first = true;
    for (const mlir::FilePosition& location : table().positions(body)) {
      if (location.file == 0) {
        addOnce(out.nodes, std::array{fx::NodeId{location.line}});
        const Link own =
            document_.module.form == mlir::TextForm::Mlir ? Link::Exact : Link::DebugLine;
        out.link = first ? own : weaker(out.link, own);
        first = false;
        continue;
      }
      const auto earlier = opAt(location);
      if (!earlier) continue;
      const auto [snapshot, op] = *earlier;
      latest = std::max(latest, snapshot);
      out.from.emplace_back(snapshot, op);
      const OpOrigin origin =
          earlier_.snapshots[static_cast<std::size_t>(snapshot)].origins->of(op);
      if (origin.link == Link::None) continue;  // ignore unknown ones among several
      addOnce(out.nodes, origin.nodes);
      out.link = first ? origin.link : weaker(out.link, origin.link);
      first = false;
    }
    if (out.link == Link::None && out.from.empty()) bySourceLine(body, out);
    return out;
  }

  void bySourceLine(std::string_view body, Origin& out) const {
    for (const mlir::FilePosition& location : table().positions(body)) {
      if (location.file <= earlier_.hops.size()) continue;
      const auto at = earlier_.sources.nodes.find(
          {earlier_.sources.files[location.file - 1 - earlier_.hops.size()], location.line});
      if (at == earlier_.sources.nodes.end()) continue;
      addOnce(out.nodes, at->second);
      out.link = Link::SourceLine;
    }
  }

  const mlir::LocationTable& table() const { return document_.locations; }

  const mlir::Document& document_;
  const PriorSnapshots& earlier_;
  const RunContext& context_;
};

}  // namespace

OpOrigin SnapshotOrigins::of(mlir::OpId op) const {
  const std::size_t i = op.index();
  const auto part = [i](const auto& ends, const auto& items) {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span(items).subspan(begin, ends[i] - begin);
  };
  return {links_[i], part(nodeEnds_, nodes_), part(fromEnds_, fromOps_)};
}

std::size_t SnapshotOrigins::nodesSeen() const {
  std::size_t out = 0;
  for (const fx::NodeId node : nodes_) out = std::max(out, node.index() + 1);
  return out;
}

void SnapshotOrigins::add(Link link, std::span<const fx::NodeId> nodes,
                          std::span<const mlir::OpId> from, std::uint32_t line) {
  links_.push_back(link);
  lines_.push_back(line);
  nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
  fromOps_.insert(fromOps_.end(), from.begin(), from.end());
  nodeEnds_.push_back(static_cast<std::uint32_t>(nodes_.size()));
  fromEnds_.push_back(static_cast<std::uint32_t>(fromOps_.size()));
}

std::vector<std::string> PriorSnapshots::files() const {
  std::vector<std::string> out;
  for (const lower::HopFile& hop : hops) out.push_back(hop.name);
  out.insert(out.end(), sources.files.begin(), sources.files.end());
  return out;
}

std::shared_ptr<const SnapshotOrigins> originsOf(const mlir::Document& document,
                                                 const PriorSnapshots& earlier,
                                                 const RunContext& context) {
  context.spend(Resource::Values,
                (document.module.ops.size() + document.module.lineStarts.size()) / kKeptInAValue,
                kWhat);
  return Linker(document, earlier, context).link();
}

std::shared_ptr<const SnapshotOrigins> originsOf(const mlir::Document& document,
                                                 const RunContext& context) {
  return originsOf(document, PriorSnapshots{}, context);
}

std::shared_ptr<const OpenText> openText(std::string_view printed,
                                         std::shared_ptr<const SnapshotOrigins> origins,
                                         mlir::TextForm form) {
  auto out = std::make_shared<OpenText>();
  out->text = form == mlir::TextForm::Mlir ? mlir::shownText(printed) : std::string(printed);
  out->module = std::make_unique<const mlir::Module>(out->text, form);
  out->origins = origins ? std::move(origins) : originsOf(mlir::Document(printed, {}, form));
  return out;
}

}  // namespace fxs::trace
