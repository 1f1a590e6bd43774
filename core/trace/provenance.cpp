#include "trace/provenance.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/byte_source.h"
#include "fx/module_path.h"
#include "trace/prior_snapshots.h"

namespace fxs::trace {
namespace {

constexpr std::uint64_t kSnapshotBytes = std::uint64_t{4} << 30;

class LinkedTrace final : public Trace {
 public:
  LinkedTrace(std::shared_ptr<const lower::PassTrace> passes, std::vector<std::string> nodeNames,
              std::vector<std::shared_ptr<const SnapshotOrigins>> origins, std::shared_ptr<void> owned)
      : passes_(std::move(passes)), nodeNames_(std::move(nodeNames)), origins_(std::move(origins)), owned_(std::move(owned)) {}

  const lower::PassTrace& passes() const override { return *passes_; }
  const std::vector<std::string>& nodeNames() const override { return nodeNames_; }
  std::shared_ptr<const SnapshotOrigins> origins(std::size_t snapshot) const override { return origins_[snapshot]; }

  Result<std::shared_ptr<const OpenText>> open(std::size_t snapshot) const override {
    const std::string path = passes_->pathOf(passes_->snapshots[snapshot]);
    // A stored trace names a file of its folder, and such a name may be a link to anywhere, or a device.
    std::error_code error;
    if (const auto status = std::filesystem::symlink_status(path, error);
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      return fail(ErrorCode::InvalidInput, path + ": it is not a regular file; trace again");
    FXS_TRY(const std::string text, readWholeFile(path, kSnapshotBytes));
    auto out = openText(text, origins_[snapshot]);
    if (out->module->ops.size() != out->origins->size())
      return fail(ErrorCode::InvalidInput, path + ": it holds " + std::to_string(out->module->ops.size()) + " operations, but had " +
                                               std::to_string(out->origins->size()) +
                                               " when it was traced; it was changed since; trace again");
    return out;
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

Sources indexed(const std::vector<SourceLine>& lines) {
  Sources out;
  std::set<std::string_view> files;
  for (const SourceLine& line : lines) {
    if (files.insert(line.file).second) out.files.push_back(line.file);
    out.nodes[{line.file, line.line}].push_back(line.node);
  }
  return out;
}

}  // namespace

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
  PriorSnapshots earlier{passes->hops, indexed(sources), {}, {}};
  const std::vector<std::string> files = earlier.files();
  std::vector<std::shared_ptr<const SnapshotOrigins>> origins;
  for (const lower::IrSnapshot& snapshot : passes->snapshots) {
    if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
    const int number = static_cast<int>(origins.size());
    context.report({"linking operations to nodes", static_cast<double>(number) / static_cast<double>(passes->snapshots.size())});
    FXS_TRY(std::string bytes, readWholeFile(passes->pathOf(snapshot), kSnapshotBytes));
    Loaded now;
    now.text = std::make_unique<const std::string>(std::move(bytes));
    now.document = std::make_unique<const mlir::Document>(*now.text, files);
    origins.push_back(originsOf(*now.document, earlier, context));
    earlier.snapshots.push_back({opsByLine(now.document->module), origins.back()});
    // The next one looks at this one, or leads to where this one leads.
    const int hop = origins.back()->from();
    std::erase_if(earlier.loaded, [&](const auto& entry) { return entry.first != hop; });
    earlier.loaded.emplace(number, std::move(now));
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
