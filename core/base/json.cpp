// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_scanner.h"
#include "base/safe_text.h"

namespace fxs {

namespace {

/// 32 bytes each: at most 2 GiB for a document, whatever its text.
constexpr std::size_t kMaxValues = std::size_t{1} << 26;
constexpr std::uint64_t kCostOfValue = 2;
constexpr std::size_t kValuesAtOnce = 4096;  // charged to the budget in blocks, in advance
constexpr std::uint64_t kTextsOfJson = 5;
constexpr std::size_t kMaxReasonBytes = 160;
constexpr std::size_t kMaxPathKeyBytes = 120;
constexpr std::size_t kMaxPathBytes = 400;  // longer ones are elided in the middle

/// nlohmann's message after "syntax error while parsing", without the bytes it read last, which
/// come from the file and have any length.
std::string reasonOf(std::string_view message) {
  if (message.starts_with("[json.exception"))
    if (auto at = message.find("] "); at != message.npos) message.remove_prefix(at + 2);
  if (auto at = message.find("syntax error "); at != message.npos)
    message.remove_prefix(at + std::string_view("syntax error ").size());
  std::string reason(message);
  if (auto at = reason.find("; last read: '"); at != reason.npos) {
    auto end = reason.rfind("'; expected ");
    std::string rest = end != reason.npos && end > at ? reason.substr(end + 1) : "";
    reason = reason.substr(0, at) + rest;
  }
  if (reason.size() > kMaxReasonBytes) reason = reason.substr(0, kMaxReasonBytes) + "..";
  return printable(reason);
}

std::string positionOf(std::string_view text, std::size_t position) {
  std::string_view before = text.substr(0, std::min(position, text.size()));
  auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  auto lastBreak = before.rfind('\n');
  std::size_t column = lastBreak == before.npos ? before.size() : before.size() - lastBreak - 1;
  return "line " + std::to_string(line) + ", column " +
         std::to_string(std::max<std::size_t>(column, 1));
}

std::size_t upperBoundOfValues(std::string_view text) {
  // Blocks whose count fits a byte, so that compilers vectorize the loop.
  constexpr std::size_t kBlock = 128;
  std::size_t separators = 0;
  for (std::size_t begin = 0; begin < text.size(); begin += kBlock) {
    unsigned char few = 0;
    for (const char c : text.substr(begin, kBlock))
      few = static_cast<unsigned char>(few + ((c == ',') | (c == '[') | (c == '{')));
    separators += few;
  }
  return separators + 1;
}

}  // namespace

std::string_view name(JsonKind kind) {
  switch (kind) {
    case JsonKind::Null: return "null";
    case JsonKind::Bool: return "a bool";
    case JsonKind::Int:
    case JsonKind::UInt: return "an integer";
    case JsonKind::Float: return "a number";
    case JsonKind::String: return "a string";
    case JsonKind::Array: return "an array";
    case JsonKind::Object: return "an object";
  }
  return "";
}

/// Receives the parser's events and lays the values out in preorder.
class JsonBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  /// `paid`: values already charged to the budget, over all attempts to read the same text.
  JsonBuilder(JsonDocument& document, std::string_view text, JsonLimits limits,
              const RunContext& context, std::size_t& paid)
      : document_(document), text_(text), limits_(limits), context_(context), paid_(paid) {
    // Reserved pages that are never touched cost nothing, so a generous bound avoids every copy on
    // growth.
    const std::size_t most = std::min(upperBoundOfValues(text), kMaxValues);
    atOnce_ = std::min(most, kValuesAtOnce);
    document_.values_.reserve(most);
    document_.strings_.reserve(text.size());
  }

  // Called by the scanner.
  bool boolean(bool v) override { return setInteger(JsonKind::Bool, v ? 1 : 0); }
  bool null() override { return add(JsonKind::Null) != nullptr; }
  bool integer(std::int64_t v) { return setInteger(JsonKind::Int, v); }
  bool u64(std::uint64_t v) {
    JsonDocument::Value* value = add(JsonKind::UInt);
    if (value) value->u64 = v;
    return value != nullptr;
  }
  bool real(double v) {
    JsonDocument::Value* value = add(JsonKind::Float);
    if (value) value->real = v;
    return value != nullptr;
  }
  bool text(std::string_view v) {
    JsonDocument::Value* value = add(JsonKind::String);
    if (value) value->text = {store(v), static_cast<std::uint32_t>(v.size())};
    return value != nullptr;
  }
  bool name(std::string_view v) {
    keyBegin_ = store(v);
    keyLength_ = static_cast<std::uint32_t>(v.size());
    return true;
  }
  bool open(bool object) { return openKind(object ? JsonKind::Object : JsonKind::Array); }
  bool close() {
    JsonDocument::Value& closed = document_.values_.data()[parent_];
    closed.next = static_cast<std::uint32_t>(document_.values_.size());
    parent_ = closed.parent;
    --depth_;
    return true;
  }

