// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of a few hundred kilobytes that used to cost hours or gigabytes.
#include <gtest/gtest.h>

#include "canonical_text.h"
#include "mlir/compare/diff.h"
#include "mlir/logs/module_of_dumps.h"
#include "mlir/text/module.h"
#include "mlir/text/shown_text.h"

namespace fxs::mlir {
namespace {

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

TEST(HostileText, ConstantsThatDoNotCloseAreLookedThroughOnce) {
  // Quadratic before: 40 GB of characters looked at.
  const std::string line = "  %0 = x.y " + repeated("<[", 200'000);
  EXPECT_EQ(shownText(line + "\n"), line + "\n");
}

TEST(HostileText, LocationsThatDoNotCloseAreLookedForOnceInALine) {
  const std::string line = "x.y" + repeated(" loc(", 200'000);
  EXPECT_EQ(test::canonicalText(Module(line)), line + "\n");
}

TEST(HostileText, ALongAliasThatIsNamedOftenIsWrittenAsItsHash) {
  // 20 GB before.
  const std::string text =
      "#a = [" + repeated("1,", 100'000) + "]\nx.y " + repeated("#a,", 100'000) + "\n";
  const Module module(text);
  EXPECT_LT(test::canonicalText(module).size(), 10 * text.size());
  EXPECT_TRUE(diff(module, module).empty());
}

TEST(HostileText, FunctionsPutIntoAModuleAreCounted) {
  ModuleOfDumps module;
  module.take(Document("module {\n  func.func @f() {\n    return\n  }\n}\n"));
  EXPECT_EQ(module.merged(), 0u);
  const std::size_t before = module.text().size();
  module.take(Document("func.func @f() {\n  x.y\n  return\n}\n"));
  EXPECT_EQ(module.merged(), before);
  EXPECT_FALSE(module.lacks(Document("func.func @f() {\n  return\n}\n")));
  EXPECT_EQ(module.merged(), before + module.text().size());
}

}  // namespace
}  // namespace fxs::mlir
