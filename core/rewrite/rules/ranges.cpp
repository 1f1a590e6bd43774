// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of small integers, which the engine's patterns do not count in.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results rangeOfBytes(Emitter& e) {
  const DType dtype = e.result().dtype;
  e.require(dtype == DType::Int8 || dtype == DType::UInt8);
  const std::string& target = e.matched().target;
  const std::int64_t start = target == "aten.arange.default" ? 0 : e.integer("start"),
                     end = e.integer("end");
  const std::int64_t step = target == "aten.arange.start_step" ? e.integer("step") : 1;
  const auto isBounded = [](std::int64_t n) { return n >= -kMaxNumber && n <= kMaxNumber; };
  e.require(step != 0 && isBounded(start) && isBounded(end) && isBounded(step));
  return one(e.cast(e.arange(start, end, step), dtype));
}

}  // namespace

void registerRanges(RewriteRules& rules) {
  rules.addEach({"aten.arange.default", "aten.arange.start", "aten.arange.start_step"},
                "counts in int64, if it has 8-bit integers", true, rangeOfBytes);
}

}  // namespace fxs::rewrite
