// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Removes private data from a program. Only metadata known to be safe is kept (stack traces and
// module stacks, with private parts of their texts replaced). Names are kept, except keys and paths
// in them, which are replaced consistently, so that the names in the program, its import and its
// failure agree.
#include <map>
#include <string>

#include "base/private_text.h"
#include "fx/program.h"

namespace fxs::bundle {

struct PublicProgram {
  fx::Program program;
  std::map<std::string, std::size_t> leftOut;  ///< removed metadata: number of operations by key
};
PublicProgram publicProgram(const fx::Program&, PrivateText& filter);

}  // namespace fxs::bundle
