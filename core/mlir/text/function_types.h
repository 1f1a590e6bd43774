// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The signature of a function in a printed module, and the tensor types in it, whichever dialect
// has written them.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

inline constexpr std::int64_t kDynamic = -1;

/// A ranked tensor type: `!torch.vtensor<[?,8],f32>`, `tensor<?x8xf32>` or `memref<?x8xf32>`.
struct TensorType {
  std::vector<std::int64_t> sizes;  ///< kDynamic for `?`
  std::string_view element;         ///< "f32"
};
/// std::nullopt for any other type, such as a scalar or a tensor of unknown rank.
std::optional<TensorType> tensorType(std::string_view type);
/// "si64", "ui64" and "i64" as "i64"; `complex<..>` and floats as they are.
std::string_view signless(std::string_view element);

/// A function's signature.
struct Signature {
  std::vector<std::string_view> arguments, results;  ///< types, as printed
};
struct Function {
  OpId op;
  Signature signature;
  std::vector<ValueId> argumentValues,
      resultValues;  ///< a result that is not a known value is invalid
};
/// The function `name`; std::nullopt if the module has none with a body.
std::optional<Function> functionIn(const Module&, std::string_view name);
/// The name of a function: of `func.func private @f(` or of `sym_name = "f"`.
std::string_view symbolOf(const Module&, const Op&);
/// The function's definition, if it has a body that ends with a return.
std::optional<Function> functionOf(const Module&, OpId);

}  // namespace fxs::mlir
