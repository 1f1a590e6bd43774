// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Canonical text of a module, and of a module after a diff: what a diff must give.
#include <string>

#include "mlir/compare/diff.h"

namespace fxs::test {

/// A canonical form, equal for two modules exactly if they differ only in names, locations and
/// aliases: one operation per line, values numbered in order, aliases expanded, no locations.
std::string canonicalText(const mlir::Module&);
/// Applies a diff to `a`, which gives the canonical text of `b`: operations of `a` that stay, with
/// operands that stay, and the new text of the others.
std::string applied(const mlir::Module& a, const mlir::Module& b, const mlir::Diff&);

}  // namespace fxs::test
