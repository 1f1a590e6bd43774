// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A nest of scf.for that carries the same values through every loop. What its iterations do is
// written between the last enter() and leave().
#include <string>
#include <vector>

#include "registry/handler.h"

namespace fxs::registry {

class ForNest {
 public:
  ForNest(OpBuilder&, Values carried);

  /// Begins a loop within those begun before. Returns its induction variable.
  Value enter(const Value& begin, const Value& end, const Value& step);
  /// The carried values at this place in the text.
  const Values& now() const { return now_; }
  const std::vector<std::string>& types() const { return types_; }
  /// Ends all loops; `next` are the carried values after an iteration. Returns those after the
  /// nest.
  Values leave(Values next);

 private:
  OpBuilder& emit_;
  Values now_;
  std::vector<std::string> types_;   ///< of the carried values
  std::vector<std::string> inside_;  ///< of the arguments of a loop's body
  std::vector<OpBuilder::Open> loops_;
};

}  // namespace fxs::registry
