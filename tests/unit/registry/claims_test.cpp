// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs whose claims do not fit together: shapes that do not follow from one another, arguments
// beyond every size. No handler may compute with what is not there, and no text may hold a type
// that does not parse.
#include <random>

#include "fx/builder.h"
#include "lowered_text.h"
#include "ops/schema.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {

using test::coverage;

TEST(Claims, PaddingBeyondTheResultIsRefused) {
  DirectOptions options;
  options.fallbacks.clear();
  EXPECT_EQ(coverage(R"(x: f32[1, 3, 8, 8] = placeholder
w: f32[4, 3, 3, 3] = placeholder
convolution: f32[1, 4, 8, 8] = aten.convolution.default(x, w, None, [1, 1], [1, 4096], [1, 1], False, [0, 0], 1)
return convolution
)",
                     options),
            R"(convolution: refused Conv2dOp 1
  tosa: incompatible sizes: -4086 elements from 0 on are out of range for size 8
)");
}

TEST(Claims, ShapesThatDoNotFollowFromOneAnotherAreRefused) {
  EXPECT_EQ(coverage(R"(x: f32[2, 3, 4] = placeholder
f: f32[4] = placeholder
i: i64[5] = placeholder
m: f32[4, 4] = placeholder
big: f32[1099511627776] = placeholder
gather: f32[5] = aten.gather.default(x, 2, i)
arange: f32[] = aten.arange.start_step(0, 3, 1)
split: (f32[1], f32[1]) = aten.split.Tensor(big, 1)
select_scatter: f32[4, 4] = aten.select_scatter.default(m, f, 0, -9223372036854775808)
as_strided: f32[3, 3] = aten.as_strided.default(m, [3, 3], [9223372036854775807], 0)
diagonal: f32[4] = aten.diagonal.default(m, -9223372036854775808, 0, 1)
permute: f32[4] = aten.permute.default(x, [2])
pool: (f32[1, 3, 0], i64[1, 3, 2]) = aten.adaptive_max_pool1d.default(x, [0])
return gather
)"),
            R"(gather: refused GatherOp 1
  linalg: incompatible sizes: dimension 2 is out of range for rank 1
arange: lowered tosa ArangeStartStepOp 1
split: refused SplitOp 1
  linalg: the program records a different number of parts
select_scatter: refused SelectScatterOp 1
  linalg: index -9223372036854775808 is out of range for 4
as_strided: refused AsStridedOp 1
  linalg: its sizes overflow
diagonal: refused DiagonalOp 1
  linalg: its sizes overflow
permute: refused PermuteOp 1
  tosa: its handler returns (tensor<2x3x4xf32>), but the program records (tensor<4xf32>)
  linalg: incompatible sizes: dimension 2 is out of range for rank 1
pool: refused AdaptiveMaxPool1dOp 1
  tosa: incompatible sizes: there are no tensors to concatenate
)");
}

TEST(Claims, OperandsThatPyTorchDoesNotCombineAreRefused) {
  EXPECT_EQ(coverage(R"(x: f32[2, 3] = placeholder
y: f32[4] = placeholder
u: u16[2, 3] = placeholder
i: i8[2, 3] = placeholder
add: f32[2, 3] = aten.add.Tensor(x, y)
sum_1: f32[] = aten.sum.dim_IntList(x, [0, -2])
eq: b8[2, 3] = aten.eq.Tensor(u, i)
eq_1: b8[2, 3] = aten.eq.Tensor(x, (1.0+2.0j))
return add
)"),
            R"(add: refused AddOp 1
  tosa: incompatible sizes: [2, 3] and [1, 4] do not broadcast
  linalg: incompatible sizes: [2, 3] and [4] do not broadcast
sum_1: refused SumDimOp 1
  tosa, linalg: dimension 0 is repeated
eq: refused EqTensorOp 1
  tosa, linalg: PyTorch has no common type of uint16 and int8
eq_1: refused EqTensorOp 1
  tosa: TOSA does not support element type complex64
  linalg: elements of complex64 are not supported in arithmetic
)");
}

TEST(Claims, TensorsHaveAtMost64Dimensions) {
  std::string type;
  for (int i = 0; i < 65; ++i) type += i == 0 ? "1" : ", 1";
  EXPECT_EQ(coverage("x: f32[" + type + "] = placeholder\nrelu: f32[" + type +
                     "] = aten.relu.default(x)\nreturn relu\n"),
            R"(relu: refused ReluOp 1
  tosa: the program records 65 dimensions; a tensor has at most 64
)");
}

TEST(Claims, TextsOfOneNodeAreCountedBeforeTheyAreWritten) {
  // Each operand of what nothing lowers costs its type again.
  std::string parts;
  for (int i = 0; i < 1000; ++i) parts += i == 0 ? "x" : ", x";
  const auto program =
      fx::graphFrom("x: f32[2, 3] = placeholder\nmany: f32[2, 3] = my.op.default([" + parts +
                    "])\nreturn many\n");
  ASSERT_TRUE(program) << program.error().message;
  RunContext context;
  BudgetLimits limits;
  limits[Resource::Text] = 10'000;
  context.budget = std::make_shared<const Budget>(limits);
  try {
    (void)lowerByRegistries(**program, {}, context);
    FAIL() << "it was written";
  } catch (const Abandoned& abandoned) {
    EXPECT_EQ(abandoned.error.message,
              "node 'many': exceeds the limit of 10,000 bytes of text for one input; if you trust "
              "it, raise the limit with --limit text=..");
  }
}

