// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Replaces every symbolic size of a program by a number, as if it had been exported without dynamic
// shapes.
#include <map>
#include <string>

#include "fx/program.h"
#include "rewrite/rule.h"

namespace fxs::diagnose {

/// The value for each symbol of the program: its size hint from the export if the file has one,
/// otherwise a small size within its range. Empty if the program has no symbols.
std::map<std::string, std::int64_t> chosenSizes(const fx::Program&);

/// Nodes keep their ids; uses of scalars computed from sizes become constants. Unsupported if a
/// value cannot be computed from the chosen sizes because it depends on data.
Result<fx::ProgramPtr> withStaticSizes(const fx::ProgramPtr&);

/// Removes assertions on sizes, which are constants after withStaticSizes().
const rewrite::Rule& trueAssertions();

}  // namespace fxs::diagnose
