#pragma once
// What normalize() and normalizedProgram() have in common.
#include "fx/program.h"

namespace fxs::normalize {

/// The metadata key that says which other keys of a node were normalized, one a line.
inline constexpr const char* kNormalizedKey = "normalized";
/// The value with every tensor as a fake one.
fx::Value asFakeValue(fx::Value);

}  // namespace fxs::normalize
