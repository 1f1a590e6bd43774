// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <set>

#include "base/joined.h"
#include "base/nearest.h"
#include "base/safe_text.h"
#include "lower/output_types.h"

namespace fxs::lower {
namespace {

/// With the values of `set` in every type on the path.
OutputType withValues(const OutputType& type, const std::vector<Parameter>& set) {
  std::optional<OutputType> out;
  for (const OutputType& each : pathTo(type)) {
    OutputTypeSpec spec = *each.operator->();
    for (Parameter& parameter : spec.stage.parameters)
      if (const Parameter* with = parameterNamed(set, parameter.name))
        parameter.value = with->value;
    spec.after = out;
    out = OutputType(std::make_shared<const OutputTypeSpec>(std::move(spec)));
  }
  return *out;
}

tl::unexpected<Error> hasNoParameter(const std::vector<OutputType>& types,
                                     const std::string& wanted) {
  Parameters all;
  for (const OutputType& type : types)
    for (const Parameter& each : type->stage.parameters)
      if (parameterNamed(all, each.name) == nullptr) all.push_back(each);
  std::vector<std::string_view> names;
  for (const Parameter& each : all) names.push_back(each.name);
  const std::vector<std::string> meant = nearest(wanted, names, 1);
  std::string way = (types.size() == 1 ? "; it has " : "; they have ") + joined(names);
  if (all.empty()) way = ", nor any other; leave out --set";
  if (!meant.empty()) way = "; did you mean '" + meant.front() + "'?";
  const std::string subject = types.size() == 1
                                  ? "output type '" + std::string(name(types.front())) + "' has no"
                                  : "none of the output types has a";
  return fail(ErrorCode::Usage, subject + " parameter '" + printable(wanted) + "'" + way);
}

}  // namespace

Result<std::vector<OutputType>> withSettings(std::vector<OutputType> types,
                                             const std::vector<std::string>& settings) {
  std::vector<Parameter> set;
  for (const std::string& text : settings) {
    FXS_TRY(const Setting setting, settingFrom(text));
    const auto has = std::find_if(types.begin(), types.end(), [&](const OutputType& type) {
      return parameterNamed(type->stage.parameters, setting.name) != nullptr;
    });
    if (has == types.end()) return hasNoParameter(types, setting.name);
    if (parameterNamed(set, setting.name) != nullptr)
      return fail(ErrorCode::Usage, "parameter '" + setting.name + "' is set twice");
    set.push_back(*parameterNamed((*has)->stage.parameters, setting.name));
    FXS_CHECK(setValue(set.back(), setting.value));
  }
  if (set.empty()) return types;
  for (OutputType& type : types) type = withValues(type, set);
  return types;
}

Result<OutputTypes> OutputTypes::withSettings(const std::vector<std::string>& settings) const {
  OutputTypes out = *this;
  FXS_TRY(out.all_, lower::withSettings(all_, settings));
  return out;
}

std::string nameWithSettings(const OutputType& type) {
  std::vector<std::string> set;
  for (const Parameter& each : type->stage.parameters)
    if (each.isSet()) set.push_back(each.name + "=" + each.value);
  return std::string(name(type)) + (set.empty() ? "" : " (" + joined(set) + ")");
}

std::vector<std::string> optionsFor(const OutputType& type) {
  std::vector<std::string> out;
  if (type->readsAny) {
    const bool isModule = !(*type->after)->after;
    if (!isModule) out = optionsFor(*type->after);
    out.insert(out.end(),
               {"--pass-pipeline", filledIn(type->stage.pipeline, type->stage.parameters)});
    const StageTool& tool = type->stage.tool;
    if (!tool.isEngine()) out.insert(out.end(), {"--tool", tool.program});
    return out;
  }
  std::set<std::string> files;
  for (const OutputType& each : pathTo(type))
    if (!each->file.empty()) files.insert(each->file);
  out = {"--to", type->stage.id};
  if (!files.empty()) out.insert(out.end(), {"--output-types", joined(files, ",")});
  for (const Parameter& parameter : type->stage.parameters)
    if (parameter.isSet()) out.insert(out.end(), {"--set", parameter.name + "=" + parameter.value});
  return out;
}

std::string shellOptionsFor(const OutputType& type) { return shellWords(optionsFor(type)); }

}  // namespace fxs::lower
