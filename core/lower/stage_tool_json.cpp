// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/stage_tool_json.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/joined.h"
#include "base/known_members.h"
#include "base/nearest.h"
#include "base/safe_text.h"

namespace fxs::lower {
namespace {

constexpr std::size_t kMaxArguments = 64, kMaxArgumentBytes = std::size_t{16} << 10,
                      kMaxOutputBytes = 80;
constexpr std::array<std::string_view, 3> kToolMembers{"program", "arguments", "output"};
constexpr std::array<std::string_view, 2> kArgumentBlanks{"${input}", "${pipeline}"};
constexpr std::array<Preparation, 3> kPreparations{
    Preparation::ExternalWeights, Preparation::ParameterWeights, Preparation::NodeLocations};

tl::unexpected<Error> refused(const Json& at, std::string message) {
  return tl::unexpected<Error>(at.error(std::move(message)));
}

Result<std::string> wordAt(const Json& json, std::size_t most) {
  FXS_TRY(const std::string_view text, json.asString());
  if (text.empty()) return refused(json, "is empty; leave it out");
  if (text.size() > most)
    return refused(
        json, "has " + std::to_string(text.size()) + " bytes, more than " + std::to_string(most));
  if (printable(text) != text) return refused(json, "contains line breaks or invisible characters");
  return std::string(text);
}

/// A known name, or the absolute path of a program that is named with a '/'.
Result<std::string> programIn(const Json& json, const std::string& folder) {
  FXS_TRY(std::string program, wordAt(json, kMaxArgumentBytes));
  const auto& known = knownTools();
  if (std::find(known.begin(), known.end(), program) != known.end()) return program;
  if (program.find('/') != std::string::npos)
    return (std::filesystem::path(folder) / program).lexically_normal().string();
  const auto meant = nearest(program, known, 1);
  return refused(json, "'" + program + "' is not a known tool" +
                           (meant.empty() ? "" : "; did you mean '" + meant.front() + "'?") +
                           "; expected " + joined(known) +
                           ", or the path of a program, with a '/'");
}

/// The list that an argument as a whole stands for; null if it stands for none.
const std::vector<std::string>* listOf(std::string_view argument, const ArgumentLists& lists) {
  if (!argument.starts_with("${") || !argument.ends_with('}')) return nullptr;
  const auto found = lists.find(argument.substr(2, argument.size() - 3));
  return found == lists.end() ? nullptr : &found->second;
}

Result<StageTool> toolIn(const Json& json, const std::string& folder,
                         const Placeholders& placeholders) {
  StageTool out;
  if (json.isString()) {
    FXS_TRY(out.program, programIn(json, folder));
    return out;
  }
  FXS_CHECK(checkMembers(json, kToolMembers));
  FXS_TRY(const Json program, json.at("program"));
  FXS_TRY(out.program, programIn(program, folder));
  if (const auto arguments = json.find("arguments")) {
    FXS_TRY(out.arguments, argumentsIn(*arguments, placeholders));
  }
  if (const auto output = json.find("output")) {
    FXS_TRY(out.output, wordAt(*output, kMaxOutputBytes));
    if (out.output.find('/') != std::string::npos || out.output.starts_with('.'))
      return refused(*output, "expected the name of a file in the tool's working directory");
  }
  return out;
}

}  // namespace

std::size_t unknownPlaceholder(std::string_view text, std::span<const std::string_view> own,
                               const Parameters& parameters) {
  for (std::size_t at = text.find("${"); at != std::string_view::npos;
       at = text.find("${", at + 1)) {
    const std::string_view rest = text.substr(at);
    const std::string_view name = rest.substr(2, std::min(rest.find('}'), rest.size()) - 2);
    const bool isOwn = std::any_of(own.begin(), own.end(),
                                   [&](std::string_view each) { return rest.starts_with(each); });
    const bool isParameter =
        name.size() + 2 < rest.size() && parameterNamed(parameters, name) != nullptr;
    if (!isOwn && !isParameter) return at;
  }
  return std::string_view::npos;
}

Result<std::vector<std::string>> argumentsIn(const Json& json, const Placeholders& placeholders) {
  FXS_CHECK(json.asArray());
  if (json.size() > kMaxArguments)
    return refused(json, "has more than " + std::to_string(kMaxArguments) + " arguments");
  std::vector<std::string> out;
  for (const Json item : json) {
    FXS_TRY(std::string argument, wordAt(item, kMaxArgumentBytes));
    if (const auto* list = listOf(argument, placeholders.lists)) {
      out.insert(out.end(), list->begin(), list->end());
      continue;
    }
    const std::size_t unknown =
        unknownPlaceholder(argument, kArgumentBlanks, placeholders.parameters);
    if (unknown != std::string::npos)
      return refused(item, "character " + std::to_string(unknown) +
                               ": unknown placeholder; expected " + joined(kArgumentBlanks));
    out.push_back(std::move(argument));
  }
  return out;
}

Result<> toolAt(const Json& object, const std::string& folder, const Placeholders& placeholders,
                StageSpec& stage) {
  if (const auto tool = object.find("tool")) {
    FXS_TRY(stage.tool, toolIn(*tool, folder, placeholders));
  }
  if (const auto writes = object.find("writes")) {
    FXS_TRY(const std::string_view given, writes->asString());
    const auto form = mlir::textFormFrom(given);
    if (!form) return refused(*writes, "expected mlir, llvm-ir, assembly, ptx or text");
    stage.writes = *form;
  }
  if (const auto prepare = object.find("prepare")) {
    FXS_CHECK(prepare->asArray());
    for (const Json item : *prepare) {
      FXS_TRY(const std::string_view given, item.asString());
      const auto found = std::find_if(kPreparations.begin(), kPreparations.end(),
                                      [&](Preparation each) { return name(each) == given; });
      if (found == kPreparations.end())
        return refused(item, "expected external-weights, parameter-weights or node-locations");
      stage.prepare.push_back(*found);
    }
  }
  return {};
}

void writeTool(JsonWriter& json, const StageSpec& stage) {
  if (stage.tool != StageTool{}) {
    json.key("tool").beginObject().member("program", stage.tool.program);
    if (!stage.tool.arguments.empty()) {
      json.member("arguments", stage.tool.arguments);
    }
    if (!stage.tool.output.empty()) json.member("output", stage.tool.output);
    json.endObject();
  }
  if (!stage.prepare.empty()) {
    json.key("prepare").beginArray();
    for (const Preparation each : stage.prepare) json.value(name(each));
    json.endArray();
  }
  if (stage.writes != mlir::TextForm::Mlir) json.member("writes", mlir::name(stage.writes));
}

}  // namespace fxs::lower
