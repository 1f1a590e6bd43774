// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A program from its text form (fx/text.h), for tests whose text is right.
#include <stdexcept>
#include <string_view>

#include "fx/text.h"

namespace fxs::test {

/// Throws, which fails the test, when the text is not a program.
inline fx::ProgramPtr programFrom(std::string_view text) {
  Result<fx::ProgramPtr> program = fx::graphFrom(text);
  if (!program) throw std::runtime_error(toString(program.error()));
  return *program;
}

}  // namespace fxs::test
