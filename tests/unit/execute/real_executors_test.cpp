// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With the real executors, where ./run --numbers has installed them: what passes through them
// unchanged, and how programs end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/byte_source.h"
#include "base/scratch_directory.h"
#include "execute/executor.h"
#include "tensor/judge.h"

namespace fxs::execute {
namespace {

using tensor::Tensor;
using testing::HasSubstr;

class RealExecutors : public testing::Test {
 protected:
  RealExecutors() : directory_(*ScratchDirectory::make(testing::TempDir(), "tests")) {}
  void SetUp() override {
    Tools tools = findTools({FXS_SOURCE_DIR "/.cache/iree"}, "/usr/local/bin:/usr/bin");
    const char* engine = std::getenv("FXSCOPE_ENGINE");
    tools.engine = engine != nullptr ? engine : FXS_SOURCE_DIR "/.cache/engine/torch-mlir-opt";
    executors_ = executorsFor(tools, directory_.path(), runner_);
    if (!executors_.missing.empty()) GTEST_SKIP() << executors_.missing;
    if (!std::filesystem::exists(tools.engine))
      GTEST_SKIP() << "no engine: FXSCOPE_ENGINE names none and ./run has installed none";
  }
  static Argument argument(const Tensor& value) { return {value.dtype, value.sizes, value.bytes}; }
  /// Runs on every executor; each must give `expected`.
  void expectAll(const Call& call, const std::vector<Tensor>& expected) {
    for (const ExecutorPtr& executor : executors_.all) {
      if (!executor->refuses(call.text).empty()) continue;
      const auto out = executor->execute(call, {});
      ASSERT_TRUE(out.has_value()) << out.error().message;
      ASSERT_EQ(out->outcome, Outcome::Ran) << executor->id() << ": " << out->message;
      EXPECT_EQ(out->results, expected) << executor->id();
    }
  }

  ScratchDirectory directory_;
  PosixCommandRunner runner_;
  Executors executors_;
};

TEST_F(RealExecutors, EveryTypePassesUnchanged) {
  const std::vector<std::pair<DType, const char*>> types{
      {DType::Float32, "f32"}, {DType::Float64, "f64"},
      {DType::Float16, "f16"}, {DType::BFloat16, "bf16"},
      {DType::Int8, "i8"},     {DType::Int16, "i16"},
      {DType::Int32, "i32"},   {DType::Int64, "i64"},
      {DType::Bool, "i1"},     {DType::Complex64, "complex<f32>"}};
  Call call;
  std::vector<Tensor> expected;
  std::string parameters, results, values;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto& [dtype, name] = types[i];
    std::vector<double> elements{1, 0, 1, 0, 1, 1};
    if (isComplex(dtype)) elements.insert(elements.end(), {0, 1, 0, 0, -1, 2});
    expected.push_back(tensor::tensorFrom(dtype, {2, 3}, elements));
    call.arguments.push_back(argument(expected.back()));
    const std::string type = std::string("tensor<2x?x") + name + ">",
                      separator = i == 0 ? "" : ", ";
    parameters += separator + "%a" + std::to_string(i) + ": " + type;
    values += separator + "%a" + std::to_string(i);
    results += separator + type;
  }
  call.text = "module {\n  func.func @main(" + parameters + ") -> (" + results +
              ") {\n    return " + values + " : " + results + "\n  }\n}\n";
  expectAll(call, expected);
}

TEST_F(RealExecutors, NumbersAndTensorsWithoutElementsOrDimensions) {
  Call call;
  call.text = R"(module {
  func.func @main(%i: i64, %f: f64, %z: tensor<0x4xf32>, %s: tensor<f32>) -> (i64, tensor<?x4xf32>, tensor<f32>, f64, i1) {
    %0 = arith.addi %i, %i : i64
    %1 = arith.addf %f, %f : f64
    %2 = arith.addf %s, %s : tensor<f32>
    %3 = arith.cmpi sgt, %0, %i : i64
    %4 = tensor.cast %z : tensor<0x4xf32> to tensor<?x4xf32>
    return %0, %4, %2, %1, %3 : i64, tensor<?x4xf32>, tensor<f32>, f64, i1
  }
}
)";
  const std::int64_t large = (std::int64_t{1} << 55) + 1;
  call.arguments = {
      {DType::Int64, {}, std::string(reinterpret_cast<const char*>(&large), sizeof large)},
      argument(tensor::tensorFrom(DType::Float64, {}, {0.1})),
      argument(tensor::tensorFrom(DType::Float32, {0, 4}, {})),
      argument(tensor::tensorFrom(DType::Float32, {}, {1.5}))};
  const std::int64_t twice = 2 * large;
  expectAll(call,
            {{DType::Int64, {}, std::string(reinterpret_cast<const char*>(&twice), sizeof twice)},
             tensor::tensorFrom(DType::Float32, {0, 4}, {}),
             tensor::tensorFrom(DType::Float32, {}, {3}),
             tensor::tensorFrom(DType::Float64, {}, {0.2}),
             tensor::tensorFrom(DType::Bool, {}, {1})});
}

