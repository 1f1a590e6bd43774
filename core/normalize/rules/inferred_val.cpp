// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that is missing in the file, where it can be inferred with certainty.
#include "normalize/rule.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

constexpr const char* kInferredVal = "inferred-val";

void normalizeInferredVal(const Values& values, const fx::Node& node, NodeMetadata& out,
                          std::vector<MetadataChange>& changes) {
  const Inferred* inferred = values.inferred(node.id);
  if (inferred && inferred->rule == kInferredVal)
    changes.push_back({"val", "(absent)", asFake(out.val), "", "inferred: " + inferred->reason});
}

}  // namespace

void registerInferredVal(NormalizeRules& rules) {
  rules.add({kInferredVal, "the file has no value here, and only one value is possible", 15,
             normalizeInferredVal});
}

}  // namespace fxs::normalize
