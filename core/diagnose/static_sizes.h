// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Replaces symbolic sizes of a program by numbers, as if it had been exported without dynamic
// shapes.
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "fx/program.h"
#include "rewrite/rule.h"

namespace fxs::diagnose {

/// Whether a symbol is known only at run time: "u0", or "zuf0" for a float.
bool isUnbacked(std::string_view symbol);
/// Whether a size or number depends on one.
bool isOfRunTime(const fx::SymExpr&);
/// Visits every size, stride and offset of a value, of tensors in tuples too.
void forEachSize(const fx::Value&, const std::function<void(const fx::SymInt&)>& visit);

/// The value for each symbol of the program: its size hint from the export if the file has one,
/// otherwise a small size within its range. Empty if the program has no symbols.
std::map<std::string, std::int64_t> chosenSizes(const fx::Program&);

/// With numbers for some symbols, also in sizes that these do not determine. Nodes keep their ids;
/// uses of scalars computed from the symbols become constants.
Result<fx::ProgramPtr> withNumbers(const fx::ProgramPtr&,
                                   const std::map<std::string, std::int64_t>& symbols);
/// withNumbers() for all of chosenSizes(). Unsupported if a value cannot be computed from them
/// because it depends on data.
Result<fx::ProgramPtr> withStaticSizes(const fx::ProgramPtr&);
/// withNumbers() for those of chosenSizes() that are neither `kept` nor data-dependent.
Result<fx::ProgramPtr> withStaticSizes(const fx::ProgramPtr&, const std::set<std::string>& kept);

/// Removes assertions on sizes, which are constants after withStaticSizes().
const rewrite::Rule& trueAssertions();

}  // namespace fxs::diagnose
