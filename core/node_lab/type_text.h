// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parses printed MLIR types as far as casts between them require.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::node_lab {

/// Splits a list at its commas, except those inside brackets and strings, and trims the parts. A
/// blank list has no parts.
std::vector<std::string> splitAtCommas(std::string_view list);
/// The type without blanks, to compare types that were printed differently.
std::string withoutBlanks(std::string_view type);

/// A ranked or unranked tensor of the builtin or the torch dialect.
struct TensorType {
  bool torch = false;  ///< `!torch.vtensor`
  bool ranked = false;
  std::vector<std::string> sizes;  ///< "2", "?"
  std::string element;             ///< "f32", "si64"; "" for a torch tensor without one
  std::string encoding;            ///< of a builtin tensor, with the comma before it; "" for none
  std::string text() const;
  /// Whether a value can have both types: known ranks and sizes agree.
  bool mayEqual(const TensorType& other) const;
};
std::optional<TensorType> tensorType(std::string_view type);  ///< nullopt for other types
/// The builtin element type for a torch element type: "i64" for "si64".
std::string builtinElement(std::string_view torchElement);

}  // namespace fxs::node_lab
