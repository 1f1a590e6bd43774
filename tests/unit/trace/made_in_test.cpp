// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/made_in.h"

#include <gtest/gtest.h>

#include <random>

#include "made_trace.h"

namespace fxs::trace {
namespace {

/// An operation with an identity that no pass changes, which its name shows.
struct Line {
  int identity = 0;
  int version = 0;
  std::size_t source = 0;  ///< line in the module before, from 1; 0: imported
};

std::string nameOf(const Line& line) { return "a.b" + std::to_string(line.identity % 3); }
std::string opText(const Line& line) {
  return "\"" + nameOf(line) + "\"() {id = " + std::to_string(line.identity) +
         ", v = " + std::to_string(line.version) + "} : () -> ()";
}

/// Modules of which each changes, erases and adds operations of that before it.
std::vector<std::vector<Line>> randomModules(std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  int identities = 0;
  std::vector<std::vector<Line>> out(1);
  for (int i = 0; i < 6; ++i) out[0].push_back({identities++, 0, 0});
  for (int pass = 0; pass < 8; ++pass) {
    std::vector<Line> next;
    for (std::size_t i = 0; i < out.back().size(); ++i) {
      Line line = out.back()[i];
      line.source = i + 1;
      if (below(6) == 0) continue;
      if (below(4) == 0) ++line.version;
      next.push_back(line);
      // Made of it by a rewrite; its name is another.
      if (below(4) == 0) {
        while (identities % 3 == line.identity % 3) ++identities;
        next.push_back({identities++, 0, i + 1});
      }
    }
    out.push_back(next);
  }
  return out;
}

const Line* find(const std::vector<Line>& module, int identity) {
  for (const Line& line : module)
    if (line.identity == identity) return &line;
  return nullptr;
}

TEST(MadeIn, IsTheFirstModuleThatHasTheOperation) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    const auto modules = randomModules(random);
    std::vector<std::string> texts;
    for (std::size_t s = 0; s < modules.size(); ++s) {
      std::string& text = texts.emplace_back();
      for (const Line& line : modules[s])
        text += opText(line) +
                (s == 0 ? test::ofNode(line.identity % 3) : test::at(s - 1, line.source)) + "\n";
    }
    const TracePtr trace = test::madeTrace(texts);
    for (std::size_t s = 0; s < modules.size(); ++s) {
      std::vector<mlir::OpId> ops;
      std::vector<std::pair<int, int>> expected, said;
      for (std::size_t i = 0; i < modules[s].size(); ++i) {
        ops.push_back(mlir::OpId::of(i));
        const int identity = modules[s][i].identity;
        std::size_t first = 0;
        while (find(modules[first], identity) == nullptr) ++first;
        std::size_t changed = s;
        while (changed > first && find(modules[changed - 1], identity)->version ==
                                      find(modules[changed], identity)->version)
          --changed;
        expected.emplace_back(static_cast<int>(first), static_cast<int>(changed));
      }
      if (ops.empty()) continue;
      const auto made = madeIn(*trace, s, ops);
      ASSERT_TRUE(made.has_value()) << made.error().message;
      for (const MadeIn& each : *made) said.emplace_back(each.made, each.lastChanged);
      EXPECT_EQ(said, expected) << texts[s];
    }
  }
}

TEST(MadeIn, OneOfSeveralOperationsOfANameIsTheOneBefore) {
  const TracePtr trace =
      test::madeTrace({"\"a.mul\"() {v = 1} : () -> ()" + test::ofNode(1) + "\n",
                       "\"a.mul\"() {v = 2} : () -> ()" + test::at(0, 1) +
                           "\n\"a.mul\"() {v = 1} : () -> ()" + test::at(0, 1) + "\n",
                       "\"a.mul\"() {v = 2} : () -> ()" + test::at(1, 1) +
                           "\n\"a.mul\"() {v = 3} : () -> ()" + test::at(1, 2) + "\n"});
  const auto made = madeIn(*trace, 2, {mlir::OpId{0}, mlir::OpId{1}});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(madeInText(trace->passes(), (*made)[0]), "made in pass 1 (pass-1)");
  EXPECT_EQ(madeInText(trace->passes(), (*made)[1]), "imported; last changed in 2 (pass-2)");
}

TEST(MadeIn, LocationsThatAllLeadToTheInputAreCompared) {
  const std::string node = test::ofNode(1) + "\n", input = test::at(0, 1) + "\n";
  const TracePtr trace = test::madeTrace(
      {"\"a.b\"() : () -> ()" + node, "\"c.d\"() {v = 1} : () -> ()" + input,
       "\"c.d\"() {v = 1} : () -> ()" + input, "\"c.d\"() {v = 2} : () -> ()" + input});
  const auto made = madeIn(*trace, 3, {mlir::OpId{0}});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(madeInText(trace->passes(), (*made)[0]),
            "made in pass 1 (pass-1); last changed in 3 (pass-3)");
}

