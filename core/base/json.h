#pragma once
// JSON as a compact read-only document and a stable writer. Reading is bounded in
// depth and size, keeps 64-bit integers exact, and every value knows its path, so
// that an error names it: `models/model.json: graph.nodes[12].target: expected a
// string, got null`. The one includer of nlohmann/json.hpp is json.cpp.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/run_context.h"

namespace fxs {

enum class JsonKind : std::uint8_t { Null, Bool, Int, UInt, Float, String, Array, Object };
std::string_view name(JsonKind);  ///< "null", "a bool", "an integer", "a number", "a string", "an array", "an object"

class JsonDocument;

/// A handle to one value of a document that the caller keeps alive.
class Json {
 public:
  JsonKind kind() const;
  bool isNull() const { return kind() == JsonKind::Null; }
  bool isString() const { return kind() == JsonKind::String; }
  bool isArray() const { return kind() == JsonKind::Array; }
  bool isObject() const { return kind() == JsonKind::Object; }

  /// Members of an array or object in the order of the file; 0 for other kinds.
  std::size_t size() const;
  /// The member of that name (the last one wins, as in Python), or nothing; nothing for other kinds.
  std::optional<Json> find(std::string_view key) const;
  std::string_view key() const;  ///< of a member of an object

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

  // Typed reads; the error names this value's path, what was expected and what is there.
  Result<bool> asBool() const;
  Result<std::int64_t> asInt() const;
  Result<double> asFloat() const;  ///< integers too; the strings "Infinity", "-Infinity", "NaN" too
  Result<std::string_view> asString() const;
  Result<Json> asArray() const;
  Result<Json> asObject() const;
  Result<Json> at(std::string_view key) const;  ///< a member that must be there

  /// An InvalidInput error about this value: "<label>: <path>: <what>".
  Error error(std::string what) const;
  std::string path() const;  ///< "graph.nodes[12].target"; "" at the root; a very long one loses its middle

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
  /// `label` opens every error message: the name of the file as the user knows it. Spends two Resource::Values for each value.
  static Result<std::shared_ptr<const JsonDocument>> parse(std::string_view text, std::string label, JsonLimits = {},
                                                           const RunContext& = {});
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
      std::uint64_t whole;
      double real;
      Stored text;
      std::uint64_t count;
    };
    JsonKind kind = JsonKind::Null;
    Value() : integer(0) {}
  };
  // Unchecked, for they are most of reading a model: every index and extent was made by JsonBuilder, none is the file's.
  const Value& value(std::uint32_t at) const { return values_.data()[at]; }
  std::string_view stored(std::uint32_t begin, std::uint32_t length) const { return {strings_.data() + begin, length}; }

  std::string label_;
  std::string strings_;
  std::vector<Value> values_;
};

/// Spends the text that reading JSON of `bytes` will hold: itself, its strings once more, and those of what is read from it.
void spendJsonText(std::uint64_t bytes, std::string_view label, const RunContext&);

inline JsonKind Json::kind() const { return document_->value(at_).kind; }
inline std::size_t Json::size() const { return isArray() || isObject() ? static_cast<std::size_t>(document_->value(at_).count) : 0; }
inline std::string_view Json::key() const {
  const auto& value = document_->value(at_);
  return document_->stored(value.keyBegin, value.keyLength);
}
inline Json::Iterator& Json::Iterator::operator++() {
  at_ = document_->value(at_).next;
  return *this;
}
inline Json::Iterator Json::begin() const { return {document_, isArray() || isObject() ? at_ + 1 : at_}; }
inline Json::Iterator Json::end() const { return {document_, isArray() || isObject() ? document_->value(at_).next : at_}; }

/// Writes JSON in the order of the calls: two-space indents, one member a line,
/// arrays of scalars on one line. Misuse is an assertion.
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
  JsonWriter& value(int v) { return value(static_cast<std::int64_t>(v)); }
  JsonWriter& value(double);  ///< not finite: the strings "Infinity", "-Infinity", "NaN"
  JsonWriter& value(bool);
  JsonWriter& null();
  template <class T>
  JsonWriter& member(std::string_view k, const T& v) {
    key(k);
    return value(v);
  }
  JsonWriter& memberOrNull(std::string_view k, const std::optional<std::string>& v);
  /// The text written so far, with a newline at the end; complete when all is closed.
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
  };  // broken: its members stand on lines of their own
  std::vector<Level> levels_;
  std::string out_;
  bool afterKey_ = false;
};

/// `text` as a JSON string literal with its quotes; invalid UTF-8 becomes U+FFFD.
std::string jsonQuote(std::string_view text);

}  // namespace fxs
