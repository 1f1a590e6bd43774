#include "base/private_paths.h"

#include <gtest/gtest.h>

namespace fxs {
namespace {

TEST(PrivatePaths, FoldersOfTheMachineGo) {
  EXPECT_EQ(withoutPrivatePaths("File \"/home/ada/my models/net.py\", line 3"), "File \"net.py\", line 3");
  EXPECT_EQ(withoutPrivatePaths("/usr/bin/torch-mlir-opt - --x=y"), "torch-mlir-opt - --x=y");
  EXPECT_EQ(withoutPrivatePaths("C:\\Users\\ada\\net.py:3 and ~/net.py"), "net.py:3 and net.py");
  EXPECT_EQ(withoutPrivatePaths("--extra-library=/data/x/lib.mlir"), "--extra-library=lib.mlir");
}

TEST(PrivatePaths, PartsOfPackagesStay) {
  EXPECT_EQ(withoutPrivatePaths("(/opt/v/lib/python3.11/site-packages/torch/nn/f.py:1)"), "(torch/nn/f.py:1)");
  EXPECT_EQ(withoutPrivatePaths("at /usr/lib/python3.11/runpy.py"), "at runpy.py");
}

TEST(PrivatePaths, TextsInsideJsonStayJson) {
  EXPECT_EQ(withoutPrivatePaths(R"("words": "see\n/home/ada/net.py: \"/home/ada/my net.py\" and /x/y\n"")"),
            R"("words": "see\nnet.py: \"my net.py\" and y\n"")");
  EXPECT_EQ(withoutPrivatePaths(R"(["/usr/bin/engine", "-"])"), R"(["engine", "-"])");
}

TEST(PrivatePaths, WhatIsNoPathStays) {
  for (const char* text : {"y = a/b/c", "y = a / b", "x // y", "https://example.org/a/b", "loc(\"fx\":3:0)", "<stdin>:3:4: error",
                           "examples/models.py", "(a)/b/c", "/"})
    EXPECT_EQ(withoutPrivatePaths(text), text);
}

}  // namespace
}  // namespace fxs
