#pragma once
// The operations that differ between two modules: the answer of `fxscope-cli diff`, as text for people and as JSON for scripts
// (resources/schemas/diff.schema.json).
#include <cstddef>
#include <string>

#include "mlir/compare/diff.h"

namespace fxs::report {

struct ModuleDiffReport {
  std::string inputA, inputB;  ///< as they were given
  const mlir::Module& a;
  const mlir::Module& b;
  const mlir::Diff& diff;
  std::size_t context = 2;  ///< operations that are the same around each that differs, in the text
};

/// A line for each operation that differs, with its line number in its file: `-` removed, `+` added, `>` moved, `~-` and `~+` the
/// two sides of a changed one, with the words that differ in `[- -]` and `{+ +}`; then a line of sums.
std::string moduleDiffText(const ModuleDiffReport&);
std::string moduleDiffJson(const ModuleDiffReport&);

}  // namespace fxs::report
