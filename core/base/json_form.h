// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The members of a JSON object, declared once: they write it, read it strictly, and describe it in
// a JSON Schema.
//
//   JsonForm<Blocker> blockerForm() {
//     return {{"operator", &Blocker::fxTarget, "aten.diff.default"},
//             {"stage", &Blocker::stage, nullIfEmpty, "where it stopped"},
//             {"words", [](const auto& b) { return b.words.size(); }, atLeast(1)},
//             {"fix", &Blocker::fix, fixForm(), "the best verified one"}};
//   }
//
// After a member's key stands what gets its value, then in any order: a form or names, of the value
// or of what it contains; flags; rules; a description. Values are bools, numbers, text, variants of
// them, what has a form or a name, and of these optional ones and pointers (null), ranges (arrays),
// and ranges of pairs with text (objects). What a function computes is not read.
#include <chrono>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"

namespace fxs {

/// What a JSON Schema says of one value.
struct JsonSchema {
  std::vector<std::string> types = {};   ///< "string", "null"; none if values or a reference say it
  std::vector<std::string> values = {};  ///< of an enumeration, as JSON
  std::string reference = {};            ///< name of a form in $defs
  std::string rules = {}, description = {}, content = {};  ///< members of its text, after commas
  std::map<std::string, std::string> named = {};           ///< texts of $defs
  JsonSchema orNull() &&;
  std::string text() const;
};

struct JsonRule {
  std::string_view keyword;
  std::string json;
};
JsonRule atLeast(std::int64_t least);  ///< of a number, or of items
JsonRule atMost(std::int64_t most);
JsonRule matches(std::string_view pattern);

enum class JsonFlag : std::uint8_t { NullIfEmpty, AbsentIfEmpty };
inline constexpr JsonFlag nullIfEmpty = JsonFlag::NullIfEmpty,
                          absentIfEmpty = JsonFlag::AbsentIfEmpty;

/// The value itself, for objects that group members of it.
struct JsonSelf {
  template <class T>
  T& operator()(T& value) const {
    return value;
  }
};
inline constexpr JsonSelf itself;

/// The names of an enumeration whose enumerators count from 0, or what a text may be.
class JsonNames {
 public:
  JsonNames(std::initializer_list<std::string_view> names) : names_(names.begin(), names.end()) {}
  /// Of all enumerators up to the last one. A name that is not known is an "unknown <noun>".
  template <class E>
    requires std::is_enum_v<E>
  explicit JsonNames(E last, std::string_view noun = "name") : noun_(noun) {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i)
      names_.emplace_back(name(static_cast<E>(i)));
  }

  static constexpr bool isJsonLeaf = true;
  template <class V>
  static constexpr bool handles = std::is_enum_v<V> || std::is_convertible_v<V, std::string_view>;
  template <class V>
  static constexpr bool reads = std::is_enum_v<V> || std::is_same_v<V, std::string>;
  template <class V>
  JsonSchema schema() const {
    return of();
  }
  template <class V>
  void write(JsonWriter& json, const V& value) const {
    if constexpr (!std::is_enum_v<V>) json.value(std::string_view(value));
    else if constexpr (requires { std::string_view(name(value)); }) json.value(name(value));
    else json.value(names_[static_cast<std::size_t>(value)]);
  }
  template <class V>
  Result<> read(const Json& json, V& out) const {
    if constexpr (std::is_enum_v<V>) {
      FXS_TRY(const std::size_t index, indexOf(json));
      out = static_cast<V>(index);
    } else {
      FXS_TRY(out, json.asString());
    }
    return {};
  }

 private:
  JsonSchema of() const;
  Result<std::size_t> indexOf(const Json&) const;
  std::vector<std::string> names_;
  std::string_view noun_ = "name";
};

namespace json_form {

template <class V>
inline constexpr bool isText = std::is_convertible_v<V, std::string_view>;
template <class V>
inline constexpr bool isDuration = std::is_same_v<V, std::chrono::duration<double>>;
template <class V>
inline constexpr bool isVariant = false;
template <class... V>
inline constexpr bool isVariant<std::variant<V...>> = true;
template <class V>
concept Nullable = !isText<V> && requires(const V& v) {
  static_cast<bool>(v);
  *v;
};
template <class V>
concept Keyed = std::ranges::range<const V> && requires(std::ranges::range_value_t<const V> pair) {
  { pair.first } -> std::convertible_to<std::string_view>;
  pair.second;
};
/// Pairs that the leaf does not describe itself.
template <class V, class Leaf>
constexpr bool isObject() {
  if constexpr (Keyed<V>) return !Leaf::template handles<std::ranges::range_value_t<const V>>;
  else return false;
}
template <class V>
using Pointee = std::remove_cvref_t<decltype(*std::declval<const V&>())>;

Result<> readText(const Json&, std::string& out);
/// Checks that an integer is of a type's range.
Result<> inRange(const Json&, bool fits, std::int64_t value);

/// Bools, numbers, text, and variants of them.
struct Plain {
  template <class V>
  static constexpr bool handles = std::is_arithmetic_v<V> || isText<V> || isDuration<V> ||
                                  isVariant<V> || std::is_same_v<V, std::monostate>;
  template <class V>
  static constexpr bool reads = std::is_arithmetic_v<V> || std::is_same_v<V, std::string>;

