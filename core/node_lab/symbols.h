#pragma once
// The other operations of inlined modules: operations with symbols are copied once, under unique names.
#include <map>
#include <string>
#include <vector>

#include "node_lab/callee.h"

namespace fxs::node_lab {

struct Hoisted {
  std::string before, after;  ///< text to write before and after the function
  std::string function;       ///< the new symbol of the function itself where it came along; else ""
};

class Symbols {
 public:
  void reserve(const std::string& symbol) { taken_.emplace(symbol, 0); }
  /// Copies from `callee` all symbols besides its function, and the function itself if it is referred to or has several blocks. Fills in
  /// `names.symbols`; requires `names.resources`. Symbols that are equal to earlier ones, and refer to equal ones, are shared. InvalidInput
  /// as Transcript::of().
  Result<Hoisted> add(const Callee& callee, const std::string& stem, NewNames& names);

 private:
  struct Entry {
    std::string symbol;                           ///< new
    std::map<std::string, std::string> refersTo;  ///< old symbol to new one
  };
  std::string fresh(const std::string& wanted);
  std::map<std::string, std::vector<Entry>> entries_;  ///< by text under the old symbols
  std::map<std::string, std::size_t, std::less<>> taken_;
};

}  // namespace fxs::node_lab
