#pragma once
// Assembles the module from what passes printed: a printed module replaces it, a printed function replaces its function.
#include <string>

#include "mlir/text/document.h"

namespace fxs::mlir {

class ModuleOfDumps {
 public:
  /// The text of one operation with its aliases. A function that the module does not have yet is added at its end.
  void take(const Document& printed);
  /// Whether the text is of one operation in a module, such as a function, that the module does not have yet.
  bool lacks(const Document& printed) const;
  /// "" before the first.
  const std::string& text() const { return text_; }
  /// Bytes of the modules that functions were put into: each costs a look through the whole of it.
  std::size_t merged() const { return merged_; }

 private:
  std::string text_;
  mutable std::size_t merged_ = 0;
};

}  // namespace fxs::mlir
