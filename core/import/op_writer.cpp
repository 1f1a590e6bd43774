#include "import/op_writer.h"

#include <charconv>

namespace fxs::import {
namespace {

/// More than an operation has beside its names, types and attributes, and a name of a value.
constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kNameBytes = 16;

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

void OpWriter::setLocation(std::string location) {
  location_ = std::move(location);
  // ` loc("relu"("fx":3:0))`
  const std::size_t begin = location_.find('"'), end = location_.rfind("(\"fx\"");
  named_ = begin < end && end != std::string::npos ? std::string_view(location_).substr(begin, end - begin) : std::string_view("the import");
}

/// Before it is written: an operation can take one long type a million times.
void OpWriter::spend(std::span<const Value> operands, std::span<const TypeId> results, std::string_view attributes) {
  std::size_t bytes = kLineBytes + 2 * depth_ + attributes.size() + location_.size();
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
  spend(operands, results, attributes);
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
  spend(operands, results, {});
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
    spend({}, types.subspan(i, 1), {});
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
