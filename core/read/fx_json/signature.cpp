// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/fx_json/signature.h"

#include <algorithm>
#include <array>

#include "fx/evaluated_text.h"
#include "read/fx_json/graphs.h"
#include "read/pt2/one_of.h"

namespace fxs::read::fx_json {
namespace {

using pt2::invalid;
using pt2::present;

constexpr std::array kInputKinds{fx::InputKind::UserInput,     fx::InputKind::Parameter,
                                 fx::InputKind::Buffer,        fx::InputKind::ConstantTensor,
                                 fx::InputKind::ConstantInput, fx::InputKind::CustomObject,
                                 fx::InputKind::Token};
constexpr std::array kOutputKinds{
    fx::OutputKind::UserOutput,          fx::OutputKind::BufferMutation,
    fx::OutputKind::ParameterMutation,   fx::OutputKind::UserInputMutation,
    fx::OutputKind::LossOutput,          fx::OutputKind::GradientToParameter,
    fx::OutputKind::GradientToUserInput, fx::OutputKind::Token};

template <class Kind, std::size_t N>
Result<Kind> kindOf(const Json& spec, const std::array<Kind, N>& kinds) {
  FXS_TRY(const Json member, spec.at("kind"));
  FXS_TRY(const std::string_view text, member.asString());
  std::string known;
  for (const Kind kind : kinds) {
    if (fx::name(kind) == text) return kind;
    known += (known.empty() ? "" : ", ") + std::string(fx::name(kind));
  }
  return invalid(member, "'" + std::string(text) + "' is not one of " + known);
}

Result<std::string> targetOf(const Json& spec, bool needed) {
  const auto member = present(spec, "target");
  if (!member && !needed) return std::string();
  FXS_TRY(const std::string_view text, nameOf(spec, "target"));
  return std::string(text);
}

Result<> readInput(const Json& spec, fx::NodeId placeholder, fx::Builder& builder,
                   const Names& names) {
  fx::InputSpec out;
  FXS_TRY(out.kind, kindOf(spec, kInputKinds));
  out.node = placeholder;
  FXS_TRY(const std::string_view name, nameOf(spec, "node"));
  if (const std::string& have = builder.node(placeholder).name; name != have)
    return invalid(
        *spec.find("node"),
        "names '" + std::string(name) + "', but the graph's input at this place is '" + have + "'");
  FXS_TRY(out.target, targetOf(spec, isWeight(out.kind)));
  if (auto persistent = present(spec, "persistent")) {
    FXS_TRY(out.persistent, persistent->asBool());
  }
  if (auto constant = present(spec, "constant")) {
    FXS_TRY(out.constant, argument(*constant, names));
  }
  builder.program().inputs.push_back(std::move(out));
  return {};
}

Result<> readOutputs(const Json& signature, fx::Builder& builder, const Names& names,
                     const fx::ArgumentList& values) {
  FXS_TRY(const Json specs, signature.arrayAt("outputs"));
  if (specs.size() != values.size())
    return invalid(specs, std::to_string(specs.size()) + " specs for " +
                              std::to_string(values.size()) + " outputs of the graph");
  for (const Json spec : specs) {
    fx::OutputSpec out;
    FXS_TRY(out.kind, kindOf(spec, kOutputKinds));
    const bool isPlain = out.kind == fx::OutputKind::UserOutput ||
                         out.kind == fx::OutputKind::LossOutput ||
                         out.kind == fx::OutputKind::Token;
    FXS_TRY(out.target, targetOf(spec, !isPlain));
    FXS_TRY(const Json value, spec.at("value"));
    FXS_TRY(out.value, argument(value, names));
    builder.program().outputs.push_back(std::move(out));
  }
  return {};
}

struct Main {
  std::vector<fx::NodeId> placeholders;
  fx::ArgumentList outputs;
};
Main mainOf(fx::Builder& builder) {
  Main out;
  for (const fx::NodeId id : builder.graph(builder.main()).nodes) {
    const fx::Node& node = builder.node(id);
    if (node.op == fx::NodeOp::Placeholder) out.placeholders.push_back(id);
    if (node.op == fx::NodeOp::Output) out.outputs = *node.args[0].value.list();
  }
  return out;
}

}  // namespace

Result<> plainSignature(fx::Builder& builder) {
  const auto [placeholders, values] = mainOf(builder);
  for (const fx::NodeId id : placeholders)
    builder.program().inputs.push_back({fx::InputKind::UserInput, id, "", true, {}});
  for (const fx::Argument& value : values)
    builder.program().outputs.push_back({fx::OutputKind::UserOutput, value, ""});
  return {};
}

Result<> readSignature(const Json& top, fx::Builder& builder, const Names& names) {
  const auto signature = present(top, "signature");
  if (!signature) return plainSignature(builder);
  const auto [placeholders, values] = mainOf(builder);
  FXS_TRY(const Json inputs, signature->at("inputs"));
  FXS_CHECK(inputs.asArray());
  if (inputs.size() != placeholders.size())
    return invalid(inputs, std::to_string(inputs.size()) + " specs for " +
                               std::to_string(placeholders.size()) + " inputs of the graph");
  std::size_t index = 0;
  for (const Json spec : inputs) FXS_CHECK(readInput(spec, placeholders[index++], builder, names));
  return readOutputs(*signature, builder, names, values);
}

Result<> readFacts(const Json& top, fx::Program& program) {
  if (auto ranges = present(top, "ranges")) {
    FXS_CHECK(ranges->asArray());
    for (const Json range : *ranges) {
      fx::RangeConstraint out;
      FXS_TRY(const std::string_view symbol, nameOf(range, "symbol"));
      out.symbol = symbol;
      if (!fx::isSymbolName(symbol) && !fx::parseInfix(symbol))
        return invalid(range,
                       fx::shownText(symbol) +
                           " is neither a symbol such as s0 or u3 nor an expression of symbols");
      if (auto min = present(range, "min")) {
        FXS_TRY(out.min, min->asInt());
      }
      if (auto max = present(range, "max")) {
        FXS_TRY(out.max, max->asInt());
      }
      program.ranges.push_back(std::move(out));
    }
    std::stable_sort(program.ranges.begin(), program.ranges.end(),
                     [](const auto& a, const auto& b) { return a.symbol < b.symbol; });
  }
  const auto strings = [&](std::string_view member, std::vector<std::string>& out) -> Result<> {
    const auto list = present(top, member);
    if (!list) return {};
    FXS_CHECK(list->asArray());
    for (const Json item : *list) {
      FXS_TRY(const std::string_view text, item.asString());
      out.emplace_back(text);
    }
    return {};
  };
  FXS_CHECK(strings("guards", program.guards));
  FXS_CHECK(strings("input_names", program.inputNames));
  const auto text = [&](std::string_view member, std::string& out) -> Result<> {
    if (auto at = present(top, member)) {
      FXS_TRY(out, at->asString());
    }
    return {};
  };
  FXS_CHECK(text("torch", program.torchVersion));
  return text("dialect", program.dialect);
}

Result<std::string> graphBreak(const Json& top) {
  const auto at = present(top, "graph_break");
  if (!at) return std::string();
  FXS_TRY(const Json member, at->at("reason"));
  FXS_TRY(const std::string_view reason, member.asString());
  // Dynamo's first line names the cause; hints follow.
  std::string out(reason.substr(0, reason.find('\n')));
  if (const auto where = present(*at, "where")) {
    FXS_TRY(const std::string_view position, where->asString());
    out += " (" + std::string(position) + ")";
  }
  return out;
}

Result<Capture> finished(Capture capture, fx::Builder&& builder, std::string label,
                         const ByteSource& source) {
  capture.fileBytes = source.size();
  auto program = std::move(builder).finish();
  if (!program) return fail(program.error().code, label + ": " + program.error().message);
  capture.program = *std::move(program);
  capture.label = std::move(label);
  return capture;
}

}  // namespace fxs::read::fx_json
