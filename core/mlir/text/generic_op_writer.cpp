// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/generic_op_writer.h"

#include <charconv>

namespace fxs::mlir {

void appendNumber(std::string& out, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

std::uint32_t GenericOpWriter::beginHead(std::string_view name, std::size_t results) {
  ++count_;
  out_.append(depth_ * 2, ' ');
  const std::uint32_t number = nextResult_;
  if (results != 0) {
    ++nextResult_;
    out_ += '%';
    appendNumber(out_, number);
    if (results > 1) {
      out_ += ':';
      appendNumber(out_, static_cast<std::int64_t>(results));
    }
    out_ += " = ";
  }
  out_ += '"';
  out_ += name;
  out_ += "\"(";
  return number;
}

void GenericOpWriter::endHead(std::string_view attributes) {
  out_ += ')';
  if (attributes.empty()) return;
  out_ += " <{";
  out_ += attributes;
  out_ += "}>";
}

void GenericOpWriter::endLine() {
  out_ += location_;
  out_ += '\n';
}

void GenericOpWriter::beginRegion(bool isFirst) {
  out_ += isFirst ? " ({\n" : ", {\n";
  ++depth_;
}

void GenericOpWriter::endRegion() {
  --depth_;
  out_.append(depth_ * 2, ' ');
  out_ += '}';
}

void GenericOpWriter::lines(std::string_view text, std::size_t count) {
  out_ += text;
  count_ += count;
}

void GenericOpWriter::rollback(const Mark& mark) {
  out_.resize(mark.size);
  depth_ = mark.depth;
  count_ = mark.count;
  nextResult_ = mark.nextResult;
  nextBlockArgument_ = mark.nextBlockArgument;
}

}  // namespace fxs::mlir
