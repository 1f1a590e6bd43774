// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/graph_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/counted.h"
#include "base/joined.h"
#include "base/json_form.h"
#include "base/safe_text.h"
#include "report/json_parts.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using ComparedFacts = graph_diff::Facts;
using graph_diff::NodePair;
using mlir::OpChange;

/// Longer ones are truncated in text, but not in JSON.
constexpr std::size_t kShownFacts = 160;

std::string shortened(const std::string& text) {
  if (text.size() <= kShownFacts) return text;
  return std::string(utf8Prefix(text, kShownFacts)) + " ..";
}

bool isChanged(const NodePair& pair) {
  return pair.change == OpChange::Changed || pair.change == OpChange::MovedAndChanged;
}

const ComparedFacts& factsA(const graph_diff::GraphDiff& diff, const NodePair& pair) {
  return diff.factsA[pair.a.index()];
}
const ComparedFacts& factsB(const graph_diff::GraphDiff& diff, const NodePair& pair) {
  return diff.factsB[pair.b.index()];
}

/// What differs of a changed node.
std::vector<std::string_view> differing(const graph_diff::GraphDiff& diff, const NodePair& pair) {
  std::vector<std::string_view> out;
  if (!pair.a.valid() || !pair.b.valid()) return out;
  const ComparedFacts &a = factsA(diff, pair), &b = factsB(diff, pair);
  if (a.target != b.target) out.emplace_back("target");
  if (a.arguments != b.arguments) out.emplace_back("arguments");
  if (pair.otherOperands) out.emplace_back("operands");
  if (a.value != b.value) out.emplace_back("value");
  return out;
}

std::string nodeName(const GraphDiffReport& report, const DifferenceBlocker& blocker) {
  if (!blocker.node.valid()) return {};
  return (blocker.inB ? report.b : report.a).node(blocker.node).name;
}

/// "added", "changed: arguments, value", "the same in both", "not known".
std::string changeOf(const graph_diff::GraphDiff& diff, const DifferenceBlocker& blocker) {
  if (!blocker.node.valid()) return "not known";
  const auto pair = std::find_if(diff.pairs.begin(), diff.pairs.end(), [&](const NodePair& each) {
    return (blocker.inB ? each.b : each.a) == blocker.node;
  });
  if (pair == diff.pairs.end()) return "not known";
  if (pair->change == OpChange::Same) return "the same in both";
  const std::vector<std::string_view> what = differing(diff, *pair);
  return std::string(mlir::name(pair->change)) + (what.empty() ? "" : ": " + joined(what));
}

class GraphDiffLines {
 public:
  explicit GraphDiffLines(const GraphDiffReport& report) : r_(report) {}

  std::string write() {
    for (const graph_diff::SizeChange& size : r_.diff.sizes)
      out_ += fmt::format("~ size {}: {} -> {}\n", printable(size.size), rangeOf(size.a),
                          rangeOf(size.b));
    for (const NodePair& pair : r_.diff.pairs)
      if (pair.change != OpChange::Same) add(pair);
    for (const auto& [change, count] : alike_)
      if (count > 1)
        out_ += fmt::format("~ {} more: {}\n", counted(count - 1, "value"), printable(change));
    for (const DifferenceInLowering& lowering : r_.lowering) add(lowering);
    const auto& pairs = r_.diff.pairs;
    const auto same = std::count_if(pairs.begin(), pairs.end(), [](const NodePair& pair) {
      return pair.change == OpChange::Same;
    });
    if (r_.diff.empty())
      return out_ + fmt::format("no differences between the graphs of {} and {}: {} the same\n",
                                printable(r_.inputA), printable(r_.inputB),
                                counted(static_cast<std::size_t>(same), "node"));
    return out_ + fmt::format("{} added, {} removed, {} changed, {} moved, {} the same; {}\n",
                              counted(r_.diff.added, "node"), r_.diff.removed, r_.diff.changed,
                              r_.diff.moved, same,
                              counted(r_.diff.sizes.size(), "symbolic size") + " changed");
  }

 private:
  static std::string rangeOf(const std::string& range) { return range.empty() ? "none" : range; }

  /// "%add = aten.add.Tensor(%x, %y)  f32[2]  in layers.0  model.py:12"
  static std::string line(const fx::Program& program, fx::NodeId id, const ComparedFacts& facts) {
    const fx::Node& node = program.node(id);
    std::string out = fmt::format("{} = {}", node.name, facts.target);
    if (!facts.arguments.empty()) out += "(" + shortened(facts.arguments) + ")";
    if (!facts.value.empty()) out += "  " + shortened(facts.value);
    return out;
  }
  static std::string placeOf(const fx::Program& program, fx::NodeId id) {
    const SourceLocation location = sourceLocationOf(program, id);
    std::string out;
    if (!location.module.empty()) out += "  in " + location.module;
    if (location.line)
      out += fmt::format("  {}:{}", fileNameOf(location.line->file), location.line->line);
    return out;
  }

