// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/logs/printed_ops.h"

#include <gtest/gtest.h>

namespace fxs::mlir {
namespace {

TEST(PrintedOps, StandWhereTheyWereWithoutAliasesThatNothingUses) {
  EXPECT_EQ(*withPrintedOps(R"(// -----// IR Dump After I (inline) //----- //
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (0)>
#loc2 = loc("a":2:0)
module {
  func.func @"a/b"() {
    "x.y"() {m = #map} : () -> () loc(#loc2)
    return loc(#loc1)
  } loc(#loc)
  func.func private @g() loc(#loc)
  func.func @main() {
    "x.y"() {m = #map1} : () -> () loc(#loc3)
    return
  } loc(#loc)
} loc(#loc)
#loc = loc("a":1:0)
#loc1 = loc("a":9:0)
#loc3 = loc(fused[#loc1, "n"])
)",
                            {{{"func_func_a_b"},
                              "func.func @\"a/b\"() {\n  return loc(\"a\":3:0)\n} "
                              "loc(\"a\":1:0)\n"},
                             {{"func_func_g"}, "func.func private @g() loc(\"b\":1:0)\n"}}),
            R"(#map1 = affine_map<(d0) -> (0)>
module {
  func.func @"a/b"() {
    return loc("a":3:0)
  } loc("a":1:0)
  func.func private @g() loc("b":1:0)
  func.func @main() {
    "x.y"() {m = #map1} : () -> () loc(#loc3)
    return
  } loc(#loc)
} loc(#loc)
#loc = loc("a":1:0)
#loc1 = loc("a":9:0)
#loc3 = loc(fused[#loc1, "n"])
)");
}

TEST(PrintedOps, AreFoundByTheirWholePath) {
  constexpr std::string_view kModule = R"(module attributes {of = @k} {
  func.func @main() {
    return
  }
  module {
    func.func @main() {
      return
    }
  }
  gpu.module @k {
    gpu.func @main() kernel {
      gpu.return
    }
  }
}
)";
  EXPECT_EQ(*withPrintedOps(
                kModule,
                {{{"gpu_module_k", "gpu_func_main"}, "gpu.func @main() {\n  x.y\n}"},
                 {{"builtin_module_no-symbol-name", "func_func_main"}, "func.func @main() {\n}"}}),
            R"(module attributes {of = @k} {
  func.func @main() {
    return
  }
  module {
    func.func @main() {
    }
  }
  gpu.module @k {
    gpu.func @main() {
      x.y
    }
  }
}
)");
  EXPECT_EQ(withPrintedOps(kModule, {{{"func_func_other"}, "x.y"}}).error().message,
            "no operation of the module is printed as func_func_other");
}

TEST(PrintedOps, OfTheSameNameAreNotToldApart) {
  EXPECT_EQ(withPrintedOps("func.func private @\"a/b\"()\nfunc.func private @a_b()\n",
                           {{{"func_func_a_b"}, "func.func private @a_b()"}})
                .error()
                .message,
            "several operations of the module are printed as func_func_a_b");
}

}  // namespace
}  // namespace fxs::mlir
