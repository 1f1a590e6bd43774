#pragma once
// A function's body inlined into another function under fresh names: `%argN` become the caller's values, everything that the body
// defines (results, block arguments, names bound inside an operation's own syntax, labels) gets a new name, aliases are spelt out,
// and what stands beside the function comes along: globals, private functions and other symbols (renamed where they collide, shared
// where they are equal), resources (renamed where they collide). Text to text, on the structure that mlir::Module reads.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs::node_lab {

struct TypedValue {
  std::string name;  ///< "%x"
  std::string type;  ///< "tensor<2x3xf32>"
};

/// A module being written: one function, and what stands beside it.
class Composition {
 public:
  /// Names the caller's arguments %arg0 .. of these types.
  Composition(std::string functionName, std::vector<std::string> argumentTypes, std::vector<std::string> argumentLocations);

  const std::vector<TypedValue>& arguments() const;
  /// The values that `function` of the module returns, when it is called with `operands`; a cast is written where an operand's type
  /// differs from the argument's (tensor.cast, torch.tensor_static_info_cast, torch_c conversions). InvalidInput when there is no such
  /// function, when it has no body or several blocks, or when a type cannot be cast.
  Result<std::vector<TypedValue>> inlineCall(std::string_view module, std::string_view function, const std::vector<TypedValue>& operands);
  /// The module's text; the function returns `results`.
  std::string finish(const std::vector<TypedValue>& results, const std::string& location) &&;
};

}  // namespace fxs::node_lab
