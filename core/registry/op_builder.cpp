#include "registry/op_builder.h"

namespace fxs::registry {
namespace {

std::string joined(std::span<const std::string> parts) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += ", ";
    out += part;
  }
  return out;
}

std::string signatureText(std::span<const Value> operands, std::span<const std::string> resultTypes) {
  std::string out = " : (";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i != 0) out += ", ";
    out += operands[i].type;
  }
  out += ") -> ";
  return resultTypes.size() == 1 ? out + resultTypes.front() : out + "(" + joined(resultTypes) + ")";
}

/// More than a line has beside its names, types and attributes.
constexpr std::size_t kLineBytes = 64;

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
  location_ = locationText(nodeName, nodeIndex);
  node_ = "node '" + std::string(nodeName) + "'";
}

void OpBuilder::rollback(const Mark& mark) {
  out_.resize(mark.size);
  depth_ = mark.depth;
  next_ = mark.next;
  nextBlockArgument_ = mark.nextBlockArgument;
  count_ = mark.count;
}

std::vector<Value> OpBuilder::head(std::string_view name, std::span<const Value> operands, std::span<const std::string> resultTypes,
                                 std::string_view attributes) {
  std::size_t bytes = kLineBytes + name.size() + attributes.size() + location_.size() + 2 * depth_;
  for (const Value& operand : operands) bytes += operand.name.size() + operand.type.size();
  for (const std::string& type : resultTypes) bytes += type.size();
  spend(bytes);
  ++count_;
  std::vector<Value> results;
  indent(depth_);
  if (!resultTypes.empty()) {
    const std::string number = "%" + std::to_string(next_++);
    out_ += number;
    if (resultTypes.size() > 1) out_ += ":" + std::to_string(resultTypes.size());
    out_ += " = ";
    for (std::size_t i = 0; i < resultTypes.size(); ++i)
      results.push_back(valueOf(resultTypes.size() > 1 ? number + "#" + std::to_string(i) : number, resultTypes[i]));
  }
  out_ += '"';
  out_ += name;
  out_ += "\"(";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i != 0) out_ += ", ";
    out_ += operands[i].name;
  }
  out_ += ')';
  if (!attributes.empty()) {
    out_ += " <{";
    out_ += attributes;
    out_ += "}>";
  }
  return results;
}

std::vector<Value> OpBuilder::ops(std::string_view name, std::span<const Value> operands, std::span<const std::string> resultTypes,
                                std::string_view attributes) {
  std::vector<Value> results = head(name, operands, resultTypes, attributes);
  out_ += signatureText(operands, resultTypes);
  out_ += location_;
  out_ += '\n';
  return results;
}

Value OpBuilder::op(std::string_view name, std::span<const Value> operands, const TensorType& result, std::string_view attributes) {
  result.check();
  const std::string type = result.text();
  return ops(name, operands, std::span(&type, 1), attributes).front();
}

Value OpBuilder::op(std::string_view name, std::initializer_list<Value> operands, const TensorType& result, std::string_view attributes) {
  return op(name, std::span(operands.begin(), operands.size()), result, attributes);
}

OpBuilder::Open OpBuilder::begin(std::string_view name, std::span<const Value> operands, std::span<const std::string> resultTypes,
                             std::string_view attributes) {
  Open open{{}, head(name, operands, resultTypes, attributes), 0};
  open.signature = signatureText(operands, resultTypes);
  out_ += " (";
  return open;
}

std::vector<Value> OpBuilder::beginRegion(Open& open, std::span<const std::string> argumentTypes) {
  out_ += open.regions++ == 0 ? "{\n" : ", {\n";
  std::vector<Value> arguments;
  if (!argumentTypes.empty()) {
    indent(depth_);
    out_ += "^bb0(";
    for (const std::string& type : argumentTypes) {
      if (!arguments.empty()) out_ += ", ";
      arguments.push_back(valueOf("%b" + std::to_string(nextBlockArgument_++), type));
      out_ += arguments.back().name + ": " + type + location_;
    }
    out_ += "):\n";
  }
  ++depth_;
  return arguments;
}

void OpBuilder::endRegion(Open&) {
  --depth_;
  indent(depth_);
  out_ += '}';
}

std::vector<Value> OpBuilder::finish(Open& open) {
  out_ += ')';
  out_ += open.signature;
  out_ += location_;
  out_ += '\n';
  return open.results;
}

Value OpBuilder::constant(const TensorType& type, std::span<const Scalar> values, std::string_view op) {
  type.check();
  if (values.size() > 1 && static_cast<std::int64_t>(values.size()) != type.elements())
    throw BadSizes("its sizes do not fit together: " + type.text() + " has not " + std::to_string(values.size()) + " elements");
  const std::string_view attribute = op == "arith.constant" ? "value = " : "values = ";
  return this->op(op, {}, type, std::string(attribute) + denseText(type, values) + " : " + type.text());
}

Value OpBuilder::scalar(std::string_view type, Scalar value) {
  const std::string text(type);
  std::string attribute = "value = " + elementText(value, type);
  if (type != "i1") attribute += " : " + text;  // true and false carry their type
  return ops("arith.constant", {}, std::span(&text, 1), attribute).front();
}

Value OpBuilder::shape(const Sizes& sizes) {
  const std::string rank = std::to_string(sizes.size());
  const std::string type = "!tosa.shape<" + rank + ">";
  std::string values;
  for (const std::int64_t size : sizes) values += (values.empty() ? "" : ", ") + std::to_string(size);
  if (!sizes.empty()) values = "[" + values + "]";
  return ops("tosa.const_shape", {}, std::span(&type, 1), "values = dense<" + values + "> : tensor<" + rank + "xindex>").front();
}

}  // namespace fxs::registry