TEST_F(RealExecutors, EachRowOfAnAttentionHasItsOwnLargestScore) {
  const auto module = [](std::string_view type, std::string_view sizes) {
    const std::string tensor = "tensor<1x" + std::string(sizes) + "x1x" + std::string(type) + ">";
    return "module {\n  func.func @main(%q: " + tensor + ", %k: " + tensor + ", %v: " + tensor +
           ", %m: tensor<1x" + std::string(sizes) + "x" + std::string(sizes) + "x" +
           std::string(type) + ">, %o: " + tensor + ") -> " + tensor +
           " {\n    %0 = tm_tensor.attention ins(%q, %k, %v, %m : " + tensor + ", " + tensor +
           ", " + tensor + ", tensor<1x" + std::string(sizes) + "x" + std::string(sizes) + "x" +
           std::string(type) + ">) outs(%o : " + tensor + ") -> " + tensor +
           "\n    return %0 : " + tensor + "\n  }\n}\n";
  };
  for (const auto& [dtype, type] :
       {std::pair{DType::Float32, "f32"}, std::pair{DType::Float16, "f16"}})
    for (const char* sizes : {"2", "?"}) {
      Call call;
      call.text = module(type, sizes);
      const Tensor zeros = tensor::tensorFrom(dtype, {1, 2, 1}, {0, 0});
      // The scores of the second row are 1000 below those of the first; both choose the second
      // value.
      for (const auto& [shape, elements] :
           {std::pair{std::vector<std::int64_t>{1, 2, 1}, std::vector<double>{1, -1}},
            {{1, 2, 1}, {500, 500}},
            {{1, 2, 1}, {3, 7}},
            {{1, 2, 2}, {-200, 0, -200, 0}}})
        call.arguments.push_back(argument(tensor::tensorFrom(dtype, shape, elements)));
      call.arguments.push_back(argument(zeros));
      SCOPED_TRACE(std::string(type) + " " + sizes);
      for (const ExecutorPtr& executor : executors_.all) {
        if (executor->id() != "llvm" && *sizes == '?')
          continue;  // IREE takes attention of static sizes only
        const auto out = executor->execute(call, {});
        ASSERT_TRUE(out.has_value()) << out.error().message;
        ASSERT_EQ(out->outcome, Outcome::Ran) << executor->id() << ": " << out->message;
        EXPECT_EQ(out->results, std::vector<Tensor>{tensor::tensorFrom(dtype, {1, 2, 1}, {7, 7})})
            << executor->id();
      }
    }
}

TEST_F(RealExecutors, AnAttentionHasTheScaleAndTheMaskThatItNames) {
  Call call;
  call.text = R"(module {
  func.func @main(%q: tensor<1x2x4xf32>, %k: tensor<1x3x4xf32>, %v: tensor<1x3x4xf32>, %m: tensor<1x2x3xi1>) -> tensor<1x2x4xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x2x4xf32>
    %o = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %0 = tm_tensor.attention {scale = 1.000000e+00 : f64} ins(%q, %k, %v, %m : tensor<1x2x4xf32>, tensor<1x3x4xf32>, tensor<1x3x4xf32>, tensor<1x2x3xi1>) outs(%o : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    return %0 : tensor<1x2x4xf32>
  }
}
)";
  // The powers of a row's scores are 1, 2 and 4, or 1 and 4 where the second is not selected.
  const double two = std::log(2.0);
  call.arguments = {
      argument(tensor::tensorFrom(DType::Float32, {1, 2, 4}, {1, 0, 0, 0, 1, 0, 0, 0})),
      argument(tensor::tensorFrom(DType::Float32, {1, 3, 4},
                                  {0, 0, 0, 0, two, 0, 0, 0, 2 * two, 0, 0, 0})),
      argument(
          tensor::tensorFrom(DType::Float32, {1, 3, 4}, {7, 0, 0, 35, 7, 0, 0, 35, 0, 7, 0, 0})),
      argument(tensor::tensorFrom(DType::Bool, {1, 2, 3}, {1, 1, 1, 1, 0, 1}))};
  for (const ExecutorPtr& executor : executors_.all) {
    const auto out = executor->execute(call, {});
    ASSERT_TRUE(out.has_value()) << out.error().message;
    ASSERT_EQ(out->outcome, Outcome::Ran) << executor->id() << ": " << out->message;
    const Tensor expected =
        tensor::tensorFrom(DType::Float32, {1, 2, 4}, {3, 4, 0, 15, 1.4, 5.6, 0, 7});
    EXPECT_EQ(tensor::judge(out->results.front(), expected).verdict, tensor::Verdict::Same)
        << executor->id();
  }
  call.text.replace(call.text.find("{scale"), 6, "{scales");
  for (const ExecutorPtr& executor : executors_.all)
    if (executor->id() == "llvm") {
      const auto out = executor->execute(call, {});
      ASSERT_TRUE(out.has_value()) << out.error().message;
      EXPECT_EQ(out->outcome, Outcome::NotSupported);
      EXPECT_THAT(out->message,
                  testing::HasSubstr("attributes of tm_tensor.attention that are not known"));
    }
}

