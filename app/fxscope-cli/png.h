// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A picture as a PNG, drawn from its SVG by the worker fxscope-raster.
#include <optional>
#include <string>

#include "command.h"

namespace fxs::cli {

/// The scale of the PNG that -o names by its ending, 1 unless --scale is given; std::nullopt if -o
/// names none. Usage for a wrong --scale.
Result<std::optional<double>> pngScale(const Arguments&);
/// `width`, `height`: of the SVG, in its units, which `scale` makes pixels. Usage if the PNG would
/// be larger than is possible; Unsupported where the worker was not built; as runWorker().
Result<std::string> pngFrom(std::string svg, double width, double height, double scale, Console&);

}  // namespace fxs::cli
