#include "trace/provenance.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/byte_source.h"
#include "fx/module_path.h"
#include "mlir/location_table.h"
#include "trace/attribute.h"

namespace fxs::trace {
namespace {

constexpr std::uint64_t kSnapshotBytes = std::uint64_t{4} << 30;
constexpr std::string_view kWhat = "the trace: links of operations to nodes";
/// What is kept of an operation or of a node that it belongs to is a few bytes.
constexpr std::uint64_t kKeptInAValue = 4;

class LinkedTrace final : public Trace {
 public:
  LinkedTrace(std::shared_ptr<const lower::PassTrace> passes, std::vector<std::string> nodeNames,
              std::vector<std::shared_ptr<const SnapshotOrigins>> origins, std::shared_ptr<void> owned)
      : passes_(std::move(passes)), nodeNames_(std::move(nodeNames)), origins_(std::move(origins)), owned_(std::move(owned)) {}

  const lower::PassTrace& passes() const override { return *passes_; }
  const std::vector<std::string>& nodeNames() const override { return nodeNames_; }
  std::shared_ptr<const SnapshotOrigins> origins(std::size_t snapshot) const override { return origins_[snapshot]; }

  Result<std::shared_ptr<const OpenSnapshot>> open(std::size_t snapshot) const override {
    const std::string path = passes_->pathOf(passes_->snapshots[snapshot]);
    // A stored trace names a file of its folder, and such a name may be a link to anywhere, or a device.
    std::error_code error;
    if (const auto status = std::filesystem::symlink_status(path, error); std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      return fail(ErrorCode::InvalidInput, path + ": it is no regular file, and a trace keeps its snapshots in such; trace again");
    FXS_TRY(const std::string text, readWholeFile(path, kSnapshotBytes));
    auto out = std::make_shared<OpenSnapshot>();
    out->text = mlir::locate(text).show;
    out->module = std::make_unique<const mlir::Module>(out->text);
    out->origins = origins_[snapshot];
    if (out->module->ops.size() != out->origins->size())
      return fail(ErrorCode::InvalidInput, path + ": it holds " + std::to_string(out->module->ops.size()) + " operations, and held " +
                                               std::to_string(out->origins->size()) +
                                               " when it was traced; it was changed since, trace again");
    return std::shared_ptr<const OpenSnapshot>(std::move(out));
  }

 private:
  std::shared_ptr<const lower::PassTrace> passes_;
  std::vector<std::string> nodeNames_;
  std::vector<std::shared_ptr<const SnapshotOrigins>> origins_;
  std::shared_ptr<void> owned_;
};

/// Which operation begins on each line of a snapshot's file, 0-based.
std::vector<mlir::OpId> opsByLine(const mlir::Module& module) {
  std::vector<mlir::OpId> out(module.lineStarts.size());
  for (std::uint32_t i = 0; i < module.ops.size(); ++i)
    if (mlir::OpId& at = out[module.ops[i].firstLine]; !at.valid()) at = mlir::OpId{i};
  return out;
}

/// A snapshot that later ones lead to.
struct Linked {
  std::vector<mlir::OpId> byLine;
  std::shared_ptr<const SnapshotOrigins> origins;
};

/// A snapshot in memory.
struct Loaded {
  std::unique_ptr<const std::string> text;
  std::unique_ptr<const mlir::Module> module;
};

/// The weaker of two ways to know a node.
mlir::Link weaker(mlir::Link a, mlir::Link b) { return a == mlir::Link::None || b == mlir::Link::None ? mlir::Link::None : std::max(a, b); }

/// Each once, in their order.
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

/// Nodes by the line of Python that they stand for.
struct Sources {
  std::vector<std::string> files;
  std::map<std::pair<std::string, std::uint32_t>, std::vector<fx::NodeId>> nodes;
};

Sources indexed(const std::vector<SourceLine>& lines) {
  Sources out;
  std::set<std::string_view> files;
  for (const SourceLine& line : lines) {
    if (files.insert(line.file).second) out.files.push_back(line.file);
    out.nodes[{line.file, line.line}].push_back(line.node);
  }
  return out;
}

/// Resolves the locations of one snapshot through those before it.
class Linker {
 public:
  Linker(const lower::PassTrace& passes, const std::vector<Linked>& earlier, const Sources& sources, const RunContext& context)
      : passes_(passes), earlier_(earlier), sources_(sources), context_(context) {
    std::vector<std::string> files;
    for (const lower::HopFile& hop : passes.hops) files.push_back(hop.name);
    files.insert(files.end(), sources.files.begin(), sources.files.end());
    table_ = mlir::LocationTable(std::move(files));
  }

