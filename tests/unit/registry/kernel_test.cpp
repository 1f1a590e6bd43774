// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helion kernels as whole texts, and what is refused. The kernels are Device IR as
// fxscope_capture.py writes it, without what is not read.
#include "base/byte_source.h"
#include "lowered_text.h"
#include "read/read.h"

namespace fxs::registry {
namespace {

using test::verify;
using test::withoutLocations;

const std::string kTracing = "helion.language._tracing_ops.";

std::string tensor(const std::string& sizes, const std::string& dtype = "float32") {
  return R"({"kind": "FakeTensor", "shape": [)" + sizes + R"(], "dtype": ")" + dtype + R"("})";
}
std::string symbol(const std::string& name) { return R"({"sym": ")" + name + R"("})"; }
std::string node(const std::string& name, const std::string& target, const std::string& args,
                 const std::string& val) {
  return R"({"op": "call_function", "name": ")" + name + R"(", "target": ")" + target +
         R"(", "args": [)" + args + R"(], "kwargs": {}, "meta": {)" +
         (val.empty() ? "" : R"("val": )" + val) + "}},\n";
}
std::string of(const std::string& name) { return R"({"node": ")" + name + R"("})"; }
std::string host(const std::string& name, const std::string& sizes) {
  return node(name, kTracing + "_host_tensor", R"({"const": ")" + name + R"("})", tensor(sizes));
}
std::string symnode(const std::string& name, const std::string& expr) {
  return node(name, kTracing + "_get_symnode", R"({"const": ")" + name + R"("})",
              R"({"kind": "SymInt", "expr": ")" + expr + R"("})");
}
std::string load(const std::string& name, const std::string& from, const std::string& indices,
                 const std::string& sizes) {
  return node(name, "helion.language.memory_ops.load",
              of(from) + ", {\"list\": [" + indices + R"(]}, {"const": null}, {"const": null})",
              tensor(sizes));
}
std::string store(const std::string& to, const std::string& indices, const std::string& value) {
  return node("store", "helion.language.memory_ops.store",
              of(to) + ", {\"list\": [" + indices + "]}, " + value + R"(, {"const": null})", "");
}
std::string graph(int id, const std::string& nodes, const std::string& more = "",
                  const std::string& outputs = R"({"const": null})") {
  return R"({"graph_id": )" + std::to_string(id) + R"(, "type": "RootGraphInfo", )" + more +
         R"("nodes": [)" + nodes +
         R"({"op": "output", "name": "output", "target": "output", "args": [)" + outputs +
         R"(], "kwargs": {}, "meta": {}}]})";
}
std::string kernel(const std::string& graphs, const std::string& size = "10",
                   const std::string& more = "") {
  return R"({"schema": "helion-device-ir/1", "kernel": "k", "root_ids": [0], "grid_block_ids": [[0]], )" +
         more +
         R"("args": [{"name": "x", "val": null}], "block_sizes": [{"block_id": 0, "size": )" +
         size +
         R"(, "var": "u0", "reduction": false}, {"block_id": 1, "size": 10, "var": "u1", "reduction": false}], "graphs": [)" +
         graphs + "]}";
}
std::string placeholder(const std::string& name, const std::string& sizes) {
  return R"({"op": "placeholder", "name": ")" + name + R"(", "target": ")" + name +
         R"(", "args": [], "kwargs": {}, "meta": {"val": )" + tensor(sizes) + "}},\n";
}

DirectLowering loweredKernel(const std::string& text, const BlockSizes& sizes = {}) {
  const auto capture = read::readCapture(memorySource(text), "k.json", {}, {});
  if (!capture) throw std::runtime_error(toString(capture.error()));
  const auto plan = planKernel(capture->program, capture->kernel, sizes, {});
  if (!plan) throw std::runtime_error(toString(plan.error()));
  DirectOptions options;
  options.kernel = *plan;
  const auto lowering = lowerByRegistries(*(*plan)->sized, options, {});
  if (!lowering) throw std::runtime_error(toString(lowering.error()));
  verify((*lowering)->text);
  return **lowering;
}

std::string textOf(const std::string& kernel, const BlockSizes& sizes = {}) {
  const DirectLowering lowering = loweredKernel(kernel, sizes);
  EXPECT_TRUE(lowering.complete);
  return lowering.text;
}

/// The findings, a line each.
std::string findingsOf(const std::string& kernel) {
  std::string out;
  for (const fx::Finding& finding : loweredKernel(kernel).findings)
    out += finding.nodeName + ": " + finding.message + "\n";
  return out;
}

