// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// PyTorch's enums from their Python names, with or without "torch."; std::nullopt for other names.
#include <optional>
#include <string_view>

#include "ops/dtype.h"

namespace fxs::read::fx_json {

std::optional<Layout> layoutFromName(std::string_view);  ///< "strided", "torch.sparse_coo"
std::optional<MemoryFormat> memoryFormatFromName(
    std::string_view);  ///< "channels_last", "torch.contiguous_format"
std::optional<Device> deviceFromText(std::string_view);  ///< "cpu", "cuda:0"

}  // namespace fxs::read::fx_json
