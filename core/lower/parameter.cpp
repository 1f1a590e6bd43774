// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/parameter.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/joined.h"
#include "base/known_members.h"
#include "base/nearest.h"
#include "base/safe_text.h"

namespace fxs::lower {
namespace {

constexpr std::size_t kMaxParameters = 64, kMaxNameBytes = 40, kMaxTextBytes = 200;
constexpr std::array<std::string_view, 5> kParameterMembers{"name", "default", "help", "pattern",
                                                            "values"};
/// Placeholders that are not the user's to set.
constexpr std::array<std::string_view, 5> kReserved{"input", "pipeline", "extra-library",
                                                    "backend-legal-ops", "allow-non-finites"};
/// Of a parameter that a pipeline declares: an option's value, or a list of them.
constexpr std::string_view kOptionValue = "[A-Za-z0-9_.,:+-]+";

bool isName(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNameBytes && text[0] >= 'a' && text[0] <= 'z' &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

bool isReserved(std::string_view name) {
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

re2::RE2::Options quietly() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  return options;
}

/// A value is printed, and becomes a part of an argument.
bool isAllowed(const Parameter& parameter, const std::string& value) {
  return value.size() <= kMaxTextBytes && printable(value) == value &&
         value.find("${") == std::string::npos &&
         re2::RE2::FullMatch(value, re2::RE2(parameter.pattern, quietly()));
}

Result<std::string> memberOf(const Json& object, std::string_view key) {
  FXS_TRY(const Json member, object.at(key));
  FXS_TRY(const std::string_view text, member.asString());
  if (text.empty() || text.size() > kMaxTextBytes || printable(text) != text)
    return tl::unexpected<Error>(
        member.error(fmt::format("expected 1 to {} visible characters", kMaxTextBytes)));
  return std::string(text);
}

Result<Parameter> parameterIn(const Json& json) {
  FXS_CHECK(checkMembers(json, kParameterMembers));
  Parameter out;
  FXS_TRY(out.name, memberOf(json, "name"));
  FXS_TRY(out.standard, memberOf(json, "default"));
  FXS_TRY(out.help, memberOf(json, "help"));
  FXS_TRY(out.pattern, memberOf(json, "pattern"));
  out.value = out.standard;
  const Json pattern = *json.find("pattern");
  if (!re2::RE2(out.pattern, quietly()).ok())
    return tl::unexpected<Error>(pattern.error("is not a regular expression"));
  std::vector<Json> values{*json.find("default")};
  if (const auto usual = json.find("values")) {
    FXS_CHECK(usual->asArray());
    for (const Json item : *usual) values.push_back(item);
  }
  if (values.size() > kMaxParameters)
    return tl::unexpected<Error>(
        json.error(fmt::format("has more than {} values", kMaxParameters - 1)));
  for (const Json& each : values) {
    FXS_TRY(const std::string_view value, each.asString());
    if (!isAllowed(out, std::string(value)))
      return tl::unexpected<Error>(each.error("does not match the pattern " + out.pattern));
    if (&each != &values.front()) out.values.emplace_back(value);
  }
  return out;
}

}  // namespace

const Parameter* parameterNamed(const Parameters& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Parameter& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Result<Parameters> parametersAt(const Json& root, const Parameters& known) {
  Parameters out;
  const auto list = root.find("parameters");
  if (!list) return out;
  FXS_CHECK(list->asArray());
  if (list->size() > kMaxParameters)
    return tl::unexpected<Error>(
        list->error(fmt::format("has more than {} parameters", kMaxParameters)));
  for (const Json item : *list) {
    FXS_TRY(Parameter parameter, parameterIn(item));
    const Json name = *item.find("name");
    if (!isName(parameter.name))
      return tl::unexpected<Error>(
          name.error("expected lower-case letters, digits and '-', a letter first"));
    if (isReserved(parameter.name) || parameterNamed(known, parameter.name) != nullptr ||
        parameterNamed(out, parameter.name) != nullptr)
      return tl::unexpected<Error>(
          name.error("'" + parameter.name + "' is taken; choose another name"));
    out.push_back(std::move(parameter));
  }
  return out;
}

void writeParameters(JsonWriter& json, const Parameters& parameters) {
  if (parameters.empty()) return;
  json.key("parameters").beginArray();
  for (const Parameter& each : parameters) {
    json.beginObject()
        .member("name", each.name)
        .member("default", each.value)
        .member("help", each.help)
        .member("pattern", each.pattern);
    if (!each.values.empty()) json.member("values", each.values);
    json.endObject();
  }
  json.endArray();
}

std::string filledIn(std::string text, const Parameters& parameters) {
  for (const Parameter& each : parameters) {
    const std::string mark = "${" + each.name + "}";
    for (std::size_t at = text.find(mark); at != std::string::npos;
         at = text.find(mark, at + each.value.size()))
      text.replace(at, mark.size(), each.value);
  }
  return text;
}

void addMentioned(std::string_view text, const Parameters& all, Parameters& out) {
  for (const Parameter& each : all)
    if (text.find("${" + each.name + "}") != std::string_view::npos &&
        parameterNamed(out, each.name) == nullptr)
      out.push_back(each);
}

Result<Parameters> declaredIn(std::string& pipeline) {
  Parameters out;
  std::size_t removed = 0;
  for (std::size_t at = pipeline.find("${"); at != std::string::npos;
       at = pipeline.find("${", at + 2)) {
    const auto wrong = [&](const std::string& message) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("pass pipeline, character {}: {}", at + removed, message));
    };
    const std::size_t end = pipeline.find('}', at);
    if (end == std::string::npos) return wrong("unclosed placeholder");
    const std::string inside = pipeline.substr(at + 2, end - at - 2);
    const std::size_t equals = std::min(inside.find('='), inside.size());
    const std::string name = inside.substr(0, equals);
    if (isReserved(name)) continue;
    if (!isName(name))
      return wrong("expected a parameter such as ${tile=8}, got '" + printable(inside) + "'");
    if (equals < inside.size()) {
      Parameter parameter{
          name, inside.substr(equals + 1), "", "of the pass pipeline", std::string(kOptionValue),
          {}};
      parameter.standard = parameter.value;
      if (!isAllowed(parameter, parameter.value))
        return wrong("'" + printable(parameter.value) + "' cannot be the value of an option");
      if (const Parameter* known = parameterNamed(out, name); known == nullptr)
        out.push_back(std::move(parameter));
      else if (known->value != parameter.value)
        return wrong("parameter '" + name + "' has the default " + known->value + " already");
      pipeline.erase(at + 2 + equals, inside.size() - equals);
      removed += inside.size() - equals;
    } else if (parameterNamed(out, name) == nullptr) {
      return wrong("parameter '" + name + "' has no default; write ${" + name + "=VALUE}");
    }
  }
  return out;
}

Result<Setting> settingFrom(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return fail(ErrorCode::Usage,
                "option '--set': expected NAME=VALUE, got '" + printable(text) + "'");
  return Setting{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Result<> setValue(Parameter& parameter, const std::string& value) {
  if (isAllowed(parameter, value)) {
    parameter.value = value;
    return {};
  }
  const std::vector<std::string_view> usual(parameter.values.begin(), parameter.values.end());
  const std::vector<std::string> meant = nearest(value, usual, 1);
  std::string way =
      "; expected a text that matches " + parameter.pattern + ", such as " + parameter.standard;
  if (!usual.empty()) way = "; expected one such as " + joined(usual);
  if (!meant.empty()) way = "; did you mean '" + meant.front() + "'?";
  return fail(ErrorCode::Usage, "parameter '" + parameter.name + "': '" + printable(value) +
                                    "' is not allowed" + way);
}

}  // namespace fxs::lower
