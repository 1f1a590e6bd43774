// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph_diff/graph_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fx/text.h"
#include "graph_diff/size_names.h"

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

constexpr std::string_view kSizes = R"(graph():
    %x : f32[s0, s1] [num_users=1] = placeholder[target=x]
    %y : f32[s1 + 1, 2*s2] [num_users=1] = placeholder[target=y]
    %n : Sym(s3) [num_users=1] = placeholder[target=n]
    %cat : f32[s0*s1 + 2*s2 - s3, Max(s0, s1)] [num_users=1] = call_function[target=torch.ops.aten.cat.default](args = ([%x, %y],), kwargs = {})
    %view : f32[s0, s1] stride=[4*s0*s1, 1] offset=(s0*s1 + s1) [num_users=1] = call_function[target=torch.ops.aten.view.default](args = (%cat, [%n]), kwargs = {})
    %nonzero : i64[u0, 2] [num_users=1] = call_function[target=torch.ops.aten.nonzero.default](args = (%x,), kwargs = {})
    %nonzero_1 : i64[u1, 2] [num_users=1] = call_function[target=torch.ops.aten.nonzero.default](args = (%y,), kwargs = {})
    %item : Sym(u2) [num_users=1] = call_function[target=torch.ops.aten.item.default](args = (%nonzero,), kwargs = {})
    %add : Sym(s3 + u2) [num_users=1] = call_function[target=operator.add](args = (%n, %item), kwargs = {})
    return (view,)

Range constraints: {s0: VR[2, 128], s1: VR[2, 8], s3: VR[0, 7], u0: VR[0, 12], u2: VR[2, 50]}
)";

/// The sizes in which programs differ.
std::vector<std::string> sizesOf(std::string_view a, std::string_view b) {
  std::vector<std::string> out;
  for (const std::string& each : differences(a, b))
    if (each.starts_with("size ")) out.push_back(each);
  return out;
}

TEST(GraphDiff, NamesAndOrderOfSymbolsDoNotCount) {
  // With names in the opposite order, PyTorch prints sums and products in another order.
  std::string other(kSizes);
  for (const auto& [from, to] :
       {std::pair("s0*s1 + 2*s2 - s3", "-s6 + 2*s7 + s8*s9"),
        std::pair("Max(s0, s1)", "Max(s8, s9)"), std::pair("4*s0*s1", "4*s8*s9"),
        std::pair("s0*s1 + s1", "s8*s9 + s8"), std::pair("s3 + u2", "u7 + s6"),
        std::pair("s0", "s9"), std::pair("s1", "s8"), std::pair("s2", "s7"), std::pair("s3", "s6"),
        std::pair("u0", "u9"), std::pair("u1", "u8"), std::pair("u2", "u7")})
    other = replaced(std::move(other), from, to);
  EXPECT_THAT(differences(kSizes, other), IsEmpty());
  EXPECT_THAT(differences(kSizes, replaced(std::string(kSizes), "s0*s1 + 2*s2", "s0*s1 + 3*s2")),
              ElementsAre("~ cat: value"));
  EXPECT_THAT(differences(kSizes, replaced(std::string(kSizes), "Max(s0, s1)", "Min(s0, s1)")),
              ElementsAre("~ cat: value"));
}

TEST(GraphDiff, ASizeIsNamedByWhatHasItFirst) {
  const std::string none(kSizes.substr(0, kSizes.find("\nRange")));
  EXPECT_THAT(
      sizesOf(kSizes, none),
      ElementsAre("size aten.item: 2..50 -> ", "size aten.nonzero.size(0): 0..12 -> ",
                  "size n: 0..7 -> ", "size x.size(0): 2..128 -> ", "size x.size(1): 2..8 -> "));
  EXPECT_THAT(sizesOf(kSizes, none + "\nRange constraints: {s2: VR[2, 3], u1: VR[0, 4]}\n"),
              testing::IsSupersetOf(
                  {"size aten.nonzero#2.size(0):  -> 0..4", "size symbol(y.size(1)):  -> 2..3"}));
}

