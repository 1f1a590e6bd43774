// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which symbolic sizes of a program are kept where an output type does not lower all of them, and
// what that is called.
#include <set>
#include <string>
#include <vector>

#include "fix/fixed.h"
#include "fx/program.h"

namespace fxs::fix {

/// Sets of symbolic sizes to keep, in the order in which they are to be tried: the most first, and
/// those that are no batch before one that is. Few, whatever the program has. Empty if no input has
/// a symbolic size.
std::vector<std::set<std::string>> setsToKeep(const fx::Program&);

/// The sizes of the program's inputs where the others than `kept` become numbers. `limits`: ranges
/// of a program in which they are kept.
std::vector<InputSize> inputSizes(const fx::Program&, const std::set<std::string>& kept,
                                  const std::vector<fx::RangeConstraint>& limits);
/// "keep s53 (dimension 1 of input_ids) symbolic, with s10 = 2 (dimension 0 of input_ids)"
std::string changeText(const std::vector<InputSize>&);
/// "s10 is fixed to 2; s53 is at most 131072"; "" if nothing is lost.
std::string costText(const std::vector<InputSize>&);

}  // namespace fxs::fix
