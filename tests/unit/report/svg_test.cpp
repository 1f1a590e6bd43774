// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/svg.h"

#include <gtest/gtest.h>

#include "in_process_layout.h"
#include "module_program.h"

namespace fxs::report {
namespace {

using test::ModuleProgram;

struct Drawn {
  fx::ProgramPtr program;
  layout::GroupTree tree;
  layout::GraphView view;
  layout::GraphLayout placed;

  std::string svg(const std::vector<fx::Finding>& findings = {},
                  SvgTheme theme = SvgTheme::Light) const {
    return graphSvg(*program, tree, view, placed, findings, theme);
  }
};

Drawn drawn(bool open) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto w = p.parameter("p_w", "l.weight");
  const auto a = p.call("a", "custom.op<T>&\"q\".default", {x, w}, "l:Layer");
  const auto b = p.call("b", "aten.relu.default", {a}, "l:Layer");
  Drawn out{p.returning({b}), {}, {}, {}};
  out.tree = layout::groupTree(*out.program);
  layout::ViewOptions options;
  options.everything = open;
  out.view = layout::graphView(*out.program, out.tree, options);
  test::InProcessLayout runner;
  auto placed = layout::layoutGraph(out.view, {}, runner, {});
  EXPECT_TRUE(placed) << placed.error().message;
  if (placed) out.placed = *std::move(placed);
  return out;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size()))
    ++found;
  return found;
}

fx::Finding findingAtNode(const fx::Program& program, const char* name, fx::Severity severity) {
  fx::Finding finding;
  finding.severity = severity;
  finding.node = program.findNode(name)->id;
  finding.message = "no pattern takes it";
  return finding;
}

TEST(GraphSvg, ShowsBoxesChipsFramesAndLabels) {
  const std::string svg = drawn(true).svg();
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (std::string_view text : {">x<", ">a<", ">aten.relu<", ">weight<", ">l<", ">Layer · 2 nodes<",
                                ">output<", ">f32[2, 4]<"})
    EXPECT_EQ(count(svg, text) > 0, true) << text;
  EXPECT_EQ(count(svg, "<g>"), 4u);
}

TEST(GraphSvg, NamesAreEscaped) {
  const std::string svg = drawn(true).svg();
  EXPECT_NE(svg.find("custom.op&lt;T&gt;&amp;&quot;q&quot;"), std::string::npos);
  EXPECT_EQ(svg.find("op<T>"), std::string::npos);
}

TEST(GraphSvg, ABlockedNodeHasASignAndAReason) {
  const Drawn graph = drawn(true);
  const std::string svg = graph.svg({findingAtNode(*graph.program, "b", fx::Severity::Error)});
  EXPECT_EQ(count(svg, ">!<"), 1u);
  EXPECT_EQ(count(svg, "b = aten.relu.default : f32[2, 4]\nno pattern takes it</title>"), 1u);
  EXPECT_EQ(count(graph.svg({findingAtNode(*graph.program, "b", fx::Severity::Note)}), ">!<"), 0u);
}

TEST(GraphSvg, ACollapsedGroupCountsItsFindings) {
  const Drawn graph = drawn(false);
  const std::string svg = graph.svg({findingAtNode(*graph.program, "a", fx::Severity::Warning),
                                     findingAtNode(*graph.program, "b", fx::Severity::Error)});
  EXPECT_EQ(count(svg, ">2<"), 1u);
  EXPECT_EQ(count(svg, ">1 parameter<"), 1u);
}

TEST(GraphSvg, TheThemesDifferOnlyInColour) {
  const Drawn graph = drawn(true);
  const std::string light = graph.svg(), dark = graph.svg({}, SvgTheme::Dark);
  EXPECT_NE(light, dark);
  EXPECT_EQ(light.size(), dark.size());
}

}  // namespace
}  // namespace fxs::report
