// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program_from.h"

namespace fxs::layer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

fx::ProgramPtr chain() {
  return test::programFrom(
      "x: f32[2] = placeholder\n"
      "a: f32[2] = aten.relu.default(x)\n"
      "b: f32[2] = aten.relu.default(a)\n"
      "c: f32[2] = aten.neg.default(b)\n"
      "return c");
}

Layer layerFrom(const std::string& text) {
  auto layers = parse(text, "l.json");
  EXPECT_TRUE(layers) << layers.error().message;
  return layers && !layers->empty() ? std::move(layers->front()) : Layer();
}

std::string errorOf(const std::string& text) {
  const auto layers = parse(text, "l");
  return layers ? "none" : layers.error().message;
}

/// "a=12 µs b=12 µs", of the nodes that have a value.
std::string listed(const Layer& layer, const fx::Program& program) {
  const PlacedLayer on = placed(layer, program);
  std::string out;
  for (const fx::Node& node : program.nodes)
    if (const Entry* entry = on.entries[node.id.index()])
      out += (out.empty() ? "" : " ") + node.name + "=" + textOf(layer, *entry);
  return out;
}

/// "-0-4", by node.
std::string levels(const Layer& layer, const fx::Program& program) {
  std::string out;
  for (const auto& level : levelsOf(layer, placed(layer, program)).levels)
    out += level ? std::to_string(*level) : "-";
  return out;
}

TEST(Layer, OfJsonHasValuesOfNodesAndOperators) {
  const Layer layer =
      layerFrom(R"({"schema": "fxscope-layer/1", "title": "Time", "unit": "µs",)"
                R"( "nodes": {"b": {"value": 2, "text": "twice"}, "c": "slow", "gone": 1},)"
                R"( "operators": {"aten.relu.default": 1.25, "aten.tanh.default": 3}})");
  const auto program = chain();
  EXPECT_EQ(listed(layer, *program), "a=1.25 µs b=2 µs: twice c=slow");
  EXPECT_EQ(summary(placed(layer, *program)),
            "3 of 5 nodes have a value; 1 name is not in this program: 'gone'");
}

TEST(Layer, OfCsvIsOneAColumn) {
  const auto layers =
      parse("\xEF\xBB\xBFtime,node,\"a \"\"title\"\"\"\r\n1e-3,a,\"x, y\"\r\n,b,2\r\n\r\n-1,c,\r\n",
            "l.csv");
  ASSERT_TRUE(layers) << layers.error().message;
  ASSERT_EQ(layers->size(), 2U);
  const auto program = chain();
  EXPECT_EQ(layers->front().title, "time");
  EXPECT_EQ(listed(layers->front(), *program), "a=0.001 c=-1");
  EXPECT_EQ(layers->back().title, "a \"title\"");
  EXPECT_EQ(listed(layers->back(), *program), "a=x, y b=2");
  const Layer ops = layerFrom("operator,share\naten.relu.default,0.5\n");
  EXPECT_EQ(listed(ops, *program), "a=0.5 b=0.5");
}

TEST(Layer, NumbersAreOnAScale) {
  const auto program = chain();
  EXPECT_EQ(levels(layerFrom("node,t\na,0\nb,50\nc,100\n"), *program), "-024-");
  // A factor of 100 and more: each level is a factor.
  EXPECT_EQ(levels(layerFrom("node,t\na,1\nb,100\nc,10000\n"), *program), "-024-");
  EXPECT_EQ(levels(layerFrom("node,t\na,3\nb,3\n"), *program), "-44--");
  EXPECT_EQ(levels(layerFrom("node,t\na,inf\nb,nan\nc,1\n"), *program), "---4-");
  const Layer linear =
      layerFrom(R"({"schema": "fxscope-layer/1", "title": "T", "scale": "linear", "unit": "s",)"
                R"( "nodes": {"a": 1, "b": 1000, "c": 2}})");
  EXPECT_EQ(levels(linear, *program), "-040-");
  EXPECT_THAT(levelsOf(linear, placed(linear, *program)).legend,
              ElementsAre("201 s", "401 s", "600 s", "800 s", "1000 s"));
  const Layer log = layerFrom(R"({"schema": "fxscope-layer/1", "title": "T", "scale": "log",)"
                              R"( "nodes": {"a": -1, "b": 0, "c": 2}})");
  EXPECT_EQ(levels(log, *program), "---4-");
}

TEST(Layer, TextsHaveAColourEachTheMostFrequentFirst) {
  const auto program = chain();
  const Layer layer = layerFrom("node,partition\na,npu\nb,cpu\nc,npu\n");
  EXPECT_EQ(levels(layer, *program), "-010-");
  const Levels made = levelsOf(layer, placed(layer, *program));
  EXPECT_THAT(made.legend, ElementsAre("npu", "cpu"));
  EXPECT_FALSE(made.isScale);
}

TEST(Layer, MoreTextsThanColoursShareTheLast) {
  std::string lines, body = "x: f32[2] = placeholder\n";
  for (int i = 0; i < 12; ++i) {
    const std::string name = "n" + std::to_string(i);
    body += name + ": f32[2] = aten.relu.default(x)\n";
    lines += name + (i == 11 ? ",k0\n" : ",k" + std::to_string(i) + "\n");
  }
  const auto program = test::programFrom(body + "return n0");
  const Layer eleven = layerFrom("node,t\n" + lines);
  const Levels made = levelsOf(eleven, placed(eleven, *program));
  EXPECT_THAT(made.legend,
              ElementsAre("k0", "k1", "k10", "k2", "k3", "k4", "k5", "k6", "k7", "2 others"));
  EXPECT_EQ(levels(eleven, *program),
            "-0134567899"
            "20-");
  const Layer ten = layerFrom("node,t\n" + lines.substr(0, lines.find("n10")));
  EXPECT_EQ(levels(ten, *program), "-0123456789---");
}

TEST(Layer, WhatIsWrongIsNamed) {
  EXPECT_THAT(errorOf(""), HasSubstr("expected titles of columns such as node,time"));
  EXPECT_THAT(errorOf("node,t\na\n"),
              HasSubstr("row 2: expected 2 cells as in the first row, got 1"));
  EXPECT_THAT(errorOf(R"({"schema": "fxscope-layer/2"})"), HasSubstr("expected fxscope-layer/1"));
  EXPECT_THAT(errorOf(R"({"schema": "fxscope-layer/1", "title": "T"})"),
              HasSubstr("has neither 'nodes' nor 'operators'"));
  EXPECT_THAT(errorOf(R"({"schema": "fxscope-layer/1", "title": "T", "nods": {}})"),
              HasSubstr("nods: unknown member"));
  EXPECT_THAT(errorOf(R"({"schema": "fxscope-layer/1", "title": "T", "scale": "x", "nodes": {}})"),
              HasSubstr("expected 'linear' or 'log'"));
  EXPECT_THAT(errorOf(R"({"schema": "fxscope-layer/1", "title": "T", "nodes": {"a": [1]}})"),
              HasSubstr("nodes.a: expected a number"));
}

TEST(Layer, WithoutAValueHasNoColours) {
  const auto program = chain();
  const Layer layer = layerFrom("node,t\nother,1\n");
  EXPECT_EQ(levels(layer, *program), "-----");
  EXPECT_TRUE(levelsOf(layer, placed(layer, *program)).legend.empty());
}

}  // namespace
}  // namespace fxs::layer
