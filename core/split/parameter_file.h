// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The weights of a program in one file that IREE reads parameters from.
#include <string>
#include <vector>

#include "numbers/weight_file.h"

namespace fxs::split {

/// Writes the weights of these names as safetensors, by their bytes, copied as a stream. Errors of
/// WeightFile::at().
Result<> writeParameters(const std::string& file, const std::vector<std::string>& names,
                         numbers::WeightFile&, const RunContext&);

}  // namespace fxs::split
