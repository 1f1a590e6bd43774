// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/without_locations.h"

#include <gtest/gtest.h>

namespace fxs::mlir {
namespace {

TEST(WithoutLocations, OfOperationsArgumentsAndAliases) {
  EXPECT_EQ(withoutLocations(R"(#loc1 = loc("x"("a b.py":1:2))
module {
  func.func @f(%arg0: f32 loc("x"("fx":0:0)), %arg1: f32 loc(#loc1)) -> f32 {
    %0 = arith.addf %arg0, %arg1 : f32 loc(callsite("loc(" at "m.mlir":3:4))
    return %0 : f32 loc(fused<"pass">["a", "b":1:1])
  } loc(#loc)
} loc(#loc)
#loc = loc("<stdin>":0:0)
)"),
            R"(module {
  func.func @f(%arg0: f32, %arg1: f32) -> f32 {
    %0 = arith.addf %arg0, %arg1 : f32
    return %0 : f32
  }
}
)");
}

TEST(WithoutLocations, OtherTextStays) {
  for (const char* text : {"", "module {\n}\n", "%0 = test.op {a = \" loc(x)\"} : i32\n"})
    EXPECT_EQ(withoutLocations(text), text);
}

}  // namespace
}  // namespace fxs::mlir
