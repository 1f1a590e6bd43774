#pragma once
// The files that the engine writes with --mlir-print-ir-tree-dir, in the order in which the passes ran.
#include <string>
#include <vector>

namespace fxs::lower {

struct PrintedPass {
  std::string file;      ///< relative to the directory
  std::string pass;      ///< "convert-torch-to-tosa"
  std::string function;  ///< "main"; "" for a pass on the module
  bool failed = false;   ///< the IR at its failure
};
/// Empty if there is no such directory. A pipeline on functions runs function by function: of several functions, the files of the last one
/// are listed, because only then the pass is done for the module.
std::vector<PrintedPass> printedPasses(const std::string& directory);

}  // namespace fxs::lower
