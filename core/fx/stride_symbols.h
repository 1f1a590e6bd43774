// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What torch.export.save writes of an example input that is not contiguous or is a view, and
// PyTorch cannot decompose the program with. Source: torch 2.13, ShapeEnv and _guards_fn.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fx/program.h"

namespace fxs::fx {

/// The symbols that inputs have in their strides, and of which the file has neither a range nor a
/// size, each with the first of these inputs. torch.export.save writes ranges of sizes only, and a
/// loaded program needs each.
std::map<std::string, NodeId> strideSymbols(const Program&);
/// "L['x']._base.size()[1] != 4": a guard on the tensor that an example input is a view of. Other
/// inputs have none, nor has what PyTorch decomposes the program with.
bool isGuardOfBase(std::string_view guard);
/// Of an expression, "2*s0", as torch.export.save writes it for a derived dimension: read again, it
/// is a symbol of that name.
bool isDerived(const RangeConstraint&);
/// The ranges with which PyTorch decomposes the program: of each symbol, and of nothing else.
std::vector<RangeConstraint> usableRanges(const Program&);

}  // namespace fxs::fx
