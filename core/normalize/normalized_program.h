// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shared by normalize() and normalizedProgram().
#include "fx/program.h"

namespace fxs::normalize {

/// The metadata key that lists which other keys of a node were normalized, one per line.
inline constexpr const char* kNormalizedKey = "normalized";
/// The value with every tensor's kind set to Fake.
fx::Value asFakeValue(fx::Value);

}  // namespace fxs::normalize