  template <class V>
  JsonSchema schema() const {
    if constexpr (isVariant<V>) return alternatives(std::type_identity<V>());
    else if constexpr (std::is_same_v<V, bool>) return {{"boolean"}};
    else if constexpr (isText<V>) return {{"string"}};
    else if constexpr (std::is_same_v<V, std::monostate>) return {{"null"}};
    else if constexpr (std::is_unsigned_v<V>)
      return {.types = {"integer"}, .rules = ", \"minimum\": 0"};
    else return {{std::is_integral_v<V> ? "integer" : "number"}};
  }
  template <class V>
  void write(JsonWriter& json, const V& value) const {
    if constexpr (isVariant<V>) std::visit([&](const auto& one) { write(json, one); }, value);
    else if constexpr (std::is_same_v<V, bool>) json.value(value);
    else if constexpr (isText<V>) json.value(std::string_view(value));
    else if constexpr (std::is_same_v<V, std::monostate>) json.null();
    else if constexpr (isDuration<V>) json.value(value.count());
    else if constexpr (std::is_floating_point_v<V>) json.value(static_cast<double>(value));
    else if constexpr (std::is_signed_v<V>) json.value(static_cast<std::int64_t>(value));
    else json.value(static_cast<std::uint64_t>(value));
  }
  template <class V>
  Result<> read(const Json& json, V& out) const {
    if constexpr (std::is_same_v<V, std::string>) return readText(json, out);
    else if constexpr (std::is_same_v<V, bool>) {
      FXS_TRY(out, json.asBool());
    } else if constexpr (std::is_floating_point_v<V>) {
      FXS_TRY(out, json.asFloat());
    } else {
      FXS_TRY(const std::int64_t value, json.asInt());
      FXS_CHECK(inRange(json, std::in_range<V>(value), value));
      out = static_cast<V>(value);
    }
    return {};
  }

