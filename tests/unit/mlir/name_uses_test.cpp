// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/name_uses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace fxs::mlir {
namespace {

/// The text with `~` around the definitions of the name at the offset and "`" around its uses;
/// "none" if there is no name.
std::string marked(const std::string& text, std::size_t offset) {
  const Module module(text);
  const auto found = nameUsesAt(module, offset);
  if (!found) return "none";
  std::vector<std::pair<std::size_t, char>> marks;
  for (const TextRange range : found->definitions)
    marks.insert(marks.end(), {{range.begin, '~'}, {range.end, '~'}});
  for (const TextRange range : found->uses)
    marks.insert(marks.end(), {{range.begin, '`'}, {range.end, '`'}});
  std::sort(marks.rbegin(), marks.rend());
  std::string out = text;
  for (const auto& [at, mark] : marks) out.insert(at, 1, mark);
  return out;
}

/// What is marked is found from each of its places.
void expectFromEach(const std::string& expected) {
  std::string text;
  std::vector<std::size_t> places;
  bool inside = false;
  for (const char c : expected) {
    if (c != '~' && c != '`') text += c;
    else if (std::exchange(inside, !inside) == false) places.push_back(text.size());
  }
  ASSERT_FALSE(places.empty());
  for (const std::size_t place : places) EXPECT_EQ(marked(text, place), expected);
}

TEST(NameUses, OfAValue) {
  expectFromEach(R"(func.func @f(%a: i1, ~%b~: i1) -> i1 {
  %0 = x.y `%b`, %a : i1
  "x.r"(%0) ({
  ^bb0(%c: i1):
    x.z %c, `%b` : i1
  }) : (i1) -> ()
  return `%b` : i1
}
func.func @g(%b: i1) {
  return
}
)");
  expectFromEach("~%0~ = a.b : i1\n%1 = a.b `%0`, `%0` : i1\na.c %1 // %0\n");
  expectFromEach("scf.for ~%i~ = %a to %b {\n  x.y `%i`\n}\nx.y %i\n");
}

TEST(NameUses, OfOneResultAndOfAllOfThem) {
  const std::string text = "%0:2 = a.b : i1, i1\na.c %0#0, %0#1\n";
  EXPECT_EQ(marked(text, 0), "~%0~:2 = a.b : i1, i1\na.c `%0#0`, `%0#1`\n");
  EXPECT_EQ(marked(text, text.find("#1")), "~%0~:2 = a.b : i1, i1\na.c %0#0, `%0#1`\n");
}

TEST(NameUses, OfABlock) {
  expectFromEach(R"(func.func @f(%a: i1) {
  cf.cond_br %a, `^bb1`(%a : i1), ^bb2
~^bb1~(%b: i1):  // pred: ^bb0
  cf.br `^bb1`(%b : i1)
^bb2:
  return
}
func.func @g() {
  cf.br ^bb1
^bb1:
  return
}
)");
}

TEST(NameUses, OfAFunction) {
  expectFromEach(R"(module {
  func.func private ~@f~(i1)
  func.func @main(%a: i1) {
    call `@f`(%a) : (i1) -> ()
    %0 = constant `@f` : (i1) -> ()
    x.y "@f", @ff {callee = `@f`} : !x.t<`@f`>
    return
  }
}
module @f {
}
)");
}

TEST(NameUses, OfASymbolInAnother) {
  expectFromEach(R"(gpu.module @k {
  gpu.func ~@f~() kernel {
    gpu.return
  }
  gpu.func @g() {
    func.call `@f`() : () -> ()
    gpu.return
  }
}
func.func @f() {
  gpu.launch_func @k::`@f` blocks in (%a)
  x.y @l::@f, @f
  return
}
)");
  const std::string text = "gpu.module @k {\n}\nx.y @k::@f, @k\n";
  EXPECT_EQ(marked(text, text.find("@k:")), "gpu.module ~@k~ {\n}\nx.y `@k`::@f, `@k`\n");
}

TEST(NameUses, OfASymbolThatIsNotDefined) {
  expectFromEach("x.y `@f`, @k::@f\nx.y @g, `@f`\n");
  expectFromEach("x.y @f, @k::`@f`\nx.z @k::`@f`, @l::@f\n");
}

TEST(NameUses, OfSymbolsOfAllForms) {
  expectFromEach(R"(memref.global "private" constant ~@w~ : memref<2xf32> = dense<0.0>
func.func @f() {
  %0 = memref.get_global `@w` : memref<2xf32>
  return
}
)");
  expectFromEach("llvm.mlir.global internal constant ~@\"a b\"~(1 : i32)\nx.y `@\"a b\"`\n");
  expectFromEach(
      "\"func.func\"() <{sym_name = \"~f~\"}> ({\n}) : () -> ()\n"
      "\"x.y\"() {f = `@f`} : () -> ()\n");
  // A call has no results either.
  expectFromEach(R"(func.func private ~@f~()
func.func @g() {
  call `@f`() : () -> ()
  return
}
)");
}

TEST(NameUses, OfAnAlias) {
  expectFromEach(R"(~#map~ = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (0)>
!t = tensor<4xf32, `#map`>
%0 = x.y {m = [`#map`, #map1, #map.x], s = "#map"} : !t
)");
  expectFromEach("~!t~ = tensor<4xf32>\nx.y : `!t`, !t.x, (`!t`) -> vector<2x`!t`>\n");
  expectFromEach("x.y loc(`#loc1`)\n~#loc1~ = loc(\"a\"(#loc))\n#loc2 = loc(fused[`#loc1`])\n");
}

TEST(NameUses, AreOfNamesOnly) {
  const std::string text = "x.y \"@f\" // %a @f\nx.y #x.a<1>, !x.t, %none {f = 2}\n";
  for (const char* word : {"x.y", "\"", "@f", "%a", "#x", "!x", "%none", "f =", "\n"})
    EXPECT_EQ(marked(text, text.find(word)), "none") << word;
  EXPECT_EQ(marked(text, text.size()), "none");
  EXPECT_EQ(marked("", 0), "none");
}

}  // namespace
}  // namespace fxs::mlir
