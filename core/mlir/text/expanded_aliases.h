// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Replaces aliases by their definitions, including nested ones, so that texts that number them
// differently become equal.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

/// Limits in bytes, because nested aliases can expand exponentially.
struct AliasLimits {
  std::size_t growth = 4;  ///< limit of all expansions together, as a multiple of the module's text
  std::size_t longest = 1024;       ///< limit of one attribute or type
  std::size_t longestLocation = 0;  ///< 0: locations are not expanded
};

class ExpandedAliases {
 public:
  struct Alias {
    std::string text;  ///< its expansion; `#` and a hash if it is too long; "" for a location that
                       ///< is not expanded
    bool location = false;  ///< `#loc12`
    bool tooLong = false;
  };
  explicit ExpandedAliases(const Module&, AliasLimits = {});
  /// Null if the module does not define it.
  const Alias* find(std::string_view alias) const;
  /// The expansion of an alias, which the module must define.
  std::string_view text(std::string_view alias) const { return find(alias)->text; }

 private:
  const Module& module_;
  std::vector<Alias> aliases_;  ///< by index in Module::aliases
};

/// Expands aliases of attributes and types and removes their definitions. Location aliases stay,
/// because there may be very many. Returns the text unchanged if it would become more than
/// kMaxGrowth times as long.
std::string withAliasesExpanded(std::string_view text);
inline constexpr std::size_t kMaxGrowth = 8;

}  // namespace fxs::mlir