 private:
  template <class... V>
  JsonSchema alternatives(std::type_identity<std::variant<V...>>) const {
    JsonSchema out;
    (out.types.push_back(schema<V>().types.front()), ...);
    return out;
  }
};

template <class V, class Leaf>
JsonSchema schemaOf(const Leaf& leaf) {
  if constexpr (Leaf::template handles<V>) {
    return leaf.template schema<V>();
  } else if constexpr (Nullable<V>) {
    return schemaOf<Pointee<V>>(leaf).orNull();
  } else {
    using Item = std::ranges::range_value_t<const V>;
    constexpr bool object = isObject<V, Leaf>();
    JsonSchema item, out;
    if constexpr (object) item = schemaOf<std::remove_cvref_t<typename Item::second_type>>(leaf);
    else if constexpr (std::is_pointer_v<Item>) item = schemaOf<Pointee<Item>>(leaf);
    else item = schemaOf<Item>(leaf);
    out.types = {object ? "object" : "array"};
    out.content = (object ? ", \"additionalProperties\": " : ", \"items\": ") + item.text();
    out.named = std::move(item.named);
    return out;
  }
}

template <class V, class Leaf>
void writeValue(JsonWriter& json, const V& value, const Leaf& leaf) {
  if constexpr (Leaf::template handles<V>) {
    leaf.write(json, value);
  } else if constexpr (Nullable<V>) {
    if (value) writeValue(json, *value, leaf);
    else json.null();
  } else if constexpr (isObject<V, Leaf>()) {
    json.beginObject();
    for (const auto& [key, each] : value) writeValue(json.key(key), each, leaf);
    json.endObject();
  } else {
    json.beginArray();
    for (const auto& each : value)
      writeValue(json, static_cast<const std::ranges::range_value_t<const V>&>(each), leaf);
    json.endArray();
  }
}

template <class V, class Leaf>
constexpr bool readable() {
  if constexpr (Leaf::template handles<V>) return Leaf::template reads<V>;
  else if constexpr (Nullable<V> && requires(V v) { v.emplace(); })
    return readable<Pointee<V>, Leaf>();
  else if constexpr (requires(V v) { v.emplace_back(); })
    return readable<std::ranges::range_value_t<V>, Leaf>();
  else return false;
}

template <class V, class Leaf>
Result<> readValue(const Json& json, V& out, const Leaf& leaf) {
  if constexpr (Leaf::template handles<V>) {
    return leaf.read(json, out);
  } else if constexpr (Nullable<V>) {
    return json.isNull() ? Result<>() : readValue(json, out.emplace(), leaf);
  } else {
    FXS_CHECK(json.asArray());
    for (const Json each : json) {
      std::ranges::range_value_t<V> item{};
      FXS_CHECK(readValue(each, item, leaf));
      out.push_back(std::move(item));
    }
    return {};
  }
}

template <class V>
bool isEmpty(const V& value) {
  if constexpr (requires { value.empty(); }) return value.empty();
  else if constexpr (Nullable<V>) return !static_cast<bool>(value);
  else if constexpr (std::equality_comparable<V>) return value == V{};
  else return false;
}

/// Numbers that may be infinite or NaN.
struct AnyNumber : Plain {
  static constexpr bool isJsonLeaf = true;
  template <class V>
  JsonSchema schema() const {
    return {
        .reference = "number",
        .named = {{"number",
                   R"({"type": ["number", "string"],)"
                   R"( "description": "\"Infinity\", \"-Infinity\" or \"NaN\" if not finite"})"}}};
  }
};

template <class A>
concept Leaf = A::isJsonLeaf;

inline constexpr Plain kPlain;
inline const Plain& leafOf() { return kPlain; }
template <class First, class... Rest>
const auto& leafOf(const First& first, const Rest&... rest) {
  if constexpr (Leaf<First>) return first;
  else return leafOf(rest...);
}

}  // namespace json_form

inline constexpr json_form::AnyNumber anyNumber;

class JsonAnyMember;

/// How a member's value is reached in an object. There are many hundreds of them: each adds only
/// the functions of its class to what is compiled, where std::function and std::invoke add dozens.
class JsonAccess {
 public:
  JsonAccess() = default;
  JsonAccess(const JsonAccess&) = delete;
  JsonAccess& operator=(const JsonAccess&) = delete;
  virtual ~JsonAccess();
  virtual void write(JsonWriter&, const JsonAnyMember&, const void* object) const = 0;
};

/// A member of objects of a type that JsonMember<T> knows. What it does is not inlined: forms are
/// long lists of members.
class JsonAnyMember {
 public:
  JsonAnyMember(const JsonAnyMember&);
  JsonAnyMember(JsonAnyMember&&) noexcept;
  JsonAnyMember& operator=(const JsonAnyMember&);
  JsonAnyMember& operator=(JsonAnyMember&&) noexcept;
  ~JsonAnyMember();

  std::string_view key;
  JsonSchema schema;
  bool required = true;
  std::optional<JsonFlag> flag;
  std::shared_ptr<const JsonAccess> access;
  /// Null for what is computed.
  Result<> (*read)(const JsonAccess&, const JsonAnyMember&, const Json&, void* object) = nullptr;

  /// Writes the key, and null for an empty value if that is what `flag` says; whether the value
  /// follows.
  bool begin(JsonWriter&, bool empty) const;

 protected:
  explicit JsonAnyMember(std::string_view name);
  void takeFlag(JsonFlag given) { flag = given; }
  template <class Other>
  void takeFlag(const Other&) {}
  void describe(JsonSchema);
  template <json_form::Leaf Used>
  void take(const Used&) {}
  void take(JsonFlag) {}
  void take(std::string_view description);
  void take(const JsonRule&);
};

namespace json_form {

/// Like std::invoke.
template <class Get, class T>
decltype(auto) fetch(const Get& get, T& object) {
  if constexpr (std::is_member_object_pointer_v<Get>) return (object.*get);
  else if constexpr (std::is_member_function_pointer_v<Get>) return (object.*get)();
  else return get(object);
}
template <class Get, class T>
using Fetched = decltype(fetch(std::declval<const Get&>(), std::declval<T&>()));

template <class T, class Get, class Leaf>
class ValueAccess final : public JsonAccess {
 public:
  ValueAccess(const Get& get, const Leaf& leaf) : get_(get), leaf_(leaf) {}
  void write(JsonWriter& json, const JsonAnyMember& member, const void* object) const override {
    const auto& value = fetch(get_, *static_cast<const T*>(object));
    if (member.begin(json, member.flag && isEmpty(value))) writeValue(json, value, leaf_);
  }
  static Result<> read(const JsonAccess& access, const JsonAnyMember& member, const Json& json,
                       void* object) {
    if (member.flag == nullIfEmpty && json.isNull()) return {};
    const auto& self = static_cast<const ValueAccess&>(access);
    return readValue(json, fetch(self.get_, *static_cast<T*>(object)), self.leaf_);
  }

