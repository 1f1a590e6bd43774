// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/shown_text.h"

#include <gtest/gtest.h>

namespace fxs::ui {
namespace {

TEST(ShownText, WhatOutlivesATraceIsRememberedByItsName) {
  for (const ShownText& shown :
       {ShownText("fx"), ShownText("linalg-on-tensors"), ShownText(LastStage{}),
        ShownText(Alternative::Registries), ShownText(Alternative::Nodes), ShownText(NodeAlone{})})
    EXPECT_TRUE(shownTextFrom(name(shown)) == shown) << name(shown).toStdString();
}

TEST(ShownText, EachHasANameOfItsOwn) {
  const ShownTexts all{
      "raw",       "tosa",       LastStage{}, Alternative::Registries, Alternative::Nodes,
      NodeAlone{}, Handle::From, Handle::To,  PassSnapshot{0},         PassSnapshot{12}};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) EXPECT_EQ(name(all[i]) == name(all[j]), i == j);
  EXPECT_EQ(name(PassSnapshot{12}), "snapshot-12");
}

}  // namespace
}  // namespace fxs::ui
