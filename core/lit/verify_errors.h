// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a tool with -verify-diagnostics says of expected-* lines: diagnostics that did not come, and
// those that nobody expected.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::lit {

struct VerifyError {
  enum class Kind : std::uint8_t { Missing, Unexpected };
  Kind kind = Kind::Missing;
  std::uint32_t line = 0;  ///< 1-based: of the expectation, or of the diagnostic; 0 if unknown
  std::string message;     ///< `expected error ".." was not produced`
};
/// In order. Never fails; other lines are skipped. Linear in the text.
std::vector<VerifyError> verifyErrorsOf(std::string_view err);

}  // namespace fxs::lit
