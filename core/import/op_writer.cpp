// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/op_writer.h"

namespace fxs::import {
namespace {

/// Upper bound for the name of a value.
constexpr std::size_t kNameBytes = 16;

bool isBareIdentifier(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '$' && c != '.') return false;
  }
  return name[0] != '.' && name[0] != '$';
}

}  // namespace

void appendSymbol(std::string& out, std::string_view name) {
  out += '@';
  if (isBareIdentifier(name)) out += name;
  else appendQuoted(out, name);
}

void OpWriter::setLocation(std::string location) {
  writer_.setLocation(std::move(location));
  // ` loc("relu"("fx":3:0))`
  const std::string_view text = writer_.location();
  const std::size_t begin = text.find('"'), end = text.rfind("(\"fx\"");
  named_ = begin < end && end != std::string_view::npos ? text.substr(begin, end - begin)
                                                        : std::string_view("the import");
}

/// Charged in advance: an operation can use one long type a million times.
void OpWriter::spend(std::span<const Value> operands, std::span<const TypeId> results,
                     std::string_view attributes) {
  std::size_t bytes = mlir::GenericOpWriter::kLineBytes + 2 * writer_.depth() + attributes.size() +
                      location().size();
  for (const Value& operand : operands) bytes += kNameBytes + types_.text(operand.type).size();
  for (const TypeId result : results) bytes += types_.text(result).size();
  context_.spend(Resource::Text, bytes, named_);
}

void OpWriter::appendValue(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Result: out_ += '%'; break;
    case Value::Kind::Argument: out_ += "%arg"; break;
    case Value::Kind::BlockArgument: out_ += "%iter"; break;
  }
  mlir::appendNumber(out_, value.number);
  if (value.part >= 0) {
    out_ += '#';
    mlir::appendNumber(out_, value.part);
  }
}

std::vector<Value> OpWriter::head(std::string_view name, std::span<const Value> operands,
                                  std::span<const TypeId> results, std::string_view attributes) {
  spend(operands, results, attributes);
  const std::uint32_t number = writer_.head(name, operands, results.size(), attributes,
                                            [&](const Value& operand) { appendValue(operand); });
  std::vector<Value> values;
  values.reserve(results.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    values.push_back({Value::Kind::Result, results.size() > 1 ? static_cast<std::int32_t>(i) : -1,
                      number, results[i]});
  return values;
}

void OpWriter::signature(std::span<const Value> operands, std::span<const TypeId> results) {
  struct TypeOf {
    const TypeTable& types;
    std::string_view operator()(const Value& operand) const { return types.text(operand.type); }
    std::string_view operator()(TypeId type) const { return types.text(type); }
  };
  writer_.signature(operands, results, TypeOf{types_});
}

std::vector<Value> OpWriter::ops(std::string_view name, std::span<const Value> operands,
                                 std::span<const TypeId> results, std::string_view attributes) {
  std::vector<Value> values = head(name, operands, results, attributes);
  signature(operands, results);
  return values;
}

Value OpWriter::op(std::string_view name, std::span<const Value> operands, TypeId result,
                   std::string_view attributes) {
  return ops(name, operands, std::span(&result, 1), attributes).front();
}

void OpWriter::effect(std::string_view name, std::span<const Value> operands,
                      std::string_view attributes) {
  ops(name, operands, {}, attributes);
}

OpWriter::Open OpWriter::open(std::string_view name, std::span<const Value> operands,
                              std::span<const TypeId> results) {
  Open opened{{operands.begin(), operands.end()},
              {results.begin(), results.end()},
              head(name, operands, results)};
  writer_.beginRegion(true);
  return opened;
}

std::vector<Value> OpWriter::blockArguments(std::span<const TypeId> types) {
  for (std::size_t i = 0; i < types.size(); ++i) spend({}, types.subspan(i, 1), {});
  std::uint32_t number = writer_.blockArguments(
      types, [&](TypeId type) -> std::string_view { return types_.text(type); });
  std::vector<Value> values;
  for (const TypeId type : types)
    values.push_back({Value::Kind::BlockArgument, -1, number++, type});
  return values;
}

void OpWriter::nextRegion() {
  writer_.endRegion();
  writer_.beginRegion(false);
}

void OpWriter::close(const Open& opened) {
  writer_.endRegion();
  writer_.endRegions();
  signature(opened.operands, opened.resultTypes);
}

}  // namespace fxs::import
