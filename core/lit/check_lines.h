// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// CHECK lines for a printed module. Every line that is checked is checked in full and in order, so
// that the first match of each pattern is the line that it was made from. SSA names and aliases of
// attributes become variables: `%[[ARG0:..]]` where they are defined, `%[[ARG0]]` where they are
// used. Comments, locations, resources and the module itself are left out.
#include <string>
#include <string_view>

namespace fxs::lit {

/// Each a line `// CHECK..`; "" if there is nothing to check. Linear in the output.
std::string checkLinesFor(std::string_view output, std::string_view prefix = "CHECK");

}  // namespace fxs::lit
