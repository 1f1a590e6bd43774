// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variant/located_edit.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "mlir/text/document.h"
#include "mlir/text/shown_text.h"
#include "mlir/text/without_locations.h"
#include "random_module.h"
#include "trace/origins.h"

namespace fxs::variant {
namespace {

constexpr std::string_view kOriginal = R"(#loc = loc("fx":0:0)
#loc1 = loc("x"(#loc))
module {
  func.func @main(%arg0: f32 loc("x"(#loc))) -> f32 {
    %0 = arith.constant 1.0 : f32 loc(unknown)
    %1 = arith.addf %arg0, %0 : f32 loc(#loc2)
    %2 = arith.mulf %1, %0 : f32 loc(#loc3)
    return %2 : f32 loc(#loc1)
  } loc(#loc1)
} loc(unknown)
#loc2 = loc("add"("fx":1:0))
#loc3 = loc(fused[#loc1, #loc2])
)";

TEST(LocatedEdit, ChangedOperationsKeepTheirLocationAndNewOnesHaveNone) {
  EXPECT_EQ(locatedEdit(kOriginal, R"(module {
  func.func @main(%a: f32) -> f32 {
    %one = arith.constant 1.0 : f32
    %neg = arith.negf %a : f32
    %sum = arith.addf %neg, %one : f32  // the sum
    %2 = arith.mulf %sum, %one : f32
    return %2 : f32
  }
}
)"),
            R"(module {
  func.func @main(%a: f32 loc("x"("fx":0:0))) -> f32 {
    %one = arith.constant 1.0 : f32 loc(unknown)
    %neg = arith.negf %a : f32 loc(unknown)
    %sum = arith.addf %neg, %one : f32 loc("add"("fx":1:0))  // the sum
    %2 = arith.mulf %sum, %one : f32 loc(fused["x"("fx":0:0), "add"("fx":1:0)])
    return %2 : f32 loc("x"("fx":0:0))
  } loc("x"("fx":0:0))
} loc(unknown)
)");
}

TEST(LocatedEdit, WhatTookThePlaceOfAnOperationHasItsLocation) {
  EXPECT_EQ(locatedEdit(kOriginal, R"(module {
  func.func @main(%arg0: f32) -> f32 {
    %0 = arith.constant 1.0 : f32
    %1 = math.atan2 %arg0, %0 : f32
    %2 = arith.mulf %1, %0 : f32
    return %2 : f32
  }
}
)"),
            R"(module {
  func.func @main(%arg0: f32 loc("x"("fx":0:0))) -> f32 {
    %0 = arith.constant 1.0 : f32 loc(unknown)
    %1 = math.atan2 %arg0, %0 : f32 loc("add"("fx":1:0))
    %2 = arith.mulf %1, %0 : f32 loc(fused["x"("fx":0:0), "add"("fx":1:0)])
    return %2 : f32 loc("x"("fx":0:0))
  } loc("x"("fx":0:0))
} loc(unknown)
)");
}

TEST(LocatedEdit, ATextWithLocationsIsReturnedAsItIs) {
  const std::string edited = "module {\n} loc(\"fx\":3:0)\n";
  EXPECT_EQ(locatedEdit(kOriginal, edited), edited);
}

TEST(LocatedEdit, LocationsThatLeadToNoNodeAreNotTheUsers) {
  EXPECT_EQ(locatedEdit("module {\n} loc(\"m\"(\"fx\":3:0))\n", "module {\n} loc(\"07\":3:0)\n"),
            "module {\n} loc(\"m\"(\"fx\":3:0))\n");
}

TEST(LocatedEdit, ElidedDataIsPutBack) {
  const std::string data(600, 'A'), other(600, 'B');
  const std::string original = "module {\n  %0 = d.c {v = \"" + data +
                               "\"} : i32 loc(\"fx\":1:0)\n  %1 = d.c {v = \"" + other +
                               "\"} : i32 loc(\"fx\":2:0)\n} loc(unknown)\n";
  std::string edited = mlir::shownText(original);
  EXPECT_EQ(edited.find(data), std::string::npos);
  EXPECT_EQ(locatedEdit(original, edited), original);
  EXPECT_EQ(completedEdit(original, edited), mlir::withoutLocations(original));
}

TEST(LocatedEdit, ElidedDataOfEqualSizeIsPutBackInOrderAndByName) {
  const std::string a(600, 'A'), b(600, 'B'), x = "0x04000000" + std::string(40, '1'),
                                              y = "0x04000000" + std::string(40, '2');
  const auto original = [&](bool swapped) {
    return "module {\n  d.c {v = \"" + a + "\", w = \"" + b +
           "\"} loc(\"fx\":1:0)\n} loc(unknown)\n" +
           "{-#\n  dialect_resources: {\n    builtin: {\n      " +
           (swapped ? "y: \"" + y + "\",\n      x: \"" + x : "x: \"" + x + "\",\n      y: \"" + y) +
           "\"\n    }\n  }\n#-}\n";
  };
  std::string edited = mlir::shownText(original(false));
  const std::string shownX = "x: \"0x…\" (20 bytes)", shownY = "y: \"0x…\" (20 bytes)";
  const std::size_t atX = edited.find(shownX), atY = edited.find(shownY);
  ASSERT_NE(atX, std::string::npos) << edited;
  ASSERT_NE(atY, std::string::npos) << edited;
  edited.replace(atX, 1, "y").replace(atY, 1, "x");
  EXPECT_EQ(locatedEdit(original(false), edited), original(true));
  EXPECT_EQ(locatedEdit("module {\n} loc(unknown)\n", "module {\n  d.c {v = \"a … b\"}\n}\n"),
            "module {\n  d.c {v = \"a … b\"} loc(unknown)\n} loc(unknown)\n");
}

/// "n = 7" of an operation's own attribute.
std::string keyOf(const mlir::Module& module, mlir::OpId op) {
  const std::string_view head = module.op(op).head.of(module.text);
  const std::size_t at = head.find("n = ");
  return at == std::string_view::npos ? ""
                                      : std::string(head.substr(at, head.find(' ', at + 4) - at));
}

/// A module in which about half of the operations are located, each at a node of its own.
std::string locatedAtRandom(const std::string& text, std::mt19937& random) {
  const mlir::Module module(text);
  std::map<std::size_t, std::string> added;
  for (std::size_t i = 0; i < module.ops.size(); ++i)
    if (random() % 2 == 0)
      added[module.ops[i].text.end] = " loc(\"fx\":" + std::to_string(i) + ":0)";
  std::string out = text;
  for (auto at = added.rbegin(); at != added.rend(); ++at) out.insert(at->first, at->second);
  return out;
}

/// Nodes by operation, and how they are known.
std::map<std::string, std::vector<fx::NodeId>> nodesOf(const std::string& text) {
  const mlir::Document document(text);
  const auto origins = trace::originsOf(document);
  std::map<std::string, std::vector<fx::NodeId>> out;
  for (std::size_t i = 0; i < document.module.ops.size(); ++i) {
    const mlir::OpId id = mlir::OpId::of(i);
    const auto nodes = origins->of(id).nodes;
    if (const std::string key = keyOf(document.module, id); !key.empty())
      out[key].assign(nodes.begin(), nodes.end());
  }
  return out;
}

/// Changes, removes or adds one operation. `key` is its own.
struct RandomEdit {
  std::string text, key;
};
RandomEdit editAtRandom(const std::string& shown, std::mt19937& random) {
  const mlir::Module module(shown);
  std::vector<mlir::OpId> all;
  for (std::size_t i = 0; i < module.ops.size(); ++i)
    if (!keyOf(module, mlir::OpId::of(i)).empty()) all.push_back(mlir::OpId::of(i));
  const mlir::OpId id = all[random() % all.size()];
  const mlir::Op& op = module.op(id);
  RandomEdit out{shown, keyOf(module, id)};
  const bool isUsed = [&] {
    for (std::uint32_t v = op.results.begin; v < op.results.end; ++v)
      if (!module.usesOf(mlir::ValueId::of(v)).empty()) return true;
    return false;
  }();
  switch (random() % 3) {
    case 0: out.text.insert(op.text.begin, "d.added {a = 1 : i32} : () -> ()\n"); break;
    case 1:
      if (!isUsed && module.regionsOf(id).empty()) {
        out.text.erase(op.text.begin, op.text.end - op.text.begin);
        break;
      }
      [[fallthrough]];
    default: out.text.insert(out.text.find(out.key, op.head.begin) + out.key.size(), "000"); break;
  }
  return out;
}

TEST(LocatedEdit, AnEditInOneOperationChangesTheOriginOfNoOther) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const std::string text =
        test::print(test::randomModule(seed, 60, true), {.seed = seed, .locations = false}).text;
    const std::string original = locatedAtRandom(text, random);
    const RandomEdit edit = editAtRandom(mlir::shownText(original), random);
    SCOPED_TRACE(std::to_string(seed) + "\n" + original + edit.text);
    const auto before = nodesOf(original), after = nodesOf(locatedEdit(original, edit.text));
    for (const auto& [key, nodes] : before) {
      if (key == edit.key || nodes.empty()) continue;
      const auto now = after.find(key);
      ASSERT_NE(now, after.end()) << key;
      EXPECT_EQ(now->second, nodes) << key;
    }
  }
}

TEST(LocatedEdit, AnUneditedTextGetsEveryLocationBack) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const std::string original = locatedAtRandom(
        test::print(test::randomModule(seed, 60, true), {.seed = seed, .locations = false}).text,
        random);
    const auto before = nodesOf(original);
    EXPECT_EQ(nodesOf(locatedEdit(original, mlir::shownText(original))), before) << original;
  }
}

}  // namespace
}  // namespace fxs::variant