TEST(GraphDiff, ASymbolThatNoValueHasIsNoSize) {
  EXPECT_THAT(differences(kSizes, replaced(std::string(kSizes), "u2: VR", "u7: VR[0, 3], u2: VR")),
              IsEmpty());
}

TEST(GraphDiff, ASizeThatIsComputedIsNamed) {
  const SizeNames names(*program(kSizes));
  EXPECT_EQ(names.renamed("s1 + 1"), "x.size(1) + 1");
  EXPECT_EQ(names.renamed("(s1*s0)//2 + u1"),
            "aten.nonzero#2.size(0) + (((x.size(0)*x.size(1))//2))");
  EXPECT_EQ(names.renamed("u9 + s0"), "");
  EXPECT_EQ(names.renamed("no expression"), "");
}

TEST(GraphDiff, ACallIsThatOfTheSameArgumentsWhateverItsResultIs) {
  constexpr std::string_view kStatic = R"(x: f32[2, 6] = placeholder
split: (f32[2, 2], f32[2, 2], f32[2, 2]) = aten.split.Tensor(x, 2, 1)
a: f32[2, 2] = getitem(split, 0)
b: f32[2, 2] = getitem(split, 1)
c: f32[2, 2] = getitem(split, 2)
mul: f32[2, 2] = aten.mul.Tensor(a, b)
mul_1: f32[2, 2] = aten.mul.Tensor(mul, c)
mul_2: f32[2, 2] = aten.mul.Tensor(mul_1, a)
select: f32[2] = aten.select.int(mul_2, 1, 0)
select_1: f32[2] = aten.select.int(mul_2, 1, 1)
add: f32[2] = aten.add.Tensor(select, select_1)
return add)";
  const std::string dynamic = replaced(std::string(kStatic), "f32[2", "f32[s0");
  const auto changed = [](std::initializer_list<const char*> names) {
    std::vector<std::string> out;
    for (const char* name : names) out.push_back(std::string("~ ") + name + ": value");
    return out;
  };
  EXPECT_EQ(differences(kStatic, dynamic), changed({"x", "split", "a", "b", "c", "mul", "mul_1",
                                                    "mul_2", "select", "select_1", "add"}));
  // With a node that is not in the other.
  const std::string longer =
      replaced(replaced(dynamic, "mul_2: ", "neg: f32[s0, 2] = aten.neg.default(c)\nmul_2: "),
               "(mul_1, a)", "(neg, a)");
  auto expected =
      changed({"x", "split", "a", "b", "c", "mul", "mul_1", "mul_2", "select", "select_1", "add"});
  expected.insert(expected.begin() + 7, "+ neg");
  EXPECT_EQ(differences(kStatic, longer), expected);
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

TEST(GraphDiff, ACallThatReadsAnotherNodeIsNotRemovedAndAdded) {
  constexpr std::string_view kA = R"(x: f32[2, 4] = placeholder
y: f32[2, 4] = placeholder
a: f32[2] = aten.select.int(x, 1, 0)
b: f32[2] = aten.select.int(y, 1, 1)
add: f32[2] = aten.add.Tensor(a, b)
return add)";
  constexpr std::string_view kB = R"(x: f32[2, 4] = placeholder
y: f32[2, 4] = placeholder
b: f32[2] = aten.select.int(x, 1, 1)
a: f32[2] = aten.select.int(y, 1, 0)
add: f32[2] = aten.add.Tensor(a, b)
return add)";
  const std::vector<std::string> found = differences(kA, kB);
  EXPECT_THAT(found, testing::UnorderedElementsAre(testing::EndsWith(" a: operands"),
                                                   testing::EndsWith(" b: operands")));
}

TEST(GraphDiff, WhetherABufferIsSavedCounts) {
  const std::string saved = replaced(std::string(kDynamic), "parameter 'l.weight'", "buffer 'b'");
  EXPECT_THAT(differences(saved, saved), IsEmpty());
  EXPECT_THAT(differences(saved, replaced(saved, "buffer 'b'", "buffer 'b' non_persistent")),
              testing::Contains(testing::HasSubstr("p_w")));
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
