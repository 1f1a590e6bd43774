// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dump(graphFrom(dump(p))) == dump(p): over the samples' programs and over made-up ones.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "fx/builder.h"
#include "fx/text.h"
#include "read/read.h"

namespace fxs::fx {
namespace {

void expectRoundTrip(const Program& program, const std::string& message) {
  const std::string text = dump(program);
  Result<ProgramPtr> again = graphFrom(text);
  ASSERT_TRUE(again) << message << ": " << again.error().message;
  EXPECT_EQ(dump(**again), text) << message;
}

TEST(RoundTrip, SamplesReadBackTheSame) {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(FXS_SOURCE_DIR "/samples")) {
    if (entry.path().extension() != ".pt2") continue;
    Result<read::Capture> capture = read::openCapture(entry.path().string(), {}, {});
    ASSERT_TRUE(capture) << capture.error().message;
    expectRoundTrip(*capture->program, entry.path().filename().string());
    ++count;
  }
  EXPECT_GE(count, 6u);
}

/// A program of random nodes, arguments and values; the same seed makes the same program.
class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  Result<ProgramPtr> make() {
    Builder b;
    fill(b, b.main(), 0);
    return std::move(b).finish();
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void fill(Builder& b, GraphId graph, int depth) {
    std::vector<NodeId> nodes;
    for (int i = 1 + below(3); i-- > 0;) {
      nodes.push_back(b.placeholder(graph, word(), value(0)));
      if (graph == b.main()) {
        InputSpec spec{static_cast<InputKind>(below(7)), nodes.back(), below(2) ? word() : "", true,
                       None{}};
        spec.persistent = spec.kind != InputKind::Buffer || below(2);
        if (spec.kind == InputKind::ConstantInput) spec.constant = constant();
        b.program().inputs.push_back(spec);
      }
    }
    for (int i = below(12); i-- > 0;) {
      if (depth < 2 && below(8) == 0) {
        NodeId holder;
        fill(b, b.addSubgraph(graph, word(), &holder), depth + 1);
        nodes.push_back(holder);
        continue;
      }
      std::vector<NodeArgument> args;
      for (int n = below(4); n-- > 0;) args.push_back({"", argument(nodes, 0), false});
      for (int n = below(3); n-- > 0;)
        args.push_back({"k" + std::to_string(n) + word(), argument(nodes, 0), true});
      nodes.push_back(b.call(graph, word(), below(2) ? "mylib.op.default" : "torch.sym_max",
                             std::move(args), value(0)));
    }
    ArgumentList results;
    for (int n = below(3); n-- > 0;)
      results.push_back(nodes[static_cast<std::size_t>(below(static_cast<int>(nodes.size())))]);
    if (graph == b.main()) {
      for (const Argument& r : results)
        b.program().outputs.push_back(
            {static_cast<OutputKind>(below(8)), r, below(2) ? word() : ""});
    } else {
      b.graph(graph).isSingleTensorReturn = results.size() == 1 && below(2);
    }
    b.output(graph, std::move(results));
  }

  std::string word() {
    static constexpr const char* kWords[] = {"x",        "linear_1", "None", "a b",      "it's",
                                             "\"q\"",    "torch",    "cpu",  "w.weight", "n\n",
                                             "\xc3\xa9", "return",   "inf"};
    return kWords[below(13)];
  }
  SymInt size() {
    const SymInt s(SymExpr::symbol("s0")), u(SymExpr::symbol("u1"));
    switch (below(6)) {
      case 0: return s;
      case 1: return s * SymInt(2) + u - SymInt(1);
      case 2:
        return SymInt(SymExpr::call("FloorDiv", {(s + SymInt(3)).expr(), SymExpr::integerOf(2)}));
      case 3: return SymInt(SymExpr::call("Max", {SymExpr::integerOf(1), (u * s).expr()}));
      default: return SymInt(below(5));
    }
  }
  Value value(int depth) {
    switch (below(depth < 2 ? 8 : 7)) {
      case 0: return Unknown{};
      case 1: return NoneValue{};
      case 2:
        return SymValue{
            static_cast<SymKind>(below(2)), (SymInt(SymExpr::symbol("s0")) + SymInt(1)).expr(), {}};
      case 3: return SymValue{SymKind::Float, nullptr, 0.1};
      case 4: return below(2) ? Value(Token{}) : Value(CustomObject{word()});
      case 7: {
        ValueList items;
        for (int n = below(3); n-- > 0;) items.push_back(value(depth + 1));
        return items;
      }
      default: break;
    }
    TensorMeta t;
    t.dtype = static_cast<DType>(below(22));
    for (int n = below(4); n-- > 0;) t.sizes.push_back(size());
    t.strides = contiguousStrides(t.sizes);
    if (below(3) == 0)
      for (SymInt& stride : t.strides) stride = size();
    if (below(4) == 0) t.storageOffset = size();
    t.device.type = below(4) ? "cpu" : word();
    if (below(8) == 0) t.device.index = below(3);
    t.layout = below(9) ? Layout::Strided : Layout::SparseCsr;
    return t;
  }
  Argument constant() {
    static constexpr double kReals[] = {
        0.0,   -0.0, 0.1, 1e-5, 1e16, 123456789.0, 1e300, std::numeric_limits<double>::infinity(),
        5e-324};
    switch (below(11)) {
      case 0: return below(2) == 0;
      case 1: return std::int64_t{below(9) - 4};
      case 2: return std::numeric_limits<std::int64_t>::min();
      case 3: return kReals[below(9)];
      case 4: return std::complex<double>(kReals[below(9)], kReals[below(9)]);
      case 5: return word();
      case 6: return static_cast<DType>(below(22));
      case 7:
        return below(2) ? Argument(static_cast<Layout>(below(7)))
                        : Argument(static_cast<MemoryFormat>(below(4)));
      case 8: return Device{word(), below(2) ? std::optional<int>(below(3)) : std::nullopt};
      case 9: return OperatorName{below(2) ? "aten.add_.Tensor" : word()};
      default: return None{};
    }
  }
  Argument argument(const std::vector<NodeId>& nodes, int depth) {
    const int kind = below(depth < 3 ? 6 : 4);
    if (kind < 2) return nodes[static_cast<std::size_t>(below(static_cast<int>(nodes.size())))];
    if (kind < 4) return constant();
    if (kind == 4) {
      ArgumentList items;
      for (int n = below(4); n-- > 0;) items.push_back(argument(nodes, depth + 1));
      return items;
    }
    ArgumentDict entries;
    for (int n = below(3); n-- > 0;) entries.emplace_back(word(), argument(nodes, depth + 1));
    return entries;
  }

  std::mt19937 random_;
};

TEST(RoundTrip, MadeUpProgramsReadBackTheSame) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Result<ProgramPtr> program = RandomProgram(seed).make();
    ASSERT_TRUE(program) << program.error().message;
    expectRoundTrip(**program, "seed " + std::to_string(seed));
    if (testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace fxs::fx