 private:
  Get get_;
  Leaf leaf_;
};

/// Of a member of a part, if there is that part.
template <class T, class Get>
class PartAccess final : public JsonAccess {
 public:
  PartAccess(const Get& get, std::shared_ptr<const JsonAccess> part)
      : get_(get), part_(std::move(part)) {}
  void write(JsonWriter& json, const JsonAnyMember& member, const void* object) const override {
    const auto& value = fetch(get_, *static_cast<const T*>(object));
    if constexpr (!Nullable<std::remove_cvref_t<decltype(value)>>)
      part_->write(json, member, &value);
    else if (value) part_->write(json, member, &*value);
  }

 private:
  Get get_;
  std::shared_ptr<const JsonAccess> part_;
};

}  // namespace json_form

template <class T>
class JsonMember : public JsonAnyMember {
 public:
  template <class Get, class... More>
  [[gnu::cold]] JsonMember(std::string_view name, Get get, More... more) : JsonAnyMember(name) {
    (takeFlag(more), ...);
    reach(get, json_form::leafOf(more...));
    (take(more), ...);
  }

  template <class Get>
  JsonMember(Get get, const JsonAnyMember& part) : JsonAnyMember(part) {
    required =
        required && !json_form::Nullable<std::remove_cvref_t<json_form::Fetched<Get, const T>>>;
    read = nullptr;
    const JsonAccess* made = new json_form::PartAccess<T, Get>(get, part.access);
    access.reset(made);
  }

 private:
  /// Apart from the constructor, as it does not depend on descriptions.
  template <class Get, class Leaf>
  [[gnu::noinline]] void reach(const Get& get, const Leaf& leaf) {
    using V = std::remove_cvref_t<json_form::Fetched<Get, const T>>;
    using Out = json_form::Fetched<Get, T>;
    describe(json_form::schemaOf<V>(leaf));
    if constexpr (json_form::Nullable<V>)
      if (flag == absentIfEmpty) describe(json_form::schemaOf<json_form::Pointee<V>>(leaf));
    using Access = json_form::ValueAccess<T, Get, Leaf>;
    const JsonAccess* made = new Access(get, leaf);
    access.reset(made);
    if constexpr (std::is_lvalue_reference_v<Out> &&
                  !std::is_const_v<std::remove_reference_t<Out>> && json_form::readable<V, Leaf>())
      read = &Access::read;
  }
};

/// The members of objects of a type that JsonForm<T> knows.
class JsonAnyForm {
 public:
  JsonSchema describe() const;
  void writeMembers(JsonWriter&, const void* object) const;
  Result<> readMembers(const Json&, void* object) const;

 protected:
  void add(const JsonAnyMember&);
  void add(const JsonAnyForm&);
  std::vector<std::shared_ptr<const JsonAnyMember>> members_;
  std::string name_;
};

template <class T>
class JsonForm : public JsonAnyForm {
 public:
  [[gnu::cold]] JsonForm(std::initializer_list<JsonMember<T>> members) {
    for (const JsonMember<T>& each : members) add(each);
  }
  /// Schemas refer to it by that name.
  JsonForm named(std::string name) && {
    name_ = std::move(name);
    return std::move(*this);
  }
  JsonForm with(const JsonForm& more) && {
    add(more);
    return std::move(*this);
  }
  /// With the members of another form behind, of a part of the value, if there is that part.
  template <class Get, class U>
  JsonForm with(Get get, const JsonForm<U>& part) && {
    for (const auto& each : part.members_) add(JsonMember<T>(get, *each));
    return std::move(*this);
  }

  static constexpr bool isJsonLeaf = true;
  template <class V>
  static constexpr bool handles = std::is_same_v<V, T>;
  template <class V>
  static constexpr bool reads = std::is_default_constructible_v<T>;
  template <class V = T>
  JsonSchema schema() const {
    return describe();
  }
  void write(JsonWriter& json, const T& value) const {
    json.beginObject();
    writeMembers(json, &value);
    json.endObject();
  }
  /// Into a value with its defaults; unknown members are ignored.
  Result<> read(const Json& json, T& out) const { return readMembers(json, &out); }

 private:
  template <class>
  friend class JsonForm;
};

namespace json_form {
std::string answerText(std::string_view schema, const JsonAnyForm&, const void* object);
std::string rootSchema(std::string_view schema, std::string_view title, const JsonAnyForm&);
}  // namespace json_form

/// A JSON text with a form and the name of its schema in the member "schema".
template <class T>
struct JsonAnswer {
  std::string_view schema, title;
  JsonForm<T> form;

  std::string text(const T& value) const { return json_form::answerText(schema, form, &value); }
  /// The JSON Schema in resources/schemas.
  std::string schemaText() const { return json_form::rootSchema(schema, title, form); }
};

}  // namespace fxs
