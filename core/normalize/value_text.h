#pragma once
// Values in words: as the file has them, and as a fake tensor.
#include <functional>
#include <string>
#include <vector>

#include "fx/program.h"

namespace fxs::normalize {

/// "float32, sizes [2, s27], strides [s27, 1], cpu": fields in the order of the file; offset, layout and requires_grad where
/// they are not 0, strided and false. How a capture held it comes first; a fake tensor is as asFake has it.
std::string asFound(const fx::Value&);
/// "FakeTensor(dtype=torch.float32, shape=(2, s27), stride=(s27, 1), device='cpu', layout=torch.strided)", "SymInt(s27)".
std::string asFake(const fx::Value&);
std::string dtypeText(DType);                           ///< "torch.float32"
std::string tupleText(const std::vector<fx::SymInt>&);  ///< "(2, s27)", "(4,)", "()"
/// The text, cut after 200 characters with a note of how long it is.
std::string shortened(std::string_view text);

/// Visits every part of a value that is not a list, with its place: "" for a single one, "[0]", "[1][2]" in lists.
void forEachPart(const fx::Value&, const std::function<void(const std::string& place, const fx::Value&)>&);

}  // namespace fxs::normalize
