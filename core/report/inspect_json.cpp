// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/json.h"
#include "report/inspect.h"

namespace fxs::report {

namespace {

void writeShape(JsonWriter& json, const std::vector<fx::SymInt>& sizes) {
  json.beginArray();
  for (const fx::SymInt& size : sizes)
    size.isStatic() ? json.value(size.value()) : json.value(size.text());
  json.endArray();
}

/// `type`, and `dtype`, `shape`, `value` where they apply.
void writeType(JsonWriter& json, const fx::Value& value, const fx::Argument& constant) {
  json.key("type");
  if (const fx::TensorMeta* tensor = value.tensor()) {
    json.value("tensor").member("dtype", std::string(facts(tensor->dtype).torchName)).key("shape");
    writeShape(json, tensor->sizes);
  } else if (const fx::SymValue* symbol = value.symbol()) {
    if (symbol->kind == fx::SymKind::Int) json.value("int");
    else json.value(symbol->kind == fx::SymKind::Float ? "float" : "bool");
    json.key("value");
    if (symbol->expr) json.value(fx::infix(*symbol->expr));
    else if (const auto* i = std::get_if<std::int64_t>(&symbol->constant)) json.value(*i);
    else if (const auto* f = std::get_if<double>(&symbol->constant)) json.value(*f);
    else if (const auto* b = std::get_if<bool>(&symbol->constant)) json.value(*b);
    else json.null();
  } else if (const auto* object = std::get_if<fx::CustomObject>(&value)) {
    json.value("custom_object").member("class", object->classFqn);
  } else if (std::holds_alternative<fx::Token>(value)) {
    json.value("token");
  } else if (const auto* text = std::get_if<std::string>(&constant)) {
    json.value("str").member("value", *text);
  } else if (value.list()) {
    json.value("tuple");
  } else {
    json.value(std::holds_alternative<fx::NoneValue>(value) ? "none" : "unknown");
  }
}

void writeInputs(JsonWriter& json, const fx::Program& program) {
  json.key("inputs").beginArray();
  for (const fx::InputSpec& input : program.inputs) {
    const fx::Node& node = program.node(input.node);
    json.beginObject().member("name", node.name).member("kind", fx::name(input.kind)).key("target");
    input.target.empty() ? json.null() : json.value(input.target);
    writeType(json, node.val, input.constant);
    json.endObject();
  }
  json.endArray();
}

void writeOutputs(JsonWriter& json, const fx::Program& program) {
  json.key("outputs").beginArray();
  for (const fx::OutputSpec& output : program.outputs) {
    const fx::NodeId* id = output.value.node();
    json.beginObject().key("name");
    id ? json.value(program.node(*id).name) : json.null();
    json.member("kind", fx::name(output.kind)).key("target");
    output.target.empty() ? json.null() : json.value(output.target);
    if (id) {
      writeType(json, program.node(*id).val, output.value);
    } else {
      fx::Value constant = fx::NoneValue{};
      if (const auto* i = output.value.integer())
        constant = fx::SymValue{fx::SymKind::Int, nullptr, *i};
      else if (const auto* f = std::get_if<double>(&output.value))
        constant = fx::SymValue{fx::SymKind::Float, nullptr, *f};
      else if (const auto* b = std::get_if<bool>(&output.value))
        constant = fx::SymValue{fx::SymKind::Bool, nullptr, *b};
      writeType(json, constant, output.value);
    }
    json.endObject();
  }
  json.endArray();
}

void writeWeights(JsonWriter& json, const fx::Program& program) {
  json.key("weights").beginArray();
  for (const fx::Weight& weight : program.weights) {
    const auto itemBytes = static_cast<std::uint64_t>(facts(weight.dtype).bytes);
    json.beginObject().member("name", weight.fqn);
    const std::string_view attribute = weight.constant ? "constant" : "buffer";
    json.member("kind", weight.isParameter ? "parameter" : attribute);
    json.member("dtype", std::string(facts(weight.dtype).torchName)).key("shape").beginArray();
    for (std::int64_t size : weight.sizes) json.value(size);
    json.endArray().key("strides").beginArray();
    for (std::int64_t stride : weight.strides) json.value(stride);
    json.endArray().key("file");
    weight.file.empty() ? json.null() : json.value(weight.file);
    json.member("offset", static_cast<std::uint64_t>(weight.storageOffset) * itemBytes);
    json.member("size", weight.elements() * itemBytes);
    json.member("file_size", weight.fileBytes).member("readable", weight.readable);
    json.memberOrNull("why_not", weight.readable ? std::nullopt : std::optional(weight.whyNot));
    json.endObject();
  }
  json.endArray();
}

void writeSymbols(JsonWriter& json, const fx::Program& program) {
  json.key("symbols").beginArray();
  auto bound = [&](std::string_view key, const std::optional<std::int64_t>& value) {
    json.key(key);
    value ? json.value(*value) : json.null();
  };
  for (const fx::RangeConstraint& range : program.ranges) {
    json.beginObject().member("name", range.symbol);
    bound("min", range.min);
    bound("max", range.max);
    json.endObject();
  }
  json.endArray();
}

}  // namespace

std::string inspectJson(const read::Capture& capture) {
  const fx::Program& program = *capture.program;
  const Inspection inspection = inspect(program);
  JsonWriter json;
  json.beginObject()
      .member("schema", "fxscope-inspect/1")
      .member("input", capture.label)
      .member("format", capture.format);
  json.member("torch_version", program.torchVersion)
      .member("schema_version", program.schemaVersion)
      .member("dialect", program.dialect);
  json.member("file_bytes", capture.fileBytes).member("weight_bytes", capture.weightBytes);
  json.member("models", capture.models).member("nodes", inspection.nodes);
  json.key("graphs").beginArray();
  for (const fx::Graph& graph : program.graphs) {
    json.beginObject().member("name", graph.name).member("nodes", graph.nodes.size()).key("parent");
    graph.parent.valid() ? json.value(program.graph(program.node(graph.parent).graph).name)
                         : json.null();
    json.endObject();
  }
  json.endArray().key("operators").beginArray();
  for (const OperatorCount& op : inspection.operators)
    json.beginObject()
        .member("target", op.target)
        .member("count", op.count)
        .member("kind", name(op.kind))
        .endObject();
  json.endArray();
  writeInputs(json, program);
  writeOutputs(json, program);
  json.key("mutations").beginArray();
  for (const Mutation& m : inspection.mutations)
    json.beginObject()
        .member("kind", m.kind)
        .member("target", m.target)
        .member("node", m.node)
        .endObject();
  json.endArray();
  writeSymbols(json, program);
  json.member("guards", program.guards);
  writeWeights(json, program);
  json.member("notes", capture.notes).endObject();
  return json.take();
}

}  // namespace fxs::report
