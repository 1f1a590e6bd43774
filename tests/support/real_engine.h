// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The real torch-mlir-opt for tests that need it: the one FXSCOPE_ENGINE names, or the one ./run
// has installed.
#include <optional>

#include "lower/engine.h"

namespace fxs::test {

/// Nothing when there is none; a test then skips with kNoEngine.
std::optional<lower::Engine> realEngine();
inline constexpr const char* kNoEngine =
    "no engine: FXSCOPE_ENGINE names none and ./run has installed none";

}  // namespace fxs::test
