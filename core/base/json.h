// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A compact read-only JSON document and a deterministic writer. Parsing is bounded
// in depth and size and keeps 64-bit integers exact. Errors give the path of the
// value: `models/model.json: graph.nodes[12].target: expected a string, got null`.
// Only json.cpp includes nlohmann/json.hpp.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "base/run_context.h"

namespace fxs {

enum class JsonKind : std::uint8_t { Null, Bool, Int, UInt, Float, String, Array, Object };
std::string_view name(
    JsonKind);  ///< "null", "a bool", "an integer", "a number", "a string", "an array", "an object"

class JsonDocument;

/// A handle to one value of a document, which must outlive it.
class Json {
 public:
  JsonKind kind() const;
  bool isNull() const { return kind() == JsonKind::Null; }
  bool isString() const { return kind() == JsonKind::String; }
  bool isArray() const { return kind() == JsonKind::Array; }
  bool isObject() const { return kind() == JsonKind::Object; }

  /// The number of elements or members; 0 for other kinds. Iteration is in the order of the file.
  std::size_t size() const;
  /// The member with that key, the last one if there are several, as in Python; std::nullopt if
  /// there is none or this is not an object.
  std::optional<Json> find(std::string_view key) const;
  std::string_view key() const;  ///< the key of a member of an object

  class Iterator {
   public:
    Json operator*() const { return {document_, at_}; }
    Iterator& operator++();
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    friend class Json;
    Iterator(const JsonDocument* d, std::uint32_t at) : document_(d), at_(at) {}
    const JsonDocument* document_;
    std::uint32_t at_;
  };
  Iterator begin() const;
  Iterator end() const;

  // Typed access. InvalidInput if the value is of another kind: the message has its path, the
  // expected and the actual kind.
  Result<bool> asBool() const;
  Result<std::int64_t> asInt() const;
  Result<double> asFloat()
      const;  ///< also accepts integers and the strings "Infinity", "-Infinity", "NaN"
  Result<std::string_view> asString() const;
  Result<Json> asArray() const;
  Result<Json> asObject() const;
  std::string textOrEmpty(std::string_view key) const;  ///< "" unless the member is a string
  Result<Json> at(std::string_view key) const;          ///< a required member
  /// Of that kind.
  Result<Json> arrayAt(std::string_view key) const;
  Result<std::string_view> stringAt(std::string_view key) const;
  Result<std::int64_t> intAt(std::string_view key) const;
  Result<double> floatAt(std::string_view key) const;

  /// An InvalidInput error about this value: "<label>: <path>: <what>".
  Error error(std::string message) const;
  std::string path() const;  ///< "graph.nodes[12].target"; "" for the root; a very long path is
                             ///< elided in the middle

  Json(const JsonDocument* document, std::uint32_t at) : document_(document), at_(at) {}

 private:
  const JsonDocument* document_;
  std::uint32_t at_;
};

struct JsonLimits {
  std::uint64_t maxBytes = std::uint64_t{2} << 30;
  std::uint32_t maxDepth = 512;
};

class JsonDocument {
 public:
  /// `label` starts every error message: the file name as the user gave it. Spends two
  /// Resource::Values per value. InvalidInput.
  static Result<std::shared_ptr<const JsonDocument>> parse(std::string_view text, std::string label,
                                                           JsonLimits = {}, const RunContext& = {});
  Json root() const { return {this, 0}; }
  const std::string& label() const { return label_; }

 private:
  friend class Json;
  friend class Json::Iterator;
  friend class JsonBuilder;
  struct Stored {
    std::uint32_t begin, length;
  };
  struct Value {
    std::uint32_t next = 0;  // index after this value's subtree
    std::uint32_t parent = 0;
    std::uint32_t keyBegin = 0;
    std::uint32_t keyLength = 0;
    union {
      std::int64_t integer;
      std::uint64_t u64;
      double real;
      Stored text;
      std::uint64_t count;
    };
    JsonKind kind = JsonKind::Null;
    Value() : integer(0) {}
  };
  // Unchecked because they dominate the time to read a model: JsonBuilder computes every index and
  // extent, none comes from the file.
  const Value& value(std::uint32_t at) const { return values_.data()[at]; }
  std::string_view stored(std::uint32_t begin, std::uint32_t length) const {
    return {strings_.data() + begin, length};
  }

