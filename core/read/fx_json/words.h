#pragma once
// The small enums of PyTorch by their Python names; "torch." in front does not matter.
#include <optional>
#include <string_view>

#include "ops/dtype.h"

namespace fxs::read::fx_json {

std::optional<Layout> layoutFromName(std::string_view);              ///< "strided", "torch.sparse_coo"
std::optional<MemoryFormat> memoryFormatFromName(std::string_view);  ///< "channels_last", "torch.contiguous_format"
std::optional<Device> deviceFromText(std::string_view);              ///< "cpu", "cuda:0"

}  // namespace fxs::read::fx_json
