// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Casts a value to another type with the operations that MLIR has for it: between tensors with
// different static shapes, and between the tensors and scalars of the builtin and torch dialects.
#include <string>

#include "base/result.h"
#include "node_lab/fresh_names.h"
#include "node_lab/inline.h"

namespace fxs::node_lab {

/// Appends the cast operations to `out`, one a line, and returns the result; returns `value` if the
/// types are equal. InvalidInput if there is no such cast.
Result<TypedValue> castTo(const TypedValue& value, const std::string& type,
                          const std::string& location, FreshNames& names, std::string& out);

}  // namespace fxs::node_lab