  std::string label_;
  std::string strings_;
  std::vector<Value> values_;
};

/// Spends the Resource::Text that reading JSON of `bytes` bytes needs: the text, its strings, and
/// the strings of the values made from it.
void spendJsonText(std::uint64_t bytes, std::string_view label, const RunContext&);

inline JsonKind Json::kind() const { return document_->value(at_).kind; }
inline std::size_t Json::size() const {
  return isArray() || isObject() ? static_cast<std::size_t>(document_->value(at_).count) : 0;
}
inline std::string_view Json::key() const {
  const auto& value = document_->value(at_);
  return document_->stored(value.keyBegin, value.keyLength);
}
inline Json::Iterator& Json::Iterator::operator++() {
  at_ = document_->value(at_).next;
  return *this;
}
inline Json::Iterator Json::begin() const {
  return {document_, isArray() || isObject() ? at_ + 1 : at_};
}
inline Json::Iterator Json::end() const {
  return {document_, isArray() || isObject() ? document_->value(at_).next : at_};
}

/// Writes JSON in the order of the calls: two-space indentation, one member per line,
/// arrays of scalars on one line. Asserts that calls are balanced.
class JsonWriter {
 public:
  JsonWriter& beginObject();
  JsonWriter& endObject();
  JsonWriter& beginArray();
  JsonWriter& endArray();
  JsonWriter& key(std::string_view);
  JsonWriter& value(std::string_view);
  JsonWriter& value(const char* s) { return value(std::string_view(s)); }
  JsonWriter& value(const std::string& s) { return value(std::string_view(s)); }
  JsonWriter& value(std::int64_t);
  JsonWriter& value(std::uint64_t);
  JsonWriter& value(int v) { return value(std::int64_t{v}); }
  JsonWriter& value(std::uint32_t v) { return value(std::uint64_t{v}); }
  JsonWriter& value(double);  ///< "Infinity", "-Infinity" or "NaN", as strings, if not finite
  JsonWriter& value(bool);
  JsonWriter& null();
  /// An array of the elements.
  template <class List>
    requires(!std::is_convertible_v<const List&, std::string_view> &&
             !std::is_convertible_v<const List&, std::string>) &&
            requires(const List& list) { list.begin(); }
  JsonWriter& value(const List& list) {
    beginArray();
    for (const auto& each : list) value(each);
    return endArray();
  }
  template <class T>
  JsonWriter& member(std::string_view k, const T& v) {
    key(k);
    return value(v);
  }
  /// null for std::nullopt.
  template <class T>
  JsonWriter& memberOrNull(std::string_view k, const std::optional<T>& v) {
    key(k);
    return v ? value(*v) : null();
  }
  /// null for "".
  JsonWriter& textOrNull(std::string_view k, std::string_view text) {
    key(k);
    return text.empty() ? null() : value(text);
  }
  /// The text with a trailing newline; call it once everything is closed.
  std::string take();

 private:
  void separate();
  void newLine();
  JsonWriter& begin(char bracket, bool array);
  JsonWriter& end(char bracket, bool array);
  JsonWriter& raw(std::string_view text);
  struct Level {
    bool array;
    std::size_t count;
    bool broken;
  };  // broken: each member is on its own line
  std::vector<Level> levels_;
  std::string out_;
  bool afterKey_ = false;
};

/// What a JsonWriter wrote, on one line with a line end.
std::string onOneLine(std::string_view json);

/// `text` as a JSON string literal with its quotes; invalid UTF-8 becomes U+FFFD.
std::string jsonQuote(std::string_view text);

}  // namespace fxs
