#pragma once
// Aliases of a module replaced by their definitions, nested ones included: two texts that number them differently become equal.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

/// Bytes. A text names an alias every few bytes, and each alias may name several: what they stand for must not explode.
struct AliasLimits {
  std::size_t growth = 4;           ///< all together, as a multiple of the module's text
  std::size_t longest = 1024;       ///< of an attribute or a type
  std::size_t longestLocation = 0;  ///< 0: locations are left aside
};

class ExpandedAliases {
 public:
  struct Alias {
    std::string text;       ///< what it stands for; `#` and a hash of that when it is too long; "" of a location that is left aside
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
