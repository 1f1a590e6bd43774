// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The files that the engine writes with --mlir-print-ir-tree-dir, in the order in which the passes
// ran.
#include <string>
#include <vector>

namespace fxs::lower {

struct PrintedPass {
  std::string file;      ///< relative to the directory
  std::string pass;      ///< "convert-torch-to-tosa"
  std::string function;  ///< "main"; "" for a pass on the module
  bool failed = false;   ///< the file is the IR at the pass's failure
};
/// Empty if the directory does not exist. A pipeline on functions runs function by function; only
/// the files of the last function are listed, because the pass has run on the whole module only
/// then.
std::vector<PrintedPass> printedPasses(const std::string& directory);

}  // namespace fxs::lower
