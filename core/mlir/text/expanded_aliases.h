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
#include "mlir/text/token_ends.h"

namespace fxs::mlir {

/// Calls seen(begin, end) for each name of an alias in a text, strings and comments left out, until
/// it returns false.
template <class Seen>
void eachAlias(std::string_view text, Seen seen) {
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = afterQuoted(text, at);
    } else if (c == '/' && text.compare(at, 2, "//") == 0) {
      at = endOfLine(text, at);
    } else if (c == '#' || c == '!') {
      const std::size_t end = afterName(text, at);
      if (!seen(at, end)) return;
      at = end;
    } else {
      ++at;
    }
  }
}

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
