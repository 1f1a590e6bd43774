// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli diff`, the operations that differ between two modules: as text and as
// JSON (resources/schemas/diff.schema.json).
#include <cstddef>
#include <string>

#include "mlir/compare/diff.h"

namespace fxs::report {

struct ModuleDiffReport {
  std::string inputA, inputB;  ///< paths as given by the user
  const mlir::Module& a;
  const mlir::Module& b;
  const mlir::Diff& diff;
  std::size_t context =
      2;  ///< number of equal operations to show around each difference, in the text
};

/// A line for each operation that differs, with its line number in its file: `-` removed, `+`
/// added, `>` moved, `~-` and `~+` the two sides of a changed one, with differing words in `[- -]`
/// and `{+ +}` as in `git diff --word-diff`; then a summary line.
std::string moduleDiffText(const ModuleDiffReport&);
std::string moduleDiffJson(const ModuleDiffReport&);
std::string moduleDiffSchema();

}  // namespace fxs::report