/// "3 c.d (pass-2), 0 a.b (imported)": where each was seen last, and what made it.
std::string wayTo(const Trace& trace, std::size_t snapshot, std::uint32_t op) {
  const auto steps = cameFrom(trace, snapshot, mlir::OpId{op});
  if (!steps) return steps.error().message;
  std::string out;
  for (const OpStep& step : *steps)
    out += (out.empty() ? "" : ", ") + std::to_string(step.snapshot) + " " +
           std::string(
               (*trace.open(static_cast<std::size_t>(step.snapshot)))->module->nameOf(step.op)) +
           " (" + madeInText(trace.passes(), step.made) + ")";
  return out;
}

std::string wayFrom(const Trace& trace, std::size_t snapshot, std::uint32_t op) {
  const auto entries = wentTo(trace, snapshot, mlir::OpId{op});
  if (!entries) return entries.error().message;
  std::string out;
  for (const HistoryEntry& entry : *entries)
    out += (out.empty() ? "" : " | ") + std::to_string(entry.pass + 1) + ": " + entry.message();
  return out;
}

TEST(MadeIn, AnOperationIsFollowedInBothDirections) {
  const TracePtr trace = test::madeTrace(
      {"\"a.b\"() : () -> ()" + test::ofNode(1) + "\n\"a.c\"() : () -> ()" + test::ofNode(2) + "\n",
       "\"a.b\"() {v = 1} : () -> ()" + test::at(0, 1) + "\n\"a.c\"() : () -> ()" + test::at(0, 2) +
           "\n",
       "\"x.y\"() : () -> ()" + test::at(1, 1) + "\n\"x.z\"() : () -> ()" + test::at(1, 1) +
           "\n\"a.c\"() : () -> ()" + test::at(1, 2) + "\n",
       "\"x.y\"() : () -> ()" + test::at(2, 1) + "\n\"a.c\"() : () -> ()" + test::at(2, 3) + "\n"});
  EXPECT_EQ(wayTo(*trace, 3, 0),
            "3 x.y (made in pass 2 (pass-2)), 1 a.b (imported; last changed in 1 (pass-1))");
  EXPECT_EQ(wayTo(*trace, 3, 1), "3 a.c (imported)");
  EXPECT_EQ(wayFrom(*trace, 0, 0),
            "1: 1 operation changed | 2: a.b became x.y, x.z | 3: x.z disappeared");
  EXPECT_EQ(wayFrom(*trace, 2, 1), "3: x.z was removed: nothing is left");
  EXPECT_EQ(wayFrom(*trace, 0, 1), "");
  EXPECT_EQ((*madeIn(*trace, 3, {mlir::OpId{0}}))[0].sources, (std::vector<std::string>{"a.b"}));
  EXPECT_EQ(madeInText(trace->passes(), (*madeIn(*trace, 3, {mlir::OpId{0}}))[0], "Split"),
            "made in pass 2 (pass-2) by Split");
}

TEST(MadeIn, OneOfSeveralConstantsHasNoLocationAndIsTheFirstOfThem) {
  const std::string constant = "\"a.const\"() {v = 1} : () -> ()", unknown = " loc(unknown)\n";
  const std::string other = "\"a.b\"() : () -> ()";
  const TracePtr trace = test::madeTrace({other + test::ofNode(1) + "\n",
                                          constant + test::at(0, 1) + "\n" + constant +
                                              test::at(0, 1) + "\n" + other + test::at(0, 1) + "\n",
                                          constant + unknown + other + test::at(1, 3) + "\n",
                                          constant + unknown + other + test::at(2, 2) + "\n"});
  EXPECT_EQ(wayTo(*trace, 3, 0), "3 a.const (made in pass 1 (pass-1)), 0 a.b (imported)");
  for (const std::uint32_t merged : {0u, 1u}) EXPECT_EQ(wayFrom(*trace, 1, merged), "");
  EXPECT_EQ(wayFrom(*trace, 2, 0), "");
}

TEST(MadeIn, OfConstantsThatShareALocationEachIsOneOfThoseThatItLeadsTo) {
  const std::string constant = "\"a.const\"() {v = 1} : () -> ()";
  const std::string both = " loc(fused[\"s1\":1:1, \"s1\":2:1])\n", one = test::at(1, 1) + "\n";
  const std::vector<std::string> before = {
      "\"a.b\"() : () -> ()" + test::ofNode(1) + "\n",
      constant + test::at(0, 1) + "\n" + constant + test::at(0, 1) + "\n"};
  TracePtr trace = test::madeTrace({before[0], before[1], constant + both + constant + both});
  EXPECT_EQ(wayTo(*trace, 2, 0), "2 a.const (made in pass 1 (pass-1)), 0 a.b (imported)");
  EXPECT_EQ(wayTo(*trace, 2, 1), "2 a.const (made in pass 1 (pass-1)), 0 a.b (imported)");
  trace = test::madeTrace({before[0], before[1], constant + one + constant + one});
  EXPECT_EQ((*madeIn(*trace, 2, {mlir::OpId{1}}))[0].made, 2);
}

}  // namespace
}  // namespace fxs::trace