const std::string kTile = symnode("block_size_0", "u0"), kU0 = symbol("u0"),
                  kAdd = R"({"node": "load"}, {"node": "load"})";
const std::string kDouble = host("x", "10") + kTile + load("load", "x", of("block_size_0"), kU0) +
                            node("add", "aten.add.Tensor", kAdd, tensor(kU0)) + host("out", "10") +
                            store("out", of("block_size_0"), of("add"));

TEST(Kernel, IsAParallelLoopOverTilesOfWhichTheLastMayBeSmaller) {
  EXPECT_EQ(textOf(kernel(graph(0, kDouble)), {{"u0", 4}}), R"("builtin.module"() ({
  "func.func"() <{function_type = (tensor<10xf32>) -> tensor<10xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<10xf32> loc("x"("fx":0:0))):
    %0 = "tensor.empty"() : () -> tensor<10xf32> loc("out"("fx":4:0))
    %1 = "arith.constant"() <{value = 10 : index}> : () -> index loc("output"("fx":6:0))
    %2 = "scf.forall"(%0) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 4>, staticUpperBound = array<i64: 10>}> ({
    ^bb0(%b0: index loc("output"("fx":6:0)), %b1: tensor<10xf32> loc("output"("fx":6:0))):
      %3 = "arith.subi"(%1, %b0) : (index, index) -> index loc("output"("fx":6:0))
      %4 = "arith.constant"() <{value = 4 : index}> : () -> index loc("output"("fx":6:0))
      %5 = "arith.minsi"(%3, %4) : (index, index) -> index loc("output"("fx":6:0))
      %6 = "tensor.extract_slice"(%arg0, %b0, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<10xf32>, index, index) -> tensor<?xf32> loc("load"("fx":2:0))
      %7 = "arith.constant"() <{value = 0.0 : f32}> : () -> f32 loc("load"("fx":2:0))
      %8 = "tensor.empty"() : () -> tensor<4xf32> loc("load"("fx":2:0))
      %9 = "linalg.fill"(%7, %8) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%b2: f32 loc("load"("fx":2:0)), %b3: f32 loc("load"("fx":2:0))):
        "linalg.yield"(%b2) : (f32) -> () loc("load"("fx":2:0))
      }) : (f32, tensor<4xf32>) -> tensor<4xf32> loc("load"("fx":2:0))
      %10 = "tensor.insert_slice"(%6, %9, %5) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, tensor<4xf32>, index) -> tensor<4xf32> loc("load"("fx":2:0))
      %11 = "tosa.add"(%10, %10) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("add"("fx":3:0))
      %12 = "tensor.extract_slice"(%11, %5) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<4xf32>, index) -> tensor<?xf32> loc("store"("fx":5:0))
      "scf.forall.in_parallel"() ({
        "tensor.parallel_insert_slice"(%12, %b1, %b0, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, tensor<10xf32>, index, index) -> () loc("store"("fx":5:0))
      }) : () -> () loc("output"("fx":6:0))
    }) : (tensor<10xf32>) -> tensor<10xf32> loc("output"("fx":6:0))
    "func.return"(%2) : (tensor<10xf32>) -> () loc("output"("fx":6:0))
  }) : () -> () loc("x"("fx":0:0))
}) : () -> ()
)");
}

/// The sum of x + 1, tile by tile.
std::string sum() {
  const std::string body =
      placeholder("arg0_1", "1") +
      node("_new_var", kTracing + "_new_var", of("arg0_1"), tensor("1")) + host("x", "10") +
      symnode("block_size_1", "u1") + load("load", "x", of("block_size_1"), symbol("u1")) +
      node("add", "aten.add.Tensor", of("load") + R"(, {"const": 1})", tensor(symbol("u1"))) +
      node("_mask_to", kTracing + "_mask_to", of("add") + R"(, {"const": 0})",
           tensor(symbol("u1"))) +
      node("sum_1", "aten.sum.dim_IntList",
           of("_mask_to") + R"(, {"list": [{"const": 0}]}, {"const": true})", tensor("1")) +
      node("acc", "aten.add.Tensor", of("_new_var") + ", " + of("sum_1"), tensor("1"));
  const std::string root =
      node("acc", "helion.language.creation_ops.full",
           R"({"list": [{"const": 1}]}, {"const": 0.0}, {"dtype": "float32"}, {"const": null})",
           tensor("1")) +
      node("_for_loop", kTracing + "_for_loop",
           R"({"const": 1}, {"list": [{"const": 0}]}, {"list": [{"const": 10}]}, {"list": [)" +
               of("acc") + "]}",
           R"({"kind": "list", "elements": [)" + tensor("1") + "]}") +
      node("getitem", "_operator.getitem", of("_for_loop") + R"(, {"const": 0})", tensor("1")) +
      node("_phi", kTracing + "_phi", of("acc") + ", " + of("getitem"), tensor("1")) + kTile +
      host("out", "10") + store("out", of("block_size_0"), of("_phi"));
  return kernel(graph(0, root) + "," +
                graph(1, body, R"("block_ids": [1], )", R"({"list": [)" + of("acc") + "]}"));
}

