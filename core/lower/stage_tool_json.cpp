// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/stage_tool_json.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/joined.h"
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

Result<StageTool> toolIn(const Json& json, const std::string& folder, const ArgumentLists& lists) {
  StageTool out;
  if (json.isString()) {
    FXS_TRY(out.program, programIn(json, folder));
    return out;
  }
  FXS_CHECK(json.asObject());
  for (const Json member : json)
    if (std::find(kToolMembers.begin(), kToolMembers.end(), member.key()) == kToolMembers.end())
      return refused(member, "unknown member; expected " + joined(kToolMembers));
  FXS_TRY(const Json program, json.at("program"));
  FXS_TRY(out.program, programIn(program, folder));
  if (const auto arguments = json.find("arguments")) {
    FXS_TRY(out.arguments, argumentsIn(*arguments, lists));
  }
  if (const auto output = json.find("output")) {
    FXS_TRY(out.output, wordAt(*output, kMaxOutputBytes));
    if (out.output.find('/') != std::string::npos || out.output.starts_with('.'))
      return refused(*output, "expected the name of a file in the tool's working directory");
  }
  return out;
}

}  // namespace

Result<std::vector<std::string>> argumentsIn(const Json& json, const ArgumentLists& lists) {
  FXS_CHECK(json.asArray());
  if (json.size() > kMaxArguments)
    return refused(json, "has more than " + std::to_string(kMaxArguments) + " arguments");
  std::vector<std::string> out;
  for (const Json item : json) {
    FXS_TRY(std::string argument, wordAt(item, kMaxArgumentBytes));
    if (const auto* list = listOf(argument, lists)) {
      out.insert(out.end(), list->begin(), list->end());
      continue;
    }
    for (std::size_t at = argument.find("${"); at != std::string::npos;
         at = argument.find("${", at + 1))
      if (std::none_of(kArgumentBlanks.begin(), kArgumentBlanks.end(), [&](std::string_view blank) {
            return argument.compare(at, blank.size(), blank) == 0;
          }))
        return refused(item, "character " + std::to_string(at) +
                                 ": unknown placeholder; expected " + joined(kArgumentBlanks));
    out.push_back(std::move(argument));
  }
  return out;
}

Result<> toolAt(const Json& object, const std::string& folder, const ArgumentLists& lists,
                StageSpec& stage) {
  if (const auto tool = object.find("tool")) {
    FXS_TRY(stage.tool, toolIn(*tool, folder, lists));
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
