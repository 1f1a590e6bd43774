// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/compose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "layout/simple_layers.h"
#include "layout/split_levels.h"

namespace fxs::layout {
namespace {

LayoutAnswer composed(const LayoutProblem& problem) {
  SimpleLayers engine;
  auto answer = composeLayout(problem, engine);
  EXPECT_TRUE(answer);
  return answer ? *answer : LayoutAnswer{};
}

Rect boxRect(const LayoutProblem& problem, const LayoutAnswer& answer, std::size_t box) {
  return {answer.boxes[box].x, answer.boxes[box].y, problem.boxes[box].width,
          problem.boxes[box].height};
}

bool inside(const Rect& inner, const Rect& outer) {
  return inner.x >= outer.x - 0.01 && inner.y >= outer.y - 0.01 &&
         inner.right() <= outer.right() + 0.01 && inner.bottom() <= outer.bottom() + 0.01;
}

/// What must hold for every answer: boxes apart and inside their frames, frames inside frames,
/// curves from bottom to top.
void expectSound(const LayoutProblem& problem, const LayoutAnswer& answer) {
  const Rect full{0, 0, answer.width, answer.height};
  for (std::size_t i = 0; i < problem.boxes.size(); ++i) {
    const auto& box = problem.boxes[i];
    const Rect rect = boxRect(problem, answer, i);
    const Rect with{rect.x - box.left, rect.y, box.left + rect.width + box.right, rect.height};
    EXPECT_TRUE(inside(with, box.frame == kNoFrame ? full : answer.frames[box.frame]))
        << "box " << i;
    for (std::size_t j = i + 1; j < problem.boxes.size(); ++j)
      EXPECT_FALSE(rect.overlaps(boxRect(problem, answer, j))) << "boxes " << i << " and " << j;
    for (std::size_t f = 0; f < problem.frames.size(); ++f) {
      bool mine = false;
      for (std::size_t up = box.frame; up != kNoFrame; up = problem.frames[up].parent)
        mine = mine || up == f;
      EXPECT_TRUE(mine || !rect.overlaps(answer.frames[f])) << "box " << i << " and frame " << f;
    }
  }
  for (std::size_t f = 0; f < problem.frames.size(); ++f)
    EXPECT_TRUE(inside(answer.frames[f], problem.frames[f].parent == kNoFrame
                                             ? full
                                             : answer.frames[problem.frames[f].parent]))
        << "frame " << f;
  for (std::size_t i = 0; i < problem.links.size(); ++i) {
    const std::vector<Point>& curve = answer.links[i];
    if (!problem.links[i].drawn) {
      EXPECT_TRUE(curve.empty());
      continue;
    }
    ASSERT_EQ(curve.size() % 3, 1u);
    ASSERT_GE(curve.size(), 4u);
    const Rect from = boxRect(problem, answer, problem.links[i].from),
               to = boxRect(problem, answer, problem.links[i].to);
    EXPECT_NEAR(curve.front().y, from.bottom(), 0.01);
    EXPECT_NEAR(curve.front().x, from.centreX(), 0.01);
    EXPECT_NEAR(curve.back().y, to.y, 0.01);
    EXPECT_NEAR(curve.back().x, to.centreX(), 0.01);
  }
}

LayoutProblem randomProblem(std::mt19937& random, std::size_t boxes, std::size_t frames) {
  const auto upTo = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n)(random);
  };
  LayoutProblem problem;
  // Frames are nested runs of the order, as a view makes them.
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < boxes; ++i) {
    if (!open.empty() && upTo(5) == 0) open.pop_back();
    if (problem.frames.size() < frames && upTo(3) == 0) {
      problem.frames.push_back({open.empty() ? kNoFrame : open.back(), 80});
      open.push_back(problem.frames.size() - 1);
    }
    const bool stubs = upTo(4) == 0;
    problem.boxes.push_back({open.empty() ? kNoFrame : open.back(),
                             50.0 + static_cast<double>(upTo(100)), 40, stubs ? 60.0 : 0,
                             stubs ? 30.0 : 0, stubs ? 70.0 : 0});
    for (std::size_t k = 0; i > 0 && k <= upTo(1); ++k)
      problem.links.push_back({i - 1 - upTo(std::min<std::size_t>(i - 1, 6)), i, upTo(9) != 0});
  }
  return problem;
}

