// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which values an `_if` of Helion's Device IR joins. Its results are a list: first what holds
// behind the branch `if`, then, for the same variables, behind `else`. A branch that does not set a
// variable leaves the outer one, which the call does not name; the file says so in
// "branches_outputs". Files without it are understood in one case: only the branch `if` sets a
// variable, which it also reads, so that an argument of the same type and of the same name is the
// outer one. That is assumed, and said.
#include <optional>
#include <string>
#include <vector>

#include "fx/kernel.h"

namespace fxs::registry {

struct BranchValue {
  std::optional<std::size_t> output;  ///< of the branch's graph; otherwise the branch leaves
  fx::Argument kept;                  ///< this outer value
};
struct BranchPair {
  BranchValue then, otherwise;
  std::string assumed;  ///< one line, if it is not certain
};
struct BranchSide {
  const fx::ArgumentList* outputs = nullptr;    ///< of the branch's graph
  const fx::ArgumentList* arguments = nullptr;  ///< of the call
};
struct BranchSides {
  const fx::Program* program = nullptr;
  const fx::KernelGraph* known = nullptr;  ///< null if the file does not have it
  BranchSide then, otherwise;
  std::size_t pairs = 0;
};

/// Why the values are not known, or nothing: one clause.
std::optional<std::string> branchPairs(const BranchSides&, std::vector<BranchPair>& out);

}  // namespace fxs::registry
