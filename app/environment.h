#pragma once
// The process's surroundings as values: where the engine, the cache and the layout worker are. Only the mains look at
// environment variables and at the executable's own path.
#include <string>

#include "session/session.h"

namespace fxs::app {

struct Surroundings {
  session::Environment environment;  ///< `runner` is left to the caller
  std::string layoutWorker;          ///< fxscope-layout beside the executable
  CageExceptions exceptions;         ///< $FXSCOPE_CAGE_READ and $FXSCOPE_CAGE_WRITE: folders, as PATH lists them
};

/// The engine is, first found: `engineOption`, $FXSCOPE_ENGINE, the one that ./run installs beside the source tree
/// (.cache/engine/torch-mlir-opt), $XDG_DATA_HOME/fxscope/engine/torch-mlir-opt.
Surroundings surroundings(const std::string& engineOption = {});

}  // namespace fxs::app