TEST_F(RealExecutors, AnAssertionOfTheTextThatFailsIsNamedWithItsNode) {
  const auto module = [](std::string_view second) {
    return R"(module {
  func.func @main(%x: f32) -> f32 {
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf one, %x, %zero : f32
    cf.assert %c, "tensor with zero element" loc(#loc1)
    )" + std::string(second) +
           R"(
    %r = arith.divf %x, %x : f32
    return %r : f32
  }
}
#loc1 = loc("reciprocal"("fx":4:0))
)";
  };
  for (const auto& [second, node] :
       {std::pair{"", fx::NodeId(4)},
        std::pair{"cf.assert %c, \"tensor with zero element\" loc(\"x\"(\"fx\":5:0))",
                  fx::NodeId()}}) {
    Call call;
    call.text = module(second);
    call.arguments = {argument(tensor::tensorFrom(DType::Float32, {}, {0}))};
    for (const ExecutorPtr& executor : executors_.all) {
      if (executor->id() != "llvm") continue;  // IREE does not check assertions
      const auto out = executor->execute(call, {});
      ASSERT_TRUE(out.has_value()) << out.error().message;
      EXPECT_EQ(out->outcome, Outcome::Crashed);
      EXPECT_EQ(out->message, "an assertion of the text fails: tensor with zero element");
      ASSERT_TRUE(out->failed.has_value());
      EXPECT_EQ(out->failed->node, node);
      EXPECT_FALSE(out->node.valid());
    }
  }
}

TEST_F(RealExecutors, ParallelLoopsRunInLlvm) {
  Call call;
  call.text = R"(module {
  func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
    %empty = tensor.empty() : tensor<5xf32>
    %0 = scf.forall (%i) = (0) to (5) step (1) shared_outs(%out = %empty) -> (tensor<5xf32>) {
      %slice = tensor.extract_slice %x[%i] [1] [1] : tensor<5xf32> to tensor<1xf32>
      %twice = arith.addf %slice, %slice : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %twice into %out[%i] [1] [1] : tensor<1xf32> into tensor<5xf32>
      }
    }
    return %0 : tensor<5xf32>
  }
}
)";
  call.arguments = {argument(tensor::tensorFrom(DType::Float32, {5}, {1, 2, 3, 4, 5}))};
  expectAll(call, {tensor::tensorFrom(DType::Float32, {5}, {2, 4, 6, 8, 10})});
  for (const ExecutorPtr& executor : executors_.all)
    EXPECT_EQ(executor->refuses(call.text),
              executor->id() == "iree" ? "IREE does not compile scf.forall" : "");
}

