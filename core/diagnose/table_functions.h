// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The functions of a decomposition table: of each operator one, for all of its calls.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnose/general_calls.h"
#include "diagnose/python_changes.h"

namespace fxs::rewrite {
struct Rule;
}

namespace fxs::diagnose {

class TableFunctions {
 public:
  explicit TableFunctions(Rewriting rewriting) : rewriting_(std::move(rewriting)) {}

  /// A call of the operator stays.
  void keep(const std::string& target) { kept_.insert(target); }
  /// `nodes` are the user's. `rules` have made the replacement, those of calls that a rule makes
  /// before it; empty if it is not theirs alone.
  void add(rewrite::ReplacedCall call, const std::vector<fx::NodeId>& nodes,
           const std::vector<const rewrite::Rule*>& rules, bool corrects);
  /// Sorted by target. Operators that a table cannot replace are added to `leftOut`. Cancelled.
  Result<std::vector<PythonDecomposition>> take(std::set<std::string>& leftOut,
                                                const RunContext&) &&;

 private:
  using Rules = std::set<const rewrite::Rule*>;
  struct Replaced {
    std::vector<rewrite::ReplacedCall> forms = {};
    std::vector<fx::NodeId> nodes = {};
    Rules rules = {};  ///< of each call; null for what Rule::python does not do
    Rules inner = {};  ///< of the calls that those make
    bool corrects = false;
    bool isOfPytorch = true;  ///< PyTorch's table has the function
  };
  struct InnerCalls {
    Rules rules = {};  ///< those of the calls that rules make, and of the user's
    bool isAnyKept = false;
  };
  using Inner = std::map<std::string, InnerCalls>;
  Inner innerCalls() const;
  void chooseInner();
  std::optional<std::string> functionFor(const std::string& target, const Replaced&) const;

  Rewriting rewriting_;
  std::map<std::string, Replaced> replaced_;
  std::set<std::string> kept_;
};

}  // namespace fxs::diagnose
