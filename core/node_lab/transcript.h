// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Copies ranges of a module's text with values, symbols and resources renamed by the caller, and
// with aliases of attributes, types and locations expanded. Block labels are kept, because they are
// local to a region. Strings and comments are not changed.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mlir/text/expanded_aliases.h"
#include "mlir/text/module.h"

namespace fxs::node_lab {

/// Maximum length of an expanded location in bytes; a longer one is replaced by the default
/// location.
inline constexpr std::size_t kLongestLocation = 4096;

struct NewNames {
  const std::vector<std::string>* values =
      nullptr;  ///< by ValueId; "" for a value that must not occur; null: unchanged
  std::map<std::string, std::string, std::less<>>
      symbols;  ///< old to new, without `@` and quotes; others are kept
  std::map<std::string, std::string, std::less<>>
      resources;                  ///< keys of `dense_resource<..>`, old to new; others are kept
  std::string location;           ///< for operations with no or an unknown location; "" keeps these
  bool withoutLocations = false;  ///< omits all locations, to compare texts
};

class Transcript {
 public:
  explicit Transcript(const mlir::Module&);

  /// The renamed text of a range. InvalidInput if it uses a value without a new name or a
  /// definition, or an alias too long to expand.
  Result<std::string> of(TextRange, const NewNames& names) const;
  /// The resource keys in a range, in text order, and the symbols of the module that it refers to
  /// (for `@a::@b` the first).
  std::vector<std::string> resourcesIn(TextRange) const;
  std::set<std::string> symbolsIn(TextRange) const;
  /// The symbol that an operation defines: the first in its head, or its `sym_name`; "" if it
  /// defines none.
  std::string symbolOf(mlir::OpId) const;

 private:
  class Copy;
  struct NamePosition {
    TextRange range;
    mlir::ValueId value;
    bool definition = false;
  };

  const mlir::Module& m_;
  std::vector<NamePosition> names_;  ///< sorted by offset
  mlir::ExpandedAliases aliases_;
};

/// `@name`, quoted unless it is a bare identifier. `name` may contain the escapes of a quoted name.
std::string symbolText(std::string_view name);

}  // namespace fxs::node_lab
