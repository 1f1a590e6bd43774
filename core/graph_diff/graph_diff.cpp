// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph_diff/graph_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/number_from.h"
#include "fx/text.h"
#include "graph_diff/size_names.h"
#include "mlir/compare/hash.h"
#include "mlir/text/quoted.h"

namespace fxs::graph_diff {
namespace {

class ProgramAsModule {
 public:
  explicit ProgramAsModule(const fx::Program& program)
      : program_(program), names_(program), facts_(program.nodes.size()) {
    write(program.main());
  }
  const std::string& text() const { return text_; }
  std::vector<Facts> takeFacts() { return std::move(facts_); }
  const SizeNames& names() const { return names_; }

 private:
  void write(const fx::Graph& graph) {
    for (const fx::NodeId id : graph.nodes) write(program_.node(id));
  }

  void write(const fx::Node& node) {
    const Facts& facts = facts_[node.id.index()] = factsOf(node);
    std::string operands;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) {
        operands += fmt::format("{}%n{}", operands.empty() ? "" : ", ", id.index());
      });
    fmt::format_to(std::back_inserter(text_), "%n{} = {}({})", node.id.index(),
                   mlir::quoted(facts.target), operands);
    // A subgraph is a region of the node that refers to it.
    if (node.subgraph.valid()) {
      text_ += " ({\n";
      write(program_.graph(node.subgraph));
      text_ += "})";
    }
    text_ += fmt::format(" {{arguments = {}, value = {}}} : () -> ()\n",
                         mlir::quoted(facts.arguments), mlir::quoted(facts.value));
  }

  Facts factsOf(const fx::Node& node) const {
    Facts out{node.target, "", fx::dumpValue(names_.renamed(node.val))};
    if (node.op == fx::NodeOp::Output) {
      out.target = "output";
      if (node.graph == program_.main().id)
        for (const fx::OutputSpec& spec : program_.outputs)
          out.target +=
              " " + std::string(name(spec.kind)) + (spec.target.empty() ? "" : " " + spec.target);
    }
    if (const fx::InputSpec* spec = program_.inputOf(node.id);
        spec != nullptr && node.op == fx::NodeOp::Placeholder) {
      out.target =
          std::string(name(spec->kind)) + " " + (spec->target.empty() ? node.name : spec->target);
      if (!spec->persistent) out.target += " non_persistent";
      if (!spec->constant.isNone()) out.arguments = fx::dumpArgument(program_, spec->constant);
    } else if (node.op == fx::NodeOp::Placeholder || node.subgraph.valid()) {
      // Names of a subgraph and of its inputs mean nothing.
      out.target = name(node.op);
    }
    for (const fx::NodeArgument& argument : node.args)
      out.arguments += (out.arguments.empty() ? "" : ", ") +
                       (argument.keyword ? argument.name + "=" : std::string()) +
                       withoutNames(argument.value);
    return out;
  }

  /// With % in place of each node.
  std::string withoutNames(const fx::Argument& argument) const {
    const auto marked = [](fx::NodeId) { return fx::Argument(fx::Opaque{}); };
    std::string out = fx::dumpArgument(program_, fx::mapNodes(argument, marked));
    constexpr std::string_view kMark = "object('')";
    for (std::size_t at = 0; (at = out.find(kMark, at)) != std::string::npos; ++at)
      out.replace(at, kMark.size(), "%");
    return out;
  }

  const fx::Program& program_;
  const SizeNames names_;
  std::vector<Facts> facts_;
  std::string text_;
};

/// By operation; invalid for one that is not a node.
std::vector<fx::NodeId> nodesOf(const mlir::Module& module) {
  std::vector<fx::NodeId> out(module.ops.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const mlir::IndexRange results = module.ops[i].results;
    if (results.size() != 1) continue;
    const std::string_view name = module.values[results.begin].name.of(module.text);
    if (const auto index =
            numberFrom<std::size_t>(name.substr(std::min<std::size_t>(2, name.size()))))
      out[i] = fx::NodeId::of(*index);
  }
  return out;
}

/// By operation: equal where the same is called with the same, whatever its result is.
mlir::Keys callsOf(const std::vector<fx::NodeId>& nodes, const std::vector<Facts>& facts) {
  mlir::Keys out;
  for (const fx::NodeId node : nodes) {
    mlir::Hash hash;
    if (node.valid()) {
      hash.add(facts[node.index()].target);
      hash.add(facts[node.index()].arguments);
    }
    out.push_back(hash.value());
  }
  return out;
}

using Ranges = std::map<std::string, std::string, std::less<>>;
Ranges rangesOf(const fx::Program& program, const SizeNames& names) {
  Ranges out;
  for (const fx::RangeConstraint& range : program.ranges)
    if (const std::string size = names.renamed(range.symbol); !size.empty())
      out[size] = fmt::format("{}..{}", range.min ? std::to_string(*range.min) : "",
                              range.max ? std::to_string(*range.max) : "");
  return out;
}

std::vector<SizeChange> sizeChanges(const Ranges& a, const Ranges& b) {
  std::vector<SizeChange> out;
  const auto in = [](const Ranges& ranges, const std::string& size) {
    const auto at = ranges.find(size);
    return at == ranges.end() ? std::string() : at->second;
  };
  for (const auto& [size, range] : a)
    if (in(b, size) != range) out.push_back({size, range, in(b, size)});
  for (const auto& [size, range] : b)
    if (!a.contains(size)) out.push_back({size, "", range});
  return out;
}

std::size_t operandsOf(const fx::Node& node) {
  std::size_t out = 0;
  for (const fx::NodeArgument& argument : node.args)
    fx::forEachNode(argument.value, [&](fx::NodeId) { ++out; });
  return out;
}

}  // namespace

GraphDiff graphDiff(const fx::Program& a, const fx::Program& b) {
  ProgramAsModule textA(a), textB(b);
  const mlir::Module moduleA = mlir::readModule(textA.text());
  const mlir::Module moduleB = mlir::readModule(textB.text());
  const std::vector<fx::NodeId> nodesA = nodesOf(moduleA), nodesB = nodesOf(moduleB);
  GraphDiff out;
  out.sizes = sizeChanges(rangesOf(a, textA.names()), rangesOf(b, textB.names()));
  out.factsA = textA.takeFacts();
  out.factsB = textB.takeFacts();
  const mlir::Diff diff =
      mlir::diff(moduleA, moduleB, {callsOf(nodesA, out.factsA), callsOf(nodesB, out.factsB)});
  for (const mlir::OpPair& each : diff.pairs) {
    NodePair& pair = out.pairs.emplace_back();
    if (each.a.valid()) pair.a = nodesA[each.a.index()];
    if (each.b.valid()) pair.b = nodesB[each.b.index()];
    pair.change = each.change;
    // Where their number differs, the arguments say so.
    pair.otherOperands =
        each.otherOperands && operandsOf(a.node(pair.a)) == operandsOf(b.node(pair.b));
  }
  out.added = diff.added;
  out.removed = diff.removed;
  out.changed = diff.changed;
  out.moved = diff.moved;
  return out;
}

}  // namespace fxs::graph_diff
