#include "import/op_writer.h"

#include <charconv>

namespace fxs::import {
namespace {

void appendNumber(std::string& out, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

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

void OpWriter::appendValue(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Result: out_ += '%'; break;
    case Value::Kind::Argument: out_ += "%arg"; break;
    case Value::Kind::BlockArgument: out_ += "%iter"; break;
  }
  appendNumber(out_, value.number);
  if (value.part >= 0) {
    out_ += '#';
    appendNumber(out_, value.part);
  }
}

std::vector<Value> OpWriter::begin(std::string_view name, std::span<const Value> operands, std::span<const TypeId> results) {
  ++count_;
  std::vector<Value> values;
  indent();
  if (!results.empty()) {
    const std::uint32_t number = nextResult_++;
    out_ += '%';
    appendNumber(out_, number);
    if (results.size() > 1) {
      out_ += ':';
      appendNumber(out_, static_cast<std::int64_t>(results.size()));
    }
    out_ += " = ";
    values.reserve(results.size());
    for (std::size_t i = 0; i < results.size(); ++i)
      values.push_back({Value::Kind::Result, results.size() > 1 ? static_cast<std::int32_t>(i) : -1, number, results[i]});
  }
  out_ += '"';
  out_ += name;
  out_ += "\"(";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i != 0) out_ += ", ";
    appendValue(operands[i]);
  }
  out_ += ')';
  return values;
}

void OpWriter::signature(std::span<const Value> operands, std::span<const TypeId> results) {
  out_ += " : (";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i != 0) out_ += ", ";
    out_ += types_.text(operands[i].type);
  }
  out_ += ") -> ";
  if (results.size() != 1) out_ += '(';
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i != 0) out_ += ", ";
    out_ += types_.text(results[i]);
  }
  if (results.size() != 1) out_ += ')';
  out_ += location_;
  out_ += '\n';
}

std::vector<Value> OpWriter::ops(std::string_view name, std::span<const Value> operands, std::span<const TypeId> results,
                                 std::string_view attributes) {
  std::vector<Value> values = begin(name, operands, results);
  if (!attributes.empty()) {
    out_ += " <{";
    out_ += attributes;
    out_ += "}>";
  }
  signature(operands, results);
  return values;
}

Value OpWriter::op(std::string_view name, std::span<const Value> operands, TypeId result, std::string_view attributes) {
  return ops(name, operands, std::span(&result, 1), attributes).front();
}

void OpWriter::effect(std::string_view name, std::span<const Value> operands, std::string_view attributes) {
  ops(name, operands, {}, attributes);
}

OpWriter::Open OpWriter::open(std::string_view name, std::span<const Value> operands, std::span<const TypeId> results) {
  Open opened{{operands.begin(), operands.end()}, {results.begin(), results.end()}, begin(name, operands, results)};
  out_ += " ({\n";
  ++depth_;
  return opened;
}

std::vector<Value> OpWriter::blockArguments(std::span<const TypeId> types) {
  std::vector<Value> values;
  out_.append((depth_ - 1) * 2, ' ');
  out_ += "^bb0(";
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i != 0) out_ += ", ";
    values.push_back({Value::Kind::BlockArgument, -1, nextBlockArgument_++, types[i]});
    appendValue(values.back());
    out_ += ": ";
    out_ += types_.text(types[i]);
    out_ += location_;
  }
  out_ += "):\n";
  return values;
}

void OpWriter::nextRegion() {
  out_.append((depth_ - 1) * 2, ' ');
  out_ += "}, {\n";
}

void OpWriter::close(const Open& opened) {
  --depth_;
  indent();
  out_ += "})";
  signature(opened.operands, opened.resultTypes);
}

}  // namespace fxs::import
