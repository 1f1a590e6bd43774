// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Plans the engine runs of a trace: the passes of every stage, flattened by the engine, in groups.
// If all passes of a group have names for a textual pipeline, snapshot passes are inserted between
// them; otherwise the engine prints the IR.
#include <string>
#include <vector>

#include "lower/lower.h"
#include "lower/pipeline_text.h"

namespace fxs::lower {

struct PlannedPass {
  std::string stage;
  PipelinePass pass;
  bool quiet = false;  ///< see QuietPass; consecutive quiet passes get one snapshot at first
};

struct PassGroup {
  std::vector<PlannedPass> passes;
  bool instrumented = true;
  std::string pipeline;  ///< if not instrumented: the named pipelines, `builtin.module(..)`
  Engine engine;         ///< that runs them: the engine, or a tool that is called as it is
};

/// The passes of a stage, and whether its program accepts all of them by name.
struct FlatPipeline {
  std::vector<PipelinePass> passes;
  bool restatable = false;
};
/// As the engine flattens a pipeline; EngineFailed if it cannot.
Result<FlatPipeline> flattened(const Engine&, const std::string& pipeline, const Limits&,
                               const std::string& cacheDir, CommandRunner&, const RunContext&);
/// `builtin.module(a,b)`
std::string restated(const std::vector<PipelinePass>&);
/// Joins `builtin.module(a)` and `builtin.module(b)` to `builtin.module(a,b)`. Empty pipelines are
/// skipped; "" if all are empty.
std::string concatenated(const std::vector<std::string>& pipelines);

/// The groups for `stages`, whose pipelines must be filled in, and whose tools must run passes;
/// `raw` is the RAW module. EngineFailed if the engine cannot flatten a pipeline, NotFound if a
/// tool is missing.
Result<std::vector<PassGroup>> planTrace(const std::vector<StageSpec>& stages, std::string_view raw,
                                         const Engine&, const Limits&, const std::string& cacheDir,
                                         CommandRunner&, const RunContext&);

}  // namespace fxs::lower
