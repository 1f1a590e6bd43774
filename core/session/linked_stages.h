// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is read from the texts of stages as they end: the origins of their operations, and whether
// they keep the contract of their output type (core/contract). Each text is parsed once for both.
#include <memory>
#include <vector>

#include "base/run_context.h"
#include "contract/contract.h"
#include "fx/finding.h"
#include "import/import.h"
#include "lower/lower.h"
#include "trace/origins.h"

namespace fxs::session {
struct Snapshot;

class LinkedStages {
 public:
  /// `program`: as imported, with origins in `user`. `raw`: what the importer wrote, if the first
  /// stage is not that. They must outlive this.
  LinkedStages(const fx::Program& user, const fx::Program& program, import::Mode,
               const lower::OutputType& target, const std::string* raw, const RunContext&);
  ~LinkedStages();
  /// The next stage, whose text must outlive this. Throws Abandoned if it exceeds the budget.
  void add(const lower::StageResult&);
  std::size_t size() const { return origins_.size(); }
  std::vector<std::shared_ptr<const trace::SnapshotOrigins>> takeOrigins() {
    return std::move(origins_);
  }
  /// Breaches, warnings, and notes on what the last text does not do.
  std::vector<fx::Finding> findings() const;
  bool isKept() const { return contract::isKept(findings()); }
  /// Names the passes that bring the breaches, and the nodes at which they do, by a trace of the
  /// same lowering.
  void explain(const trace::Trace&);

 private:
  const fx::Program& user_;
  const fx::Program& program_;
  const import::Mode mode_;
  std::vector<lower::OutputType> path_;
  const std::string* imported_;  ///< null: the first stage
  RunContext context_;
  std::unique_ptr<const mlir::Document> raw_;
  std::unique_ptr<const contract::Promise> promise_;
  std::vector<std::shared_ptr<const trace::SnapshotOrigins>> origins_;
  std::vector<contract::Breach> breaches_;
  std::vector<fx::Finding> notes_;  ///< on what the last text does not do
};

/// The breaches in the last text of each stage of a trace that ran without Lower, with their passes
/// and nodes. `raw`: what was lowered.
std::vector<fx::Finding> breachesIn(const trace::Trace&, const std::string& raw,
                                    const fx::Program& user, const lower::OutputType& target);

/// Sets `origins` and `contract` of a snapshot from its `lowering`, which was not made by
/// advance(). Imports the program if no stage is raw.
Result<> linkStages(Snapshot&, const RunContext&);

}  // namespace fxs::session
