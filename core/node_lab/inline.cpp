// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/inline.h"

#include <algorithm>

#include "mlir/text/resources.h"
#include "node_lab/callee.h"
#include "node_lab/casts.h"
#include "node_lab/fresh_names.h"
#include "node_lab/symbols.h"
#include "node_lab/type_text.h"

namespace fxs::node_lab {
namespace {

std::string located(const std::string& location) {
  return location.empty() ? std::string() : " loc(" + location + ")";
}

template <class Each, class Text>
std::string list(const Each& parts, Text text) {
  std::string out;
  for (const auto& part : parts) {
    if (!out.empty()) out += ", ";
    out += text(part);
  }
  return out;
}

/// Attributes that are not there yet, by their names.
void addAttributes(std::vector<std::string>& to, const std::vector<std::string>& from) {
  const auto key = [](std::string_view attribute) {
    return attribute.substr(0, attribute.find_first_of(" ="));
  };
  for (const std::string& attribute : from)
    if (std::none_of(to.begin(), to.end(),
                     [&](const std::string& have) { return key(have) == key(attribute); }))
      to.push_back(attribute);
}

std::string attributeText(const std::vector<std::string>& attributes) {
  if (attributes.empty()) return {};
  return " attributes {" + list(attributes, [](const std::string& a) { return a; }) + "}";
}

}  // namespace

struct Composition::State {
  std::string function;
  std::vector<TypedValue> arguments;
  std::vector<std::string> argumentLocations;
  FreshNames names;
  mlir::Resources resources;
  Symbols symbols;
  std::string before, body, after;  ///< operations before the function, in it, and after it
  std::vector<std::string> attributes, moduleAttributes;

  Result<std::vector<TypedValue>> inlineBody(const Callee& callee, const Call& call,
                                             const std::vector<TypedValue>& operands,
                                             NewNames& with, std::string& out);
  std::vector<TypedValue> callHoisted(const Callee& callee, const Call& call,
                                      const std::string& symbol,
                                      const std::vector<TypedValue>& operands, std::string& out);
};

Composition::Composition(std::string functionName, const std::vector<Argument>& arguments)
    : state_(std::make_unique<State>()) {
  state_->function = std::move(functionName);
  state_->symbols.reserve(state_->function);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    state_->arguments.push_back(
        {state_->names.take(argument.name.empty() ? "arg" + std::to_string(i) : argument.name),
         argument.type});
    state_->argumentLocations.push_back(argument.location);
  }
}
Composition::~Composition() = default;
Composition::Composition(Composition&&) noexcept = default;

const std::vector<TypedValue>& Composition::arguments() const { return state_->arguments; }

Result<TypedValue> Composition::cast(const TypedValue& value, const std::string& type,
                                     const std::string& location) {
  return castTo(value, type, location, state_->names, state_->body);
}

Result<std::vector<TypedValue>> Composition::State::inlineBody(
    const Callee& callee, const Call& call, const std::vector<TypedValue>& operands, NewNames& with,
    std::string& out) {
  const mlir::Module& m = callee.module;
  std::vector<std::string> values(m.values.size());
  const TextRange inside = m.op(callee.function).text;
  for (std::uint32_t i = 0; i < m.values.size(); ++i) {
    const mlir::Value& value = m.values[i];
    if (!inside.contains(value.name.begin)) continue;
    // `%5:2` defines two values under one name.
    const bool sameName = i > 0 && m.values[i - 1].name == value.name;
    values[i] = sameName ? values[i - 1] : std::string();
  }
  for (std::size_t i = 0; i < callee.arguments.size(); ++i)
    values[callee.arguments[i].index()] = operands[i].name;
  for (std::uint32_t i = 0; i < m.values.size(); ++i)
    if (inside.contains(m.values[i].name.begin) && values[i].empty())
      values[i] = i > 0 && m.values[i - 1].name == m.values[i].name
                      ? values[i - 1]
                      : names.like(m.values[i].name.of(m.text), call.stem);
  with.values = &values;
  for (const mlir::OpId id : callee.body) {
    FXS_TRY(const std::string text, callee.transcript.of(m.op(id).text, with));
    out += "    " + relocated(text, call.locations) + "\n";
  }
  std::vector<TypedValue> results;
  for (std::size_t i = 0; i < callee.results.size(); ++i) {
    FXS_TRY(std::string name, callee.transcript.of(callee.resultNames[i], with));
    results.push_back({std::move(name), callee.resultTypes[i]});
  }
  with.values = nullptr;
  return results;
}

