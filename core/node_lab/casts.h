#pragma once
// Casts a value to another type, where MLIR has an operation for it: builtin and torch tensors of other static shapes, either dialect's
// tensors and scalars.
#include <string>

#include "base/result.h"
#include "node_lab/fresh_names.h"
#include "node_lab/inline.h"

namespace fxs::node_lab {

/// Writes what is needed to `out` (operations, a line each); the value itself when the types are equal. InvalidInput when there is no such
/// cast.
Result<TypedValue> castTo(const TypedValue& value, const std::string& type, const std::string& location, FreshNames& names,
                          std::string& out);

}  // namespace fxs::node_lab
