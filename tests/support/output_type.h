// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output types of fxscope itself, by name.
#include <string_view>

#include "lower/output_types.h"

namespace fxs::test {

inline lower::OutputType outputType(std::string_view name) {
  return *lower::OutputTypes::builtin().from(name);
}

}  // namespace fxs::test
