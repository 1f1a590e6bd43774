// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/transcription.h"

#include <utility>
#include <variant>

#include "ops/schema.h"
#include "rewrite/rule.h"

namespace fxs::rewrite {

Transcription::Transcription(const fx::Program& source, Report& report, const RunContext& run)
    : source_(source),
      report_(report),
      run_(run),
      draft_(source, run),
      values_(source.nodes.size()) {}

fx::Argument Transcription::mapped(const fx::Argument& argument) const {
  return fx::mapNodes(argument, [&](fx::NodeId id) { return values_[id.index()]; });
}

std::vector<fx::NodeArgument> Transcription::mapped(
    const std::vector<fx::NodeArgument>& args) const {
  std::vector<fx::NodeArgument> out;
  out.reserve(args.size());
  for (const fx::NodeArgument& a : args) out.push_back({a.name, mapped(a.value), a.keyword});
  return out;
}

fx::NodeId Transcription::copy() { return copyWith(mapped(current_->args)); }

fx::NodeId Transcription::copyWith(std::vector<fx::NodeArgument> args) {
  fx::Node node;
  node.op = current_->op;
  node.name = current_->name;
  node.target = current_->target;
  node.args = std::move(args);
  node.val = current_->val;
  node.meta = current_->meta;
  node.subgraph = current_->subgraph;
  node.origin = current_->origin;
  const fx::NodeId id = draft_.append(writing_, std::move(node));
  values_[current_->id.index()] = id;
  return id;
}

fx::NodeId Transcription::copyAs(std::string_view target, std::vector<fx::NodeArgument> args,
                                 fx::Value val) {
  const fx::NodeId id = copyWith(std::move(args));
  draft_.node(id).target = target;
  draft_.node(id).val = std::move(val);
  return id;
}

bool Transcription::takePart() {
  if (current_->target != fx::kGetitem || current_->args.size() != 2) return false;
  const fx::NodeId* of = current_->args[0].value.node();
  const std::int64_t* index = current_->args[1].value.integer();
  if (!of || !index) return false;
  const fx::ArgumentList* parts = values_[of->index()].list();
  if (!parts || *index < 0 || static_cast<std::size_t>(*index) >= parts->size()) return false;
  values_[current_->id.index()] = (*parts)[static_cast<std::size_t>(*index)];
  return true;
}

fx::NodeId Transcription::emit(std::string_view target, std::vector<fx::NodeArgument> args,
                               fx::Value val) {
  fx::Node node;
  node.op = fx::NodeOp::CallFunction;
  node.name = packetOf(target);
  node.target = target;
  node.args = std::move(args);
  node.val = std::move(val);
  node.meta = current_->meta;
  node.origin = current_->origin;
  return draft_.appendNew(writing_, std::move(node));
}

fx::NodeId Transcription::emitGetitem(fx::NodeId of, std::size_t index, fx::Value val) {
  return emit(fx::kGetitem, {{"a", of, false}, {"b", static_cast<std::int64_t>(index), false}},
              std::move(val));
}

fx::Argument Transcription::size(const fx::Argument& tensor, const fx::TensorMeta& meta,
                                 std::size_t dim) {
  const fx::SymInt& size = meta.sizes[dim];
  if (size.isStatic()) return size.value();
  const fx::NodeId* of = tensor.node();
  if (!of) return fx::None{};
  const auto key = std::pair(*of, dim);
  if (const auto known = sizes_.find(key); known != sizes_.end()) return known->second;
  fx::SymValue value{fx::SymKind::Int, size.expr(), {}};
  if (const auto hint = size.hint()) value.constant = *hint;
  const fx::NodeId made = emit(
      "aten.sym_size.int", {{"self", *of, false}, {"dim", static_cast<std::int64_t>(dim), false}},
      std::move(value));
  sizes_.emplace(key, made);
  return made;
}

const fx::TensorMeta* Transcription::tensor(const fx::Argument& argument) const {
  const fx::NodeId* id = argument.node();
  return id ? draft_.node(*id).val.tensor() : nullptr;
}

void Transcription::applied(std::string rule) {
  report_.applied.push_back({std::move(rule), current_->origin});
}
void Transcription::applied(const Rule& rule) {
  applied(rule.id);
  report_.rules.push_back(&rule);
}
void Transcription::keepDecompositions(std::size_t count) {
  // Each is the last one of `applied`, too: a decomposition applies nothing else.
  report_.applied.resize(report_.applied.size() - (report_.rules.size() - count));
  report_.rules.resize(count);
}

void Transcription::finding(std::string kind, std::string message) {
  findingAt(*current_, std::move(kind), std::move(message));
}

void Transcription::findingAt(const fx::Node& node, std::string kind, std::string message) {
  fx::Finding found = fx::findingAt(source_, node, std::move(kind), std::move(message));
  found.stage = "rewrite";
  if (report_.said.emplace(found.node, found.message).second)
    report_.findings.push_back(std::move(found));
}

fx::Program Transcription::take() && {
  fx::Program& out = draft_.program();
  if (out.inputs.empty())
    for (fx::InputSpec input : source_.inputs) {
      input.node = *values_[input.node.index()].node();
      out.inputs.push_back(std::move(input));
    }
  if (out.outputs.empty())
    for (const fx::OutputSpec& output : source_.outputs)
      out.outputs.push_back({output.kind, mapped(output.value), output.target});
  return std::move(out);
}

const fx::Argument* given(const fx::Node& node, std::string_view name) {
  const fx::NodeArgument* found = node.find(name);
  return found ? &found->value : nullptr;
}

fx::Argument argumentOf(const fx::Node& node, std::string_view name) {
  if (const fx::Argument* found = given(node, name)) return *found;
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  const ops::SchemaArgument* formal = schema ? schema->find(name) : nullptr;
  if (!formal) return fx::None{};
  return std::visit(
      [](const auto& value) -> fx::Argument {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, ops::NoDefault> || std::is_same_v<T, ops::NoneDefault>) {
          return fx::None{};
        } else if constexpr (std::is_same_v<T, ops::DefaultList>) {
          fx::ArgumentList items;
          for (const auto& item : value)
            items.push_back(std::visit([](auto v) -> fx::Argument { return v; }, item));
          return items;
        } else {
          return value;
        }
      },
      formal->defaultValue);
}

}  // namespace fxs::rewrite
