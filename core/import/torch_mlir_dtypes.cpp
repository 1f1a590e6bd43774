// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/torch_mlir_dtypes.h"

#include <charconv>
#include <map>
#include <string_view>

#include "base/take_until.h"

namespace fxs::resource {
std::string_view importerDtypes();
}

namespace fxs::import {
namespace {

std::map<DType, TorchMlirDType> dtypesIn(std::string_view text) {
  constexpr std::string_view kNone = "-";
  std::map<DType, TorchMlirDType> out;
  while (!text.empty()) {
    std::string_view line = takeUntil('\n', text);
    if (line.starts_with('#')) continue;
    const std::optional<DType> dtype = dtypeFromName(takeUntil(' ', line));
    const std::string_view number = takeUntil(' ', line), type = takeUntil(' ', line);
    if (!dtype) continue;  // quantized
    TorchMlirDType& row = out[*dtype];
    int value = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc())
      row.number = value;
    row.hasType = type != kNone;
    row.hasWeights = line != kNone;
  }
  return out;
}

}  // namespace

const TorchMlirDType& torchMlirDType(DType dtype) {
  static const std::map<DType, TorchMlirDType> kDTypesOfImporter =
      dtypesIn(resource::importerDtypes());
  static const TorchMlirDType kNone;
  const auto found = kDTypesOfImporter.find(dtype);
  return found == kDTypesOfImporter.end() ? kNone : found->second;
}

}  // namespace fxs::import
