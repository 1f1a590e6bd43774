// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/nested_calls.h"

#include <algorithm>

#include "base/joined.h"
#include "ops/operators.h"
#include "ops/schema.h"
#include "rewrite/transcription.h"

namespace fxs::rewrite {
namespace {

constexpr std::string_view kHostDevice = "cpu";

/// Whether a call without the argument does the same: PyTorch creates tensors on the CPU.
bool isLikeDefault(const fx::NodeArgument& argument, const fx::Node& without,
                   const ops::SchemaArgument& parameter) {
  if (const Device* device = std::get_if<Device>(&argument.value))
    return parameter.type.optional && device->text() == kHostDevice;
  if (argument.name == "pin_memory") return argument.value == fx::Argument(false);
  const bool hasDefault = !std::holds_alternative<ops::NoDefault>(parameter.defaultValue) &&
                          !std::holds_alternative<ops::DefaultList>(parameter.defaultValue);
  return hasDefault && argument.value == argumentOf(without, argument.name);
}

/// The call without what its schema says anyway. An argument by position is left out only if none
/// follows it.
fx::Node withoutDefaults(const fx::Node& node) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  if (schema == nullptr) return node;
  fx::Node without = node, out = node;
  without.args.clear();
  out.args.clear();
  bool isLast = true;
  for (auto argument = node.args.rbegin(); argument != node.args.rend(); ++argument) {
    const ops::SchemaArgument* parameter = schema->find(argument->name);
    const bool isLeftOut = parameter != nullptr && (isLast || parameter->keywordOnly) &&
                           isLikeDefault(*argument, without, *parameter);
    if (isLeftOut) continue;
    isLast &= parameter != nullptr && parameter->keywordOnly;
    out.args.insert(out.args.begin(), *argument);
  }
  return out;
}

std::vector<const fx::Argument*> argumentsIn(const fx::Node& node) {
  std::vector<const fx::Argument*> out;
  for (const fx::NodeArgument& argument : node.args) out.push_back(&argument.value);
  return out;
}

bool isRandomCall(const fx::Node& node) {
  return !ops::operatorNamed(packetOf(node.target)).rule(ops::Rule::Random).empty();
}

}  // namespace

NestedCalls::NestedCalls(fx::PythonSource& source, const fx::Program& program, std::string indent)
    : source_(source), indent_(std::move(indent)) {
  for (const fx::NodeId id : program.main().nodes)
    for (const fx::NodeArgument& argument : program.node(id).args)
      fx::forEachNode(argument.value, [&](fx::NodeId used) { ++uses_[used]; });
}

void NestedCalls::add(const fx::Node& call) {
  const fx::Node node = withoutDefaults(call);
  const std::vector<const fx::Argument*> operands = argumentsIn(node);
  if (node.target == fx::kGetitem || fx::isSizeOf(node)) {
    for (const fx::Argument* operand : operands)
      fx::forEachNode(*operand, [&](fx::NodeId id) {
        if (pending_.contains(id)) write(id);
      });
    out_ += source_.statement(node, indent_);
    return;
  }
  const std::string assigned = std::string(packetOf(node.target)) + "_99 = ";
  writeUntilShort(operands, [&] { return indent_ + assigned + source_.expression(node); });
  take(operands);
  const std::string text = source_.expression(node);
  const bool fits = indent_.size() + assigned.size() + text.size() <= fx::kPythonColumns;
  if (uses_[node.id] != 1 || isRandomCall(node) || !fits) {
    out_ += source_.statement(node, indent_);
    return;
  }
  source_.setText(node.id, text);
  pending_.emplace(node.id, Pending{node, text.size()});
}

std::string NestedCalls::returning(const fx::ArgumentList& values, bool asList) {
  std::vector<const fx::Argument*> operands;
  for (const fx::Argument& value : values) operands.push_back(&value);
  const auto text = [&] {
    std::vector<std::string> texts;
    for (const fx::Argument& value : values) texts.push_back(source_.text(value));
    return indent_ + "return " + (asList ? "[" + joined(texts) + "]" : joined(texts));
  };
  writeUntilShort(operands, text);
  return out_ + text() + "\n";
}

/// Writes pending operands as statements, the longest first, until the text fits into a line.
template <typename Text>
void NestedCalls::writeUntilShort(const std::vector<const fx::Argument*>& operands,
                                  const Text& text) {
  while (text().size() > fx::kPythonColumns) {
    auto longest = pending_.end();
    for (const fx::Argument* operand : operands)
      fx::forEachNode(*operand, [&](fx::NodeId id) {
        const auto found = pending_.find(id);
        if (found == pending_.end()) return;
        if (longest == pending_.end() || found->second.length > longest->second.length)
          longest = found;
      });
    if (longest == pending_.end()) return;
    write(longest->first);
  }
}

void NestedCalls::write(fx::NodeId id) {
  const auto pending = pending_.find(id);
  out_ += source_.statement(pending->second.node, indent_);
  pending_.erase(pending);
}

/// They are part of another expression now.
void NestedCalls::take(const std::vector<const fx::Argument*>& operands) {
  for (const fx::Argument* operand : operands)
    fx::forEachNode(*operand, [this](fx::NodeId id) { pending_.erase(id); });
}

}  // namespace fxs::rewrite