  void add(const NodePair& pair) {
    switch (pair.change) {
      case OpChange::Same: return;
      case OpChange::Added: return whole("+", r_.b, pair.b, factsB(r_.diff, pair));
      case OpChange::Removed: return whole("-", r_.a, pair.a, factsA(r_.diff, pair));
      case OpChange::Moved: return whole(">", r_.b, pair.b, factsB(r_.diff, pair));
      case OpChange::Changed:
      case OpChange::MovedAndChanged: return changed(pair);
    }
  }

  void add(const DifferenceInLowering& lowering) {
    const auto outcome = [](const std::optional<bool>& lowers, const std::string& stage) {
      if (!lowers) return std::string("is not known to lower");
      if (*lowers) return std::string("lowers");
      return "does not lower" + (stage.empty() ? "" : " (stops at " + stage + ")");
    };
    const std::string a = shortName(r_.inputA, r_.inputB), b = shortName(r_.inputB, r_.inputA);
    out_ += fmt::format("{}: {} {}, {} {}\n", lowering.to, a, outcome(lowering.a, lowering.stageA),
                        b, outcome(lowering.b, lowering.stageB));
    for (const DifferenceBlocker& each : lowering.blockers) {
      const std::string name = nodeName(r_, each);
      out_ += fmt::format("  {}  {} ({}): {}\n", each.inB ? b : a,
                          printable(name.empty() ? each.fxTarget : name), changeOf(r_.diff, each),
                          printable(shortened(each.why)));
    }
  }
  /// The file's name, unless the other program has the same.
  static std::string shortName(const std::string& input, const std::string& other) {
    return printable(fileNameOf(input) == fileNameOf(other) ? input : fileNameOf(input));
  }

  void whole(std::string_view mark, const fx::Program& program, fx::NodeId id,
             const ComparedFacts& facts) {
    out_ +=
        fmt::format("{} {}\n", mark, printable(line(program, id, facts) + placeOf(program, id)));
  }

  void changed(const NodePair& pair) {
    const ComparedFacts &a = factsA(r_.diff, pair), &b = factsB(r_.diff, pair);
    const std::vector<std::string_view> what = differing(r_.diff, pair);
    if (what == std::vector<std::string_view>{"value"} && pair.change == OpChange::Changed) {
      const std::string change = fmt::format("{} -> {}", shortened(a.value), shortened(b.value));
      if (alike_[change]++ > 0) return;
    }
    out_ += fmt::format("{} {}\n", pair.change == OpChange::Changed ? "~" : ">~",
                        printable(r_.b.node(pair.b).name + placeOf(r_.b, pair.b)));
    side("target", a.target, b.target);
    side("arguments", a.arguments, b.arguments);
    side("value", a.value, b.value);
    if (pair.otherOperands) out_ += "    operands: other nodes\n";
  }
  void side(std::string_view what, const std::string& a, const std::string& b) {
    if (a == b) return;
    const auto shown = [](const std::string& text) {
      return text.empty() ? std::string("none") : printable(shortened(text));
    };
    out_ += fmt::format("    {}: {} -> {}\n", what, shown(a), shown(b));
  }

  const GraphDiffReport& r_;
  std::map<std::string, std::size_t> alike_;  ///< by change of a value: nodes
  std::string out_;
};

struct Side {
  const fx::Program* program;
  fx::NodeId node;
  const ComparedFacts* facts;
};

JsonForm<NodePair> pairForm(const GraphDiffReport* report) {
  const auto side = [report](auto program, auto id, auto facts) {
    return [report, program, id, facts](const NodePair& pair) {
      const fx::NodeId node = pair.*id;
      return node.valid() ? std::optional(
                                Side{&program(*report), node, &(report->diff.*facts)[node.index()]})
                          : std::nullopt;
    };
  };
  const auto location = [](const Side& s) { return sourceLocationOf(*s.program, s.node); };
  const JsonForm<Side> sideForm = {
      {"node", [](const Side& s) -> const auto& { return s.program->node(s.node).name; }},
      {"target", [](const Side& s) -> const auto& { return s.facts->target; },
       "of an input its kind and what it is"},
      {"arguments", [](const Side& s) -> const auto& { return s.facts->arguments; },
       "% is any node"},
      {"value", [](const Side& s) -> const auto& { return s.facts->value; },
       "with symbolic sizes named as in sizes"},
      {"module", [location](const Side& s) { return location(s).module; }, nullIfEmpty},
      {"line",
       [location](const Side& s) {
         const SourceLocation at = location(s);
         return at.line ? fmt::format("{}:{}", fileNameOf(at.line->file), at.line->line)
                        : std::string();
       },
       nullIfEmpty, "of Python"}};
  const auto differs = [report](const NodePair& pair) {
    return isChanged(pair) ? differing(report->diff, pair) : std::vector<std::string_view>();
  };
  constexpr const char* kSide = "the node in that program; null when it is not there";
  return {{"change", [](const NodePair& pair) { return mlir::name(pair.change); },
           JsonNames{"changed", "moved", "moved and changed", "added", "removed"}},
          {"a",
           side([](const GraphDiffReport& r) -> auto& { return r.a; }, &NodePair::a,
                &graph_diff::GraphDiff::factsA),
           sideForm, kSide},
          {"b",
           side([](const GraphDiffReport& r) -> auto& { return r.b; }, &NodePair::b,
                &graph_diff::GraphDiff::factsB),
           sideForm, kSide},
          {"differs", differs, JsonNames{"target", "arguments", "operands", "value"},
           "of a changed node; operands: an argument is another node, which both have"}};
}

