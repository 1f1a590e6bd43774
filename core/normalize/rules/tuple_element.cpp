// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A getitem without a value in the file gets the value of its tuple element.
#include "normalize/rule.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

constexpr const char* kTupleElement = "tuple-element";

void normalizeTupleElement(const Values& values, const fx::Node& node, NodeMetadata& out,
                           std::vector<MetadataChange>& changes) {
  const Inferred* inferred = values.inferred(node.id);
  if (inferred && inferred->rule == kTupleElement)
    changes.push_back({"val", "(absent)", asFake(out.val), "", inferred->reason});
}

}  // namespace

void registerTupleElement(NormalizeRules& rules) {
  rules.add({kTupleElement, "an element of a tuple has the value recorded in the tuple", 10,
             normalizeTupleElement});
}

}  // namespace fxs::normalize
