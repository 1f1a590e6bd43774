// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variant/variants.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/known_members.h"
#include "base/safe_text.h"

namespace fxs::variant {
namespace {

constexpr std::uint32_t kMaxDepth = 8;
constexpr std::int64_t kMaxPass = 1 << 20;

Result<std::size_t> passAt(const Json& object) {
  FXS_TRY(const std::int64_t pass, object.intAt("pass"));
  if (pass < 0 || pass > kMaxPass)
    return tl::unexpected<Error>(object.at("pass")->error("expected the index of a pass"));
  return static_cast<std::size_t>(pass);
}

Result<lower::EditPtr> editFrom(const Json& entry) {
  FXS_CHECK(checkKeptMembers(entry, {"stage", "pass", "text"}));
  auto edit = std::make_shared<lower::Edit>();
  FXS_TRY(edit->stage, entry.stringAt("stage"));
  FXS_TRY(edit->text, entry.stringAt("text"));
  if (entry.find("pass")) {
    FXS_TRY(edit->pass, passAt(entry));
  }
  return edit;
}

Result<std::set<lower::StagePass>> skippedFrom(const Json& entries) {
  std::set<lower::StagePass> out;
  for (const Json entry : entries) {
    FXS_CHECK(checkKeptMembers(entry, {"stage", "pass"}));
    lower::StagePass skip;
    FXS_TRY(skip.stage, entry.stringAt("stage"));
    FXS_TRY(skip.pass, passAt(entry));
    out.insert(std::move(skip));
  }
  return out;
}

Result<std::map<std::string, std::string>> pipelinesFrom(const Json& entries) {
  FXS_CHECK(entries.asObject());
  std::map<std::string, std::string> out;
  for (const Json entry : entries) {
    FXS_TRY(out[std::string(entry.key())], entry.asString());
  }
  return out;
}

Result<Variant> variantFrom(const Json& entry) {
  FXS_CHECK(checkKeptMembers(
      entry, {"name", "parent", "change", "target", "edit", "skipped", "pipelines"}));
  Variant out;
  FXS_TRY(out.name, entry.stringAt("name"));
  FXS_TRY(out.change, entry.stringAt("change"));
  FXS_TRY(out.target, entry.stringAt("target"));
  if (entry.find("parent")) {
    FXS_TRY(out.parent, entry.stringAt("parent"));
  }
  if (const auto edit = entry.find("edit")) {
    FXS_TRY(out.edit, editFrom(*edit));
  }
  if (entry.find("skipped")) {
    FXS_TRY(const Json skipped, entry.arrayAt("skipped"));
    FXS_TRY(out.skipped, skippedFrom(skipped));
  }
  if (const auto pipelines = entry.find("pipelines")) {
    FXS_TRY(out.pipelines, pipelinesFrom(*pipelines));
  }
  return out;
}

void write(JsonWriter& json, const Variant& variant) {
  json.beginObject().member("name", variant.name);
  if (!variant.parent.empty()) json.member("parent", variant.parent);
  json.member("change", variant.change).member("target", variant.target);
  if (variant.edit) {
    json.key("edit").beginObject().member("stage", variant.edit->stage);
    if (variant.edit->pass) json.member("pass", *variant.edit->pass);
    json.member("text", variant.edit->text).endObject();
  }
  if (!variant.skipped.empty()) {
    json.key("skipped").beginArray();
    for (const lower::StagePass& skip : variant.skipped)
      json.beginObject().member("stage", skip.stage).member("pass", skip.pass).endObject();
    json.endArray();
  }
  if (!variant.pipelines.empty()) {
    json.key("pipelines").beginObject();
    for (const auto& [stage, pipeline] : variant.pipelines) json.member(stage, pipeline);
    json.endObject();
  }
  json.endObject();
}

}  // namespace

const Variant* variantNamed(const Variants& variants, std::string_view name) {
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& each) { return each.name == name; });
  return found == variants.end() ? nullptr : &*found;
}

std::string freeName(const Variants& variants, const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; variantNamed(variants, name) != nullptr; ++n)
    name = fmt::format("{} {}", wanted, n);
  return name;
}

Variants without(const Variants& variants, std::string_view name) {
  Variants out;
  std::set<std::string_view> gone{name};
  for (const Variant& each : variants) {
    if (gone.contains(each.name)) continue;
    if (!each.parent.empty() && gone.contains(each.parent)) gone.insert(each.name);
    else out.push_back(each);
  }
  return out;
}

lower::LowerOptions optionsOf(const Variant& variant, lower::LowerOptions options) {
  options.edit = variant.edit;
  options.skipped = variant.skipped;
  options.pipelines = variant.pipelines;
  return options;
}

std::string print(const Variants& variants) {
  JsonWriter json;
  json.beginObject().member("schema", kVariantsSchema).key("variants").beginArray();
  for (const Variant& each : variants) write(json, each);
  json.endArray().endObject();
  return json.take();
}

Result<Variants> parse(std::string_view text, const std::string& label) {
  FXS_TRY(const auto document, JsonDocument::parse(text, label, {kMaxVariantsBytes, kMaxDepth}));
  const Json root = document->root();
  FXS_TRY(const std::string_view schema, root.stringAt("schema"));
  if (schema != kVariantsSchema)
    return tl::unexpected<Error>(root.at("schema")->error(
        fmt::format("expected {}, got {}", kVariantsSchema, printableName(schema))));
  FXS_CHECK(checkKeptMembers(root, {"schema", "variants"}));
  FXS_TRY(const Json entries, root.arrayAt("variants"));
  Variants out;
  std::set<std::string> names;
  for (const Json entry : entries) {
    FXS_TRY(Variant variant, variantFrom(entry));
    if (!variant.parent.empty() && !names.contains(variant.parent))
      return tl::unexpected<Error>(entry.at("parent")->error(
          "expected the name of a variant before this one, got " + printableName(variant.parent)));
    if (variant.name.empty() || !names.insert(variant.name).second)
      return tl::unexpected<Error>(entry.at("name")->error(
          "expected a name that no other variant has, got " + printableName(variant.name)));
    out.push_back(std::move(variant));
  }
  return out;
}

}  // namespace fxs::variant
