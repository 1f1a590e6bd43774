// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Copies the operations that define symbols from inlined modules, once each and under unique names.
#include <map>
#include <string>
#include <vector>

#include "node_lab/callee.h"

namespace fxs::node_lab {

struct Hoisted {
  std::string before, after;  ///< text to write before and after the function
  std::string function;       ///< the new symbol of the function itself if it was copied; else ""
};

class Symbols {
 public:
  void reserve(const std::string& symbol) { taken_.emplace(symbol, 0); }
  /// Copies from `callee` all symbols except its function, and the function too if it is referenced
  /// or has several blocks. Fills in `names.symbols`; requires `names.resources`. Symbols equal to
  /// earlier ones, including the symbols they refer to, are shared. InvalidInput as for
  /// Transcript::of().
  Result<Hoisted> add(const Callee& callee, const std::string& stem, NewNames& names);

 private:
  struct Entry {
    std::string symbol;                           ///< the new symbol
    std::map<std::string, std::string> refersTo;  ///< referenced symbols: old name to new name
  };
  struct Candidate;
  static Result<std::vector<Candidate>> candidatesOf(const Callee& callee, const NewNames& names);
  const Entry* equalTo(const Candidate& candidate) const;
  std::vector<Candidate> shared(std::vector<Candidate> candidates) const;
  std::string fresh(const std::string& wanted);
  std::map<std::string, std::vector<Entry>> entries_;  ///< by the text with the old symbols
  std::map<std::string, std::size_t, std::less<>> taken_;
};

}  // namespace fxs::node_lab