TEST(Kernel, InnerLoopsCarryValuesAndMaskWhatIsBeyondTheEnd) {
  EXPECT_EQ(withoutLocations(textOf(sum(), {{"u0", 10}, {"u1", 4}})), R"("builtin.module"() ({
  "func.func"() <{function_type = (tensor<10xf32>) -> tensor<10xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<10xf32>):
    %0 = "tensor.empty"() : () -> tensor<10xf32>
    %1 = "arith.constant"() <{value = 10 : index}> : () -> index
    %2 = "scf.forall"(%0) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 10>, staticUpperBound = array<i64: 10>}> ({
    ^bb0(%b0: index, %b1: tensor<10xf32>):
      %3 = "arith.constant"() <{value = 0.0 : f32}> : () -> f32
      %4 = "tensor.empty"() : () -> tensor<1xf32>
      %5 = "linalg.fill"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%b2: f32, %b3: f32):
        "linalg.yield"(%b2) : (f32) -> ()
      }) : (f32, tensor<1xf32>) -> tensor<1xf32>
      %6 = "arith.constant"() <{value = 0 : index}> : () -> index
      %7 = "arith.constant"() <{value = 10 : index}> : () -> index
      %8 = "arith.constant"() <{value = 4 : index}> : () -> index
      %9 = "scf.for"(%6, %7, %8, %5) ({
      ^bb0(%b4: index, %b5: tensor<1xf32>):
        %10 = "arith.subi"(%7, %b4) : (index, index) -> index
        %11 = "arith.constant"() <{value = 4 : index}> : () -> index
        %12 = "arith.minsi"(%10, %11) : (index, index) -> index
        %13 = "tensor.extract_slice"(%arg0, %b4, %12) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<10xf32>, index, index) -> tensor<?xf32>
        %14 = "arith.constant"() <{value = 0.0 : f32}> : () -> f32
        %15 = "tensor.empty"() : () -> tensor<4xf32>
        %16 = "linalg.fill"(%14, %15) <{operandSegmentSizes = array<i32: 1, 1>}> ({
        ^bb0(%b6: f32, %b7: f32):
          "linalg.yield"(%b6) : (f32) -> ()
        }) : (f32, tensor<4xf32>) -> tensor<4xf32>
        %17 = "tensor.insert_slice"(%13, %16, %12) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, tensor<4xf32>, index) -> tensor<4xf32>
        %18 = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
        %19 = "tosa.add"(%17, %18) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
        %20 = "arith.constant"() <{value = 0.0 : f32}> : () -> f32
        %21 = "tensor.empty"() : () -> tensor<4xf32>
        %22 = "linalg.generic"(%19, %21) <{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
        ^bb0(%b8: f32, %b9: f32):
          %23 = "linalg.index"() <{dim = 0 : i64}> : () -> index
          %24 = "arith.cmpi"(%23, %12) <{predicate = 2 : i64}> : (index, index) -> i1
          %25 = "arith.select"(%24, %b8, %20) : (i1, f32, f32) -> f32
          "linalg.yield"(%25) : (f32) -> ()
        }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        %26 = "tosa.reduce_sum"(%22) <{axis = 0 : i32}> : (tensor<4xf32>) -> tensor<1xf32>
        %27 = "tosa.add"(%b5, %26) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
        "scf.yield"(%27) : (tensor<1xf32>) -> ()
      }) : (index, index, index, tensor<1xf32>) -> tensor<1xf32>
      %28 = "tensor.empty"() : () -> tensor<10xf32>
      %29 = "linalg.generic"(%9, %28) <{indexing_maps = [affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%b10: f32, %b11: f32):
        "linalg.yield"(%b10) : (f32) -> ()
      }) : (tensor<1xf32>, tensor<10xf32>) -> tensor<10xf32>
      "scf.forall.in_parallel"() ({
        "tensor.parallel_insert_slice"(%29, %b1, %b0) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 10>, static_strides = array<i64: 1>}> : (tensor<10xf32>, tensor<10xf32>, index) -> ()
      }) : () -> ()
    }) : (tensor<10xf32>) -> tensor<10xf32>
    "func.return"(%2) : (tensor<10xf32>) -> ()
  }) : () -> ()
}) : () -> ()
)");
}

