// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Applies decomposition rules to a fixed point: nodes emitted by a rule may be decomposed in turn.
#include "rewrite/node_choices.h"
#include "rewrite/rule.h"
#include "rewrite/transcription.h"

namespace fxs::rewrite {

/// The rules to apply: the essential ones if requested, and those that `options.decompose` names by
/// target or packet. Usage if it names one that does not exist.
Result<std::vector<const Rule*>> chosenRules(const RewriteRules&, const RewriteOptions&);
/// Whether any node has a target of one of the rules.
bool anyRuleMatches(const fx::Program&, const std::vector<const Rule*>&);
/// Applies the rules, except to the nodes of `choices.keep`; to those of `choices.decompose` also
/// the built-in rules of their target.
Result<fx::Program> decompose(const fx::Program&, const std::vector<const Rule*>&, Report&,
                              const RunContext&, const NodeChoices& choices = {});

}  // namespace fxs::rewrite
