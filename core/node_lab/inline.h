// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inlines function bodies into another function under fresh names: `%argN` become the caller's
// values, all names that a body defines (results, block arguments, names in custom syntax) are
// renamed, and aliases are expanded. The symbols that the function uses (globals, private functions
// ..) are copied too, renamed on collision and shared if equal, as well as resources (renamed on
// collision) and the function's attributes. A function with several blocks cannot be inlined into a
// block: it is copied, renamed and called. Works on text with the structure read by mlir::Module,
// without verification.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "node_lab/locations.h"

namespace fxs::node_lab {

/// The function of a module that is imported to be inlined.
inline constexpr const char* kMain = "main";

struct TypedValue {
  std::string name;  ///< "%x"
  std::string type;  ///< "tensor<2x3xf32>"
  friend bool operator==(const TypedValue&, const TypedValue&) = default;
};

struct Argument {
  std::string name;  ///< "x" for `%x`; "" for `%arg0` ..
  std::string type;
  std::string location;  ///< without `loc(` and `)`: `"x"("fx":0:0)`; "" for none
};

struct Call {
  std::string_view module;  ///< the text of one module, or of functions without an enclosing module
  std::string_view function;  ///< "main"
  std::string stem;           ///< values are named `%stem.5`; "" for `%5`
  std::string location;  ///< for casts and for operations with no or an unknown location, without
                         ///< `loc(` and `)`; "" for none
  Relocation locations = {};  ///< locations of the module to replace
};

/// The types of a function's arguments and results, as printed.
struct Signature {
  std::vector<std::string> arguments;
  std::vector<std::string> results;
};
/// InvalidInput if the function does not exist, has no body or cannot be read.
Result<Signature> signatureOf(std::string_view module, std::string_view function);

/// A module under construction: one function, and the operations copied into the module with
/// inlined bodies.
class Composition {
 public:
  Composition(std::string functionName, const std::vector<Argument>& arguments);
  ~Composition();
  Composition(Composition&&) noexcept;
  Composition& operator=(Composition&&) = delete;

  const std::vector<TypedValue>& arguments() const;
  /// Inlines a call and returns its results; casts operands whose type differs from the argument's.
  /// InvalidInput, with nothing written, if the function does not exist or has no body, if the
  /// number of operands differs, if it uses an undefined name, or if a cast fails.
  Result<std::vector<TypedValue>> inlineCall(const Call&, const std::vector<TypedValue>& operands);
  /// Casts a value if its type differs. InvalidInput if there is no such cast.
  Result<TypedValue> cast(const TypedValue&, const std::string& type, const std::string& location);
  /// The module's text; the function returns `results`.
  std::string finish(const std::vector<TypedValue>& results, const std::string& location) &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fxs::node_lab
