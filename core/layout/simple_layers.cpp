// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/simple_layers.h"

#include <algorithm>
#include <cmath>

namespace fxs::layout {
namespace {

constexpr int kOrderSweeps = 6, kPlaceSweeps = 8;
constexpr double kBendWidth = 6;

/// A node of the graph, or a bend, where an edge passes a row.
struct Spot {
  double width = 0, height = 0, x = 0;  // x of the centre
  double anchor = 0;                    // offset from the centre to where edges connect
  std::size_t row = 0;
};
struct Strand {
  std::size_t above, below;
  double fromOffset, toOffset;
};  // between spots of neighbouring rows

class Layers {
 public:
  explicit Layers(const FlatGraph& graph) : graph_(graph) {}

  FlatPlacement run() {
    assignRows();
    addBends();
    for (int sweep = 0; sweep < kOrderSweeps; ++sweep) order(sweep % 2 == 0);
    pack();
    for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) straighten(sweep % 2 == 0);
    return result();
  }

 private:
  void assignRows() {
    const auto rowOf = [&](std::size_t node) { return graph_.nodes[node].row; };
    std::vector<std::size_t> sequence;
    for (FlatGraph::Row row : {FlatGraph::Row::First, FlatGraph::Row::Any, FlatGraph::Row::Last})
      for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
        if (rowOf(node) == row) sequence.push_back(node);
    const bool entered = !sequence.empty() && rowOf(sequence.front()) == FlatGraph::Row::First;
    std::vector<std::vector<std::size_t>> after(graph_.nodes.size());
    for (const auto& edge : graph_.edges) after[edge.from].push_back(edge.to);
    std::vector<std::size_t> row(graph_.nodes.size(), 0);
    std::size_t last = 0;
    for (std::size_t node : sequence) {
      if (entered && rowOf(node) == FlatGraph::Row::Any)
        row[node] = std::max<std::size_t>(row[node], 1);
      for (std::size_t to : after[node]) row[to] = std::max(row[to], row[node] + 1);
      if (rowOf(node) == FlatGraph::Row::Any) last = std::max(last, row[node]);
    }
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
      if (rowOf(node) == FlatGraph::Row::Last) row[node] = last + 1;
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      const auto& source = graph_.nodes[node];
      spots_.push_back(
          {source.width, source.height, 0, source.centre - source.width / 2, row[node]});
    }
  }

