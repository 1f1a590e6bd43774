// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reads the pass timing that the engine prints on stderr (--mlir-timing --mlir-timing-display=tree
// --mlir-output-format=json), among other output.
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::lower {

struct PassTime {
  std::string passClass;  ///< "CanonicalizerPass"
  std::chrono::duration<double> seconds{0};
  bool isSnapshot = false;  ///< an inserted snapshot pass, not one of the pipeline
};
/// The passes that ran, in order, without analyses and other entries; empty if the text contains no
/// timing.
std::vector<PassTime> passTimes(std::string_view stderrText);

}  // namespace fxs::lower
