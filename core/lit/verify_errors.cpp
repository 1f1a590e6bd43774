// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/verify_errors.h"

#include <array>
#include <optional>
#include <utility>

#include "base/number_from.h"
#include "lit/limits.h"
#include "lit/lines.h"

namespace fxs::lit {
namespace {

constexpr std::string_view kErrorMark = ": error: ";
/// As mlir/lib/IR/Diagnostics.cpp of LLVM 22 prints them.
constexpr std::string_view kMissingEnd = "\" was not produced";
constexpr std::array<std::string_view, 4> kUnexpected{
    "unexpected error: ", "unexpected warning: ", "unexpected note: ", "unexpected remark: "};

std::optional<VerifyError::Kind> kindOf(std::string_view message) {
  if (message.starts_with("expected ") && message.ends_with(kMissingEnd))
    return VerifyError::Kind::Missing;
  for (const std::string_view begin : kUnexpected)
    if (message.starts_with(begin)) return VerifyError::Kind::Unexpected;
  return std::nullopt;
}

/// Of `file:3:6`.
std::uint32_t lineOfPosition(std::string_view position) {
  position = position.substr(0, position.rfind(':'));
  const std::size_t colon = position.rfind(':');
  if (colon == std::string_view::npos) return 0;
  return numberFrom<std::uint32_t>(position.substr(colon + 1)).value_or(0);
}

}  // namespace

std::vector<VerifyError> verifyErrorsOf(std::string_view err) {
  std::vector<VerifyError> out;
  forEachLine(err, [&](const Line& line) {
    const std::string_view text = line.range.of(err);
    const std::size_t at = text.find(kErrorMark);
    if (at == std::string_view::npos) return true;
    const std::string_view message = text.substr(at + kErrorMark.size());
    if (const auto kind = kindOf(message))
      out.push_back({*kind, lineOfPosition(text.substr(0, at)), std::string(message)});
    return out.size() < kMaxExpectations;
  });
  return out;
}

}  // namespace fxs::lit
