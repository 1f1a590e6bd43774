// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What an engine prints after every pass, assigned to the passes of its pipeline. A pipeline on
// functions runs function by function: all its passes on the first, then all on the second. What
// it prints for one pass is therefore spread over the run.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lower/pipeline_text.h"
#include "mlir/logs/dump_log.h"

namespace fxs::lower {

/// The text of one operation after one pass that ran on it.
struct PrintedPass {
  std::string file;  ///< relative to the directory; "" of one in a log
  std::string pass;  ///< "convert-torch-to-tosa"
  /// Names of the directories from the module to the operation that the pass ran on:
  /// {"func_func_main"}, see mlir::treeName(); empty for the module.
  std::vector<std::string> path;
  /// How many passes were printed before it: for the module, and on the way to the operation.
  std::vector<std::uint32_t> numbers;
  bool failed = false;    ///< the text is the IR at the pass's failure
  std::size_t index = 0;  ///< of one in a log: which dump
};
/// The files that the engine writes with --mlir-print-ir-tree-dir, of each operation in the order
/// in which its passes ran. Empty if the directory does not exist.
std::vector<PrintedPass> printedPasses(const std::string& directory);

/// Those of --mlir-print-ir-after-all, where operations in operations of the module are not told
/// apart.
std::vector<PrintedPass> printedPasses(const std::vector<mlir::DumpedIr>&);

/// Whether passes of a pipeline may run on several operations of a module, one after the other:
/// what is printed of the module after a pass on one of them shows others after other passes.
bool mayRunOnSeveral(const std::vector<PipelinePass>& pipeline, std::string_view module);

/// One pass of a pipeline on all operations that it ran on.
struct PrintedStep {
  std::size_t pass = 0;  ///< index in the pipeline
  std::vector<PrintedPass> printed;
  bool failed() const;
  bool isOfModule() const { return printed.front().path.empty(); }
};
/// In the order of the pipeline. What passes print that other passes run is left out, and so are
/// passes that ran on nothing.
std::vector<PrintedStep> stepsOf(const std::vector<PrintedPass>&,
                                 const std::vector<PipelinePass>& pipeline);
/// Whether passes ran on several operations, see mayRunOnSeveral().
bool ranOnSeveral(const std::vector<PrintedStep>&);

}  // namespace fxs::lower
