// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Descriptions of values: as found in the file, and as fake tensors.
#include <functional>
#include <string>
#include <vector>

#include "fx/program.h"

namespace fxs::normalize {

/// "float32, sizes [2, s27], strides [s27, 1], cpu", plus offset, layout and requires_grad unless
/// they are 0, strided and false. A TensorKind other than Described comes first; fake tensors are
/// described by asFake().
std::string asFound(const fx::Value&);
/// "FakeTensor(dtype=torch.float32, shape=(2, s27), stride=(s27, 1), device='cpu',
/// layout=torch.strided)", "SymInt(s27)".
std::string asFake(const fx::Value&);
std::string dtypeText(DType);                           ///< "torch.float32"
std::string tupleText(const std::vector<fx::SymInt>&);  ///< "(2, s27)", "(4,)", "()"
/// The text, truncated after 200 bytes and followed by its length.
std::string shortened(std::string_view text);

/// Visits every non-list element of a value with its path: "" for a single value, "[0]", "[1][2]"
/// in lists.
void forEachPart(const fx::Value&,
                 const std::function<void(const std::string& position, const fx::Value&)>&);

}  // namespace fxs::normalize