TEST(Kernel, OfWholeTilesIsNeitherPaddedNorMasked) {
  const std::string text = textOf(sum(), {{"u0", 5}, {"u1", 5}});
  for (const char* padding : {"tensor.insert_slice", "arith.minsi", "arith.cmpi", "tensor<?"})
    EXPECT_EQ(text.find(padding), std::string::npos) << text;
}

TEST(Kernel, ThatReadsWhatItStoresIsASequentialLoop) {
  const std::string inPlace = host("x", "10") + kTile + load("load", "x", of("block_size_0"), kU0) +
                              node("add", "aten.add.Tensor", kAdd, tensor(kU0)) +
                              store("x", of("block_size_0"), of("add"));
  const std::string text = textOf(kernel(graph(0, inPlace)), {{"u0", 5}});
  EXPECT_NE(text.find("\"scf.for\""), std::string::npos) << text;
  EXPECT_EQ(text.find("scf.forall"), std::string::npos) << text;
}

TEST(Kernel, RefusesAtTheNodeWhatItDoesNotPutTogether) {
  const auto with = [](const std::string& indices, const std::string& more = "") {
    return kernel(graph(0, host("x", "10") + kTile + load("i", "x", of("block_size_0"), kU0) +
                               load("load", "x", indices, kU0) + more + host("out", "10") +
                               store("out", of("block_size_0"), of("load"))));
  };
  const std::string refused =
      "load: 'helion.language.memory_ops.load' is not supported in a kernel; ";
  EXPECT_EQ(findingsOf(with(of("i"))),
            refused + "it indexes 'x' by a tensor of integers that is not known\n");
  EXPECT_EQ(findingsOf(with(R"({"const": 10})")),
            refused + "index 10 is out of range for dimension 0 of 'x'\n");
  EXPECT_EQ(findingsOf(with(R"({"const": null})")),
            refused + "it has 0 indices, but 'x' has 1 dimensions\n");
  EXPECT_EQ(findingsOf(with(of("block_size_0") + ", " + of("block_size_0"))),
            refused + "it has more indices than 'x' has dimensions\n");
  EXPECT_EQ(findingsOf(with("")), refused + "it has 0 indices, but 'x' has 1 dimensions\n");
  EXPECT_EQ(
      findingsOf(with(R"({"slice": [{"const": 0}, {"const": 11}, {"const": null}]})")),
      refused +
          "it slices 'x' by something other than numbers within its size, with a step of 1\n");
  EXPECT_EQ(findingsOf(kernel(graph(0, kDouble), "1000000000000")),
            "load: 'helion.language.memory_ops.load' is not supported in a kernel; the loop over "
            "'u0' runs to 1000000000000, but dimension 0 of "
            "'x' has size 10\n"
            "store: 'helion.language.memory_ops.store' is not supported in a kernel; the loop over "
            "'u0' runs to 1000000000000, but dimension 0 "
            "of "
            "'out' has size 10\n");
  EXPECT_EQ(findingsOf(kernel(graph(0, kDouble), "null")),
            "output: the kernel's grid is not supported; the file does not say how far the grid "
            "runs over block 'u0'; capture the kernel with "
            "fxscope_capture.py\n");
}

TEST(Kernel, SizesOfTilesAreChecked) {
  const auto capture = read::readCapture(memorySource(kernel(graph(0, kDouble))), "k.json", {}, {});
  ASSERT_TRUE(capture);
  const auto message = [&](const BlockSizes& sizes) {
    const auto plan = planKernel(capture->program, capture->kernel, sizes, {});
    return plan ? std::string() : plan.error().message;
  };
  EXPECT_EQ(message({{"u0", 3}}), "");
  EXPECT_EQ(message({{"u0", -3}}),
            "a block size of -3 for 'u0' is out of range; choose one from 1 to 16777216");
  EXPECT_EQ(message({{"u7", 3}}), "the kernel has no block 'u7'; it has u0, u1");
}

}  // namespace
}  // namespace fxs::registry
