// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/fx_json/graphs.h"

#include <array>

#include "fx/python_text.h"
#include "read/fx_json/value.h"
#include "read/pt2/one_of.h"

namespace fxs::read::fx_json {
namespace {

using pt2::invalid;
using pt2::present;

constexpr std::size_t kMaxNameBytes = 4096;
constexpr int kMaxSubgraphDepth = 64;
constexpr std::size_t kNodesBetweenLooks = 4096;

constexpr std::array kOps{fx::NodeOp::Placeholder, fx::NodeOp::GetAttr,    fx::NodeOp::CallFunction,
                          fx::NodeOp::Output,      fx::NodeOp::CallMethod, fx::NodeOp::CallModule};

void appendCompact(const Json& json, std::string& out) {
  switch (json.kind()) {
    case JsonKind::Null: out += "null"; break;
    case JsonKind::Bool: out += *json.asBool() ? "true" : "false"; break;
    case JsonKind::Int: out += std::to_string(*json.asInt()); break;
    case JsonKind::UInt:
    case JsonKind::Float: out += fx::pythonRepr(*json.asFloat()); break;
    case JsonKind::String: out += jsonQuote(*json.asString()); break;
    case JsonKind::Array: {
      out += '[';
      bool first = true;
      for (const Json item : json) {
        if (!first) out += ", ";
        first = false;
        appendCompact(item, out);
      }
      out += ']';
      break;
    }
    case JsonKind::Object: {
      out += '{';
      bool first = true;
      for (const Json item : json) {
        if (!first) out += ", ";
        first = false;
        out += jsonQuote(item.key()) + ": ";
        appendCompact(item, out);
      }
      out += '}';
      break;
    }
  }
}

Result<> readOutput(const Json& node, fx::Builder& builder, fx::GraphId into, const Names& names) {
  FXS_TRY(const std::vector<fx::NodeArgument> args, arguments(node, "", names));
  if (args.size() != 1)
    return invalid(node,
                   "expected an output with one argument, got " + std::to_string(args.size()));
  fx::ArgumentList values;
  if (const fx::ArgumentList* list = args[0].value.list()) values = *list;
  else values.push_back(args[0].value);
  builder.graph(into).isSingleTensorReturn = args[0].value.node() != nullptr;
  const fx::NodeId id = builder.output(into, std::move(values));
  return readMeta(node, builder, id);
}

}  // namespace

Result<fx::NodeOp> opOf(const Json& node) {
  FXS_TRY(const Json member, node.at("op"));
  FXS_TRY(const std::string_view text, member.asString());
  for (const fx::NodeOp op : kOps)
    if (fx::name(op) == text) return op;
  return invalid(member, "'" + std::string(text) +
                             "' is not an op of torch.fx; expected placeholder, get_attr, "
                             "call_function, call_method, call_module or output");
}

std::string metaText(const Json& json) {
  if (json.isString()) return std::string(*json.asString());
  std::string out;
  appendCompact(json, out);
  return out;
}

Result<std::string_view> nameOf(const Json& object, std::string_view member) {
  FXS_TRY(const Json at, object.at(member));
  FXS_TRY(const std::string_view name, at.asString());
  if (name.empty()) return invalid(at, "expected a name, got an empty string");
  if (name.size() > kMaxNameBytes)
    return invalid(at, "a name of " + std::to_string(name.size()) + " bytes; the limit is " +
                           std::to_string(kMaxNameBytes));
  return name;
}

Result<> readMeta(const Json& node, fx::Builder& builder, fx::NodeId id) {
  const auto meta = present(node, "meta");
  if (!meta) return {};
  FXS_CHECK(meta->asObject());
  const auto keep = [&](std::string_view key, std::string_view text) {
    builder.node(id).meta.push_back({builder.intern(key), builder.intern(text)});
  };
  for (const Json entry : *meta) {
    const std::string_view key = entry.key();
    if (key == "val") {
      const bool isOutput = builder.node(id).op == fx::NodeOp::Output;
      FXS_TRY(fx::Value found, value(entry, builder.context()));
      if (!isOutput) builder.node(id).val = std::move(found);
      if (const std::string text = remark(entry); !text.empty()) keep("val_text", text);
    } else if (key == "tensor_meta") {
      FXS_TRY(const std::string text, tensorMetaText(entry, builder.context()));
      keep(key, text);
    } else if (!entry.isNull()) {
      keep(key, metaText(entry));
    }
  }
  return {};
}

Result<> readPlainNode(const Json& node, fx::NodeOp op, fx::Builder& builder, fx::GraphId into,
                       Names& names) {
  if (op == fx::NodeOp::Output) return readOutput(node, builder, into, names);
  FXS_TRY(const std::string_view name, nameOf(node, "name"));
  FXS_TRY(const std::string_view target, nameOf(node, "target"));
  std::vector<fx::NodeArgument> args;
  // The default of forward()'s argument is not an operand of the node.
  if (op != fx::NodeOp::Placeholder) {
    FXS_TRY(args,
            arguments(node, op == fx::NodeOp::CallFunction ? target : std::string_view(), names));
  }
  const fx::NodeId id =
      builder.add(into, op, std::string(name), std::string(target), std::move(args), fx::Unknown{});
  names.defined.emplace(name, id);
  return readMeta(node, builder, id);
}

Result<> GraphsReader::read(const Json& graphs) {
  FXS_CHECK(graphs.asArray());
  if (graphs.size() == 0) return invalid(graphs, "a program requires a main graph");
  for (const Json graph : graphs) graphs_.push_back(graph);
  held_.assign(graphs_.size(), false);
  held_[0] = true;
  FXS_CHECK(readGraph(graphs_[0], builder_.main(), main_, 0));
  for (std::size_t i = 0; i < graphs_.size(); ++i)
    if (!held_[i]) return invalid(graphs_[i], "no get_attr node refers to this graph");
  return {};
}

Result<> GraphsReader::readGraph(const Json& graph, fx::GraphId into, Names& names, int depth) {
  if (depth > kMaxSubgraphDepth)
    return invalid(
        graph, "subgraphs are nested deeper than " + std::to_string(kMaxSubgraphDepth) + " levels");
  FXS_TRY(const Json nodes, graph.arrayAt("nodes"));
  for (const Json node : nodes) {
    FXS_TRY(const std::string_view name, nameOf(node, "name"));
    if (!names.all.emplace(name, node).second)
      return invalid(node, "two nodes of this graph are named '" + std::string(name) + "'");
  }
  for (const Json node : nodes) {
    if (done_++ % kNodesBetweenLooks == 0) {
      if (context_.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "reading was cancelled");
      if (depth == 0)
        context_.report({"reading the graph", static_cast<double>(names.defined.size()) /
                                                  static_cast<double>(nodes.size())});
    }
    FXS_CHECK(readNode(node, into, names, depth));
  }
  return {};
}

Result<> GraphsReader::readNode(const Json& node, fx::GraphId into, Names& names, int depth) {
  FXS_TRY(const fx::NodeOp op, opOf(node));
  FXS_CHECK(readPlainNode(node, op, builder_, into, names));
  const auto graph = present(node, "graph");
  if (!graph) return {};
  if (op != fx::NodeOp::GetAttr)
    return invalid(*graph, "only a get_attr node may refer to a graph");
  FXS_TRY(const std::int64_t index, graph->asInt());
  if (index < 0 || static_cast<std::size_t>(index) >= graphs_.size())
    return invalid(*graph, "there is no graph " + std::to_string(index) + "; the file has " +
                               std::to_string(graphs_.size()));
  const auto at = static_cast<std::size_t>(index);
  if (held_[at])
    return invalid(*graph, "graph " + std::to_string(index) + " already belongs to another node" +
                               (at == 0 ? ": it is main" : ""));
  held_[at] = true;
  const fx::GraphId subgraph = builder_.addSubgraphOf(names.defined.at(*nameOf(node, "name")));
  Names inner;
  return readGraph(graphs_[at], subgraph, inner, depth + 1);
}

}  // namespace fxs::read::fx_json