  /// `loaded`: the snapshots before it that are still in memory, by number.
  std::shared_ptr<const SnapshotOrigins> link(const mlir::Module& module, const std::map<int, Loaded>& loaded) {
    for (std::size_t line = 0; line < module.lineStarts.size(); ++line) {
      const std::size_t begin = module.lineStarts[line];
      const std::size_t end = line + 1 < module.lineStarts.size() ? module.lineStarts[line + 1] : module.text.size();
      if (module.text.compare(begin, 4, "#loc") == 0) table_.addAlias(module.text.substr(begin, end - begin));
    }
    table_.resolve();
    std::vector<Origin> origins(module.ops.size());
    int from = -1;
    for (std::size_t i = 0; i < module.ops.size(); ++i) {
      origins[i] = ofLocation(module.ops[i].location.of(module.text), from);
      context_.spend(Resource::Values, origins[i].nodes.size() / kKeptInAValue, kWhat);
    }
    // Equal constants stand in the snapshot right before; what was rewritten stands where the locations lead.
    const auto before = [&](int snapshot) {
      const auto at = loaded.find(snapshot);
      return at == loaded.end()
                 ? std::optional<Before>()
                 : std::optional<Before>({snapshot, *at->second.module, *earlier_[static_cast<std::size_t>(snapshot)].origins});
    };
    const int previous = static_cast<int>(earlier_.size()) - 1;
    const int hop = from;
    if (const auto last = before(previous)) {
      attributeToEqualConstants(module, origins, *last, context_);
      from = std::max(from, hop < 0 ? previous : hop);
    }
    if (const auto target = before(hop)) attributeToRewritten(module, origins, *target);
    if (const auto last = before(previous); last && hop >= 0 && previous != hop && last->origins.from() == hop)
      attributeToFolded(module, origins, *last);
    attributeToParents(module, origins, context_);
    attributeToUsers(module, origins);
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
  Origin ofLocation(std::string_view body, int& latest) {
    Origin out;
    if (body.empty() || body == "unknown") return out;
    bool first = true;
    for (const mlir::FilePlace& place : table_.places(body)) {
      if (place.file == 0) {
        addOnce(out.nodes, std::array{fx::NodeId{place.line}});
        out.link = first ? mlir::Link::Exact : weaker(out.link, mlir::Link::Exact);
        first = false;
        continue;
      }
      if (place.file > passes_.hops.size()) continue;  // a line of Python
      const lower::HopFile& hop = passes_.hops[place.file - 1];
      const std::int64_t line = std::int64_t{place.line} - 1 + hop.shift;
      if (static_cast<std::size_t>(hop.snapshot) >= earlier_.size()) continue;
      const Linked& before = earlier_[static_cast<std::size_t>(hop.snapshot)];
      if (line < 0 || static_cast<std::size_t>(line) >= before.byLine.size()) continue;
      const mlir::OpId op = before.byLine[static_cast<std::size_t>(line)];
      if (!op.valid()) continue;
      latest = std::max(latest, hop.snapshot);
      out.from.emplace_back(hop.snapshot, op);
      const OpOrigin origin = before.origins->of(op);
      if (origin.link == mlir::Link::None) continue;  // of several, those that are known count
      addOnce(out.nodes, origin.nodes);
      out.link = first ? origin.link : weaker(out.link, origin.link);
      first = false;
    }
    if (out.link == mlir::Link::None && out.from.empty()) bySourceLine(body, out);
    return out;
  }

  void bySourceLine(std::string_view body, Origin& out) {
    for (const mlir::FilePlace& place : table_.places(body)) {
      if (place.file <= passes_.hops.size()) continue;
      const auto at = sources_.nodes.find({sources_.files[place.file - 1 - passes_.hops.size()], place.line});
      if (at == sources_.nodes.end()) continue;
      addOnce(out.nodes, at->second);
      out.link = mlir::Link::SourceLine;
    }
  }

  const lower::PassTrace& passes_;
  const std::vector<Linked>& earlier_;
  const Sources& sources_;
  const RunContext& context_;
  mlir::LocationTable table_;
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

void SnapshotOrigins::add(mlir::Link link, std::span<const fx::NodeId> nodes, std::span<const mlir::OpId> from, std::uint32_t line) {
  links_.push_back(link);
  lines_.push_back(line);
  nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
  fromOps_.insert(fromOps_.end(), from.begin(), from.end());
  nodeEnds_.push_back(static_cast<std::uint32_t>(nodes_.size()));
  fromEnds_.push_back(static_cast<std::uint32_t>(fromOps_.size()));
}

std::vector<SourceLine> sourceLinesOf(const fx::Program& program) {
  std::vector<SourceLine> out;
  for (const fx::Node& node : program.nodes) {
    const std::vector<fx::StackFrame> stack = fx::stackOf(program, node);
    const fx::StackFrame* frame = fx::userFrame(stack);
    if (frame != nullptr && frame->line > 0) out.push_back({frame->file, static_cast<std::uint32_t>(frame->line), node.id});
  }
  return out;
}

Result<TracePtr> linkTrace(std::shared_ptr<const lower::PassTrace> passes, std::vector<std::string> nodeNames, std::shared_ptr<void> owned,
                           const RunContext& context, const std::vector<SourceLine>& sources) {
  const Sources lines = indexed(sources);
  std::vector<Linked> linked;
  std::vector<std::shared_ptr<const SnapshotOrigins>> origins;
  std::map<int, Loaded> loaded;
  for (const lower::Snapshot& snapshot : passes->snapshots) {
    if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
    const int number = static_cast<int>(linked.size());
    context.report({"linking operations to nodes", static_cast<double>(number) / static_cast<double>(passes->snapshots.size())});
    FXS_TRY(std::string bytes, readWholeFile(passes->pathOf(snapshot), kSnapshotBytes));
    Loaded now;
    now.text = std::make_unique<const std::string>(std::move(bytes));
    now.module = std::make_unique<const mlir::Module>(*now.text);
    context.spend(Resource::Values, (now.module->ops.size() + now.module->lineStarts.size()) / kKeptInAValue, kWhat);
    origins.push_back(Linker(*passes, linked, lines, context).link(*now.module, loaded));
    linked.push_back({opsByLine(*now.module), origins.back()});
    // The next one looks at this one, or leads to where this one leads.
    const int hop = origins.back()->from();
    std::erase_if(loaded, [&](const auto& entry) { return entry.first != hop; });
    loaded.emplace(number, std::move(now));
  }
  // A trace from elsewhere may know nodes of which there is no program here.
  std::size_t nodes = nodeNames.size();
  for (const auto& snapshot : origins) nodes = std::max(nodes, snapshot->nodesSeen());
  for (std::size_t i = nodeNames.size(); i < nodes; ++i) nodeNames.push_back("fx:" + std::to_string(i));
  return makeTrace(std::move(passes), std::move(nodeNames), std::move(origins), std::move(owned));
}

TracePtr makeTrace(std::shared_ptr<const lower::PassTrace> passes, std::vector<std::string> nodeNames,
                   std::vector<std::shared_ptr<const SnapshotOrigins>> origins, std::shared_ptr<void> owned) {
  return std::make_shared<LinkedTrace>(std::move(passes), std::move(nodeNames), std::move(origins), std::move(owned));
}

}  // namespace fxs::trace
