// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex tensors as pairs of real ones, in the whole program: one operation alone would only move
// the border between them.
#include <algorithm>

#include "diagnose/change.h"
#include "rewrite/complex_pairs.h"

namespace fxs::diagnose {
namespace {

bool hasComplex(const fx::Value& value) {
  if (const fx::TensorMeta* meta = value.tensor()) return isComplex(meta->dtype);
  const fx::ValueList* parts = value.list();
  return parts != nullptr && std::any_of(parts->begin(), parts->end(), hasComplex);
}

/// The transforms, which leave view_as_real and view_as_complex around real arithmetic.
const std::set<std::string>& transforms() {
  static const std::set<std::string> targets = [] {
    std::set<std::string> out;
    for (const rewrite::Rule& rule : rewrite::builtinRules().rules())
      if (rule.target.starts_with("aten.fft_") || rule.target.starts_with("aten.stft."))
        out.insert(rule.target);
    return out;
  }();
  return targets;
}

void proposeComplexPairs(const BlockedCall& call, std::vector<Change>& out) {
  bool touches = hasComplex(call.node.val);
  for (const fx::NodeArgument& argument : call.node.args)
    fx::forEachNode(argument.value, [&](fx::NodeId id) {
      touches |= hasComplex(call.subject.program->node(id).val);
    });
  if (!touches) return;
  Change change;
  change.id = "complex-as-pairs";
  change.change = "compute complex tensors as pairs of real ones";
  change.decompose = transforms();
  change.rules = rewrite::complexPairRules();
  change.acrossNodes = true;
  change.snippet = fixCommand(call);
  change.language = "sh";
  out.push_back(std::move(change));
}

}  // namespace

void registerComplexNumbers(Proposals& proposals) { proposals.add(proposeComplexPairs); }

}  // namespace fxs::diagnose