  // Called by nlohmann.
  bool number_integer(number_integer_t v) override { return integer(v); }
  bool number_unsigned(number_unsigned_t v) override {
    if (v <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
      return integer(static_cast<std::int64_t>(v));
    return u64(v);
  }
  bool number_float(number_float_t v, const string_t&) override { return real(v); }
  bool string(string_t& v) override { return text(v); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(true); }
  bool key(string_t& v) override { return name(v); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(false); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& e) override {
    failure_ = positionOf(text_, position) + ": not valid JSON: " + reasonOf(e.what());
    return false;
  }

  const std::string& failure() const { return failure_; }

 private:
  std::uint32_t store(std::string_view bytes) {
    auto at = static_cast<std::uint32_t>(document_.strings_.size());
    document_.strings_ += bytes;
    return at;
  }
  JsonDocument::Value* add(JsonKind kind) {
    if (document_.values_.size() >= kMaxValues) {
      failure_ = "more than " + std::to_string(kMaxValues) + " values, the limit for one file";
      return nullptr;
    }
    if (document_.values_.size() == paid_) {
      context_.spend(Resource::Values, kCostOfValue * atOnce_, document_.label_);
      paid_ += atOnce_;
    }
    const auto at = static_cast<std::uint32_t>(document_.values_.size());
    JsonDocument::Value added;
    added.kind = kind;
    added.next = at + 1;
    added.parent = parent_;
    added.keyBegin = std::exchange(keyBegin_, 0);
    added.keyLength = std::exchange(keyLength_, 0);
    document_.values_.push_back(added);
    JsonDocument::Value* values = document_.values_.data();
    if (at != 0) ++values[parent_].count;
    return values + at;
  }
  bool setInteger(JsonKind kind, std::int64_t v) {
    JsonDocument::Value* value = add(kind);
    if (value) value->integer = v;
    return value != nullptr;
  }
  bool openKind(JsonKind kind) {
    if (depth_ >= limits_.maxDepth) {
      failure_ = "nested deeper than " + std::to_string(limits_.maxDepth) + " levels";
      return false;
    }
    JsonDocument::Value* value = add(kind);
    if (!value) return false;
    value->count = 0;
    parent_ = value->next - 1;
    ++depth_;
    return true;
  }

  JsonDocument& document_;
  std::string_view text_;
  JsonLimits limits_;
  const RunContext& context_;
  std::size_t& paid_;
  std::size_t atOnce_ = 0;
  std::uint32_t parent_ = 0;  // the innermost array or object that is open
  std::uint32_t depth_ = 0;
  std::uint32_t keyBegin_ = 0;
  std::uint32_t keyLength_ = 0;
  std::string failure_;
};

Result<std::shared_ptr<const JsonDocument>> JsonDocument::parse(std::string_view text,
                                                                std::string label,
                                                                JsonLimits limits,
                                                                const RunContext& context) {
  // Offsets into the text are 32 bits wide.
  const std::uint64_t maxBytes =
      std::min<std::uint64_t>(limits.maxBytes, std::numeric_limits<std::uint32_t>::max());
  if (text.size() > maxBytes)
    return fail(ErrorCode::InvalidInput, label + ": " + std::to_string(text.size()) +
                                             " bytes of JSON, more than the limit of " +
                                             std::to_string(maxBytes));
  auto document = std::make_shared<JsonDocument>();
  document->label_ = std::move(label);
  std::size_t paid = 0;
  if (JsonBuilder fast(*document, text, limits, context, paid); JsonScanner(text, fast).scan())
    return std::shared_ptr<const JsonDocument>(std::move(document));
  document->values_.clear();
  document->strings_.clear();
  JsonBuilder builder(*document, text, limits, context, paid);
  if (!nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &builder))
    return fail(ErrorCode::InvalidInput, document->label_ + ": " + builder.failure());
  return std::shared_ptr<const JsonDocument>(std::move(document));
}

void spendJsonText(std::uint64_t bytes, std::string_view label, const RunContext& context) {
  // A product that does not fit is more than any limit.
  std::uint64_t held = 0;
  if (__builtin_mul_overflow(bytes, kTextsOfJson, &held))
    held = std::numeric_limits<std::uint64_t>::max();
  context.spend(Resource::Text, held, label);
}

std::optional<Json> Json::find(std::string_view wanted) const {
  if (!isObject()) return std::nullopt;
  std::uint32_t found = at_;
  for (std::uint32_t member = at_ + 1, end = document_->value(at_).next; member != end;
       member = document_->value(member).next)
    if (Json(document_, member).key() == wanted) found = member;
  if (found == at_) return std::nullopt;
  return Json(document_, found);
}

