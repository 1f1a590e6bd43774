// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The diagnostics that a test with -verify-diagnostics expects: `// expected-error @+1 {{..}}`.
// Whether they come is up to the tool; here is only what is expected where.
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace fxs::lit {

struct Expectation {
  enum class Severity : std::uint8_t { Error, Warning, Note, Remark };
  enum class Match : std::uint8_t { Contained, Regex };
  Severity severity = Severity::Error;
  Match match = Match::Contained;
  std::uint32_t line = 0;    ///< where it is written, 1-based
  std::uint32_t target = 0;  ///< the line at which the diagnostic is expected; 0 for a diagnostic
                             ///< without a known location (@unknown)
  std::uint32_t count = 1;   ///< how often
  TextRange text;            ///< what it says, between `{{` and `}}`
};
using Expectations = std::vector<Expectation>;
std::string_view name(Expectation::Severity);  ///< "error"

/// In the order of the text. As in MLIR, `@below` is the next line without an expectation, and
/// `@above` the one before. Never fails; linear in the text.
Expectations expectationsOf(std::string_view text);

}  // namespace fxs::lit
