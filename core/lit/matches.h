// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What FileCheck says of each directive when it is called with kExplainOptions: which line of its
// input matched, and where it looked for one that did not.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace fxs::lit {

/// Every match is printed, and the input is not.
inline constexpr std::array<std::string_view, 2> kExplainOptions{"-vv", "--dump-input=never"};

/// As printed. Columns count the bytes of a line in which each run of blanks is one, unless
/// FileCheck was called with --strict-whitespace; see rangeIn().
struct CheckPosition {
  std::string file;          ///< "<stdin>" for standard input
  std::uint32_t line = 0;    ///< 1-based
  std::uint32_t column = 0;  ///< 1-based
  std::uint32_t width = 0;   ///< columns that are marked; what continues on further lines is not
  friend bool operator==(const CheckPosition&, const CheckPosition&) = default;
};

struct CheckNote {
  CheckPosition at;
  std::string message;  ///< `captured var "A"`, "possible intended match here"
  std::string line;     ///< at which it points, as printed
};

struct Match {
  enum class Outcome : std::uint8_t {
    Found,     ///< the pattern is in the input
    Excluded,  ///< of CHECK-NOT: it is not, as it should be
    Failed,
  };
  Outcome outcome = Outcome::Found;
  std::string directive;  ///< "CHECK-NEXT"
  std::string message;    ///< "expected string not found in input"
  CheckPosition check;
  std::optional<CheckPosition> input;  ///< what matched; if nothing did, where the search began
  std::string inputMessage;            ///< "found here", "scanning from here"
  std::string checkLine, inputLine;    ///< as printed
  std::vector<CheckNote> notes;        ///< the others, in order
};

struct Matches {
  std::vector<Match> all;             ///< in the order in which FileCheck decided; each once
  std::vector<std::string> messages;  ///< what it says of no directive: that there is none
  bool failed() const;
};
/// Never fails; lines that are not FileCheck's are skipped. Linear in the text.
Matches readFileCheck(std::string_view stderrText);

enum class Blanks : std::uint8_t { Joined, Strict };
/// The bytes of a line of the input that are marked; empty if the position is not in it.
TextRange rangeIn(std::string_view line, const CheckPosition&, Blanks = Blanks::Joined);

}  // namespace fxs::lit
