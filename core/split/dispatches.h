// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a compiler divided a program into, as text: IREE's module after dispatches were formed, its
// calls of dispatches (`flow.dispatch @executable::@function(%0, %1) : ..`), the same module with
// the values of calls as further results, and each call as a module of its own. Locations are left
// out of what is written.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mlir/text/module.h"

namespace fxs::split {

/// A value of the function that calls dispatches.
struct DispatchValue {
  std::string name;                ///< as the text names it: `%4`, `%10#1`
  std::string type;                ///< "tensor<?x8xf32>", "index", "f32"
  std::vector<std::string> sizes;  ///< names of the values of its dynamic sizes, in order
  std::string definition;          ///< the operation that computes it if it is a constant, else ""
  bool operator==(const DispatchValue&) const = default;
};

struct DispatchCall {
  mlir::OpId op;
  mlir::OpId caller;                    ///< the function or initializer that it is in
  std::string executable, function;     ///< symbols, without `@` and quotes
  std::vector<DispatchValue> operands;  ///< each value that the operation uses, once: arguments in
                                        ///< order, then what only the workload and sizes use
  std::vector<DispatchValue> results;
  std::string untaken;  ///< why its values cannot be results of the program; "" if they can
};

struct Dispatches {
  std::vector<std::string> executables;  ///< symbols, in order: those that deduplication left
  std::vector<DispatchCall> calls;       ///< in order
};
/// `function` is the one that is run.
Dispatches dispatchesIn(const mlir::Module&, std::string_view function);

/// The types of the function's arguments, as printed; none if there is no such function.
std::vector<std::string> argumentTypes(const mlir::Module&, std::string_view function);

struct CallValue {
  mlir::OpId caller;
  DispatchValue value;
};
/// The module with further results of its function.
struct ModuleWithValues {
  std::string text;
  std::size_t ownResults = 0;     ///< of the function, before the values
  std::vector<CallValue> values;  ///< each once; an index is an i64
};
/// `calls`, of dispatchesIn(): those whose values become results, after the function's own.
/// Unsupported if the function cannot be extended.
Result<ModuleWithValues> withValuesOf(const mlir::Module&, std::string_view function,
                                      const std::vector<const DispatchCall*>& calls);

/// The name of the function of callAlone().
inline constexpr std::string_view kAloneFunction = "main";
/// A module with the executable of a call and a function that takes the call's operands which are
/// no constants, in order, tensors as buffer views and numbers by value, an index as i64, and
/// returns the results. It is compiled for the processor that it is compiled on, where the module
/// is compiled for a named one.
Result<std::string> callAlone(const mlir::Module&, const DispatchCall&);

/// The names of weights that are parameters of the module:
/// `#flow.parameter.named<"model"::"p_weight">`, each once; unescaped.
struct ModuleParameters {
  std::string scope;  ///< "model"; "" if there are none
  std::vector<std::string> names;
};
/// Unsupported if the parameters have several scopes.
Result<ModuleParameters> parametersIn(std::string_view text);

}  // namespace fxs::split
