// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/json_form.h"

#include <algorithm>
#include <cassert>

#include "base/joined.h"
#include "base/safe_text.h"

namespace fxs {
namespace {

constexpr std::size_t kSchemaColumns = 120;

std::string quoted(std::string_view keyword) { return ", \"" + std::string(keyword) + "\": "; }

std::string listOf(const std::vector<std::string>& json) { return "[" + joined(json) + "]"; }

std::string quotedList(std::vector<std::string> texts) {
  for (std::string& each : texts) each = jsonQuote(each);
  return listOf(texts);
}

/// One line of schema text, or with a line for each item if it is long.
std::string broken(const Json& json, std::size_t indent) {
  if (json.isString()) return jsonQuote(*json.asString());
  if (json.kind() == JsonKind::Bool) return *json.asBool() ? "true" : "false";
  if (json.isNull()) return "null";
  if (!json.isArray() && !json.isObject()) return std::to_string(*json.asInt());
  const bool object = json.isObject();
  std::vector<std::string> items;
  std::size_t size = indent;
  for (const Json each : json) {
    items.push_back((object ? jsonQuote(each.key()) + ": " : "") + broken(each, indent + 2));
    size += items.back().size() + 2;
  }
  const bool fits = std::none_of(items.begin(), items.end(),
                                 [](const auto& item) { return item.find('\n') != item.npos; }) &&
                    (size < kSchemaColumns || (!object && (*json.begin()).isString()));
  if (fits) return (object ? "{ " : "[") + joined(items) + (object ? " }" : "]");
  const std::string line = "\n" + std::string(indent + 2, ' ');
  return (object ? "{" : "[") + line + joined(items, "," + line) + "\n" + std::string(indent, ' ') +
         (object ? "}" : "]");
}

}  // namespace

JsonSchema JsonSchema::orNull() && {
  if (!reference.empty()) {
    content = quoted("anyOf") + "[{\"$ref\": " + jsonQuote("#/$defs/" + reference) +
              "}, {\"type\": \"null\"}]";
    reference.clear();
  } else if (!values.empty()) {
    values.emplace_back("null");
  } else if (std::find(types.begin(), types.end(), "null") == types.end()) {
    types.emplace_back("null");
  }
  return std::move(*this);
}

std::string JsonSchema::text() const {
  std::string out;
  if (!reference.empty()) out = quoted("$ref") + jsonQuote("#/$defs/" + reference);
  if (types.size() == 1) out += quoted("type") + jsonQuote(types.front());
  if (types.size() > 1) out += quoted("type") + quotedList(types);
  if (!values.empty()) out += quoted("enum") + listOf(values);
  out += rules;
  if (!description.empty()) out += quoted("description") + jsonQuote(description);
  out += content;
  return "{" + (out.empty() ? out : out.substr(2)) + "}";
}

JsonRule atLeast(std::int64_t least) { return {"minimum", std::to_string(least)}; }
JsonRule atMost(std::int64_t most) { return {"maximum", std::to_string(most)}; }
JsonRule matches(std::string_view pattern) { return {"pattern", jsonQuote(pattern)}; }

JsonSchema JsonNames::of() const {
  JsonSchema out;
  for (const std::string& each : names_) out.values.push_back(jsonQuote(each));
  return out;
}

Result<std::size_t> JsonNames::indexOf(const Json& json) const {
  FXS_TRY(const std::string_view given, json.asString());
  const auto found = std::find(names_.begin(), names_.end(), given);
  if (found == names_.end())
    return tl::unexpected<Error>(
        json.error("unknown " + std::string(noun_) + " " + printableName(given)));
  return static_cast<std::size_t>(found - names_.begin());
}

namespace json_form {

Result<> readText(const Json& json, std::string& out) {
  FXS_TRY(out, json.asString());
  return {};
}

Result<> inRange(const Json& json, bool fits, std::int64_t value) {
  if (fits) return {};
  return tl::unexpected<Error>(json.error(value < 0 ? "expected a count, got a negative number"
                                                    : std::to_string(value) + " is too large"));
}

std::string answerText(std::string_view schema, const JsonAnyForm& form, const void* object) {
  JsonWriter json;
  json.beginObject().member("schema", schema);
  form.writeMembers(json, object);
  json.endObject();
  return json.take();
}

std::string rootSchema(std::string_view schema, std::string_view title, const JsonAnyForm& form) {
  const JsonSchema object = form.describe();
  std::string text = "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"title\": " +
                     jsonQuote(title) + ", " + object.text().substr(1);
  const auto insert = [&text](std::string_view after, const std::string& added) {
    text.insert(text.find(after) + after.size(), added);
  };
  insert("\"required\": [", "\"schema\", ");
  insert("\"properties\": {", "\"schema\": {\"const\": " + jsonQuote(schema) + "}, ");
  if (!object.named.empty()) {
    text.pop_back();
    text += ", \"$defs\": {";
    for (const auto& [name, of] : object.named)
      text += (text.ends_with('{') ? "" : ", ") + jsonQuote(name) + ": " + of;
    text += "}}";
  }
  const auto document = JsonDocument::parse(text, "schema");
  assert(document);
  return broken((*document)->root(), 0) + "\n";
}

}  // namespace json_form

JsonAccess::~JsonAccess() = default;

JsonAnyMember::JsonAnyMember(std::string_view name) : key(name) {}
JsonAnyMember::JsonAnyMember(const JsonAnyMember&) = default;
JsonAnyMember::JsonAnyMember(JsonAnyMember&&) noexcept = default;
JsonAnyMember& JsonAnyMember::operator=(const JsonAnyMember&) = default;
JsonAnyMember& JsonAnyMember::operator=(JsonAnyMember&&) noexcept = default;
JsonAnyMember::~JsonAnyMember() = default;

bool JsonAnyMember::begin(JsonWriter& json, bool empty) const {
  if (empty && flag == absentIfEmpty) return false;
  json.key(key);
  if (empty) json.null();
  return !empty;
}

void JsonAnyMember::describe(JsonSchema given) {
  schema = std::move(given);
  required = flag != absentIfEmpty;
  if (flag == nullIfEmpty) schema = std::move(schema).orNull();
}

void JsonAnyMember::take(std::string_view description) { schema.description = description; }

void JsonAnyMember::take(const JsonRule& given) {
  const bool items = !schema.types.empty() && schema.types.front() == "array";
  std::string keyword(given.keyword);
  if (items && keyword.ends_with("imum")) keyword.replace(3, keyword.npos, "Items");
  if (keyword == "minimum") schema.rules.clear();  // that of an unsigned number
  schema.rules += quoted(std::string_view(keyword)) + given.json;
}

void JsonAnyForm::add(const JsonAnyMember& member) {
  members_.push_back(std::make_shared<const JsonAnyMember>(member));
}
void JsonAnyForm::add(const JsonAnyForm& more) {
  members_.insert(members_.end(), more.members_.begin(), more.members_.end());
}

JsonSchema JsonAnyForm::describe() const {
  std::string required, properties;
  JsonSchema out;
  for (const auto& each : members_) {
    const std::string key = jsonQuote(each->key);
    if (each->required) required += (required.empty() ? "" : ", ") + key;
    properties += (properties.empty() ? "" : ", ") + key + ": " + each->schema.text();
    out.named.insert(each->schema.named.begin(), each->schema.named.end());
  }
  out.types = {"object"};
  if (!required.empty()) out.content = quoted("required") + "[" + required + "]";
  if (!properties.empty()) out.content += quoted("properties") + "{" + properties + "}";
  if (name_.empty()) return out;
  JsonSchema reference;
  reference.reference = name_;
  reference.named = std::move(out.named);
  reference.named[name_] = out.text();
  return reference;
}

void JsonAnyForm::writeMembers(JsonWriter& json, const void* object) const {
  for (const auto& each : members_) each->access->write(json, *each, object);
}

Result<> JsonAnyForm::readMembers(const Json& json, void* object) const {
  FXS_CHECK(json.asObject());
  for (const auto& each : members_) {
    if (!each->read) continue;
    const auto member = json.find(each->key);
    if (!member && !each->required) continue;
    FXS_TRY(const Json value, json.at(each->key));
    FXS_CHECK(each->read(*each->access, *each, value, object));
  }
  return {};
}

}  // namespace fxs
