// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/pt2/signature.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "fx/evaluated_text.h"

namespace fxs::read::pt2 {

namespace {

struct InputRow {
  std::string_view member;
  fx::InputKind kind;
  std::string_view target;  // the member with the FQN
};
constexpr std::array kInputRows{
    InputRow{"user_input", fx::InputKind::UserInput, ""},
    InputRow{"parameter", fx::InputKind::Parameter, "parameter_name"},
    InputRow{"buffer", fx::InputKind::Buffer, "buffer_name"},
    InputRow{"tensor_constant", fx::InputKind::ConstantTensor, "tensor_constant_name"},
    InputRow{"custom_obj", fx::InputKind::CustomObject, "custom_obj_name"},
    InputRow{"constant_input", fx::InputKind::ConstantInput, ""},
    InputRow{"token", fx::InputKind::Token, ""},
};

struct OutputRow {
  std::string_view member;
  fx::OutputKind kind;
  std::string_view target;
};
constexpr std::array kOutputRows{
    OutputRow{"user_output", fx::OutputKind::UserOutput, ""},
    OutputRow{"loss_output", fx::OutputKind::LossOutput, ""},
    OutputRow{"buffer_mutation", fx::OutputKind::BufferMutation, "buffer_name"},
    OutputRow{"parameter_mutation", fx::OutputKind::ParameterMutation, "parameter_name"},
    OutputRow{"user_input_mutation", fx::OutputKind::UserInputMutation, "user_input_name"},
    OutputRow{"gradient_to_parameter", fx::OutputKind::GradientToParameter, "parameter_name"},
    OutputRow{"gradient_to_user_input", fx::OutputKind::GradientToUserInput, "user_input_name"},
    OutputRow{"token", fx::OutputKind::Token, ""},
};

template <class Row, std::size_t N>
Result<const Row*> rowOf(const std::array<Row, N>& rows, const OneOf& spec) {
  for (const Row& row : rows)
    if (row.member == spec.kind) return &row;
  return invalid(spec.value, "is not a kind of spec of schema version 8");
}

/// The name in a spec's `arg`: {"name": n}, {"as_tensor": {"name": n}} or {"as_sym_int":
/// {"as_name": n}}; nothing for a constant.
Result<std::optional<Json>> nameIn(const Json& arg) {
  FXS_CHECK(arg.asObject());
  Json at = arg;
  for (int level = 0; level < 3; ++level) {
    for (std::string_view member : {"name", "as_name"})
      if (auto name = at.find(member)) return name;
    if (!at.isObject() || at.size() != 1) return std::optional<Json>();
    at = *at.begin();
  }
  return std::optional<Json>();
}

Result<std::string> fqnIn(const Json& spec, std::string_view member) {
  if (member.empty()) return std::string();
  FXS_TRY(Json at, spec.at(member));
  FXS_TRY(std::string_view name, qualifiedNameAt(at));
  return std::string(name);
}

Result<> decodeInputSpec(const Json& json, fx::NodeId placeholder, fx::Builder& builder,
                         GraphDecoder& graph) {
  FXS_TRY(OneOf spec, oneOf(json));
  FXS_TRY(const InputRow* row, rowOf(kInputRows, spec));
  fx::InputSpec out;
  out.kind = row->kind;
  out.node = placeholder;
  FXS_TRY(out.target, fqnIn(spec.value, row->target));
  if (row->kind == fx::InputKind::Buffer) {
    if (auto persistent = present(spec.value, "persistent")) {
      FXS_TRY(out.persistent, persistent->asBool());
    }
  }
  if (row->kind == fx::InputKind::ConstantInput) {
    FXS_TRY(Json value, spec.value.at("value"));
    FXS_TRY(out.constant, graph.mainArgument(value));
  } else {
    FXS_TRY(Json arg, spec.value.at("arg"));
    FXS_TRY(std::optional<Json> name, nameIn(arg));
    if (name) {
      FXS_TRY(std::string_view text, nameAt(*name));
      if (const std::string& have = builder.node(placeholder).name; text != have)
        return invalid(*name, "names '" + std::string(text) +
                                  "', but the graph's input at this place is '" + have + "'");
    } else {
      FXS_TRY(out.constant, graph.mainArgument(arg));
    }
  }
  builder.program().inputs.push_back(std::move(out));
  return {};
}

Result<> decodeOutputSpec(const Json& json, fx::Builder& builder, GraphDecoder& graph) {
  FXS_TRY(OneOf spec, oneOf(json));
  FXS_TRY(const OutputRow* row, rowOf(kOutputRows, spec));
  fx::OutputSpec out;
  out.kind = row->kind;
  FXS_TRY(out.target, fqnIn(spec.value, row->target));
  FXS_TRY(Json arg, spec.value.at("arg"));
  // Mutations name a tensor as {"name": ..}, user outputs are whole arguments.
  if (auto name = arg.find("name")) {
    FXS_TRY(std::string_view text, nameAt(*name));
    const auto& nodes = graph.mainScope().nodes;
    auto node = nodes.find(text);
    if (node == nodes.end())
      return invalid(*name, "no value named '" + std::string(text) + "' is defined in the graph");
    out.value = node->second;
  } else {
    FXS_TRY(out.value, graph.mainArgument(arg));
  }
  builder.program().outputs.push_back(std::move(out));
  return {};
}

/// Every mutated value must be an input.
Result<> checkTargets(const Json& specs, const fx::Program& program) {
  std::unordered_set<std::string_view> fqns, userInputs;
  for (const fx::InputSpec& input : program.inputs) {
    fqns.insert(input.target);
    if (input.kind == fx::InputKind::UserInput)
      userInputs.insert(program.nodes[input.node.index()].name);
  }
  std::size_t index = 0;
  for (Json spec : specs) {
    const fx::OutputSpec& output = program.outputs[index++];
    if (output.target.empty()) continue;
    const bool ofUserInput = output.kind == fx::OutputKind::UserInputMutation ||
                             output.kind == fx::OutputKind::GradientToUserInput;
    if (!(ofUserInput ? userInputs : fqns).contains(output.target))
      return invalid(
          spec,
          std::string(name(output.kind)) + " of '" + output.target + "', which is not " +
              (ofUserInput ? "a user input of the graph" : "a parameter or buffer of the program"));
  }
  return {};
}

}  // namespace

Result<std::vector<InputHint>> inputHints(const Json& signature) {
  FXS_TRY(Json specs, signature.arrayAt("input_specs"));
  std::vector<InputHint> out;
  for (Json json : specs) {
    FXS_TRY(OneOf spec, oneOf(json));
    FXS_TRY(const InputRow* row, rowOf(kInputRows, spec));
    InputHint hint{row->kind, {}};
    if (row->kind == fx::InputKind::ConstantInput) {
      FXS_TRY(Json name, spec.value.at("name"));
      FXS_TRY(hint.constantName, identifierAt(name));
    }
    out.push_back(hint);
  }
  return out;
}

Result<> decodeSignature(const Json& signature, fx::Builder& builder, GraphDecoder& graph) {
  std::vector<fx::NodeId> placeholders;
  std::size_t outputs = 0;
  for (fx::NodeId id : builder.graph(builder.main()).nodes) {
    const fx::Node& node = builder.node(id);
    if (node.op == fx::NodeOp::Placeholder) placeholders.push_back(id);
    if (node.op == fx::NodeOp::Output) outputs = node.args[0].value.list()->size();
  }
  FXS_TRY(Json inputSpecs, signature.at("input_specs"));
  if (inputSpecs.size() != placeholders.size())
    return invalid(inputSpecs, std::to_string(inputSpecs.size()) + " specs for " +
                                   std::to_string(placeholders.size()) + " inputs of the graph");
  std::size_t index = 0;
  for (Json spec : inputSpecs)
    FXS_CHECK(decodeInputSpec(spec, placeholders[index++], builder, graph));

  FXS_TRY(Json outputSpecs, signature.arrayAt("output_specs"));
  if (outputSpecs.size() != outputs)
    return invalid(outputSpecs, std::to_string(outputSpecs.size()) + " specs for " +
                                    std::to_string(outputs) + " outputs of the graph");
  for (Json spec : outputSpecs) FXS_CHECK(decodeOutputSpec(spec, builder, graph));
  return checkTargets(outputSpecs, builder.program());
}

namespace {

Result<fx::RangeConstraint> rangeConstraint(const Json& range) {
  fx::RangeConstraint out;
  out.symbol = range.key();
  // The key can be an expression, if the dimension was derived from others.
  if (!fx::isSymbolName(out.symbol) && !fx::parseInfix(out.symbol))
    return invalid(range, "is neither a symbol such as s0 or u3 nor an expression of symbols");
  FXS_CHECK(range.asObject());
  if (auto min = present(range, "min_val")) {
    FXS_TRY(out.min, min->asInt());
  }
  if (auto max = present(range, "max_val")) {
    FXS_TRY(out.max, max->asInt());
  }
  return out;
}

Result<std::vector<std::string>> strings(const Json& list) {
  FXS_CHECK(list.asArray());
  std::vector<std::string> out;
  for (Json item : list) {
    FXS_TRY(std::string_view text, item.asString());
    out.emplace_back(text);
  }
  return out;
}

/// How forward() is called, which is in the first entry: that of the root module.
std::optional<Json> rootSignature(const Json& module) {
  const auto calls = present(module, "module_call_graph");
  if (!calls || !calls->isArray() || calls->size() == 0) return std::nullopt;
  return present(*calls->begin(), "signature");
}

}  // namespace

fx::CallStructure callStructure(const Json& module) {
  fx::CallStructure out;
  const std::optional<Json> signature = rootSignature(module);
  if (!signature) return out;
  out.in = signature->textOrEmpty("in_spec");
  out.out = signature->textOrEmpty("out_spec");
  const auto tuples = present(module, "treespec_namedtuple_fields");
  if (!tuples || !tuples->isObject()) return out;
  for (const Json fields : *tuples)
    if (const auto names = present(fields, "field_names"); names && names->isArray())
      if (auto texts = strings(*names))
        out.namedTuples.push_back({std::string(fields.key()), *std::move(texts)});
  return out;
}

Result<> decodeFacts(const Json& top, fx::Program& program) {
  if (auto ranges = present(top, "range_constraints")) {
    FXS_CHECK(ranges->asObject());
    for (Json range : *ranges) {
      FXS_TRY(fx::RangeConstraint constraint, rangeConstraint(range));
      program.ranges.push_back(std::move(constraint));
    }
    std::stable_sort(program.ranges.begin(), program.ranges.end(),
                     [](const auto& a, const auto& b) { return a.symbol < b.symbol; });
  }
  if (auto guards = present(top, "guards_code")) {
    FXS_TRY(program.guards, strings(*guards));
  }
  if (auto version = present(top, "torch_version")) {
    FXS_TRY(program.torchVersion, version->asString());
  }
  if (auto verifiers = present(top, "verifiers")) {
    FXS_TRY(const std::vector<std::string> names, strings(*verifiers));
    for (const std::string& name : names)
      program.dialect += (program.dialect.empty() ? "" : ", ") + name;
  }
  FXS_TRY(Json module, top.at("graph_module"));
  const std::optional<Json> signature = rootSignature(module);
  const auto names = signature ? present(*signature, "forward_arg_names") : std::optional<Json>();
  if (!names) return {};
  FXS_CHECK(names->asArray());
  for (Json item : *names) {
    FXS_TRY(std::string_view name, nameAt(item));
    if (!fx::isArgumentName(name))
      return invalid(item, fx::shownText(name) + " is not a name; PyTorch would run it as Python");
    program.inputNames.emplace_back(name);
  }
  return {};
}

}  // namespace fxs::read::pt2
