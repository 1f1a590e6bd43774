#pragma once
// The engine's own timing of its passes (--mlir-timing --mlir-timing-display=tree --mlir-output-format=json), which it prints on stderr
// among other things.
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::lower {

struct PassTime {
  std::string passClass;  ///< "CanonicalizerPass"
  std::chrono::duration<double> seconds{0};
  bool isSnapshot = false;  ///< a snapshot pass, not a pass of the pipeline
};
/// The passes that ran, in order, without analyses and other entries; empty if the text contains no timing.
std::vector<PassTime> passTimes(std::string_view stderrText);

}  // namespace fxs::lower
