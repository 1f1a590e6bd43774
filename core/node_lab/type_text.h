#pragma once
// Types as MLIR prints them, as far as a cast between two of them needs to know.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::node_lab {

/// A list at its commas, those inside brackets and strings left out; each trimmed. Nothing of blanks gives no part.
std::vector<std::string> splitAtCommas(std::string_view list);
/// Whether a name needs no quotes in MLIR.
bool isBare(std::string_view name);
/// Without blanks, so that two printings of a type are equal.
std::string withoutBlanks(std::string_view type);

/// A ranked or unranked tensor of the builtin or the torch dialect.
struct TensorType {
  bool torch = false;  ///< `!torch.vtensor`
  bool ranked = false;
  std::vector<std::string> sizes;  ///< "2", "?"
  std::string element;             ///< "f32", "si64"; "" where a torch tensor does not say
  std::string encoding;            ///< of a builtin tensor, with its comma; ""
  std::string text() const;
  /// Whether a value can be of both: ranks and sizes that are known do not contradict each other.
  bool mayEqual(const TensorType& other) const;
};
std::optional<TensorType> tensorType(std::string_view type);
/// The builtin element type for one of the torch dialect: "i64" for "si64".
std::string builtinElement(std::string_view torchElement);

}  // namespace fxs::node_lab