JsonAnswer<GraphDiffReport> graphDiffAnswer(const GraphDiffReport* report) {
  using R = GraphDiffReport;
  using graph_diff::GraphDiff;
  using graph_diff::SizeChange;
  const auto differences = [](const GraphDiff& diff) {
    std::vector<NodePair> out;
    std::copy_if(diff.pairs.begin(), diff.pairs.end(), std::back_inserter(out),
                 [](const NodePair& pair) { return pair.change != OpChange::Same; });
    return out;
  };
  const JsonForm<R> a = {{"input", &R::inputA, kInputMessage},
                         {"nodes", [](const R& r) { return r.a.nodes.size(); }}};
  const JsonForm<R> b = {{"input", &R::inputB, kInputMessage},
                         {"nodes", [](const R& r) { return r.b.nodes.size(); }}};
  const auto node = [report](const DifferenceBlocker& each) { return nodeName(*report, each); };
  const auto change = [report](const DifferenceBlocker& each) {
    return changeOf(report->diff, each);
  };
  const JsonForm<DifferenceBlocker> blocker = {
      {"program",
       [](const DifferenceBlocker& each) { return std::string_view(each.inB ? "b" : "a"); },
       JsonNames{"a", "b"}, "the one that it blocks"},
      {"operator", &DifferenceBlocker::fxTarget},
      {"node", node, nullIfEmpty},
      {"change", change,
       "what the diff says of the node: added, removed, 'changed: arguments', 'the same in both'"},
      {"why", &DifferenceBlocker::why}};
  const JsonForm<DifferenceInLowering> lowering = {
      {"to", &DifferenceInLowering::to},
      {"a", &DifferenceInLowering::a, "whether it lowers; null if that is not known"},
      {"b", &DifferenceInLowering::b},
      {"stage_a", &DifferenceInLowering::stageA, nullIfEmpty, "where it stops"},
      {"stage_b", &DifferenceInLowering::stageB, nullIfEmpty},
      {"blockers", &DifferenceInLowering::blockers, blocker}};
  const JsonForm<SizeChange> size = {
      {"size", &SizeChange::size,
       "the dimension of an input, x.size(1), an input that is a number, or the operator whose "
       "result has it first, aten.nonzero.size(0); symbol(x.size(1)) is in that size"},
      {"a", &SizeChange::a, nullIfEmpty, "2..128; null where the program has no such size"},
      {"b", &SizeChange::b, nullIfEmpty}};
  const JsonForm<GraphDiff> diff = {
      {"same", &GraphDiff::empty,
       "the graphs differ in names of nodes and symbols only; values of weights, modules and "
       "lines of Python are not compared"},
      {"added", &GraphDiff::added},
      {"removed", &GraphDiff::removed},
      {"changed", &GraphDiff::changed, "moved and changed ones included"},
      {"moved", &GraphDiff::moved, "moved and changed ones included"},
      {"sizes", &GraphDiff::sizes, size, "symbolic sizes whose range differs"},
      {"differences", differences, pairForm(report),
       "in the order of b; removed ones after what preceded them in a"}};
  return {"fxscope-graph-diff/1", "fxscope-cli diff --json, of two programs",
          JsonForm<R>{{"a", itself, a}, {"b", itself, b}}
              .with([](const R& r) -> auto& { return r.diff; }, diff)
              .with({{"lowering", &R::lowering, lowering, "of the output types of --to"}})};
}

}  // namespace

std::string graphDiffText(const GraphDiffReport& report) { return GraphDiffLines(report).write(); }

std::string graphDiffJson(const GraphDiffReport& report) {
  return graphDiffAnswer(&report).text(report);
}
std::string graphDiffSchema() { return graphDiffAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
