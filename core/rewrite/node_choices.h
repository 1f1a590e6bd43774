// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What RewriteOptions say of single nodes, found in the user's program by their names.
#include <set>
#include <vector>

#include "base/result.h"
#include "fx/program.h"
#include "rewrite/rewrite.h"

namespace fxs::rewrite {

/// Nodes of the user's program.
struct NodeChoices {
  std::set<fx::NodeId> decompose, keep;
};
/// Usage, with a similar name, if there is no such node.
Result<NodeChoices> nodeChoices(const fx::Program&, const RewriteOptions&);
/// Usage if a node of `choices.decompose` is not among those that were decomposed.
Result<> ensureDecomposed(const fx::Program& user, const NodeChoices& choices,
                          const std::vector<Applied>& applied);

/// The program with `options.arguments`, and each of them in `applied`. What it records of results
/// stays. Usage, with the way out, if there is no such node or argument, or if the value is none of
/// the argument's type.
Result<fx::Program> withArguments(const fx::Program&, const RewriteOptions& options,
                                  std::vector<Applied>& applied);

}  // namespace fxs::rewrite
