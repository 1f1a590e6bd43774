// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The option --layer: files of layers, and what fxscope itself knows of nodes, on a program.
#include <deque>
#include <optional>
#include <vector>

#include "command.h"
#include "report/layers.h"

namespace fxs::cli {

/// On a program, which must outlive them. `kept` holds the layers that `shown` points to.
struct Layers {
  std::deque<layer::Layer> kept;
  std::vector<report::ShownLayer> shown;
};
/// --layer: a file, or the name of a computed layer; `help` says what is shown where. And
/// --layer-rows, of their table.
Option layerOption(const std::string& help);
Option layerRowsOption();
/// In the order of the options; what has no value, or names that the program does not have, is told
/// on `err`. Errors of reading a file.
Result<Layers> layersFrom(const Arguments&, const fx::Program&, Console&);
/// std::nullopt without the option; Usage for neither a number above 0 nor "all".
Result<std::optional<std::size_t>> layerRowsFrom(const Arguments&);

}  // namespace fxs::cli
