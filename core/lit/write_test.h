// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The text of a lit test: a RUN line, CHECK lines that FileCheck accepts for an output, and the
// input.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs::lit {

struct TestParts {
  std::string_view input;  ///< a module; its own RUN and CHECK lines are left out
  /// The program by its name and its options, such as `-canonicalize`; "%s" is the test, added if
  /// no word has it.
  std::vector<std::string> argv;
  std::string_view output;  ///< what the program prints for the input
};
/// Without an output to check, the program is only run. Usage for a command without a program or
/// with a line break; InvalidInput if the output is larger than kMaxTestOutputBytes, or if a line
/// of the input that is no comment would be read as a RUN line.
Result<std::string> writeTest(const TestParts&);

}  // namespace fxs::lit
