// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a stranger's program goes through, from its bytes to everything that is shown or handed on,
// without an engine. The form of an input stands in its first byte, then a line end:
//   J  the model's JSON of a .pt2, then, each after a line "=====", the weights' config file and
//   the constants'; the archive is made around X  a JSON capture, as fxscope_capture.py writes it,
//   or Helion's T  a program as text (core/fx/text.h), which is written as a .pt2 and opened again
//   Z  a whole file
#include <cstdint>

#include "base/run_context.h"
#include "read/format.h"

namespace fxs::fuzz {

enum class Form : char { Model = 'J', Capture = 'X', Text = 'T', File = 'Z' };

inline constexpr std::uint64_t kMaxWeightBytes = 1 << 20;

/// Steps of one input share the budget; Abandoned passes.
void goWholeWay(const read::Capture& capture, const RunContext& context);

}  // namespace fxs::fuzz
