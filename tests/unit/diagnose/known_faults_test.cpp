// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/known_faults.h"

#include <gtest/gtest.h>

namespace fxs::diagnose {
namespace {

const std::string kOwn =
    R"({"schema": "fxscope-known-faults/1", "checked": "2026-01-02", "faults": [
  {"issue": "acme/net#7", "stage": "tosa", "op": "torch.aten.erfinv", "what": "no erfinv"},
  {"issue": "acme/net#8", "target": "acme.swiglu.default", "what": "ours", "way_out": "register it"}]})";

TEST(KnownFaults, AreFoundByWhatAUserSees) {
  const KnownFaults& known = KnownFaults::builtin();
  const KnownFault* fault = known.find("tosa", "torch.aten.scaled_dot_product_attention",
                                       "aten.scaled_dot_product_attention.default");
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->issue, "llvm/torch-mlir#4279");
  EXPECT_EQ(known.find("stablehlo", "torch.aten.scaled_dot_product_attention", ""), nullptr);
  EXPECT_EQ(known.find("raw", "", "higher_order.cond")->issue, "llvm/torch-mlir#4028");
  EXPECT_EQ(known.find("tosa", "", ""), nullptr);
}

TEST(KnownFaults, AFileOfOnesOwnComesFirst) {
  const auto known = KnownFaults::from(kOwn, "own.json");
  ASSERT_TRUE(known) << known.error().message;
  EXPECT_EQ(known->checked, "2026-01-02");
  EXPECT_EQ(known->find("tosa", "torch.aten.erfinv", "aten.erfinv.default")->issue, "acme/net#7");
  EXPECT_EQ(known->find("raw", "", "acme.swiglu.default")->wayOut, "register it");
  EXPECT_NE(known->find("raw", "", "higher_order.cond"), nullptr);
}

TEST(KnownFaults, SaysWhereAFileIsWrong) {
  const auto wrong = [](const std::string& text) {
    const auto known = KnownFaults::from(text, "own.json");
    return known ? std::string() : known.error().message;
  };
  EXPECT_EQ(wrong(R"({"schema": "fxscope-known-faults/1", "checked": "2026-01-02", "faults": [
    {"issue": "a/b#1", "stage": "tosa", "what": "all of it"}]})"),
            "own.json: a/b#1 has neither an 'op' nor a 'target'");
  EXPECT_NE(wrong("{}"), "");
  EXPECT_NE(wrong("[1"), "");
}

}  // namespace
}  // namespace fxs::diagnose
