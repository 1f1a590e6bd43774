// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/attribute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fxs::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kEarlier = 0, kBefore = 1;

/// A module in which each operation's location `"e":N:0` names the operation N of an earlier
/// snapshot that it came from.
struct Snapshot {
  explicit Snapshot(std::string printed) : text(std::move(printed)), module(text) {}
  std::string text;
  mlir::Module module;
  /// The earlier operation N belongs to node N.
  std::vector<Origin> origins() const {
    std::vector<Origin> out(module.ops.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::string_view location = module.ops[i].location.of(module.text);
      if (!location.starts_with("\"e\":")) continue;
      const auto number = static_cast<std::uint32_t>(std::stoul(std::string(location.substr(4))));
      out[i] = {Link::Exact, {fx::NodeId{number}}, {{kEarlier, mlir::OpId{number}}}};
    }
    return out;
  }
  SnapshotOrigins stored() const {
    SnapshotOrigins out;
    for (const Origin& origin : origins()) {
      std::vector<mlir::OpId> from;
      for (const auto& [snapshot, op] : origin.from) from.push_back(op);
      out.add(origin.link, origin.nodes, from, 1);
    }
    out.setFrom(kEarlier);
    return out;
  }
};

Origin constantAfter(const Snapshot& before, const Snapshot& after) {
  std::vector<Origin> origins = after.origins();
  const SnapshotOrigins stored = before.stored();
  attributeToFolded(after.module, origins, {kBefore, before.module, stored});
  return origins[0];
}

constexpr std::string_view kAfter =
    "%k = \"tosa.const\"() : () -> f32 loc(unknown)\n"
    "%a = tosa.floor %k : f32 loc(\"e\":1:0)\n"
    "%b = tosa.add %a, %k : f32 loc(\"e\":2:0)\n"
    "%c = tosa.cast %b : f32 loc(\"e\":1:0)\n"
    "%d = tosa.sub %c, %k : f32 loc(\"e\":3:0)\n";

TEST(FoldedConstant, BelongsToTheNodesWhoseOperationsItReplaced) {
  // The cast came out under the location of another node, so that against the earlier snapshot its
  // own node looks folded.
  const Snapshot before(
      "%z = \"tosa.const\"() : () -> i32 loc(\"e\":9:0)\n"
      "%k1 = tosa.reshape %z : f32 loc(\"e\":1:0)\n"
      "%a = tosa.floor %k1 : f32 loc(\"e\":1:0)\n"
      "%k2 = tosa.reshape %z : f32 loc(\"e\":2:0)\n"
      "%b = tosa.add %a, %k2 : f32 loc(\"e\":2:0)\n"
      "%c = tosa.cast %b : f32 loc(\"e\":1:0)\n"
      "%k3 = tosa.reshape %z : f32 loc(\"e\":3:0)\n"
      "%d = tosa.sub %c, %k3 : f32 loc(\"e\":3:0)\n");
  const Origin constant = constantAfter(before, Snapshot(std::string(kAfter)));
  EXPECT_EQ(constant.link, Link::Exact);
  EXPECT_THAT(constant.nodes, ElementsAre(fx::NodeId{1}, fx::NodeId{2}, fx::NodeId{3}));
}

TEST(FoldedConstant, OfAnotherNodesOperationIsNotKnown) {
  const Snapshot before(
      "%k1 = tosa.reshape : f32 loc(\"e\":1:0)\n"
      "%a = tosa.floor %k1 : f32 loc(\"e\":1:0)\n"
      "%k2 = tosa.reciprocal %a : f32 loc(\"e\":7:0)\n"
      "%b = tosa.add %a, %k2 : f32 loc(\"e\":2:0)\n"
      "%c = tosa.cast %b : f32 loc(\"e\":1:0)\n"
      "%k3 = tosa.reshape : f32 loc(\"e\":3:0)\n"
      "%d = tosa.sub %c, %k3 : f32 loc(\"e\":3:0)\n");
  EXPECT_EQ(constantAfter(before, Snapshot(std::string(kAfter))).link, Link::None);
}

TEST(FoldedConstant, WhoseUserHasATwinIsNotKnown) {
  // Which of the two subtractions is left cannot be told.
  const Snapshot before(
      "%k1 = tosa.reshape : f32 loc(\"e\":1:0)\n"
      "%a = tosa.floor %k1 : f32 loc(\"e\":1:0)\n"
      "%k2 = tosa.reshape : f32 loc(\"e\":2:0)\n"
      "%b = tosa.add %a, %k2 : f32 loc(\"e\":2:0)\n"
      "%c = tosa.cast %b : f32 loc(\"e\":1:0)\n"
      "%k3 = tosa.reshape : f32 loc(\"e\":3:0)\n"
      "%d = tosa.sub %c, %k3 : f32 loc(\"e\":3:0)\n"
      "%e = tosa.sub %c, %b : f32 loc(\"e\":3:0)\n");
  const Origin constant = constantAfter(before, Snapshot(std::string(kAfter)));
  EXPECT_EQ(constant.link, Link::None);
  EXPECT_THAT(constant.nodes, IsEmpty());
}

}  // namespace
}  // namespace fxs::trace
