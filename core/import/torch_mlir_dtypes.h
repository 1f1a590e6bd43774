// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What torch-mlir's FX importer knows of each element type: resources/engine/importer_dtypes.txt,
// made from it by dump_importer.py. Its numbers of complex types are not those of the torch
// dialect.
#include <optional>

#include "ops/dtype.h"

namespace fxs::import {

struct TorchMlirDType {
  std::optional<int> number;  ///< as an argument of an operation; it raises an exception without
  bool hasType = false;       ///< as the type of a value
  bool hasWeights = false;    ///< as a literal
};
/// DType::Unknown has none of them.
const TorchMlirDType& torchMlirDType(DType);

}  // namespace fxs::import
