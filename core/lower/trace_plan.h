#pragma once
// What a trace runs: the passes of every stage, flattened by the engine, in groups. If all passes of a group have names for a textual
// pipeline, snapshot passes are inserted between them; else the engine prints the IR.
#include <string>
#include <vector>

#include "lower/lower.h"
#include "lower/pipeline_text.h"

namespace fxs::lower {

struct PlannedPass {
  std::string stage;
  PipelinePass pass;
  bool quiet = false;  ///< hardly ever changes anything: a snapshot for a run of such passes is enough at first
};

struct PassGroup {
  std::vector<PlannedPass> passes;
  bool instrumented = true;
  std::string pipeline;  ///< when not instrumented: the named pipelines, `builtin.module(..)`
};

/// `module(a)` and `module(b)` as one: `builtin.module(a,b)`. Empty pipelines count for nothing; "" when all are empty.
std::string concatenated(const std::vector<std::string>& pipelines);

/// The groups for the stages with their pipelines filled in; `raw` is the RAW module. EngineFailed when the engine does not flatten a
/// pipeline.
Result<std::vector<PassGroup>> planTrace(const std::vector<StageSpec>& stages, std::string_view raw, const Engine&,
                                         const std::string& cacheDir, CommandRunner&, const RunContext&);

}  // namespace fxs::lower
