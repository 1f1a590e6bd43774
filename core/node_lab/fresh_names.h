// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Generates unique SSA value names within a function.
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace fxs::node_lab {

class FreshNames {
 public:
  /// Returns `%wanted`, with a number appended if it is taken; invalid characters become `_`.
  /// `wanted` has no `%`.
  std::string take(std::string_view wanted);
  /// A new name for a value named `name` in another function: with the stem "addmm", "%addmm.5" for
  /// "%5"; with the stem "", the same name if it is not taken.
  std::string like(std::string_view name, std::string_view stem);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> next_;  ///< the number to try next, by base name
};

}  // namespace fxs::node_lab
