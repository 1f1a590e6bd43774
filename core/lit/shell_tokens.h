// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Splits a RUN line into words and operators.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::lit {

struct ShellToken {
  enum class Kind : std::uint8_t {
    Word,
    Pipe,      ///< `|`
    And,       ///< `&&`
    Redirect,  ///< `<`, `>`, `>>`, `>&`, `&>`, `&>>`
  };
  Kind kind = Kind::Word;
  std::string text;     ///< of a word: without its quotes; of a redirection: its operator
  int stream = -1;      ///< the number before a redirection; -1: none
  bool isPlain = true;  ///< a word without quotes and backslashes
};

struct ShellTokens {
  std::vector<ShellToken> tokens;
  std::string message;  ///< why the line is refused; "" if it is not
};
ShellTokens shellTokens(std::string_view line);

}  // namespace fxs::lit
