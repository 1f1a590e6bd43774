// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The environment of the process as values: paths of the engine, the cache and the workers. Only
// the mains read environment variables and the path of the executable.
#include <string>

#include "session/session.h"

namespace fxs::app {

struct Surroundings {
  session::Environment environment;  ///< the caller sets `runner`
  std::string layoutWorker;          ///< path of fxscope-layout, next to the executable
  std::string
      rasterWorker;  ///< path of fxscope-raster, beside it; missing where librsvg was not installed
  CageExceptions
      exceptions;  ///< $FXSCOPE_CAGE_READ and $FXSCOPE_CAGE_WRITE: folders, separated as in PATH
};

/// The engine is the first found of: `engineOption`, $FXSCOPE_ENGINE, the one that ./run installs
/// in the source tree
/// (.cache/engine/torch-mlir-opt), the one that `fxscope-cli engine fetch` installs.
Surroundings surroundings(const std::string& engineOption = {});

}  // namespace fxs::app
