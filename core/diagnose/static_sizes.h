#pragma once
// A program with a number for every symbolic size: as if it had been exported without dynamic shapes.
#include <map>
#include <string>

#include "fx/program.h"
#include "rewrite/rule.h"

namespace fxs::diagnose {

/// What each symbol of the program becomes: the size it had when the program was exported where the file says so, else a small
/// size that its range allows. Empty: the program has no symbols.
std::map<std::string, std::int64_t> chosenSizes(const fx::Program&);

/// Nodes keep their ids; scalars that were computed from sizes are constants where they are used. Unsupported when a value cannot be
/// computed from the chosen sizes (it depends on data).
Result<fx::ProgramPtr> withStaticSizes(const fx::ProgramPtr&);

/// Assertions on sizes that are constants now say nothing: the rule takes them away.
const rewrite::Rule& trueAssertions();

}  // namespace fxs::diagnose
