// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parses tensor_meta in the form in which Python prints torch.fx's TensorMetadata:
//   TensorMetadata(shape=(2, s0), dtype=torch.float32, requires_grad=False, stride=(s0, 1),
//   memory_format=torch.contiguous_format, is_quantized=False)
// a tuple of those, or None. Any other text is ignored.
#include <map>
#include <string>
#include <string_view>

#include "fx/program.h"
#include "normalize/normalize.h"

namespace fxs::normalize {

/// Path of the tensor ("" for a single one, "[0]", "[1][2]" in tuples) -> field name -> value.
using TensorMetaFields =
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>>;
TensorMetaFields tensorMetaFields(std::string_view text);

/// The value described by a tensor_meta: a fake tensor on the CPU, or a tuple of those. Unknown if
/// shape or dtype is missing.
fx::Value valueOfTensorMeta(std::string_view text);

}  // namespace fxs::normalize
