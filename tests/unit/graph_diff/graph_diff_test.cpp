// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph_diff/graph_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fx/text.h"

namespace fxs::graph_diff {
namespace {

using mlir::OpChange;
using testing::ElementsAre;
using testing::IsEmpty;

fx::ProgramPtr program(std::string_view text) {
  auto out = fx::graphFrom(text);
  EXPECT_TRUE(out) << (out ? "" : out.error().message);
  return out.value_or(nullptr);
}

/// "+ add", "- relu", "~ view: arguments, value" ..
std::vector<std::string> differences(std::string_view a, std::string_view b) {
  const fx::ProgramPtr before = program(a), after = program(b);
  const GraphDiff diff = graphDiff(*before, *after);
  std::vector<std::string> out;
  for (const SizeChange& size : diff.sizes)
    out.push_back("size " + size.size + ": " + size.a + " -> " + size.b);
  for (const NodePair& pair : diff.pairs) {
    if (pair.change == OpChange::Same) continue;
    if (!pair.b.valid()) {
      out.push_back("- " + before->node(pair.a).name);
      continue;
    }
    std::string line = after->node(pair.b).name;
    if (pair.change == OpChange::Added) {
      out.push_back("+ " + line);
      continue;
    }
    const Facts &factsA = diff.factsA[pair.a.index()], &factsB = diff.factsB[pair.b.index()];
    line += ":";
    if (factsA.target != factsB.target) line += " target";
    if (factsA.arguments != factsB.arguments) line += " arguments";
    if (factsA.value != factsB.value) line += " value";
    if (pair.otherOperands) line += " operands";
    const bool isMoved = pair.change == OpChange::Moved || pair.change == OpChange::MovedAndChanged;
    out.push_back((isMoved ? "> " : "~ ") + line);
  }
  return out;
}

constexpr std::string_view kDynamic = R"(graph():
    %p_w : f32[4, 4] [num_users=1] = placeholder[target=p_w] parameter 'l.weight'
    %x : f32[s0, 4] [num_users=1] = placeholder[target=x]
    %mm : f32[s0, 4] [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %p_w), kwargs = {})
    %relu : f32[s0, 4] [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%mm,), kwargs = {})
    return (relu,)

Range constraints: {s0: VR[2, 128]}
)";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(GraphDiff, NamesOfNodesAndSymbolsDoNotCount) {
  std::string other = replaced(std::string(kDynamic), "s0", "s77");
  other = replaced(replaced(other, "%mm", "%linear"), "relu", "activation");
  other = replaced(other, "aten.activation", "aten.relu");
  EXPECT_THAT(differences(kDynamic, other), IsEmpty());
}

TEST(GraphDiff, ARangeIsThatOfADimension) {
  EXPECT_THAT(differences(kDynamic, replaced(std::string(kDynamic), "VR[2, 128]", "VR[2, 64]")),
              ElementsAre("size x.size(0): 2..128 -> 2..64"));
}

TEST(GraphDiff, AStaticSizeChangesWhatHasIt) {
  std::string fixed = replaced(std::string(kDynamic), "f32[s0", "f32[8");
  fixed = fixed.substr(0, fixed.find("\nRange"));
  EXPECT_THAT(differences(kDynamic, fixed), ElementsAre("size x.size(0): 2..128 -> ", "~ x: value",
                                                        "~ mm: value", "~ relu: value"));
}

TEST(GraphDiff, NodesComeGoAndChange) {
  constexpr std::string_view kA = R"(x: f32[2, 4] = placeholder
y: f32[2, 4] = placeholder
add: f32[2, 4] = aten.add.Tensor(x, y, alpha=2)
relu: f32[2, 4] = aten.relu.default(add)
neg: f32[2, 4] = aten.neg.default(relu)
return neg)";
  EXPECT_THAT(differences(kA, replaced(std::string(kA), "alpha=2", "alpha=3")),
              ElementsAre("~ add: arguments"));
  EXPECT_THAT(differences(kA, replaced(std::string(kA), "add.Tensor(x, y", "add.Tensor(y, x")),
              ElementsAre("~ add: operands"));
  EXPECT_THAT(differences(kA, replaced(replaced(std::string(kA),
                                                "relu: f32[2, 4] = aten.relu.default(add)\n", ""),
                                       "(relu)", "(add)")),
              ElementsAre("- relu"));
  EXPECT_THAT(differences(kA, replaced(replaced(std::string(kA), "neg: ",
                                                "exp: f32[2, 4] = aten.exp.default(relu)\nneg: "),
                                       "neg.default(relu)", "neg.default(exp)")),
              ElementsAre("+ exp"));
  EXPECT_THAT(differences(kA, replaced(std::string(kA), "y: f32[2, 4] = placeholder",
                                       "y: f32[2, 4] = buffer \"b\"")),
              testing::Contains(testing::EndsWith(" y")));
}

TEST(GraphDiff, WeightsAreMatchedByTheirNamesInTheModel) {
  EXPECT_THAT(differences(kDynamic, replaced(std::string(kDynamic), "p_w", "p_weight")), IsEmpty());
  EXPECT_THAT(differences(kDynamic, replaced(std::string(kDynamic), "f32[4, 4]", "f64[4, 4]")),
              ElementsAre("~ p_w: value"));
}

TEST(GraphDiff, ADifferenceInASubgraphIsThere) {
  constexpr std::string_view kA = R"(graph():
    %p : bool[] [num_users=1] = placeholder[target=p]
    %x : f32[4] [num_users=1] = placeholder[target=x]
    %yes : [num_users=1] = get_attr[target=yes]
    %no : [num_users=1] = get_attr[target=no]
    %cond : (f32[4],) [num_users=1] = call_function[target=torch.ops.higher_order.cond](args = (%p, %yes, %no, [%x]), kwargs = {})
    %getitem : f32[4] [num_users=1] = call_function[target=operator.getitem](args = (%cond, 0), kwargs = {})
    return (getitem,)

graph yes():
    %a : f32[4] [num_users=1] = placeholder[target=a]
    %sin : f32[4] [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%a,), kwargs = {})
    return (sin,)

graph no():
    %b : f32[4] [num_users=1] = placeholder[target=b]
    %cos : f32[4] [num_users=1] = call_function[target=torch.ops.aten.cos.default](args = (%b,), kwargs = {})
    return (cos,)
)";
  EXPECT_THAT(differences(kA, kA), IsEmpty());
  EXPECT_THAT(differences(kA, replaced(replaced(std::string(kA), "%a", "%renamed"), "target=a]",
                                       "target=renamed]")),
              IsEmpty());
  const auto found = differences(kA, replaced(std::string(kA), "aten.cos", "aten.tan"));
  EXPECT_THAT(found, testing::Not(IsEmpty()));
  for (const std::string& each : found) EXPECT_THAT(each, testing::HasSubstr("cos"));
}

}  // namespace
}  // namespace fxs::graph_diff
