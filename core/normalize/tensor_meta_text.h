#pragma once
// A node's tensor_meta as text, as Python prints torch.fx's TensorMetadata:
//   TensorMetadata(shape=(2, s0), dtype=torch.float32, requires_grad=False, stride=(s0, 1), memory_format=torch.contiguous_format,
//   is_quantized=False)
// a tuple of those, or None. Any other text is not a tensor_meta, and is ignored.
#include <map>
#include <string>
#include <string_view>

#include "fx/program.h"
#include "normalize/normalize.h"

namespace fxs::normalize {

/// The fields of each element by its path: "" for a single one, "[0]", "[1][2]" in tuples; then by name.
using TensorMetaFields = std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>>;
TensorMetaFields tensorMetaFields(std::string_view text);

/// The value that has this tensor_meta: a fake tensor on the CPU, or a tuple of those. Unknown when it has no shape or dtype.
fx::Value valueOfTensorMeta(std::string_view text);

/// The text for a value and the metadata of its tensors, in order.
std::string tensorMetaText(const fx::Value&, const std::vector<TensorMetadata>&);

}  // namespace fxs::normalize
