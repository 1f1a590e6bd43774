#pragma once
// Aliases of a module replaced by their definitions, nested ones included: two texts that number them differently become equal.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

/// Limits in bytes, because nested aliases can expand exponentially.
struct AliasLimits {
  std::size_t growth = 4;           ///< all together, as a multiple of the module's text
  std::size_t longest = 1024;       ///< of an attribute or a type
  std::size_t longestLocation = 0;  ///< 0: locations are not expanded
};

class ExpandedAliases {
 public:
  struct Alias {
    std::string text;       ///< its expansion; `#` and a hash if it is too long; "" for a location that is not expanded
    bool location = false;  ///< `#loc12`
    bool tooLong = false;
  };
  explicit ExpandedAliases(const Module&, AliasLimits = {});
  /// Null when the module defines none of that name.
  const Alias* find(std::string_view alias) const;
  /// Of an alias that the module defines.
  std::string_view text(std::string_view alias) const { return find(alias)->text; }

 private:
  const Module& module_;
  std::vector<Alias> aliases_;  ///< by number of Module::aliases
};

/// Printed MLIR without aliases of attributes and types, and without the lines that define them. Aliases of locations stay, because
/// there may be very many. The text as it is when it would become more than kMaxGrowth times as long.
std::string withAliasesExpanded(std::string_view text);
inline constexpr std::size_t kMaxGrowth = 8;

}  // namespace fxs::mlir
