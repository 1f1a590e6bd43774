// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where a name of an MLIR text is defined and used: an SSA value, a block, a symbol or an alias.
// A symbol is looked for among the operations beside that of its use, then outwards; `@a::@b` is
// `@b` in the regions of `@a`. An operation defines a symbol if it prints it right after its name,
// and has a region or is of a kind that is known to define one; in the generic form, as sym_name.
#include <cstddef>
#include <optional>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

/// In text order.
struct NameUses {
  std::vector<TextRange> definitions;  ///< empty if the text has none
  std::vector<TextRange> uses;
};
/// Of the name at the offset; nullopt if there is none.
std::optional<NameUses> nameUsesAt(const Module&, std::size_t offset);

}  // namespace fxs::mlir
