// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parses one row of the embedded schema table. The format is defined by
// resources/op_schemas/dump_schemas.py; the result holds views of the row.
#include <string_view>

#include "ops/schema.h"

namespace fxs::ops {

/// "aten::add.Tensor", the part before the first ';'.
std::string_view rowName(std::string_view row);
Schema parseRow(std::string_view row);

}  // namespace fxs::ops
