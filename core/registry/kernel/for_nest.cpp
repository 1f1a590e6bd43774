// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/kernel/for_nest.h"

#include <utility>

namespace fxs::registry {

ForNest::ForNest(OpBuilder& emit, Values carried)
    : emit_(emit), now_(std::move(carried)), inside_{"index"} {
  for (const Value& value : now_) types_.push_back(value.type);
  inside_.insert(inside_.end(), types_.begin(), types_.end());
}

Value ForNest::enter(const Value& begin, const Value& end, const Value& step) {
  std::vector<Value> operands{begin, end, step};
  operands.insert(operands.end(), now_.begin(), now_.end());
  loops_.push_back(emit_.begin("scf.for", operands, types_));
  now_ = emit_.beginRegion(loops_.back(), inside_);
  Value induction = std::move(now_.front());
  now_.erase(now_.begin());
  return induction;
}

Values ForNest::leave(Values next) {
  for (; !loops_.empty(); loops_.pop_back()) {
    emit_.ops("scf.yield", next, {});
    emit_.endRegion(loops_.back());
    next = emit_.finish(loops_.back());
  }
  return next;
}

}  // namespace fxs::registry