std::string Json::path() const {
  std::vector<std::string> parts;
  for (std::uint32_t at = at_; at != 0;) {
    const auto& value = document_->value(at);
    Json parent(document_, value.parent);
    if (parent.isObject()) {
      std::string& part = parts.emplace_back(value.parent == 0 ? "" : ".");
      part += printable(Json(document_, at).key().substr(0, kMaxPathKeyBytes));
    } else {
      std::size_t index = 0;
      for (std::uint32_t i = value.parent + 1; i != at; i = document_->value(i).next) ++index;
      parts.emplace_back("[").append(std::to_string(index)).append("]");
    }
    at = value.parent;
  }
  std::string out;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) out += *part;
  if (out.size() > kMaxPathBytes)
    out = out.substr(0, kMaxPathBytes / 2) + " .. " + out.substr(out.size() - kMaxPathBytes / 2);
  return out;
}

Error Json::error(std::string message) const {
  std::string where = path();
  return Error{ErrorCode::InvalidInput,
               document_->label_ + ": " + (where.empty() ? "" : where + ": ") + std::move(message),
               {}};
}

namespace {
tl::unexpected<Error> mismatch(const Json& value, std::string_view expected) {
  return tl::unexpected<Error>(value.error("expected " + std::string(expected) + ", got " +
                                           std::string(fxs::name(value.kind()))));
}
}  // namespace

Result<bool> Json::asBool() const {
  if (kind() != JsonKind::Bool) return mismatch(*this, "a bool");
  return document_->value(at_).integer != 0;
}

Result<std::int64_t> Json::asInt() const {
  if (kind() == JsonKind::UInt)
    return tl::unexpected<Error>(error("integer " + std::to_string(document_->value(at_).u64) +
                                       " does not fit into a signed 64-bit integer"));
  if (kind() != JsonKind::Int) return mismatch(*this, "an integer");
  return document_->value(at_).integer;
}

Result<double> Json::asFloat() const {
  switch (kind()) {
    case JsonKind::Int: return static_cast<double>(document_->value(at_).integer);
    case JsonKind::UInt: return static_cast<double>(document_->value(at_).u64);
    case JsonKind::Float: return document_->value(at_).real;
    case JsonKind::String: {
      std::string_view text = *asString();
      if (text == "Infinity") return std::numeric_limits<double>::infinity();
      if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
      if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
      break;
    }
    default: break;
  }
  return mismatch(*this, "a number");
}

Result<std::string_view> Json::asString() const {
  if (!isString()) return mismatch(*this, "a string");
  const auto& text = document_->value(at_).text;
  return document_->stored(text.begin, text.length);
}

Result<Json> Json::asArray() const {
  if (!isArray()) return mismatch(*this, "an array");
  return *this;
}

Result<Json> Json::asObject() const {
  if (!isObject()) return mismatch(*this, "an object");
  return *this;
}

std::string Json::textOrEmpty(std::string_view wanted) const {
  const auto member = find(wanted);
  return member ? std::string(member->asString().value_or("")) : std::string();
}

Result<Json> Json::at(std::string_view wanted) const {
  FXS_CHECK(asObject());
  if (auto member = find(wanted)) return *member;
  return tl::unexpected<Error>(error("member '" + std::string(wanted) + "' is missing"));
}

Result<Json> Json::arrayAt(std::string_view wanted) const {
  FXS_TRY(const Json member, at(wanted));
  return member.asArray();
}

Result<std::string_view> Json::stringAt(std::string_view wanted) const {
  FXS_TRY(const Json member, at(wanted));
  return member.asString();
}

Result<std::int64_t> Json::intAt(std::string_view wanted) const {
  FXS_TRY(const Json member, at(wanted));
  return member.asInt();
}

Result<double> Json::floatAt(std::string_view wanted) const {
  FXS_TRY(const Json member, at(wanted));
  return member.asFloat();
}

std::string jsonQuote(std::string_view text) {
  bool plain = std::all_of(text.begin(), text.end(),
                           [](char c) { return c >= 0x20 && c <= 0x7e && c != '"' && c != '\\'; });
  if (plain) {
    std::string out;
    out.reserve(text.size() + 2);
    out.append(1, '"').append(text).append(1, '"');
    return out;
  }
  // nlohmann escapes C0 controls only; others are valid JSON, but terminals and editors obey them.
  const std::string valid =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(valid.size());
  for (std::size_t at = 0; at < valid.size();) {
    const auto [code, bytes] = utf8At(std::string_view(valid).substr(at));
    if (!isDeceptive(code)) out.append(valid, at, bytes);
    else if (code < 0x10000) out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
    else out += fmt::format("\\u{:04x}\\u{:04x}", 0xd7c0 + (code >> 10U), 0xdc00 + (code & 0x3ffU));
    at += bytes;
  }
  return out;
}

}  // namespace fxs
