// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "session/arrangement_presenter.h"

namespace fxs::ui {
namespace {

TEST(Arrangement, EachHasItsPageAndTextsAlsoInAnotherRun) {
  ArrangementPresenter first;
  QObject::connect(&first, &ArrangementPresenter::textsWanted, &first,
                   [&first] { first.setTexts({"fx", PassSnapshot{3}}); });
  first.choose(Arrangement::Stages);
  first.setPage("log");
  EXPECT_EQ(first.saved(),
            (QStringList{"graph: problems; fx backend", "stages: log; fx backend",
                         "passes: passes; ", "diagnosis: problems; ", "numbers: numbers; "}));
  ArrangementPresenter second;
  second.restore(first.saved() + QStringList{"", "no: thing", "graph"}, Arrangement::Stages);
  EXPECT_EQ(second.current(), Arrangement::Stages);
  EXPECT_EQ(second.page(), "log");
  EXPECT_EQ(second.texts(), (ShownTexts{"fx", LastStage{}}));
  second.reset();
  EXPECT_EQ(second.page(), "problems");
  EXPECT_TRUE(second.texts().empty()) << "those that it has at first";
}

}  // namespace
}  // namespace fxs::ui