/// Any argument that a schema's type allows, and some that it does not.
class Claimant {
 public:
  explicit Claimant(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  std::int64_t integer() {
    // clang-format off
    static constexpr std::array<std::int64_t, 18> kSome{0,    1,    2,     3,     4,         5,  7,  8, -1, -2, -3, 4096, 1 << 20, std::int64_t{1} << 40,
                                                        INT64_MAX, INT64_MIN, INT64_MIN + 1, std::int64_t{1} << 62};
    // clang-format on
    return kSome[below(below(3) == 0 ? kSome.size() : 11)];
  }
  fx::TensorMeta tensor() {
    fx::TensorMeta meta;
    static constexpr std::array kTypes{DType::Float32, DType::Float32, DType::Float32,
                                       DType::Int64,   DType::Bool,    DType::UInt8,
                                       DType::Float16, DType::Int32,   DType::Complex64};
    meta.dtype = kTypes[below(kTypes.size())];
    meta.kind = fx::TensorKind::Fake;
    meta.device.type = "cpu";
    static constexpr std::array<std::int64_t, 12> kSizes{
        0, 1, 1, 2, 2, 3, 4, 4, 8, 8, std::int64_t{1} << 20, std::int64_t{1} << 62};
    for (std::size_t rank = below(6); rank > 0; --rank)
      meta.sizes.emplace_back(kSizes[below(below(4) == 0 ? kSizes.size() : 10)]);
    meta.strides = fx::contiguousStrides(std::vector<fx::SymInt>(meta.sizes.size(), fx::SymInt(1)));
    return meta;
  }
  fx::Value value() {
    if (below(4) != 0) return tensor();
    fx::ValueList parts;
    for (std::size_t n = below(4); n > 0; --n) parts.emplace_back(tensor());
    return parts;
  }
  fx::Argument one(ops::TypeKind kind, std::span<const fx::NodeId> nodes) {
    switch (kind) {
      case ops::TypeKind::Tensor: return nodes[below(nodes.size())];
      case ops::TypeKind::Bool: return below(2) == 0;
      case ops::TypeKind::Str: return std::string(below(2) == 0 ? "floor" : "sum");
      case ops::TypeKind::Float:
        return std::array{0.0, 1.0, -1.0, 5e-324, 1e300, HUGE_VAL}[below(6)];
      case ops::TypeKind::Scalar:
        if (below(2) == 0) return std::array{0.0, 1.0, -1.0, 5e-324, 1e300, std::nan("")}[below(6)];
        [[fallthrough]];
      default: return integer();
    }
  }
  fx::Argument argument(const ops::SchemaType& type, std::span<const fx::NodeId> nodes) {
    if (type.optional && below(2) == 0) return fx::None{};
    if (!type.isList()) return one(type.kind, nodes);
    fx::ArgumentList items;
    for (std::size_t n = below(5); n > 0; --n) items.push_back(one(type.kind, nodes));
    return items;
  }

 private:
  std::mt19937 random_;
};

TEST(Claims, NoClaimOfAProgramBreaksAHandlerOrATypesText) {
  std::vector<std::string> targets;
  for (const std::string& name : ops::SchemaTable::builtin().names())
    if (!OpClasses::builtin().of(name).empty()) targets.push_back(name);
  ASSERT_GT(targets.size(), 200u);
  for (const std::string primary : {"tosa", "linalg"})
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
      Claimant claim(seed);
      fx::Builder builder;
      std::vector<fx::NodeId> nodes;
      for (int i = 0; i < 60; ++i) {
        nodes.push_back(builder.placeholder(builder.main(), "x", claim.tensor()));
        builder.program().inputs.push_back({fx::InputKind::UserInput, nodes.back(), "", true, {}});
      }
      const std::vector<fx::NodeId> inputs = nodes;
      for (int round = 0; round < 3; ++round)
        for (const std::string& target : targets) {
          std::vector<fx::NodeArgument> args;
          for (const ops::SchemaArgument& formal :
               ops::SchemaTable::builtin().find(target)->arguments)
            if (!formal.hasDefault() || claim.below(2) == 0)
              args.push_back(
                  {std::string(formal.name), claim.argument(formal.type, inputs), false});
          builder.call(builder.main(), "call", target, std::move(args), claim.value());
        }
      builder.output(builder.main(), {inputs.front()});
      builder.program().outputs.push_back({fx::OutputKind::UserOutput, inputs.front(), ""});
      const auto program = std::move(builder).finish();
      ASSERT_TRUE(program) << program.error().message;
      DirectOptions options;
      options.primary = primary;
      options.fallbacks.clear();
      const auto lowering = lowerByRegistries(**program, options, RunContext{});
      ASSERT_TRUE(lowering) << lowering.error().message;
      const std::string& text = (*lowering)->text;
      EXPECT_EQ(text.find("x-"), std::string::npos) << text.substr(text.find("x-") - 200, 400);
      EXPECT_EQ(text.find("tensor<-"), std::string::npos);
    }
}

}  // namespace
}  // namespace fxs::registry
