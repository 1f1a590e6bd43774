// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What -verify-diagnostics says.
#include "lit/verify_errors.h"

#include <gtest/gtest.h>

namespace fxs::lit {
namespace {

std::string shown(std::string_view err) {
  std::string out;
  for (const VerifyError& each : verifyErrorsOf(err))
    out += std::to_string(each.line) +
           (each.kind == VerifyError::Kind::Missing ? " missing: " : " unexpected: ") +
           each.message + "\n";
  return out;
}

TEST(VerifyErrors, AreOfTheLinesThatTheToolNames) {
  EXPECT_EQ(shown("x.mlir:16:3: error: unexpected error: 'func.return' op has 0 operands\n"
                  "  return\n"
                  "  ^\n"
                  "x.mlir:3:6: error: expected error \"nothing\" was not produced\n"
                  "  // expected-error @+1 {{nothing}}\n"
                  "     ^~~~~~~\n"),
            "16 unexpected: unexpected error: 'func.return' op has 0 operands\n"
            "3 missing: expected error \"nothing\" was not produced\n");
}

TEST(VerifyErrors, OtherErrorsAreNone) {
  EXPECT_EQ(shown("x.mlir:2:3: error: expected ')'\nnonsense: error: \nerror: unexpected\n"), "");
  EXPECT_EQ(shown("noline: error: unexpected note: a\n"), "0 unexpected: unexpected note: a\n");
}

}  // namespace
}  // namespace fxs::lit
