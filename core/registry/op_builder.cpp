// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/op_builder.h"

#include <algorithm>

namespace fxs::registry {
namespace {

Value valueOf(std::string name, const std::string& type) {
  Value out{std::move(name), type, {}};
  if (auto tensor = parseTensorType(type)) out.tensor = *std::move(tensor);
  return out;
}

}  // namespace

std::string locationText(std::string_view nodeName, std::size_t nodeIndex) {
  return " loc(" + quoted(nodeName) + "(\"fx\":" + std::to_string(nodeIndex) + ":0))";
}

void OpBuilder::setLocation(std::string_view nodeName, std::size_t nodeIndex) {
  writer_.setLocation(locationText(nodeName, nodeIndex));
  node_ = "node '" + std::string(nodeName) + "'";
}

std::vector<Value> OpBuilder::head(std::string_view name, std::span<const Value> operands,
                                   std::span<const std::string> resultTypes,
                                   std::string_view attributes) {
  std::size_t bytes = mlir::GenericOpWriter::kLineBytes + name.size() + attributes.size() +
                      location().size() + 2 * writer_.depth();
  for (const Value& operand : operands) bytes += operand.name.size() + operand.type.size();
  for (const std::string& type : resultTypes) bytes += type.size();
  spend(bytes);
  const std::uint32_t number = writer_.head(name, operands, resultTypes.size(), attributes,
                                            [&](const Value& operand) { out_ += operand.name; });
  const std::string full = "%" + std::to_string(number);
  std::vector<Value> results;
  for (std::size_t i = 0; i < resultTypes.size(); ++i)
    results.push_back(
        valueOf(resultTypes.size() > 1 ? full + "#" + std::to_string(i) : full, resultTypes[i]));
  return results;
}

void OpBuilder::signature(std::span<const Value> operands,
                          std::span<const std::string> resultTypes) {
  struct TypeOf {
    std::string operator()(const Value& operand) const { return printedType(operand.type); }
    std::string operator()(const std::string& type) const { return printedType(type); }
  };
  writer_.signature(operands, resultTypes, TypeOf{});
}

std::vector<Value> OpBuilder::ops(std::string_view name, std::span<const Value> operands,
                                  std::span<const std::string> resultTypes,
                                  std::string_view attributes) {
  std::vector<Value> results = head(name, operands, resultTypes, attributes);
  signature(operands, resultTypes);
  return results;
}

std::vector<std::string> typesOf(std::span<const Value> values) {
  std::vector<std::string> out;
  for (const Value& value : values) out.push_back(value.type);
  return out;
}

Value OpBuilder::op(std::string_view name, std::span<const Value> operands,
                    const TensorType& result, std::string_view attributes) {
  result.check();
  const std::string type = result.text();
  return ops(name, operands, std::span(&type, 1), attributes).front();
}

Value OpBuilder::op(std::string_view name, std::initializer_list<Value> operands,
                    const TensorType& result, std::string_view attributes) {
  return op(name, std::span(operands.begin(), operands.size()), result, attributes);
}

OpBuilder::Open OpBuilder::begin(std::string_view name, std::span<const Value> operands,
                                 std::span<const std::string> resultTypes,
                                 std::string_view attributes) {
  return {{operands.begin(), operands.end()},
          {resultTypes.begin(), resultTypes.end()},
          head(name, operands, resultTypes, attributes)};
}

std::vector<Value> OpBuilder::beginRegion(Open& open, std::span<const std::string> argumentTypes) {
  writer_.beginRegion(open.regions++ == 0);
  std::vector<Value> arguments;
  if (argumentTypes.empty()) return arguments;
  std::uint32_t number = writer_.blockArguments(
      argumentTypes, [](const std::string& type) { return printedType(type); });
  for (const std::string& type : argumentTypes)
    arguments.push_back(valueOf("%b" + std::to_string(number++), type));
  return arguments;
}

void OpBuilder::endRegion(Open&) { writer_.endRegion(); }

std::vector<Value> OpBuilder::finish(Open& open) {
  writer_.endRegions();
  signature(open.operands, open.resultTypes);
  return open.results;
}

Value OpBuilder::constant(const TensorType& type, std::span<const Scalar> values,
                          std::string_view op) {
  type.check();
  if (!type.isStatic()) throw BadSizes("a constant of " + type.text() + " has a symbolic size");
  if (values.size() > 1 && static_cast<std::int64_t>(values.size()) != type.elements())
    throw BadSizes("incompatible sizes: " + type.text() + " does not have " +
                   std::to_string(values.size()) + " elements");
  const std::string_view attribute = op == "arith.constant" ? "value = " : "values = ";
  return this->op(op, {}, type,
                  std::string(attribute) + denseText(type, values) + " : " + type.text());
}

Value OpBuilder::scalar(std::string_view type, Scalar value) {
  if (type.starts_with("complex<")) {
    const std::string_view part = type.substr(8, type.size() - 9);
    const auto* number = std::get_if<std::complex<double>>(&value);
    const std::vector<Value> parts{scalar(part, number != nullptr ? Scalar(number->real()) : value),
                                   scalar(part, number != nullptr ? number->imag() : 0.0)};
    const std::string full(type);
    return ops("complex.create", parts, std::span(&full, 1)).front();
  }
  const std::string text(type);
  std::string attribute = "value = " + elementText(value, type);
  if (type != "i1") attribute += " : " + text;  // true and false imply their type
  return ops("arith.constant", {}, std::span(&text, 1), attribute).front();
}

std::int64_t OpBuilder::symbol(const Value& index) {
  symbols_.push_back(index);
  return kFirstSymbol + static_cast<std::int64_t>(symbols_.size()) - 1;
}

void OpBuilder::setSymbol(std::int64_t size, const Value& index) {
  symbols_[static_cast<std::size_t>(size - kFirstSymbol)] = index;
}

bool OpBuilder::hasValue(std::int64_t size) const {
  if (!isSymbolic(size)) return true;
  const auto at = static_cast<std::size_t>(size - kFirstSymbol);
  return at < symbols_.size() && !symbols_[at].name.empty();
}

Value OpBuilder::index(std::int64_t size) {
  if (!isSymbolic(size)) return scalar("index", size);
  if (!hasValue(size)) throw BadSizes("nothing says what a symbolic size is");
  return symbols_[static_cast<std::size_t>(size - kFirstSymbol)];
}

std::vector<Value> OpBuilder::symbolsIn(const Sizes& sizes) {
  std::vector<Value> out;
  for (const std::int64_t size : sizes)
    if (isSymbolic(size)) out.push_back(index(size));
  return out;
}

std::string OpBuilder::external(std::string_view name, std::span<const Value> operands,
                                std::span<const std::string> resultTypes) {
  std::string from, to;
  for (const Value& operand : operands)
    from += (from.empty() ? "" : ", ") + printedType(operand.type);
  for (const std::string& type : resultTypes) to += (to.empty() ? "" : ", ") + printedType(type);
  const std::string type = "(" + from + ") -> (" + to + ")";
  std::size_t others = 0;
  for (const External& known : externals_) {
    if (known.name != name) continue;
    if (known.type == type) return known.symbol;
    ++others;
  }
  externals_.push_back({std::string(name), type,
                        std::string(name) + (others == 0 ? "" : "_" + std::to_string(others))});
  spend(type.size() + name.size());
  return externals_.back().symbol;
}

std::string OpBuilder::declarations() const {
  std::string out;
  for (const External& known : externals_)
    out += "  \"func.func\"() <{function_type = " + known.type +
           ", sym_name = " + quoted(known.symbol) +
           ", sym_visibility = \"private\"}> ({\n  }) : () -> ()\n";
  return out;
}

Value OpBuilder::shape(const Sizes& sizes) {
  if (std::any_of(sizes.begin(), sizes.end(), isSymbolic))
    throw BadSizes("a shape in TOSA has no symbolic sizes");
  const std::string rank = std::to_string(sizes.size());
  const std::string type = "!tosa.shape<" + rank + ">";
  std::string values;
  for (const std::int64_t size : sizes)
    values += (values.empty() ? "" : ", ") + std::to_string(size);
  if (!sizes.empty()) values = "[" + values + "]";
  return ops("tosa.const_shape", {}, std::span(&type, 1),
             "values = dense<" + values + "> : tensor<" + rank + "xindex>")
      .front();
}

std::string_view loadingLine(std::string_view operations) {
  return operations.find("\"math.") == std::string_view::npos
             ? std::string_view()
             : "#loadsMath = #linalg.iterator_type<parallel>\n";
}

}  // namespace fxs::registry
