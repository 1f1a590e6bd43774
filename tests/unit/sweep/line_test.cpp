// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/line.h"

#include <gtest/gtest.h>

#include "sweep_lines.h"

namespace fxs::sweep {
namespace {

Line full() {
  Line line =
      lineOf("a/b \"c\"\n.pt2", "tosa", Status::Failed,
             {blockerOf("aten.x.default", Fix{"decompose", "decompose aten.x", "whole-lowers"})});
  line.complete = true;
  line.fixedLowers = false;
  line.seconds = {0.5, 1.25, 2};
  line.peakMemory = 4096;
  return line;
}

TEST(SweepLine, IsOneLineOfJson) {
  EXPECT_EQ(
      lineText(full()),
      R"({"schema": "fxscope-sweep/1","program": "a/b \"c\"\n.pt2","to": "tosa","status": "failed","stage": "tosa",)"
      R"("message": "it stops","blockers": [{"operator": "aten.x.default","class": "no-pattern","nodes": 2,"operations": 1,)"
      R"("fix": {"id": "decompose","change": "decompose aten.x","verified": "whole-lowers"}}],"complete": true,)"
      R"("fixed_lowers": false,"nodes": 4,"sha256": "aa","options": "experiments","fxscope": "1.2.3",)"
      R"("engine": {"version": "LLVM 99","sha256": "0123456789abcdef"},"seconds": {"read": 0.5,"lower": 1.25,"diagnose": 2.0},)"
      R"("peak_memory": 4096})"
      "\n");
}

TEST(SweepLine, WhatIsWrittenIsRead) {
  for (const Line& line : {full(), lineOf("x", "raw"), Line{}}) {
    const auto read = lineFrom(lineText(line), "r.jsonl:1", {});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(sameOutcome(line, *read));
    EXPECT_EQ(lineText(*read), lineText(line));
  }
}

TEST(SweepLine, TimesAndMemoryAreNoOutcome) {
  Line other = full();
  other.seconds = {};
  other.peakMemory = 1;
  EXPECT_TRUE(sameOutcome(full(), other));
  other.blockers.front().fix.reset();
  EXPECT_FALSE(sameOutcome(full(), other));
}

TEST(SweepLine, ForeignTextNamesTheLineAndTheMember) {
  const auto message = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    const auto read = lineFrom(text, "r.jsonl:7", {});
    return read ? std::string("read") : read.error().message;
  };
  const std::string good = lineText(full());
  EXPECT_EQ(message(good, "sweep/1", "sweep/2"),
            "r.jsonl:7: is not a line of fxscope-sweep/1, which 'fxscope-cli sweep' writes; pass "
            "its results");
  EXPECT_EQ(message(good, "\"failed\"", "\"fine\""), "r.jsonl:7: status: unknown status 'fine'");
  EXPECT_EQ(message(good, "\"nodes\": 2", "\"nodes\": -2"),
            "r.jsonl:7: blockers[0].nodes: expected a count, got a negative number");
  EXPECT_EQ(message(good, "\"nodes\": 2", "\"nodes\": \"2\""),
            "r.jsonl:7: blockers[0].nodes: expected an integer, got a string");
  EXPECT_EQ(message(good, "\"complete\": true,", ""), "r.jsonl:7: member 'complete' is missing");
}

}  // namespace
}  // namespace fxs::sweep
