#pragma once
// Aliases of attributes and types as what they stand for, nested ones included: two texts that number them differently spell
// them alike. Locations are left aside.
#include <string>
#include <string_view>
#include <vector>

#include "mlir/module.h"

namespace fxs::mlir {

class SpeltAliases {
 public:
  explicit SpeltAliases(const Module&);
  /// Of an alias that the module defines. Where it is long, or nesting makes texts explode, `#` and a hash of the meaning.
  std::string_view text(std::string_view alias) const { return texts_[module_.aliases.find(alias)]; }

 private:
  const Module& module_;
  std::vector<std::string> texts_;
};

}  // namespace fxs::mlir
