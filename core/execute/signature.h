// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The signature of a module's function, as executors pass arguments and results.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ops/dtype.h"

namespace fxs::execute {

struct ValueType {
  DType dtype = DType::Unknown;
  std::string element;              ///< "f32", "i64" (without sign), "complex<f32>"
  bool number = false;              ///< a scalar instead of a tensor
  std::vector<std::int64_t> sizes;  ///< -1: dynamic
};
struct Signature {
  std::vector<ValueType> arguments, results;
  std::vector<std::optional<std::size_t>>
      returned;  ///< by result: the argument that it is, if that is used otherwise too
};
/// Of `tensor<?x8xf32>`, `i64` or `!torch.int`. Unsupported for a type that no executor can pass,
/// naming it.
Result<ValueType> valueTypeOf(std::string_view type);
/// Errors as of valueTypeOf().
Result<Signature> signatureOf(std::string_view text, std::string_view function);

}  // namespace fxs::execute
