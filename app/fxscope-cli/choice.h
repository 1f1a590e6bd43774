// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parses option values that are one of a few names.
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "base/result.h"

namespace fxs::cli {

/// The value that `text` names; else Usage "unknown WHAT 'text'; " with the nearest name, or all of
/// them.
template <class Value, std::size_t n>
Result<Value> choiceFrom(std::string_view kind, std::string_view text,
                         const std::array<std::pair<std::string_view, Value>, n>& choices) {
  std::array<std::string_view, n> names;
  std::string expected;
  for (std::size_t i = 0; i < n; ++i) {
    if (choices[i].first == text) return choices[i].second;
    names[i] = choices[i].first;
    if (i > 0) expected += i + 1 == n ? " or " : ", ";
    expected += names[i];
  }
  const std::vector<std::string> near = nearest(text, names, 1);
  return fail(ErrorCode::Usage,
              "unknown " + std::string(kind) + " '" + std::string(text) + "'; " +
                  (near.empty() ? "expected " + expected : "did you mean '" + near.front() + "'?"));
}

}  // namespace fxs::cli
