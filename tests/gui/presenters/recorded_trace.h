// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A trace made of texts, without an engine: each snapshot is a module, each operation of it belongs
// to the node that its line names in a comment, `// 3`.
#include <memory>
#include <string>
#include <vector>

#include "trace/provenance.h"

namespace fxs::ui {

class RecordedTrace final : public trace::Trace {
 public:
  explicit RecordedTrace(std::vector<std::string> nodeNames) : names_(std::move(nodeNames)) {
    trace_.snapshots.push_back({"raw", -1, {}, false});
  }

  void first(const std::string& text) { texts_.push_back(text); }
  /// A pass that changed the module to `text`; that changed nothing when it is "".
  RecordedTrace& pass(const std::string& stage, const std::string& name,
                      const std::string& text = {}) {
    lower::PassRun run;
    run.stage = stage;
    run.pass = name;
    run.ran = true;
    run.changed = !text.empty();
    if (run.changed) {
      trace_.snapshots.push_back({stage, static_cast<int>(trace_.passes.size()), {}, false});
      texts_.push_back(text);
    }
    run.snapshot = static_cast<int>(trace_.snapshots.size()) - 1;
    trace_.passes.push_back(run);
    return *this;
  }
  RecordedTrace& failedPass(const std::string& stage, const std::string& name,
                            const std::string& text) {
    pass(stage, name, text);
    trace_.passes.back().changed = false;
    trace_.passes.back().failed = true;
    trace_.snapshots.back().failure = true;
    return *this;
  }
  RecordedTrace& notRun(const std::string& stage, const std::string& name) {
    lower::PassRun run;
    run.stage = stage;
    run.pass = name;
    trace_.passes.push_back(run);
    return *this;
  }
  /// A pass that ran, without the module after it.
  RecordedTrace& cutOff(const std::string& stage, const std::string& name) {
    notRun(stage, name);
    trace_.passes.back().ran = true;
    return *this;
  }
  RecordedTrace& stage(const std::string& id, const std::string& title,
                       lower::StageStatus status = lower::StageStatus::Ok) {
    lower::StageResult result;
    result.id = id;
    result.title = title;
    result.status = status;
    trace_.stages.push_back(result);
    return *this;
  }

  const lower::PassTrace& passes() const override { return trace_; }
  const std::vector<std::string>& nodeNames() const override { return names_; }
  std::shared_ptr<const trace::SnapshotOrigins> origins(std::size_t snapshot) const override {
    return (*open(snapshot))->origins;
  }
  Result<std::shared_ptr<const trace::OpenText>> open(std::size_t snapshot) const override {
    if (snapshot >= texts_.size() || texts_[snapshot] == kGone)
      return fail(ErrorCode::Io, "the snapshot is gone");
    auto open = std::make_shared<trace::OpenText>();
    open->text = texts_[snapshot];
    open->module = std::make_unique<const mlir::Module>(mlir::readModule(open->text));
    auto origins = std::make_shared<trace::SnapshotOrigins>();
    for (const mlir::Op& op : open->module->ops) {
      const std::size_t end = open->text.find('\n', op.text.begin);
      const std::string line = open->text.substr(op.text.begin, end - op.text.begin);
      const std::size_t comment = line.rfind("// ");
      std::vector<fx::NodeId> nodes;
      if (comment != std::string::npos)
        nodes.push_back(fx::NodeId::of(std::stoul(line.substr(comment + 3))));
      origins->add(nodes.empty() ? trace::Link::None : trace::Link::Exact, nodes, {}, op.firstLine);
    }
    open->origins = origins;
    return std::shared_ptr<const trace::OpenText>(open);
  }
  static inline const std::string kGone = "gone";

 private:
  lower::PassTrace trace_;
  std::vector<std::string> names_, texts_;
};

}  // namespace fxs::ui
