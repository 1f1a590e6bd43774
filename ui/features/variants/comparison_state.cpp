// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/variants/comparison_state.h"

#include <algorithm>

#include "mlir/compare/same_ir.h"

namespace fxs::ui {
namespace {

class LoweringPair final : public trace::Trace {
 public:
  explicit LoweringPair(const session::Snapshot& original) {
    trace_.target = original.lowering->target;
    trace_.engine = original.lowering->engine;
    for (const fx::Node& node : original.capture->program->nodes) names_.push_back(node.name);
  }

  void add(const session::SnapshotPtr& lowering, std::size_t stage, const std::string& name,
           bool isChanged) {
    const lower::StageResult& result = lowering->lowering->stages[stage];
    lower::PassRun run;
    run.stage = result.id;
    run.pass = name;
    run.ran = true;
    run.changed = isChanged;
    run.failed = result.status != lower::StageStatus::Ok;
    run.seconds = result.seconds;
    run.snapshot = static_cast<int>(texts_.size());
    trace_.snapshots.push_back({result.id, static_cast<int>(trace_.passes.size()), {}, run.failed});
    trace_.passes.push_back(std::move(run));
    texts_.push_back({lowering, stage});
  }
  /// A group of the list.
  void addStage(const lower::StageResult& of) {
    lower::StageResult& stage = trace_.stages.emplace_back();
    stage.id = of.id;
    stage.title = of.title;
    stage.status = of.status;
  }
  bool empty() const { return texts_.empty(); }

  const lower::PassTrace& passes() const override { return trace_; }
  const std::vector<std::string>& nodeNames() const override { return names_; }
  std::shared_ptr<const trace::SnapshotOrigins> origins(std::size_t snapshot) const override {
    return (*open(snapshot))->origins;
  }
  Result<std::shared_ptr<const trace::OpenText>> open(std::size_t snapshot) const override {
    const auto& [lowering, stage] = texts_.at(snapshot);
    const lower::StageResult& result = lowering->lowering->stages[stage];
    const auto origins = stage < lowering->origins.size() ? lowering->origins[stage] : nullptr;
    return trace::openText(result.ir(), origins, result.irForm());
  }

 private:
  lower::PassTrace trace_;
  std::vector<std::string> names_;
  std::vector<std::pair<session::SnapshotPtr, std::size_t>> texts_;
};

/// The index of the stage in a lowering that has a text of it.
std::optional<std::size_t> stageOf(const lower::Lowering& lowering, const std::string& id) {
  for (std::size_t i = 0; i < lowering.stages.size(); ++i)
    if (lowering.stages[i].id == id && !lowering.stages[i].ir().empty()) return i;
  return std::nullopt;
}

}  // namespace

trace::TracePtr comparisonOf(const session::SnapshotPtr& original,
                             const session::SnapshotPtr& variant, const std::string& name) {
  if (!original || !original->lowering || !variant || !variant->lowering) return nullptr;
  auto out = std::make_shared<LoweringPair>(*original);
  const std::vector<lower::StageResult>& stages = variant->lowering->stages;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto counterpart = stageOf(*original->lowering, stages[i].id);
    if (!counterpart || stages[i].ir().empty()) continue;
    const bool differs =
        !mlir::sameButLocations(original->lowering->stages[*counterpart].ir(), stages[i].ir());
    if (!differs && out->empty()) continue;
    out->addStage(stages[i]);
    out->add(original, *counterpart, kOriginal, false);
    out->add(variant, i, name, differs);
  }
  return out->empty() ? nullptr : out;
}

}  // namespace fxs::ui
