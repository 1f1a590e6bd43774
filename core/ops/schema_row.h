#pragma once
// One row of the embedded schema table as a Schema. The row's form is written in resources/op_schemas/dump_schemas.py; the
// views of the result point into the row.
#include <string_view>

#include "ops/schema.h"

namespace fxs::ops {

/// "aten::add.Tensor", the part before the first ';'.
std::string_view rowName(std::string_view row);
Schema parseRow(std::string_view row);

}  // namespace fxs::ops
