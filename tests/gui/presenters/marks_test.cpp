// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The marks that features set on nodes, put together.
#include "session/marks.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace fxs::ui {
namespace {

TEST(Marks, TheStrongestIsShownAndTheTipsAreInTheOrderOfTheSources) {
  Marks marks;
  const fx::NodeId node = fx::NodeId::of(2);
  marks.add({20, [&] {
               return std::vector{std::pair(node, Mark{Emphasis::Warning, "warning", "differs"}),
                                  std::pair(node, Mark{Emphasis::Flag, "bookmarked", {}})};
             }});
  marks.add({10, [&] {
               return std::vector{std::pair(node, Mark{Emphasis::Error, "error", "no pattern"}),
                                  std::pair(fx::NodeId(), Mark{Emphasis::Error, {}, "of no node"})};
             }});
  QSignalSpy changed(&marks, &Marks::changed);
  marks.refresh();
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(marks.all().size(), 3U);
  EXPECT_EQ(marks.at(node).status.emphasis, Emphasis::Error);
  EXPECT_EQ(marks.at(node).status.icon, "error");
  EXPECT_EQ(marks.at(node).flag.icon, "bookmarked");
  EXPECT_EQ(marks.at(node).tip().toStdString(), "no pattern\ndiffers");
  EXPECT_EQ(marks.at(fx::NodeId::of(7)).status.emphasis, Emphasis::None);
}

TEST(Marks, WhatContainsNodesHasTheirStrongestMarksWithoutTips) {
  NodeMarks module, node;
  node.add({Emphasis::Warning, "warning", "differs"});
  node.add({Emphasis::Note, "comment", "Note:"});
  module.add({Emphasis::Error, "error", {}});
  module.raise(node);
  EXPECT_EQ(module.status.icon, "error");
  EXPECT_EQ(module.flag.icon, "comment");
  EXPECT_EQ(module.tip(), QString());
}

}  // namespace
}  // namespace fxs::ui
