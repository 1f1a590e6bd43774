// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "real_engine.h"

#include <cstdlib>
#include <filesystem>

namespace fxs::test {

std::optional<lower::Engine> realEngine() {
  const char* named = std::getenv("FXSCOPE_ENGINE");
  const std::string path =
      named != nullptr ? named : FXS_SOURCE_DIR "/.cache/engine/torch-mlir-opt";
  if (!std::filesystem::exists(path)) return std::nullopt;
  PosixCommandRunner runner;
  auto engine = lower::probeEngine(path, "", runner, {});
  return engine ? std::optional(*std::move(engine)) : std::nullopt;
}

}  // namespace fxs::test
