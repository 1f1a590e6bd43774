// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_paths.h"

#include <gtest/gtest.h>

namespace fxs {
namespace {

TEST(PrivatePaths, WhatIsBelowTheFolderIsRelativeToIt) {
  EXPECT_EQ(shownPath("/home/ada/nets/src/net.py", "/home/ada/nets"), "src/net.py");
  EXPECT_EQ(shownPath("/home/ada/nets/src/net.py", "/home/ada/nets/"), "src/net.py");
  EXPECT_EQ(shownPath("/home/ada/netstat.py", "/home/ada/nets"), "netstat.py");
}

TEST(PrivatePaths, WhatIsElsewhereIsItsName) {
  EXPECT_EQ(shownPath("/home/ada/net.py", ""), "net.py");
  EXPECT_EQ(shownPath("/home/ada/net.py", "/"), "net.py");
  EXPECT_EQ(shownPath("../../ada/net.py", ""), "net.py");
  EXPECT_EQ(shownPath("a/../../ada/net.py", ""), "net.py");
  EXPECT_EQ(shownPath("~ada/net.py", ""), "net.py");
  EXPECT_EQ(shownPath("C:\\Users\\ada\\net.py", ""), "net.py");
  EXPECT_EQ(shownPath("/home/ada", ""), "(a home folder)");
  EXPECT_EQ(shownPath("/opt/v/lib/python3.11/site-packages/torch/nn/f.py", ""), "torch/nn/f.py");
}

TEST(PrivatePaths, WhatIsRelativeStays) {
  EXPECT_EQ(shownPath("models/net.pt2", "/home/ada"), "models/net.pt2");
  EXPECT_EQ(shownPath("-", ""), "-");
  EXPECT_EQ(shownPath("<stdin>", ""), "<stdin>");
}

}  // namespace
}  // namespace fxs