std::vector<TypedValue> Composition::State::callHoisted(const Callee& callee, const Call& call,
                                                        const std::string& symbol,
                                                        const std::vector<TypedValue>& operands,
                                                        std::string& out) {
  const std::size_t count = callee.resultTypes.size();
  const std::string name = count == 0 ? std::string() : names.like("call", call.stem);
  out += "    ";
  if (count > 0) out += name + (count > 1 ? ":" + std::to_string(count) : "") + " = ";
  out += "func.call " + symbolText(symbol) + "(" +
         list(operands, [](const TypedValue& v) { return v.name; }) + ") : (" +
         list(callee.argumentTypes, [](const std::string& t) { return t; }) + ") -> (" +
         list(callee.resultTypes, [](const std::string& t) { return t; }) + ")" +
         located(call.location) + "\n";
  std::vector<TypedValue> results;
  for (std::size_t i = 0; i < count; ++i)
    results.push_back({count > 1 ? name + "#" + std::to_string(i) : name, callee.resultTypes[i]});
  return results;
}

Result<Signature> signatureOf(std::string_view module, std::string_view function) {
  FXS_TRY(const auto callee, Callee::read(module, function));
  return Signature{callee->argumentTypes, callee->resultTypes};
}

Result<std::vector<TypedValue>> Composition::inlineCall(const Call& call,
                                                        const std::vector<TypedValue>& operands) {
  State& s = *state_;
  FXS_TRY(const auto callee, Callee::read(call.module, call.function));
  if (operands.size() != callee->arguments.size())
    return fail(ErrorCode::InvalidInput, "function " + symbolText(call.function) + ": expected " +
                                             std::to_string(callee->arguments.size()) +
                                             " arguments, got " + std::to_string(operands.size()));
  std::string out;
  std::vector<TypedValue> given;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    FXS_TRY(TypedValue value,
            castTo(operands[i], callee->argumentTypes[i], call.location, s.names, out));
    given.push_back(std::move(value));
  }

  NewNames with;
  with.location = call.location;
  const auto data = mlir::resourcesOf(call.module);
  mlir::Resources resources = s.resources;
  for (const std::string& key : callee->transcript.resourcesIn({0, call.module.size()})) {
    const auto found = data.find(key);
    with.resources.emplace(
        key, resources.add(key, found == data.end() ? std::nullopt : std::optional(found->second)));
  }
  Symbols symbols = s.symbols;
  FXS_TRY(const Hoisted hoisted, symbols.add(*callee, call.stem, with));

  std::vector<TypedValue> results;
  if (callee->severalBlocks) results = s.callHoisted(*callee, call, hoisted.function, given, out);
  else {
    FXS_TRY(results, s.inlineBody(*callee, call, given, with, out));
  }
  s.resources = std::move(resources);
  s.symbols = std::move(symbols);
  s.before += relocated(hoisted.before, call.locations);
  s.after += relocated(hoisted.after, call.locations);
  s.body += out;
  addAttributes(s.attributes, callee->attributes);
  addAttributes(s.moduleAttributes, callee->moduleAttributes);
  return results;
}

std::string Composition::finish(const std::vector<TypedValue>& results,
                                const std::string& location) && {
  const State& s = *state_;
  std::string out = "module" + attributeText(s.moduleAttributes) + " {\n" + s.before +
                    "  func.func " + symbolText(s.function) + "(";
  for (std::size_t i = 0; i < s.arguments.size(); ++i)
    out += (i == 0 ? "" : ", ") + s.arguments[i].name + ": " + s.arguments[i].type +
           located(s.argumentLocations[i]);
  const auto type = [](const TypedValue& v) { return v.type; };
  out += ")";
  if (!results.empty()) out += " -> (" + list(results, type) + ")";
  out += attributeText(s.attributes) + " {\n" + s.body + "    return";
  if (!results.empty())
    out += " " + list(results, [](const TypedValue& v) { return v.name; }) + " : " +
           list(results, type);
  return out + located(location) + "\n  }" + located(location) + "\n" + s.after + "}\n" +
         s.resources.text();
}

}  // namespace fxs::node_lab
