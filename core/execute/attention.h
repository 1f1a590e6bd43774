// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// `tm_tensor.attention`, for an executor that does not know it. The engine's own expansion
// subtracts the largest score of all rows from each row, so that rows whose scores are 88 smaller
// become zeros; here each row's own is subtracted, as IREE does.
#include <string>
#include <string_view>

#include "base/result.h"

namespace fxs::execute {

/// The text with every attention in operations of linalg: softmax(query key^T scale + mask) value,
/// computed in f32, or f64 for f64. Of a mask of i1, scores that are not selected are minus
/// infinity. Unsupported for one that is printed in another form, or has other attributes.
Result<std::string> withAttentionExpanded(std::string_view text);

}  // namespace fxs::execute
