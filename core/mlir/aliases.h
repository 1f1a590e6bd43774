#pragma once
// Printed MLIR with the aliases of attributes and types spelled out, as an operation prints on its own: `#map` becomes its
// `affine_map<..>`. Aliases of locations stay, because there may be very many.
#include <string>
#include <string_view>

namespace fxs::mlir {

/// Without the lines that define the aliases. The text as it is when spelling them out would make it more than kMaxGrowth times
/// as long.
std::string withAliasesSpelledOut(std::string_view text);
inline constexpr std::size_t kMaxGrowth = 8;

}  // namespace fxs::mlir
