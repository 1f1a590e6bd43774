// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/helion/ir_graph.h"

#include <map>
#include <set>

#include "fx/cost.h"
#include "ops/schema.h"
#include "read/fx_json/graphs.h"
#include "read/fx_json/words.h"
#include "read/pt2/one_of.h"
#include "read/pt2/value_decoder.h"

namespace fxs::read::helion {
namespace {

using pt2::invalid;
using pt2::present;

constexpr std::int64_t kMaxPosition = 1 << 12;
constexpr std::uint64_t kCostOfMissing = 8;  // as fx/cost.h counts
const char* const kMissing = "constant arguments are not in the file";

struct Edge {
  std::string_view from;
  std::int64_t position = 0;
};

/// "aten.mul.Tensor" of "torch._ops.aten.aten::mul.Tensor".
std::string targetOf(std::string_view text) {
  const auto colons = text.find("::");
  if (!text.starts_with("torch._ops.") || colons == std::string_view::npos)
    return std::string(text);
  const std::string_view before = text.substr(0, colons);
  std::string out = std::string(before.substr(before.rfind('.') + 1)) + "." +
                    std::string(text.substr(colons + 2));
  const ops::Schema* schema = ops::SchemaTable::builtin().find(out);
  return schema != nullptr ? schema->fxName() : out;
}

Result<std::vector<fx::SymInt>> sizesOf(const Json& list, const RunContext& run) {
  FXS_CHECK(list.asArray());
  std::vector<fx::SymInt> out;
  for (const Json item : list) {
    FXS_TRY(const std::string_view text, item.asString());
    run.spend(Resource::Values, fx::costOfParsing(text), "the symbolic expressions");
    auto expr = fx::parseInfix(text);
    if (!expr) return invalid(item, expr.error().message);
    out.push_back((*expr)->kind == fx::SymExpr::Kind::Integer ? fx::SymInt((*expr)->integer)
                                                              : fx::SymInt(*std::move(expr)));
  }
  return out;
}

/// A tensor has a dtype, a shape and strides; a symbol has an expression as "value".
Result<fx::Value> valueOf(const Json& node, const RunContext& run) {
  const auto dtypeMember = present(node, "dtype");
  if (!dtypeMember) return fx::Value(fx::Unknown{});
  FXS_TRY(const std::string_view dtype, dtypeMember->asString());
  for (const auto& [kind, symbol] : {std::pair{"SymInt", fx::SymKind::Int},
                                     {"SymFloat", fx::SymKind::Float},
                                     {"SymBool", fx::SymKind::Bool}}) {
    const auto text = dtype == kind ? present(node, "value") : std::nullopt;
    if (!text) continue;
    FXS_TRY(const std::string_view infix, text->asString());
    run.spend(Resource::Values, fx::costOfParsing(infix), "the symbolic expressions");
    auto expr = fx::parseInfix(infix);
    if (!expr) return invalid(*text, expr.error().message);
    return fx::Value(fx::SymValue{symbol, *std::move(expr), {}});
  }
  const auto known = dtypeFromName(dtype);
  const auto shape = present(node, "shape");
  if (!known || !shape) return fx::Value(fx::Unknown{});
  fx::TensorMeta meta;
  meta.dtype = *known;
  meta.kind = fx::TensorKind::Fake;
  meta.device.type = "cpu";
  FXS_TRY(meta.sizes, sizesOf(*shape, run));
  meta.strides = fx::contiguousStrides(meta.sizes);
  if (auto stride = present(node, "stride")) {
    FXS_TRY(meta.strides, sizesOf(*stride, run));
  }
  if (meta.strides.size() != meta.sizes.size())
    return invalid(node, std::to_string(meta.sizes.size()) + " sizes but " +
                             std::to_string(meta.strides.size()) + " strides");
  if (auto device = present(node, "device")) {
    FXS_TRY(const std::string_view text, device->asString());
    if (auto parsed = fx_json::deviceFromText(text)) meta.device = *parsed;
  }
  FXS_CHECK(pt2::checkExtent(node, meta));
  return fx::Value(std::move(meta));
}

class IrGraphReader {
 public:
  explicit IrGraphReader(fx::Builder& builder) : builder_(builder) {}

  Result<> read(const Json& top, const RunContext& run) {
    FXS_CHECK(readEdges(top));
    FXS_TRY(const Json nodes, top.arrayAt("nodes"));
    FXS_CHECK(makeGraphs(top, nodes));
    for (const Json node : nodes) {
      if (run.stop.stop_requested()) return fail(ErrorCode::Cancelled, "reading was cancelled");
      FXS_CHECK(readNode(node));
    }
    return {};
  }

 private:
  Result<> readEdges(const Json& top) {
    FXS_TRY(const Json edges, top.arrayAt("edges"));
    for (const Json edge : edges) {
      FXS_TRY(const std::string_view kindText, edge.stringAt("edge_kind"));
      if (kindText != "data") continue;
      FXS_TRY(const std::string_view from, fx_json::nameOf(edge, "source"));
      FXS_TRY(const std::string_view to, fx_json::nameOf(edge, "target"));
      FXS_TRY(const Json positions, edge.arrayAt("arg_positions"));
      for (const Json at : positions) {
        FXS_TRY(const std::int64_t position, at.asInt());
        if (position < 0 || position > kMaxPosition)
          return invalid(at, "is not the position of an argument");
        edges_[to].push_back({from, position});
      }
    }
    return {};
  }

