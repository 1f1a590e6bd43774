// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <charconv>
#include <cmath>

#include "base/json.h"

namespace fxs {

void JsonWriter::separate() {
  if (afterKey_) {
    afterKey_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  assert(level.array && "a member of an object needs a key");
  if (level.count++ > 0) out_ += ',';
  if (level.broken) newLine();
  else if (level.count > 1) out_ += ' ';
}

void JsonWriter::newLine() {
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

JsonWriter& JsonWriter::begin(char bracket, bool array) {
  if (!afterKey_ && !levels_.empty()) levels_.back().broken = true;
  separate();
  out_ += bracket;
  levels_.push_back({array, 0, !array});
  return *this;
}

JsonWriter& JsonWriter::end(char bracket, [[maybe_unused]] bool array) {
  assert(!levels_.empty() && levels_.back().array == array && !afterKey_);
  Level level = levels_.back();
  levels_.pop_back();
  if (level.count > 0 && level.broken) newLine();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::beginObject() { return begin('{', false); }
JsonWriter& JsonWriter::endObject() { return end('}', false); }
JsonWriter& JsonWriter::beginArray() { return begin('[', true); }
JsonWriter& JsonWriter::endArray() { return end(']', true); }

JsonWriter& JsonWriter::key(std::string_view k) {
  assert(!levels_.empty() && !levels_.back().array && !afterKey_);
  if (levels_.back().count++ > 0) out_ += ',';
  newLine();
  out_ += jsonQuote(k) + ": ";
  afterKey_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view v) { return raw(jsonQuote(v)); }
JsonWriter& JsonWriter::value(std::int64_t v) { return raw(std::to_string(v)); }
JsonWriter& JsonWriter::value(std::uint64_t v) { return raw(std::to_string(v)); }
JsonWriter& JsonWriter::value(bool v) { return raw(v ? "true" : "false"); }
JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::value(double v) {
  if (std::isnan(v)) return value("NaN");
  if (std::isinf(v)) return value(v > 0 ? "Infinity" : "-Infinity");
  char digits[40];
  auto [end, status] = std::to_chars(digits, digits + sizeof digits, v);
  std::string text(digits, end);
  // For readers that distinguish 1 from 1.0.
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return raw(text);
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  separate();
  out_ += text;
  return *this;
}

std::string JsonWriter::take() {
  assert(levels_.empty());
  out_ += '\n';
  return std::move(out_);
}

// The writer's line breaks are between values only: inside strings they are escaped.
std::string onOneLine(std::string_view json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '\n') {
      out += json[i];
      continue;
    }
    while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
  }
  return out + '\n';
}

}  // namespace fxs
