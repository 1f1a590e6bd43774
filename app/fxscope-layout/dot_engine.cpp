// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dot_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

extern "C" {
extern gvplugin_library_t gvplugin_dot_layout_LTX_library;
}

namespace fxs::layout {
namespace {

constexpr double kPointsPerInch = 72;
constexpr std::size_t kManyEdges = 150;  // the largest level of known models has about 80

void set(void* object, const char* name, const std::string& value) {
  agsafeset(object, const_cast<char*>(name), const_cast<char*>(value.c_str()),
            const_cast<char*>(""));
}

/// One border of the table: a cell one point wide for each port, with empty cells between.
std::string portRow(const std::vector<double>& ports, double width, char side) {
  if (ports.empty()) return "";
  std::string row =
      "<TR><TD FIXEDSIZE=\"TRUE\" HEIGHT=\"2\" WIDTH=\"" + std::to_string(std::lround(width)) +
      "\"><TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\"><TR>";
  long at = 0;
  const auto blank = [&](long to) {
    for (; to > at; at += std::min(to - at, 60'000L))
      row += fmt::format("<TD FIXEDSIZE=\"TRUE\" HEIGHT=\"2\" WIDTH=\"{}\"></TD>",
                         std::min(to - at, 60'000L));
  };
  for (std::size_t i = 0; i < ports.size(); ++i) {
    blank(std::lround(ports[i]) - 1);
    row +=
        fmt::format("<TD FIXEDSIZE=\"TRUE\" HEIGHT=\"2\" WIDTH=\"2\" PORT=\"{}{}\"></TD>", side, i);
    at += 2;
  }
  blank(std::lround(width));
  return row + "</TR></TABLE></TD></TR>";
}

/// A box as an HTML-like label, the only shape of dot with ports at given positions.
std::string ported(const FlatGraph::Node& node, const std::vector<double>& in,
                   const std::vector<double>& out) {
  std::string label = "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\">" +
                      portRow(in, node.width, 'i');
  long rest = std::lround(node.height) - (in.empty() ? 0 : 2) - (out.empty() ? 0 : 2);
  const long width = std::lround(node.width);
  while (rest > 0) {  // attributes are limited to 16 bits
    const long part = std::min(rest, 60'000L);
    label += "<TR>";
    for (long done = 0; done < width; done += 60'000L)
      label += fmt::format("<TD FIXEDSIZE=\"TRUE\" WIDTH=\"{}\" HEIGHT=\"{}\"></TD>",
                           std::min(width - done, 60'000L), part);
    label += "</TR>";
    rest -= part;
  }
  return label + portRow(out, node.width, 'o') + "</TABLE>";
}

}  // namespace

DotEngine::DotEngine() {
  // The layout plugin is linked in, so that Graphviz neither searches for plugins nor reads a
  // configuration.
  static lt_symlist_t builtins[] = {
      {const_cast<char*>("gvplugin_dot_layout_LTX_library"), &gvplugin_dot_layout_LTX_library},
      {nullptr, nullptr}};
  context_ = gvContextPlugins(builtins, 0);
}

DotEngine::~DotEngine() { gvFreeContext(context_); }

Result<FlatPlacement> DotEngine::place(const FlatGraph& flat) {
  Agraph_t* graph = agopen(const_cast<char*>("level"), Agdirected, nullptr);
  set(graph, "nodesep", fmt::format("{:.4f}", kNodeGap / kPointsPerInch));
  set(graph, "ranksep", fmt::format("{:.4f}", kRowGap / kPointsPerInch));
  if (flat.edges.size() > kManyEdges) {
    // Limits the iterations of dot; without, a level with a few hundred crossing edges takes
    // seconds.
    set(graph, "nslimit", "2");
    set(graph, "nslimit1", "2");
    set(graph, "mclimit", "0.3");
  }
  for (const char* name : {"shape", "width", "height", "fixedsize", "margin", "label"})
    agattr(graph, AGNODE, const_cast<char*>(name), const_cast<char*>(""));
  for (const char* name : {"headport", "tailport", "style", "weight", "dir"})
    agattr(graph, AGEDGE, const_cast<char*>(name), const_cast<char*>(""));
  Agraph_t* first = nullptr;
  Agraph_t* last = nullptr;
  const auto row = [&](Agraph_t*& into, const char* name, const char* rank) {
    if (!into) {
      into = agsubg(graph, const_cast<char*>(name), 1);
      set(into, "rank", rank);
    }
    return into;
  };

  std::vector<Agnode_t*> nodes;
  std::vector<bool> hasPorts;
  for (std::size_t i = 0; i < flat.nodes.size(); ++i) {
    const FlatGraph::Node& node = flat.nodes[i];
    nodes.push_back(agnode(graph, const_cast<char*>(std::to_string(i).c_str()), 1));
    const bool aside = std::abs(node.centre - node.width / 2) > 0.5;
    hasPorts.push_back(aside || !node.inPorts.empty() || !node.outPorts.empty());
    if (hasPorts.back()) {
      const std::vector<double> centre{node.centre};
      const std::string label =
          aside ? ported(node, centre, centre) : ported(node, node.inPorts, node.outPorts);
      set(nodes[i], "shape", "none");
      set(nodes[i], "margin", "0");
      set(nodes[i], "width", "0");
      set(nodes[i], "height", "0");
      char* html = agstrdup_html(graph, const_cast<char*>(label.c_str()));
      agxset(nodes[i], agattr(graph, AGNODE, const_cast<char*>("label"), nullptr), html);
      agstrfree(graph, html);
    } else {
      set(nodes[i], "shape", "box");
      set(nodes[i], "fixedsize", "true");
      set(nodes[i], "width", fmt::format("{:.5f}", node.width / kPointsPerInch));
      set(nodes[i], "height", fmt::format("{:.5f}", node.height / kPointsPerInch));
    }
    if (node.row == FlatGraph::Row::First) agsubnode(row(first, "first", "source"), nodes[i], 1);
    if (node.row == FlatGraph::Row::Last) agsubnode(row(last, "last", "sink"), nodes[i], 1);
  }
  std::vector<Agedge_t*> edges;
  for (std::size_t i = 0; i < flat.edges.size(); ++i) {
    const FlatGraph::Edge& edge = flat.edges[i];
    edges.push_back(agedge(graph, nodes[edge.from], nodes[edge.to],
                           const_cast<char*>(std::to_string(i).c_str()), 1));
    const auto portName = [&](std::size_t node, std::size_t port, char side, char compass) {
      if (!hasPorts[node]) return std::string(1, compass);
      const bool aside = std::abs(flat.nodes[node].centre - flat.nodes[node].width / 2) > 0.5;
      if (aside) return fmt::format("{}0:{}", side, compass);
      return port == FlatGraph::kNoPort ? std::string(1, compass)
                                        : fmt::format("{}{}:{}", side, port, compass);
    };
    set(edges[i], "tailport", portName(edge.from, edge.fromPort, 'o', 's'));
    set(edges[i], "headport", portName(edge.to, edge.toPort, 'i', 'n'));
    set(edges[i], "dir", "none");
    set(edges[i], "weight", std::to_string(edge.weight));
    if (!edge.drawn) set(edges[i], "style", "invis");
  }

  if (gvLayout(context_, graph, "dot") != 0) {
    agclose(graph);
    return fail(ErrorCode::EngineFailed,
                fmt::format("dot failed on a level of {} nodes and {} edges", flat.nodes.size(),
                            flat.edges.size()));
  }
  FlatPlacement out;
  const boxf box = GD_bb(graph);
  const auto flip = [&](pointf p) { return Point{p.x - box.LL.x, box.UR.y - p.y}; };
  out.width = box.UR.x - box.LL.x;
  out.height = box.UR.y - box.LL.y;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Point centre = flip(ND_coord(nodes[i]));
    out.nodes.push_back({centre.x - flat.nodes[i].width / 2, centre.y - flat.nodes[i].height / 2});
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    out.edges.emplace_back();
    if (!flat.edges[i].drawn) continue;
    const splines* spline = ED_spl(edges[i]);
    if (spline && spline->size > 0)
      for (int p = 0; p < spline->list[0].size; ++p)
        out.edges.back().push_back(flip(spline->list[0].list[p]));
    if (out.edges.back().size() < 4 || out.edges.back().size() % 3 != 1) {
      // dot sometimes drops an edge: draw a straight one.
      const FlatGraph::Edge& edge = flat.edges[i];
      const FlatGraph::Node& from = flat.nodes[edge.from];
      const FlatGraph::Node& to = flat.nodes[edge.to];
      const Point a{
          out.nodes[edge.from].x +
              (edge.fromPort == FlatGraph::kNoPort ? from.centre : from.outPorts[edge.fromPort]),
          out.nodes[edge.from].y + from.height};
      const Point b{out.nodes[edge.to].x +
                        (edge.toPort == FlatGraph::kNoPort ? to.centre : to.inPorts[edge.toPort]),
                    out.nodes[edge.to].y};
      out.edges.back() = {a, {a.x, (a.y + b.y) / 2}, {b.x, (a.y + b.y) / 2}, b};
    }
  }
  gvFreeLayout(context_, graph);
  agclose(graph);
  return out;
}

}  // namespace fxs::layout
