#pragma once
// Stretches of a module's text written again under other names: values, symbols and resources as the caller says, aliases of attributes,
// types and locations expanded. Labels of blocks stay: each region numbers its own. Text in strings and comments stays as it is.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mlir/text/expanded_aliases.h"
#include "mlir/text/module.h"

namespace fxs::node_lab {

/// Maximum length of an expanded location; a longer one is replaced by the default location.
inline constexpr std::size_t kLongestLocation = 4096;

struct NewNames {
  const std::vector<std::string>* values = nullptr;           ///< by ValueId, "" of one that must not be seen; null: as they are
  std::map<std::string, std::string, std::less<>> symbols;    ///< `@a` to `@b`, without `@` and quotes; others stay
  std::map<std::string, std::string, std::less<>> resources;  ///< keys of `dense_resource<..>`; others stay
  std::string location;                                       ///< body for operations that have none, or an unknown one; "" leaves both
  bool withoutLocations = false;                              ///< leaves all out, to compare texts
};

class Transcript {
 public:
  explicit Transcript(const mlir::Module&);

  /// InvalidInput when the stretch names a value that `names.values` has not, or one that nothing defines.
  Result<std::string> of(TextRange, const NewNames& names) const;
  /// What a stretch refers to, in order of the text: keys of resources, and symbols of the module (of `@a::@b` the first).
  std::vector<std::string> resourcesIn(TextRange) const;
  std::set<std::string> symbolsIn(TextRange) const;
  /// The symbol that an operation defines: the first in its head, or its `sym_name`; "" when it has none.
  std::string symbolOf(mlir::OpId) const;

 private:
  struct NamePlace {
    TextRange range;
    mlir::ValueId value;
    bool definition = false;
  };

  const mlir::Module& m_;
  std::vector<NamePlace> names_;  ///< by offset
  mlir::ExpandedAliases aliases_;
};

/// `@name`, quoted unless it is a bare identifier. `name` may contain escapes of a quoted one.
std::string symbolText(std::string_view name);

}  // namespace fxs::node_lab
