// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <QTest>

#include "features/variants/pass_list_presenter.h"

namespace fxs::ui {
namespace {

class PassListTest : public ::testing::Test {
 protected:
  void SetUp() override {
    services_.choose(PassLister([](const session::SnapshotPtr&, const std::string& stage,
                                   const RunContext&) -> Result<PassesOfStage> {
      if (stage != "torch") return fail(ErrorCode::Unsupported, "this stage runs no passes");
      PassesOfStage out{"torch", "Torch backend IR", {}, {}};
      out.passes = *lower::parsePipeline(
          "builtin.module(inline,func.func(canonicalize{max-iterations=10},cse))");
      out.known = {{"canonicalize",
                    "Canonicalize operations",
                    {{"max-iterations", "long", "Most iterations", {}}}},
                   {"cse", "Eliminate common sub-expressions", {}},
                   {"inline", "Inline function calls", {}},
                   {"sccp", "", {}}};
      return out;
    }));
  }
  PassListPresenter& loaded(const std::string& stage = "torch") {
    auto& list = services_.get<PassListPresenter>();
    list.load(-1, std::make_shared<session::Snapshot>(), stage);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !list.state().running; }, 20'000));
    return list;
  }
  Services services_{session::Environment{}};
};

TEST_F(PassListTest, AnUnchangedListIsThePipeline) {
  const PassListPresenter& list = loaded();
  EXPECT_EQ(list.pipeline(),
            "builtin.module(inline,func.func(canonicalize{max-iterations=10}),func.func(cse))");
  EXPECT_EQ(list.change(), "");
  EXPECT_EQ(list.names(), (QStringList{"canonicalize", "cse", "inline", "sccp"}));
  EXPECT_EQ(list.documentation("canonicalize"),
            "canonicalize: Canonicalize operations\n  max-iterations (long): Most iterations");
  EXPECT_EQ(list.documentation("nothing"), "");
}

TEST_F(PassListTest, PassesAreInsertedRemovedMovedAndLeftOut) {
  PassListPresenter& list = loaded();
  // With the anchors that the pass has elsewhere.
  EXPECT_EQ(list.insert(1, "cse"), "");
  EXPECT_EQ(list.insert(0, " func.func(sccp) "), "");
  EXPECT_EQ(list.pipeline(),
            "builtin.module(func.func(sccp),inline,func.func(cse),"
            "func.func(canonicalize{max-iterations=10}),func.func(cse))");
  EXPECT_EQ(list.change(), "with sccp, cse");
  list.remove(0);
  list.setRuns(3, false);
  EXPECT_EQ(list.change(), "without cse; with cse");
  EXPECT_EQ(list.setOptions(2, "max-iterations=1"), "");
  EXPECT_EQ(list.move(2, -1), 1);
  EXPECT_EQ(list.move(1, -1), 0);
  EXPECT_EQ(list.move(0, -1), 0);
  EXPECT_EQ(list.pipeline(),
            "builtin.module(func.func(canonicalize{max-iterations=1}),inline,func.func(cse))");
  EXPECT_EQ(list.change(), "without cse; with cse; other options of canonicalize; another order");
}

TEST_F(PassListTest, WhatIsNoPassIsRefused) {
  PassListPresenter& list = loaded();
  EXPECT_EQ(list.insert(0, "  "), "Type the name of a pass");
  EXPECT_EQ(list.insert(0, "canonicalise"),
            "The tool has no pass 'canonicalise'; did you mean 'canonicalize'?");
  EXPECT_EQ(list.insert(0, "func.func("), "pass pipeline, character 26: unclosed bracket");
  EXPECT_EQ(list.setOptions(1, "a=1},cse{"), "These are not options of one pass");
  EXPECT_EQ(list.change(), "");
  EXPECT_EQ(loaded("llvm-ir").state().message, "this stage runs no passes");
  EXPECT_TRUE(list.rows().empty());
}

TEST_F(PassListTest, TheListIsAnOutputType) {
  PassListPresenter& list = loaded();
  list.setRuns(0, false);
  const auto file = list.outputTypeFile("mine", "raw");
  ASSERT_TRUE(file) << toString(file.error());
  const auto types = lower::OutputTypes::builtin().with(*file, "mine.json", RunContext());
  ASSERT_TRUE(types) << toString(types.error());
  const auto mine = types->from("mine");
  ASSERT_TRUE(mine);
  EXPECT_EQ((*mine)->stage.title, "Torch backend IR, without inline");
  EXPECT_EQ((*mine)->stage.pipeline, list.pipeline());
  EXPECT_FALSE(list.outputTypeFile("tosa", "raw"));
}

}  // namespace
}  // namespace fxs::ui
