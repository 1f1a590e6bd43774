#pragma once
// Inlines function bodies into another function under fresh names: `%argN` become the caller's values, all names that a body defines
// (results, block arguments, names in custom syntax) are renamed, and aliases are expanded. What the function needs is copied too: globals,
// private functions and other symbols (renamed on collision, shared if equal), resources (renamed on collision), and attributes of the
// function. A function with several blocks cannot be inlined into a block: it is copied, renamed and called. Works on text, by the
// structure that mlir::Module reads; nothing is verified.
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
  /// Inlines a call and returns its results; casts operands whose type differs from the argument's. InvalidInput, with nothing written, if
  /// the function does not exist or has no body, if it uses an undefined name, or if a type cannot be cast.
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
