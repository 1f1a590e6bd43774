// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tracks the module through the dumps of passes: a dumped module replaces it, a dumped function
// replaces that function.
#include <string>

#include "mlir/text/document.h"

namespace fxs::mlir {

class ModuleOfDumps {
 public:
  /// Merges the dump of one operation with its aliases. A function that the module does not have
  /// yet is appended.
  void take(const Document& printed);
  /// Whether the dump is of one operation in a module, such as a function, that the module does not
  /// have yet.
  bool lacks(const Document& printed) const;
  /// "" before the first.
  const std::string& text() const { return text_; }
  /// The total size in bytes of the modules that functions were merged into; each merge scans the
  /// whole module.
  std::size_t merged() const { return merged_; }

 private:
  std::string text_;
  mutable std::size_t merged_ = 0;
};

}  // namespace fxs::mlir
