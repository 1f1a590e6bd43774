// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engines/side_by_side.h"

#include <gtest/gtest.h>

namespace fxs::engines {
namespace {

lower::Engine engineOf(std::string name, std::string sha256) {
  lower::Engine engine;
  engine.path = "/opt/" + name;
  engine.name = std::move(name);
  engine.sha256 = std::move(sha256);
  return engine;
}

/// A lowering of one stage with that text, and its origins.
struct Lowered {
  lower::Lowering lowering;
  std::vector<std::shared_ptr<const trace::SnapshotOrigins>> origins;
  explicit Lowered(std::string name, std::string text,
                   lower::StageStatus status = lower::StageStatus::Ok) {
    lowering.engine = engineOf(std::move(name), "aa");
    lower::StageResult& stage = lowering.stages.emplace_back();
    stage.id = "tosa";
    stage.status = status;
    stage.text = std::move(text);
  }
  Side side() const { return {lowering, origins}; }
};

std::string module(const std::string& op, const std::string& location) {
  return "module {\n  func.func @main(%arg0: f32) -> f32 {\n    %0 = \"" + op +
         "\"(%arg0) : (f32) -> f32" + location + "\n    return %0 : f32\n  }\n}\n";
}
const std::string kAtNode = " loc(\"relu\"(\"fx\":3:0))";

TEST(SideBySide, ANodeWhoseOperationsDifferIsNamed) {
  const Lowered a("one", module("tosa.a", kAtNode)), b("two", module("tosa.b", kAtNode));
  const auto changes = changesBetween(a.side(), b.side(), {});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].stage, "tosa");
  EXPECT_EQ(changes[0].unread + changes[0].unplaced, "");
  EXPECT_EQ(changes[0].added, 1u);
  EXPECT_EQ(changes[0].removed, 1u);
  ASSERT_EQ(changes[0].nodes.size(), 1u);
  EXPECT_EQ(changes[0].nodes[0].node.index(), 3u);
  EXPECT_EQ(changes[0].nodes[0].ops.text(), "tosa.a became tosa.b");
}

TEST(SideBySide, EqualTextsAndNamesAloneAreNoDifference) {
  const Lowered a("one", module("tosa.a", kAtNode));
  std::string renamed = module("tosa.a", kAtNode);
  for (std::size_t at; (at = renamed.find("%0")) != std::string::npos;)
    renamed.replace(at, 2, "%x");
  const Lowered b("two", renamed), failed("three", "", lower::StageStatus::Failed);
  EXPECT_TRUE(changesBetween(a.side(), a.side(), {}).empty());
  EXPECT_TRUE(changesBetween(a.side(), b.side(), {}).empty());
  EXPECT_TRUE(changesBetween(a.side(), failed.side(), {}).empty()) << "outcomes say that";
}

TEST(SideBySide, WhatCannotBeReadOrPlacedIsSaid) {
  const Lowered a("one", module("tosa.a", kAtNode)), prose("two", "all is well\n"),
      nowhere("three", module("tosa.b", ""));
  const auto unread = changesBetween(a.side(), prose.side(), {});
  ASSERT_EQ(unread.size(), 1u);
  EXPECT_EQ(unread[0].unread, "no operation can be read in the text of two");
  const auto unplaced = changesBetween(a.side(), nowhere.side(), {});
  ASSERT_EQ(unplaced.size(), 1u);
  EXPECT_EQ(unplaced[0].unplaced,
            "no operation in the text of three has a location that leads to a node");
  EXPECT_EQ(unplaced[0].added, 1u);
  EXPECT_TRUE(unplaced[0].nodes.empty());
}

TEST(SideBySide, EnginesOfOneChecksumAreTheFirstOfThem) {
  const auto same =
      repeated({engineOf("a", "1"), engineOf("b", "2"), engineOf("c", "1"), engineOf("d", "1")});
  EXPECT_EQ(same, (std::vector<std::optional<std::size_t>>{std::nullopt, std::nullopt, 0, 0}));
}

}  // namespace
}  // namespace fxs::engines
