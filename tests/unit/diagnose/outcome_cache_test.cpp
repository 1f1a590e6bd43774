// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An outcome is found again only where everything that decided on it is the same.
#include "diagnose/outcome_cache.h"

#include <gtest/gtest.h>

#include "base/byte_source.h"
#include "base/scratch_directory.h"
#include "output_type.h"

namespace fxs::diagnose {
namespace {

constexpr const char* kCachedModule = "module {\n}\n";

class OutcomeCaches : public testing::Test {
 protected:
  lower::LowerOptions to(std::string_view type) const {
    lower::LowerOptions options;
    options.target = *types_.from(type);
    return options;
  }
  /// A type of the user's whose texts may hold what `left` lists.
  static lower::LowerOptions toMine(const std::string& left) {
    const auto types = lower::OutputTypes::builtin().with(
        R"j({"schema": "fxscope-output-types/1", "types": [{"id": "mine", "title": "Mine", "after": "torch",
            "pipeline": "builtin.module(canonicalize)", "contract": {"left": [)j" +
            left + "]}}]}",
        "mine.json", {});
    lower::LowerOptions options;
    options.target = *types->from("mine");
    return options;
  }
  bool isKnown(const lower::LowerOptions& options, const std::string& engine = "e1") const {
    return OutcomeCache(folder_.path(), engine).find(kCachedModule, options).has_value();
  }
  void keep(const lower::LowerOptions& options) const {
    OutcomeCache(folder_.path(), "e1").keep(kCachedModule, options, {true, {}});
  }

  const lower::OutputTypes types_ = lower::OutputTypes::builtin();
  const ScratchDirectory folder_ = *ScratchDirectory::make(testing::TempDir(), "outcomes");
};

TEST_F(OutcomeCaches, AnotherEngineTypeOrOptionIsAnotherOutcome) {
  keep(to("tosa"));
  EXPECT_TRUE(isKnown(to("tosa")));
  EXPECT_FALSE(isKnown(to("tosa"), "e2"));
  EXPECT_FALSE(isKnown(to("stablehlo")));
  lower::LowerOptions legal = to("tosa");
  legal.backendLegalOps = {"aten.softmax.int"};
  EXPECT_FALSE(isKnown(legal));
}

TEST_F(OutcomeCaches, ALibraryIsItsContent) {
  lower::LowerOptions options = to("tosa");
  options.extraLibrary = folder_.file("library.mlir");
  ASSERT_TRUE(writeWholeFile(options.extraLibrary, "module {}\n"));
  keep(options);
  EXPECT_TRUE(isKnown(options));
  ASSERT_TRUE(writeWholeFile(options.extraLibrary, "module @other {}\n"));
  EXPECT_FALSE(isKnown(options));
}

TEST_F(OutcomeCaches, TheContractOfAUsersTypeDecidesToo) {
  keep(toMine(R"("func", "torch")"));
  EXPECT_TRUE(isKnown(toMine(R"("func", "torch")")));
  EXPECT_FALSE(isKnown(toMine(R"("func")")));
}

TEST_F(OutcomeCaches, WhatAnotherProgramDoesIsNotKept) {
  keep(to("loops"));
  EXPECT_FALSE(isKnown(to("loops")));
}

}  // namespace
}  // namespace fxs::diagnose