  void addBends() {
    strands_.resize(graph_.edges.size());
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      const auto& edge = graph_.edges[e];
      const auto& from = graph_.nodes[edge.from];
      const auto& to = graph_.nodes[edge.to];
      double offset = edge.fromPort == FlatGraph::kNoPort
                          ? spots_[edge.from].anchor
                          : from.outPorts[edge.fromPort] - from.width / 2;
      const double end = edge.toPort == FlatGraph::kNoPort ? spots_[edge.to].anchor
                                                           : to.inPorts[edge.toPort] - to.width / 2;
      std::size_t at = edge.from;
      for (std::size_t row = spots_[edge.from].row + 1; row < spots_[edge.to].row; ++row) {
        spots_.push_back({kBendWidth, 0, 0, 0, row});
        strands_[e].push_back({at, spots_.size() - 1, offset, 0});
        at = spots_.size() - 1;
        offset = 0;
      }
      strands_[e].push_back({at, edge.to, offset, end});
    }
    above_.resize(spots_.size());
    below_.resize(spots_.size());
    for (const auto& strands : strands_)
      for (const Strand& strand : strands) {
        below_[strand.above].push_back(&strand);
        above_[strand.below].push_back(&strand);
      }
    std::size_t rows = 0;
    for (const Spot& spot : spots_) rows = std::max(rows, spot.row + 1);
    rows_.resize(rows);
    for (std::size_t spot = 0; spot < spots_.size(); ++spot)
      rows_[spots_[spot].row].push_back(spot);
  }

  void order(bool down) {
    std::vector<double> place(spots_.size());
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) place[row[i]] = static_cast<double>(i);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      auto& row = rows_[down ? r : rows_.size() - 1 - r];
      std::vector<std::pair<double, std::size_t>> wanted;
      for (std::size_t spot : row) {
        const auto& strands = down ? above_[spot] : below_[spot];
        double sum = 0;
        for (const Strand* strand : strands) sum += place[down ? strand->above : strand->below];
        wanted.emplace_back(
            strands.empty() ? place[spot] : sum / static_cast<double>(strands.size()), spot);
      }
      std::stable_sort(wanted.begin(), wanted.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = wanted[i].second;
        place[row[i]] = static_cast<double>(i);
      }
    }
  }

  double apart(std::size_t left, std::size_t right) const {
    return (spots_[left].width + spots_[right].width) / 2 + kNodeGap;
  }

  void pack() {
    for (const auto& row : rows_) {
      double x = 0;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i) x += apart(row[i - 1], row[i]);
        spots_[row[i]].x = x;
      }
      for (std::size_t spot : row) spots_[spot].x -= x / 2;
    }
  }

  /// Neighbours in a row that lie as near to each other as they may.
  struct Block {
    double sum, weight;
    std::size_t count;
    double position() const { return sum / weight; }
  };

  /// Where the neighbours of a spot would have it, and how much that counts.
  std::pair<double, double> wanted(std::size_t spot, bool down) const {
    const auto& strands = down ? above_[spot] : below_[spot];
    if (strands.empty()) return {spots_[spot].x, 0.1};
    double sum = 0;
    for (const Strand* strand : strands)
      sum += down ? spots_[strand->above].x + strand->fromOffset - strand->toOffset
                  : spots_[strand->below].x + strand->toOffset - strand->fromOffset;
    return {sum / static_cast<double>(strands.size()), 1};
  }

  /// Blocks that would overlap become one.
  static void add(Block block, std::vector<Block>& blocks) {
    while (!blocks.empty() && blocks.back().position() > block.position()) {
      block.sum += blocks.back().sum;
      block.weight += blocks.back().weight;
      block.count += blocks.back().count;
      blocks.pop_back();
    }
    blocks.push_back(block);
  }

  /// Moves each row as near to its neighbours as order and widths allow: least squares.
  void straighten(bool down) {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const auto& row = rows_[down ? r : rows_.size() - 1 - r];
      std::vector<Block> blocks;
      double shift = 0;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i) shift += apart(row[i - 1], row[i]);
        const auto [x, weight] = wanted(row[i], down);
        add({(x - shift) * weight, weight, 1}, blocks);
      }
      std::size_t i = 0;
      double offset = 0;
      for (const Block& block : blocks)
        for (std::size_t n = 0; n < block.count; ++n, ++i) {
          if (i) offset += apart(row[i - 1], row[i]);
          spots_[row[i]].x = block.position() + offset;
        }
    }
  }

  FlatPlacement result() {
    FlatPlacement out;
    double left = 0, right = 0;
    bool first = true;
    for (const Spot& spot : spots_) {
      left = first ? spot.x - spot.width / 2 : std::min(left, spot.x - spot.width / 2);
      right = first ? spot.x + spot.width / 2 : std::max(right, spot.x + spot.width / 2);
      first = false;
    }
    std::vector<double> top(rows_.size()), height(rows_.size(), 0);
    double y = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t spot : rows_[r]) height[r] = std::max(height[r], spots_[spot].height);
      top[r] = y;
      y += height[r] + (r + 1 < rows_.size() ? kRowGap : 0);
    }
    out.width = right - left;
    out.height = y;
    const auto upper = [&](std::size_t spot) {
      return top[spots_[spot].row] + (height[spots_[spot].row] - spots_[spot].height) / 2;
    };
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
      out.nodes.push_back({spots_[node].x - spots_[node].width / 2 - left, upper(node)});
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      out.edges.emplace_back();
      if (!graph_.edges[e].drawn) continue;
      std::vector<Point>& path = out.edges.back();
      for (const Strand& strand : strands_[e]) {
        const Point from{spots_[strand.above].x + strand.fromOffset - left,
                         upper(strand.above) + spots_[strand.above].height};
        const Point to{spots_[strand.below].x + strand.toOffset - left, upper(strand.below)};
        if (path.empty()) path.push_back(from);
        const double middle = (from.y + to.y) / 2;
        path.insert(path.end(), {{from.x, middle}, {to.x, middle}, to});
      }
    }
    return out;
  }

  const FlatGraph& graph_;
  std::vector<Spot> spots_;
  std::vector<std::vector<Strand>> strands_;  // by edge, from above
  std::vector<std::vector<const Strand*>> above_, below_;
  std::vector<std::vector<std::size_t>> rows_;
};

}  // namespace

Result<FlatPlacement> SimpleLayers::place(const FlatGraph& graph) { return Layers(graph).run(); }

}  // namespace fxs::layout
