#pragma once
// Functions' bodies inlined into another function under fresh names: `%argN` become the caller's values, everything that a body
// defines (results, block arguments, names bound inside an operation's own syntax) gets a new name, aliases are expanded, and what
// stands beside the function comes along: globals, private functions and other symbols (renamed where they collide, shared where they
// are equal), resources (renamed where they collide), attributes of the function. A function of several blocks cannot be inlined into a
// block: it comes along whole, renamed, and is called. Text to text, on the structure that mlir::Module reads; nothing is verified.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "node_lab/locations.h"

namespace fxs::node_lab {

struct TypedValue {
  std::string name;  ///< "%x"
  std::string type;  ///< "tensor<2x3xf32>"
  friend bool operator==(const TypedValue&, const TypedValue&) = default;
};

struct Argument {
  std::string name;  ///< "x" for `%x`; "" for `%arg0` ..
  std::string type;
  std::string location;  ///< body: `"x"("fx":0:0)`; "" for none
};

struct Call {
  std::string_view module;    ///< text with one module, or with functions and no module around them
  std::string_view function;  ///< "main"
  std::string stem;           ///< values are named `%stem.5`; "" for `%5`
  std::string location;       ///< body: of casts, and of operations that have none or an unknown one; "" for none
  Relocation locations = {};  ///< the module's locations that are written as others
};

/// The types of a function's arguments and results, as printed.
struct Signature {
  std::vector<std::string> arguments;
  std::vector<std::string> results;
};
/// InvalidInput as Composition::inlineCall().
Result<Signature> signatureOf(std::string_view module, std::string_view function);

/// A module being emitted: one function, and the other operations of the module.
class Composition {
 public:
  Composition(std::string functionName, const std::vector<Argument>& arguments);
  ~Composition();
  Composition(Composition&&) noexcept;
  Composition& operator=(Composition&&) = delete;

  const std::vector<TypedValue>& arguments() const;
  /// The values that the function returns when it is called with `operands`; a cast is written where an operand's type differs from the
  /// argument's. InvalidInput when there is no such function, when it has no body, when it uses what it does not define, or when a type
  /// cannot be cast; nothing is written then.
  Result<std::vector<TypedValue>> inlineCall(const Call&, const std::vector<TypedValue>& operands);
  /// The value as another type, by casts where it is needed.
  Result<TypedValue> cast(const TypedValue&, const std::string& type, const std::string& location);
  /// The module's text; the function returns `results`.
  std::string finish(const std::vector<TypedValue>& results, const std::string& location) &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fxs::node_lab
