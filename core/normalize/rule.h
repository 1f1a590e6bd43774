// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A normalization rule: fills in canonical fields of one node's metadata and lists its changes.
// Each is one file in rules/.
#include <string>
#include <vector>

#include "normalize/normalize.h"
#include "normalize/values.h"

namespace fxs::normalize {

struct Rule {
  std::string id;      ///< "fake-tensor"
  std::string reason;  ///< one line, shown to users
  int order = 0;       ///< rules run by order, then by id
  /// Reads the node, the values of the program, and what earlier rules filled in; writes canonical
  /// fields and appends MetadataChange entries (rule and reason are set by the caller).
  void (*apply)(const Values&, const fx::Node&, NodeMetadata&, std::vector<MetadataChange>&);
};

class NormalizeRules {
 public:
  void add(Rule rule);
  const std::vector<Rule>& rules() const { return rules_; }

 private:
  std::vector<Rule> rules_;
};
void registerAllNormalizeRules(NormalizeRules&);

}  // namespace fxs::normalize
