#pragma once
// Which operation of one module is which of another. Same text is not enough where a program has 32 equal layers: what an
// operation's operands are computed from tells them apart, then what it is connected to, then its place.
#include <vector>

#include "mlir/compare/op_keys.h"
#include "mlir/text/module.h"

namespace fxs::mlir {

/// For each operation of `a` the one of `b`, or an invalid id; no operation of `b` twice. Matched ones have the same name. Near
/// linear in the number of operations and operands.
std::vector<OpId> matchOps(const Module& a, const OpKeys& keysA, const Module& b, const OpKeys& keysB);

}  // namespace fxs::mlir
