// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
              std::vector<std::shared_ptr<const SnapshotOrigins>> origins,
              std::shared_ptr<void> owned)
      : passes_(std::move(passes)),
        nodeNames_(std::move(nodeNames)),
        origins_(std::move(origins)),
        owned_(std::move(owned)) {}

  const lower::PassTrace& passes() const override { return *passes_; }
  const std::vector<std::string>& nodeNames() const override { return nodeNames_; }
  std::shared_ptr<const SnapshotOrigins> origins(std::size_t snapshot) const override {
    return origins_[snapshot];
  }

  Result<std::shared_ptr<const OpenText>> open(std::size_t snapshot) const override {
    const std::string path = passes_->pathOf(passes_->snapshots[snapshot]);
    // A file named by a stored trace may be a symbolic link or a device.
    std::error_code error;
    if (const auto status = std::filesystem::symlink_status(path, error);
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      return fail(ErrorCode::InvalidInput, path + ": it is not a regular file; trace again");
    FXS_TRY(const std::string text, readWholeFile(path, kSnapshotBytes));
    auto out = openText(text, origins_[snapshot], mlir::textFormOfFile(path));
    if (out->module->ops.size() != out->origins->size())
      return fail(ErrorCode::InvalidInput,
                  path + ": it holds " + std::to_string(out->module->ops.size()) +
                      " operations, but had " + std::to_string(out->origins->size()) +
                      " when it was traced; it was changed since; trace again");
    return out;
  }

 private:
  std::shared_ptr<const lower::PassTrace> passes_;
  std::vector<std::string> nodeNames_;
  std::vector<std::shared_ptr<const SnapshotOrigins>> origins_;
  std::shared_ptr<void> owned_;
};

/// The first operation that begins on each 0-based line of a snapshot's file.
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

/// Finds the origins of the next snapshot and appends it to `linked`.
void link(PriorSnapshots& linked, const lower::PassTrace& passes,
          std::shared_ptr<const std::string> text, const RunContext& context) {
  linked.hops = passes.hops;
  Loaded now;
  now.text = std::move(text);
  now.document = std::make_unique<const mlir::Document>(
      *now.text, linked.files(),
      mlir::textFormOfFile(passes.snapshots[linked.snapshots.size()].file));
  auto origins = originsOf(*now.document, linked, context);
  const int number = static_cast<int>(linked.snapshots.size());
  // The next snapshot refers to this one or to the one that this one refers to; drop the others.
  const int hop = origins->from();
  std::erase_if(linked.loaded, [&](const auto& entry) { return entry.first != hop; });
  linked.snapshots.push_back({opsByLine(now.document->module), std::move(origins)});
  linked.loaded.emplace(number, std::move(now));
}

}  // namespace

std::vector<SourceLine> sourceLinesOf(const fx::Program& program) {
  std::vector<SourceLine> out;
  for (const fx::Node& node : program.nodes) {
    const std::vector<fx::StackFrame> stack = fx::stackOf(program, node);
    const fx::StackFrame* frame = fx::userFrame(stack);
    if (frame != nullptr && frame->line > 0)
      out.push_back({frame->file, static_cast<std::uint32_t>(frame->line), node.id});
  }
  return out;
}

SnapshotLinker::SnapshotLinker(const std::vector<SourceLine>& sources)
    : linked_(std::make_unique<PriorSnapshots>(PriorSnapshots{{}, indexed(sources), {}, {}})) {}
SnapshotLinker::SnapshotLinker(SnapshotLinker&&) noexcept = default;
SnapshotLinker::~SnapshotLinker() = default;

void SnapshotLinker::add(const lower::PassTrace& passes, std::shared_ptr<const std::string> text,
                         const RunContext& context) {
  const std::size_t number = passes.snapshots.size() - 1;
  if (number < linked_->snapshots.size()) {
    linked_->snapshots.clear();
    linked_->loaded.clear();
  }
  if (number == linked_->snapshots.size()) link(*linked_, passes, std::move(text), context);
}

std::string numberedName(std::size_t node) { return "fx:" + std::to_string(node); }

Result<TracePtr> SnapshotLinker::finish(std::shared_ptr<const lower::PassTrace> passes,
                                        std::vector<std::string> nodeNames,
                                        std::shared_ptr<void> owned, const RunContext& context) {
  const std::size_t count = passes->snapshots.size();
  for (std::size_t number = linked_->snapshots.size(); number < count; ++number) {
    if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
    context.report(
        {"linking operations to nodes", static_cast<double>(number) / static_cast<double>(count)});
    FXS_TRY(std::string text,
            readWholeFile(passes->pathOf(passes->snapshots[number]), kSnapshotBytes));
    link(*linked_, *passes, std::make_shared<const std::string>(std::move(text)), context);
  }
  std::vector<std::shared_ptr<const SnapshotOrigins>> origins;
  for (Linked& snapshot : linked_->snapshots) origins.push_back(std::move(snapshot.origins));
  // A trace of another tool may refer to nodes although there is no program.
  std::size_t nodes = nodeNames.size();
  for (const auto& snapshot : origins) nodes = std::max(nodes, snapshot->nodesSeen());
  for (std::size_t i = nodeNames.size(); i < nodes; ++i) nodeNames.push_back(numberedName(i));
  return makeTrace(std::move(passes), std::move(nodeNames), std::move(origins), std::move(owned));
}

TracePtr makeTrace(std::shared_ptr<const lower::PassTrace> passes,
                   std::vector<std::string> nodeNames,
                   std::vector<std::shared_ptr<const SnapshotOrigins>> origins,
                   std::shared_ptr<void> owned) {
  return std::make_shared<LinkedTrace>(std::move(passes), std::move(nodeNames), std::move(origins),
                                       std::move(owned));
}

}  // namespace fxs::trace
