#pragma once
// Names of values that no other value of a function has.
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace fxs::node_lab {

class FreshNames {
 public:
  /// `%wanted`, or that with a number where it is taken; invalid characters become `_`. `wanted` without `%`.
  std::string take(std::string_view wanted);
  /// A new name for a value that was called `name` ("%5", "%cst_0"), under a stem ("addmm"): "%addmm.5", "%addmm.cst_0"; without one "%5",
  /// "%cst".
  std::string like(std::string_view name, std::string_view stem);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> next_;  ///< by base: the number to try first
};

}  // namespace fxs::node_lab
