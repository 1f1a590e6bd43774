// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/scratch_directory.h"
#include "fake_engine.h"
#include "output_type.h"
#include "real_engine.h"
#include "session/session.h"

namespace fxs::session {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kMergeHeads = FXS_SOURCE_DIR "/samples/merge_heads.pt2";

std::vector<std::string> errorsOf(const Snapshot& snapshot) {
  std::vector<std::string> out;
  for (const fx::Finding& f : snapshot.findings())
    if (f.severity == fx::Severity::Error)
      out.push_back(f.stage + ", " + f.pass + ", " + f.nodeName + ": " + f.message);
  return out;
}

class Contracts : public testing::Test {
 protected:
  Result<SnapshotPtr> lowered(const std::string& file, const std::string& target,
                              Phase until = Phase::Lower) {
    Environment env;
    env.runner = &runner_;
    env.enginePath = engine_;
    env.temporaryDir = dir_.path();
    Request request;
    request.file = file;
    request.lower.target = test::outputType(target);
    return advance(start(request), until, env, {});
  }
  /// The real engine, whose lowering to linalg is edited by sed.
  std::string alteringEngine(const lower::Engine& real, const std::string& sed) const {
    return test::fakeEngine(dir_, "case \"$*\" in *to-linalg-on-tensors-backend*) '" + real.path +
                                      "' \"$@\" | sed '" + sed + "' ;; *) exec '" + real.path +
                                      "' \"$@\" ;; esac");
  }
  PosixCommandRunner runner_;
  test::TemporaryDirectory dir_;
  std::string engine_;
};

TEST_F(Contracts, ASizeThatBecameANumberIsFoundAtItsPassAndNode) {
  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  engine_ = engine->path;
  const auto wrong = lowered(kMergeHeads, "linalg-on-tensors");
  ASSERT_TRUE(wrong) << wrong.error().message;
  EXPECT_TRUE((*wrong)->lowering->ok());
  EXPECT_FALSE((*wrong)->lowersRight());
  EXPECT_THAT(errorsOf(**wrong),
              ElementsAre("linalg-on-tensors, convert-torch-to-linalg, reshape: the size s27 "
                          "(dimension 1) became 1 in "
                          "convert-torch-to-linalg: tensor.cast casts tensor<?x?x4x8xf32> to "
                          "tensor<?x1x4x8xf32>; other sizes abort or "
                          "compute wrong values; export the program with this size fixed, or write "
                          "this part in other operations"));
  const auto right = lowered(kMergeHeads, "stablehlo");
  ASSERT_TRUE(right) << right.error().message;
  EXPECT_TRUE((*right)->lowersRight());
  EXPECT_THAT((*right)->contract, IsEmpty());
}

TEST_F(Contracts, WhatAnEngineAltersIsFound) {
  const auto real = test::realEngine();
  if (!real) GTEST_SKIP() << test::kNoEngine;
  struct Altered {
    const char* sed;
    std::string error;
  };
  const std::vector<Altered> kAltered{
      {"s/x/x/", ""},
      {"s/tensor<3x8xf32>/tensor<3x?xf32>/g",
       "argument 0 of @main is tensor<3x?xf32>, but the program's is !torch.vtensor<[3,8],f32>: "
       "the size 8 of "
       "dimension 1 became unknown"},
      {"s/tensor<3x8xf32>/tensor<3x8xf64>/g",
       "argument 0 of @main is tensor<3x8xf64>, but the program's is !torch.vtensor<[3,8],f32>: "
       "another "
       "element type"},
      {"s/linalg.matmul/acme.matmul/",
       "acme.matmul is left in linalg-on-tensors, which may hold only affine, arith, cf, complex, "
       "func, linalg, "
       "math, ml_program, scf, tensor"},
  };
  for (const Altered& altered : kAltered) {
    engine_ = alteringEngine(*real, altered.sed);
    const auto snapshot = lowered(FXS_SOURCE_DIR "/samples/addmm.pt2", "linalg-on-tensors");
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    ASSERT_TRUE((*snapshot)->lowering->ok()) << altered.sed;
    std::string first;
    for (const fx::Finding& f : (*snapshot)->contract)
      if (first.empty()) first = f.message;
    EXPECT_EQ(first, altered.error) << altered.sed;
    EXPECT_EQ((*snapshot)->lowersRight(), altered.error.empty()) << altered.sed;
  }
}

TEST_F(Contracts, WhatAnEngineAltersOfEveryProgramSaysNothingOfThisOne) {
  const auto real = test::realEngine();
  if (!real) GTEST_SKIP() << test::kNoEngine;
  engine_ = alteringEngine(*real, "s/  return %.*/  return loc(unknown)/");
  auto snapshot = lowered(FXS_SOURCE_DIR "/samples/addmm.pt2", "linalg-on-tensors");
  ASSERT_FALSE(snapshot);
  EXPECT_EQ(
      snapshot.error().message,
      "output type linalg-on-tensors: a program that only returns its input breaks the contract "
      "too: @main has 0 results, but the "
      "program has 1; correct its pipeline or its contract, or pass another engine with --engine");
  engine_ = alteringEngine(*real, "s/@main/@main_1/");
  snapshot = lowered(FXS_SOURCE_DIR "/samples/addmm.pt2", "linalg-on-tensors");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ((*snapshot)->lowering->stages.back().status, lower::StageStatus::Unknown);
  EXPECT_FALSE((*snapshot)->lowersRight());
}

}  // namespace
}  // namespace fxs::session