TEST_F(RealExecutors, WeightsComeFromAnyPlaceInAFile) {
  const Tensor weight = tensor::tensorFrom(DType::Float32, {2}, {10, 20});
  const std::string file = directory_.file("model");
  ASSERT_TRUE(writeWholeFile(file, "xyz" + weight.bytes + "..").has_value());
  Call call;
  call.resources = [&](std::string_view handle) -> Result<Argument> {
    EXPECT_EQ(handle, "w");
    return Argument{DType::Float32, {2}, StoredBytes{file, 3, 8}};
  };
  call.arguments = {argument(tensor::tensorFrom(DType::Float32, {2}, {1, 2}))};
  for (const char* constant :
       {"arith.constant dense_resource<w> : tensor<2xf32>",
        "stablehlo.constant dense_resource<w> : tensor<2xf32>",
        "\"tosa.const\"() <{values = dense_resource<w> : tensor<2xf32>}> : () -> tensor<2xf32>"}) {
    const std::string add =
        constant[0] == 'a'   ? "arith.addf %x, %w : tensor<2xf32>"
        : constant[0] == 's' ? "stablehlo.add %x, %w : tensor<2xf32>"
                             : "tosa.add %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>";
    call.text = "module {\n  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n    %w = " +
                std::string(constant) + "\n    %0 = " + add +
                "\n    return %0 : tensor<2xf32>\n  }\n}\n";
    expectAll(call, {tensor::tensorFrom(DType::Float32, {2}, {11, 22})});
  }
}

TEST_F(RealExecutors, StableHloOfUnsignedIntegersRuns) {
  Call call;
  call.text = R"(module {
  func.func @main(%x: tensor<3xui8>) -> tensor<3xui8> {
    %0 = stablehlo.add %x, %x : tensor<3xui8>
    return %0 : tensor<3xui8>
  }
}
)";
  call.arguments = {argument(tensor::tensorFrom(DType::UInt8, {3}, {1, 100, 200}))};
  for (const ExecutorPtr& executor : executors_.all) {
    const auto out = executor->execute(call, {});
    ASSERT_TRUE(out.has_value()) << out.error().message;
    ASSERT_EQ(out->outcome, Outcome::Ran) << executor->id() << ": " << out->message;
    EXPECT_EQ(out->results.at(0).bytes, tensor::tensorFrom(DType::UInt8, {3}, {2, 200, 144}).bytes)
        << executor->id();
  }
}

TEST_F(RealExecutors, ASizeThatTheTextFixedFailsItsCheck) {
  Call call;
  call.text = R"(module {
  func.func @main(%x: tensor<?xf32>) -> tensor<1xf32> {
    %0 = tensor.cast %x : tensor<?xf32> to tensor<1xf32> loc("bmm"("fx":12:0))
    %1 = arith.addf %0, %0 : tensor<1xf32> loc("add"("fx":13:0))
    return %1 : tensor<1xf32>
  }
}
)";
  call.checks = true;
  call.arguments = {argument(tensor::tensorFrom(DType::Float32, {2}, {1, 2}))};
  const auto out = executors_.all.back()->execute(call, {});
  ASSERT_TRUE(out.has_value()) << out.error().message;
  EXPECT_EQ(out->outcome, Outcome::Crashed);
  EXPECT_EQ(out->node, fx::NodeId(12)) << out->message;
  EXPECT_THAT(out->message, HasSubstr("size mismatch of dim 0"));
}

TEST_F(RealExecutors, WhatDoesNotEndAndWhatIsRefused) {
  Call call;
  call.text = R"(module {
  func.func @main(%x: i64) -> i64 {
    %c0 = arith.constant 0 : i64
    %0 = scf.while (%a = %x) : (i64) -> i64 {
      %1 = arith.cmpi ne, %a, %c0 : i64
      scf.condition(%1) %a : i64
    } do {
    ^bb0(%b: i64):
      %2 = arith.muli %b, %b : i64
      scf.yield %2 : i64
    }
    return %0 : i64
  }
}
)";
  call.arguments = {argument(tensor::tensorFrom(DType::Int64, {}, {1}))};
  call.limits.runTime = std::chrono::milliseconds(300);
  for (const ExecutorPtr& executor : executors_.all) {
    const auto out = executor->execute(call, {});
    ASSERT_TRUE(out.has_value()) << out.error().message;
    EXPECT_EQ(out->outcome, Outcome::TimedOut) << executor->id() << ": " << out->message;
  }
  call.text =
      "module {\n  func.func @main(%x: i64) -> i64 {\n    %0 = no.such %x : i64 "
      "loc(\"n\"(\"fx\":3:0))\n    return %0 : i64\n  }\n}\n";
  for (const ExecutorPtr& executor : executors_.all) {
    const auto out = executor->execute(call, {});
    ASSERT_TRUE(out.has_value()) << out.error().message;
    EXPECT_EQ(out->outcome, Outcome::NotSupported);
    EXPECT_THAT(out->message, HasSubstr("no.such"));
  }
}

}  // namespace
}  // namespace fxs::execute