TEST(ComposeLayout, AChainInAFrameStandsInAColumn) {
  LayoutProblem problem;
  problem.frames = {{kNoFrame, 100}};
  problem.boxes = {{kNoFrame, 80, 40, 0, 0, 0},
                   {0, 80, 40, 0, 0, 0},
                   {0, 80, 40, 0, 0, 0},
                   {kNoFrame, 80, 40, 0, 0, 0}};
  problem.links = {{0, 1, true}, {1, 2, true}, {2, 3, true}};
  const LayoutAnswer answer = composed(problem);
  expectSound(problem, answer);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_NEAR(answer.boxes[i].x, answer.boxes[0].x, 0.5);
    EXPECT_GT(answer.boxes[i].y, answer.boxes[i - 1].y);
  }
}

TEST(ComposeLayout, RandomNestingIsSound) {
  std::mt19937 random(11);
  for (int round = 0; round < 25; ++round) {
    const LayoutProblem problem = randomProblem(random, 40, 9);
    expectSound(problem, composed(problem));
    if (HasFailure()) FAIL() << "round " << round;
  }
}

TEST(ComposeLayout, TheSameProblemGivesTheSameAnswer) {
  std::mt19937 random(3);
  const LayoutProblem problem = randomProblem(random, 80, 12);
  EXPECT_EQ(answerText(composed(problem)), answerText(composed(problem)));
}

TEST(ComposeLayout, AHugeFlatLevelIsSplitAndStaysSound) {
  std::mt19937 random(5);
  const LayoutProblem problem = randomProblem(random, 900, 0);
  const SplitProblem split = splitLevels(problem, 180);
  std::vector<std::size_t> items(split.problem.frames.size() + 1, 0);
  for (const auto& box : split.problem.boxes)
    ++items[box.frame == kNoFrame ? split.problem.frames.size() : box.frame];
  for (std::size_t count : items) EXPECT_LE(count, 180u);
  expectSound(problem, composed(problem));
}

TEST(ComposeLayout, EqualLayersArePlacedOnce) {
  class Counting final : public FlatEngine {
   public:
    Result<FlatPlacement> place(const FlatGraph& graph) override {
      ++calls;
      return simple_.place(graph);
    }
    int calls = 0;

   private:
    SimpleLayers simple_;
  };
  LayoutProblem problem;
  for (std::size_t layer = 0; layer < 50; ++layer) {
    problem.frames.push_back({kNoFrame, 90});
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t box = problem.boxes.size();
      problem.boxes.push_back({layer, 80, 40, 0, 0, 0});
      if (box) problem.links.push_back({box - 1, box, true});
    }
  }
  Counting engine;
  ASSERT_TRUE(composeLayout(problem, engine));
  EXPECT_EQ(engine.calls,
            4);  // the first layer, the inner ones, the last, and the level of all layers
}

TEST(LayoutProblem, RequestsAndAnswersSurviveTheirText) {
  std::mt19937 random(2);
  const LayoutProblem problem = randomProblem(random, 30, 5);
  const auto again = parseRequest(requestText(problem));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(requestText(*again), requestText(problem));
  const LayoutAnswer answer = composed(problem);
  const auto parsed = parseAnswer(answerText(answer), problem);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(answerText(*parsed), answerText(answer));
}

TEST(LayoutProblem, BadRequestsNameTheLine) {
  const auto message = [](std::string_view text) {
    const auto problem = parseRequest(text);
    return problem ? std::string("(parsed)") : problem.error().message;
  };
  EXPECT_EQ(message(""), "layout request line 1: expected 'fxscope-layout-request 1'");
  EXPECT_EQ(message("fxscope-layout-request 1\nframes x\n"),
            "layout request line 2: expected a number below 4000000, got 'x'");
  EXPECT_EQ(message("fxscope-layout-request 1\nframes 1\n0 10\n"),
            "layout request line 3: expected a number below 0, got '0'");
  EXPECT_EQ(message("fxscope-layout-request 1\nframes 0\nboxes 1\n- 1 nan 0 0 0\n"),
            "layout request line 4: expected a number, got 'nan'");
  EXPECT_EQ(message("fxscope-layout-request 1\nframes 0\nboxes 1\n- 1 1 0 0 0\nlinks 1\n0 0 1\n"),
            "layout request line 6: a link goes to a later box");
  EXPECT_EQ(message("fxscope-layout-request 1\nframes 0\nboxes 0\nlinks 0\nmore\n"),
            "layout request line 5: expected the end");
}

}  // namespace
}  // namespace fxs::layout