  /// The first root graph is main; the others are subgraphs at its start.
  Result<> makeGraphs(const Json& top, const Json& nodes) {
    std::set<std::int64_t> ids;
    for (const Json node : nodes) {
      FXS_TRY(const std::int64_t id, node.intAt("graph_id"));
      ids.insert(id);
    }
    FXS_TRY(const Json graph, top.at("graph"));
    FXS_TRY(const Json roots, graph.arrayAt("root_ids"));
    if (roots.size() == 0) return invalid(roots, "a kernel requires at least one root graph");
    FXS_TRY(const std::int64_t main, (*roots.begin()).asInt());
    if (!ids.contains(main))
      return invalid(*roots.begin(), "there is no node of graph " + std::to_string(main));
    graphs_.emplace(main, builder_.main());
    for (const std::int64_t id : ids)
      if (id != main)
        graphs_.emplace(id, builder_.addSubgraph(builder_.main(), "graph_" + std::to_string(id)));
    return {};
  }

  Result<> readNode(const Json& node) {
    FXS_TRY(const std::string_view id, fx_json::nameOf(node, "id"));
    FXS_TRY(const Json idMember, node.at("graph_id"));
    const fx::GraphId graph = graphs_.at(*idMember.asInt());
    FXS_TRY(const std::string_view op, fx_json::nameOf(node, "op_kind"));
    FXS_TRY(const std::string_view target, fx_json::nameOf(node, "target"));
    const std::string_view name =
        id.substr(id.find(':') == std::string_view::npos ? 0 : id.find(':') + 1);
    if (name.empty()) return invalid(node, "its id '" + std::string(id) + "' does not name a node");
    if (nodes_.contains(id))
      return invalid(node, "two nodes have the id '" + std::string(id) + "'");
    FXS_TRY(std::vector<fx::NodeArgument> args, argumentsOf(node, id, graph));
    fx::NodeId made;
    if (op == "output") {
      fx::ArgumentList values;
      for (fx::NodeArgument& a : args)
        if (const fx::ArgumentList* list = a.value.list())
          values.insert(values.end(), list->begin(), list->end());
        else values.push_back(std::move(a.value));
      made = builder_.output(graph, std::move(values));
    } else if (op == "placeholder") {
      FXS_TRY(fx::Value val, valueOf(node, builder_.context()));
      made = builder_.placeholder(graph, std::string(name), std::move(val));
    } else if (op == "call_function") {
      args.push_back({"", fx::Opaque{kMissing}, false});
      FXS_TRY(fx::Value val, valueOf(node, builder_.context()));
      made = builder_.call(graph, std::string(name), targetOf(target), std::move(args),
                           std::move(val));
    } else {
      return invalid(
          node, "'" + std::string(op) +
                    "' is not an op of a Device IR; expected placeholder, call_function or output");
    }
    nodes_.emplace(id, made);
    for (const std::string_view key : {"source_loc", "lowering_class", "reduction_type"})
      if (const auto text = present(node, key); text && text->isString())
        builder_.node(made).meta.push_back(
            {builder_.intern(key), builder_.intern(*text->asString())});
    return {};
  }

  Result<std::vector<fx::NodeArgument>> argumentsOf(const Json& node, std::string_view id,
                                                    fx::GraphId graph) {
    std::map<std::int64_t, fx::ArgumentList> byPosition;
    for (const Edge& edge : edges_[id]) {
      const auto from = nodes_.find(edge.from);
      if (from == nodes_.end())
        return invalid(node, "uses '" + std::string(edge.from) + "', which is not an earlier node");
      if (builder_.node(from->second).graph != graph)
        return invalid(node, "uses '" + std::string(edge.from) + "' of another graph");
      byPosition[edge.position].push_back(from->second);
    }
    std::vector<fx::NodeArgument> out;
    for (auto& [position, values] : byPosition) {
      builder_.context().spend(Resource::Values,
                               kCostOfMissing * static_cast<std::uint64_t>(position), id);
      while (out.size() < static_cast<std::size_t>(position))
        out.push_back({"", fx::Opaque{kMissing}, false});
      out.push_back(
          {"", values.size() == 1 ? std::move(values.front()) : fx::Argument(std::move(values)),
           false});
    }
    return out;
  }

  fx::Builder& builder_;
  std::map<std::string_view, std::vector<Edge>> edges_;
  std::map<std::string_view, fx::NodeId> nodes_;
  std::map<std::int64_t, fx::GraphId> graphs_;
};

}  // namespace

Result<> readIrGraph(const Json& top, fx::Builder& builder, const RunContext& context) {
  return IrGraphReader(builder).read(top, context);
}

}  // namespace fxs::read::helion
