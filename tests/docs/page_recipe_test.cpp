// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of CONTRIBUTING.md, registered as the build registers a folder of ui/features.
#include <gtest/gtest.h>

#include "window/feature.h"

namespace fxs::ui {

void registerRecipeFeatures(Features&);

namespace {

TEST(Recipes, APageHasATabAndAnAction) {
  Features features;
  registerRecipeFeatures(features);
  const std::vector<Page>& pages = features.pages;
  ASSERT_EQ(pages.size(), 1u);
  EXPECT_EQ(pages[0].id, "weights");
  EXPECT_EQ(pages[0].title, "Weights");
  EXPECT_EQ(pages[0].show.keys, "Ctrl+Alt+W");
  EXPECT_TRUE(pages[0].make);
}

}  // namespace
}  // namespace fxs::ui
