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

/// Whether edges without a port end elsewhere than in the middle, where dot ends them.
bool isAside(const FlatGraph::Node& node) { return std::abs(node.centre - node.width / 2) > 0.5; }

bool hasPorts(const FlatGraph::Node& node) {
  return isAside(node) || !node.inPorts.empty() || !node.outPorts.empty();
}

/// Where an edge ends at a node: "i0:n".
std::string portName(const FlatGraph::Node& node, std::size_t port, char side, char compass) {
  if (isAside(node)) return fmt::format("{}0:{}", side, compass);
  if (!hasPorts(node) || port == FlatGraph::kNoPort) return std::string(1, compass);
  return fmt::format("{}{}:{}", side, port, compass);
}

/// The graph of a level as Graphviz has it.
class Level {
 public:
  explicit Level(const FlatGraph& flat)
      : flat_(flat), graph_(agopen(const_cast<char*>("level"), Agdirected, nullptr)) {
    declareAttributes();
    for (const FlatGraph::Node& node : flat.nodes) addNode(node);
    for (const FlatGraph::Edge& edge : flat.edges) addEdge(edge);
  }
  ~Level() { agclose(graph_); }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

  Agraph_t* graph() const { return graph_; }

  /// After it was laid out.
  FlatPlacement placement() const {
    FlatPlacement out;
    const boxf box = GD_bb(graph_);
    out.width = box.UR.x - box.LL.x;
    out.height = box.UR.y - box.LL.y;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Point centre = flipped(ND_coord(nodes_[i]));
      out.nodes.push_back(
          {centre.x - flat_.nodes[i].width / 2, centre.y - flat_.nodes[i].height / 2});
    }
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      std::vector<Point>& points = out.edges.emplace_back();
      if (!flat_.edges[i].drawn) continue;
      points = splineOf(edges_[i]);
      // dot sometimes drops an edge.
      if (points.size() < 4 || points.size() % 3 != 1) points = straight(flat_.edges[i], out.nodes);
    }
    return out;
  }

 private:
  void declareAttributes() {
    set(graph_, "nodesep", fmt::format("{:.4f}", kNodeGap / kPointsPerInch));
    set(graph_, "ranksep", fmt::format("{:.4f}", kRowGap / kPointsPerInch));
    if (flat_.edges.size() > kManyEdges) {
      // Limits the iterations of dot; without, a level with a few hundred crossing edges takes
      // seconds.
      set(graph_, "nslimit", "2");
      set(graph_, "nslimit1", "2");
      set(graph_, "mclimit", "0.3");
    }
    for (const char* name : {"shape", "width", "height", "fixedsize", "margin", "label"})
      agattr(graph_, AGNODE, const_cast<char*>(name), const_cast<char*>(""));
    for (const char* name : {"headport", "tailport", "style", "weight", "dir"})
      agattr(graph_, AGEDGE, const_cast<char*>(name), const_cast<char*>(""));
  }

  void addNode(const FlatGraph::Node& node) {
    const std::string id = std::to_string(nodes_.size());
    Agnode_t* added = nodes_.emplace_back(agnode(graph_, const_cast<char*>(id.c_str()), 1));
    if (hasPorts(node)) {
      const std::vector<double> centre{node.centre};
      const std::string label =
          isAside(node) ? ported(node, centre, centre) : ported(node, node.inPorts, node.outPorts);
      set(added, "shape", "none");
      set(added, "margin", "0");
      set(added, "width", "0");
      set(added, "height", "0");
      char* html = agstrdup_html(graph_, const_cast<char*>(label.c_str()));
      agxset(added, agattr(graph_, AGNODE, const_cast<char*>("label"), nullptr), html);
      agstrfree(graph_, html);
    } else {
      set(added, "shape", "box");
      set(added, "fixedsize", "true");
      set(added, "width", fmt::format("{:.5f}", node.width / kPointsPerInch));
      set(added, "height", fmt::format("{:.5f}", node.height / kPointsPerInch));
    }
    if (node.row == FlatGraph::Row::First) agsubnode(row(first_, "first", "source"), added, 1);
    if (node.row == FlatGraph::Row::Last) agsubnode(row(last_, "last", "sink"), added, 1);
  }

  void addEdge(const FlatGraph::Edge& edge) {
    const std::string id = std::to_string(edges_.size());
    Agedge_t* added = edges_.emplace_back(
        agedge(graph_, nodes_[edge.from], nodes_[edge.to], const_cast<char*>(id.c_str()), 1));
    set(added, "tailport", portName(flat_.nodes[edge.from], edge.fromPort, 'o', 's'));
    set(added, "headport", portName(flat_.nodes[edge.to], edge.toPort, 'i', 'n'));
    set(added, "dir", "none");
    set(added, "weight", std::to_string(edge.weight));
    if (!edge.drawn) set(added, "style", "invis");
  }

  /// The subgraph `into`, made with the first node in it.
  Agraph_t* row(Agraph_t*& into, const char* name, const char* rank) {
    if (into == nullptr) {
      into = agsubg(graph_, const_cast<char*>(name), 1);
      set(into, "rank", rank);
    }
    return into;
  }

  /// From the top left corner; dot counts from the bottom left one.
  Point flipped(pointf p) const {
    const boxf box = GD_bb(graph_);
    return {p.x - box.LL.x, box.UR.y - p.y};
  }

  std::vector<Point> splineOf(Agedge_t* edge) const {
    std::vector<Point> out;
    const splines* spline = ED_spl(edge);
    if (spline != nullptr && spline->size > 0)
      for (int p = 0; p < spline->list[0].size; ++p)
        out.push_back(flipped(spline->list[0].list[p]));
    return out;
  }

  std::vector<Point> straight(const FlatGraph::Edge& edge, const std::vector<Point>& nodes) const {
    const FlatGraph::Node& from = flat_.nodes[edge.from];
    const FlatGraph::Node& to = flat_.nodes[edge.to];
    const Point a{
        nodes[edge.from].x +
            (edge.fromPort == FlatGraph::kNoPort ? from.centre : from.outPorts[edge.fromPort]),
        nodes[edge.from].y + from.height};
    const Point b{nodes[edge.to].x +
                      (edge.toPort == FlatGraph::kNoPort ? to.centre : to.inPorts[edge.toPort]),
                  nodes[edge.to].y};
    return {a, {a.x, (a.y + b.y) / 2}, {b.x, (a.y + b.y) / 2}, b};
  }

  const FlatGraph& flat_;
  Agraph_t* graph_;
  Agraph_t *first_ = nullptr, *last_ = nullptr;  ///< rows; null without nodes
  std::vector<Agnode_t*> nodes_;
  std::vector<Agedge_t*> edges_;
};

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
  const Level level(flat);
  if (gvLayout(context_, level.graph(), "dot") != 0)
    return fail(ErrorCode::EngineFailed,
                fmt::format("dot failed on a level of {} nodes and {} edges", flat.nodes.size(),
                            flat.edges.size()));
  FlatPlacement out = level.placement();
  gvFreeLayout(context_, level.graph());
  return out;
}

}  // namespace fxs::layout
