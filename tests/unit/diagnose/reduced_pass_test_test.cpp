// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of passes keep the operations that the pass changes, one of each kind.
#include "diagnose/reduced_pass_test.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/byte_source.h"
#include "table_runner.h"

namespace fxs::diagnose {
namespace {

const std::string kTested = R"(module {
  func.func @unused(%arg0: f32) -> f32 {
    %0 = t.other %arg0 : f32
    return %0 : f32
  }
  func.func @main(%arg0: f32, %arg1: f32) -> (f32, f32) {
    %cst = t.constant : f32
    %0 = t.one %arg0 : f32
    %1 = t.change %0, %cst : f32
    %2 = t.one %arg1 : f32
    %3 = t.change %2, %cst : f32
    return %1, %3 : f32, f32
  }
}
)";

/// A program that prints modules as they are, with `t.changed` for `t.change` after the pass, if
/// there are at least `needed`. FileCheck finds `t.changed`.
class Programs {
 public:
  explicit Programs(std::size_t needed) : needed_(needed) {}
  Exit opt(const Command& command) const {
    std::string text = *readWholeFile(command.directory + "/" + command.argv.back(), 1 << 20);
    text.erase(0, text.find("module {"));
    const bool passes = std::any_of(command.argv.begin(), command.argv.end(), [](const auto& word) {
      return word.starts_with("--pass-pipeline=");
    });
    if (!passes) return test::exited(0, text);
    std::string out;
    for (std::size_t begin = 0; begin != std::string::npos;) {
      const std::size_t end = text.find("// -----", begin);
      out += changed(text.substr(begin, end - begin));
      begin = end == std::string::npos ? end : text.find("module {", end);
      if (begin != std::string::npos) out += "// -----\n";
    }
    return test::exited(0, out);
  }

 private:
  std::string changed(std::string module) const {
    const std::string_view old = "t.change ";
    std::size_t count = 0;
    for (std::size_t at = module.find(old); at != std::string::npos; at = module.find(old, at + 1))
      ++count;
    if (count < needed_) return module;
    for (std::size_t at = module.find(old); at != std::string::npos; at = module.find(old))
      module.replace(at, old.size(), "t.changed ");
    return module;
  }
  std::size_t needed_;
};

std::string written(std::size_t needed, const std::string& module = kTested) {
  test::TableRunner runner;
  runner.on("/b/opt", [&](const Command& command) { return Programs(needed).opt(command); });
  runner.on("/b/FileCheck", [](const Command& command) {
    return test::exited(command.stdinText.find("t.changed") == std::string::npos ? 1 : 0, "");
  });
  lit::Settings settings;
  settings.programs = {{"mlir-opt", "/b/opt"}, {"FileCheck", "/b/FileCheck"}};
  settings.temporaryDir = testing::TempDir() + "fxs-reduced-pass-test";
  const auto out =
      writeReducedPassTest({module, "mlir-opt", "builtin.module(p)"}, settings, runner, {});
  if (!out) return out.error().message;
  return out->message + "\n" +
         out->text.substr(std::min(out->text.find("module {"), out->text.size()));
}

TEST(ReducedPassTest, KeepsOneOperationOfThoseThatChangeAlike) {
  EXPECT_EQ(written(1), R"(reduced from 6 operations to 2
module {
  func.func @main(%0: f32) -> (f32) {
    %cst = t.constant : f32
    %1 = t.change %0, %cst : f32
    "func.return"(%1) : (f32) -> ()
  }
}
)");
}

TEST(ReducedPassTest, KeepsAllThatThePassRequires) {
  EXPECT_EQ(written(2), R"(reduced from 6 operations to 3
module {
  func.func @main(%0: f32, %2: f32) -> (f32, f32) {
    %cst = t.constant : f32
    %1 = t.change %0, %cst : f32
    %3 = t.change %2, %cst : f32
    "func.return"(%1, %3) : (f32, f32) -> ()
  }
}
)");
}

TEST(ReducedPassTest, IsOfTheModuleIfNothingCanBeLeftOut) {
  const std::string module =
      "module {\n  func.func @main(%arg0: f32) -> f32 {\n    %0 = t.change %arg0 : f32\n"
      "    return %0 : f32\n  }\n}\n";
  EXPECT_EQ(written(1, module), "not reduced: no operation can be left out\n" + module);
}

TEST(ReducedPassTest, IsRefusedAsThatOfTheModule) {
  EXPECT_EQ(written(3),
            "the test does not pass, so it is not written: ended with exit code 1, expected 0");
}

}  // namespace
}  // namespace fxs::diagnose
