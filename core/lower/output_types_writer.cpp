// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/output_types.h"
#include "lower/stage_tool_json.h"

namespace fxs::lower {
namespace {

void writeListIfAny(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  if (!texts.empty()) json.member(key, texts);
}

void writeQuiet(JsonWriter& json, const std::vector<QuietPass>& passes) {
  if (passes.empty()) return;
  json.key("quiet").beginArray();
  for (const QuietPass& quiet : passes) {
    if (quiet.unless.empty()) {
      json.value(quiet.pass);
      continue;
    }
    json.beginObject().member("pass", quiet.pass).member("unless", quiet.unless).endObject();
  }
  json.endArray();
}

void writeVariants(JsonWriter& json, const std::vector<StageVariant>& variants) {
  if (variants.empty()) return;
  json.key("variants").beginArray();
  for (const StageVariant& variant : variants) {
    json.beginObject().member("name", variant.name);
    if (!variant.passes.empty())
      json.member("after", variant.after).member("passes", variant.passes);
    writeListIfAny(json, "arguments", variant.arguments);
    json.endObject();
  }
  json.endArray();
}

void writeContract(JsonWriter& json, const Contract& contract) {
  json.key("contract").beginObject();
  if (!contract.anyDialect) json.member("left", contract.left);
  if (!contract.warned.empty()) {
    json.key("warn").beginArray();
    for (const WarnedDialect& warned : contract.warned) {
      json.beginObject().member("dialect", warned.dialect).member("why", warned.message);
      writeListIfAny(json, "decompose", warned.decompose);
      json.endObject();
    }
    json.endArray();
  }
  if (!contract.function) json.member("function", false);
  json.endObject();
}

void writeType(JsonWriter& json, const OutputType& type) {
  json.beginObject()
      .member("id", type->stage.id)
      .member("title", type->stage.title)
      .member("after", name(*type->after));
  writeTool(json, type->stage);
  if (!type->stage.pipeline.empty()) json.member("pipeline", type->stage.pipeline);
  if (!type->stage.survey.empty()) json.member("survey", type->stage.survey);
  writeQuiet(json, type->stage.quiet);
  writeVariants(json, type->stage.variants);
  if (type->backend) json.member("backend", true);
  writeListIfAny(json, "registries", type->registries);
  writeListIfAny(json, "decompose", type->decompose);
  if (type->contract) writeContract(json, *type->contract);
  json.endObject();
}

}  // namespace

std::string userDefinitionsFor(const OutputType& type) {
  JsonWriter json;
  json.beginObject().member("schema", kOutputTypesSchema);
  Parameters own;
  for (const Parameter& each : type->stage.parameters)
    if (parameterNamed(OutputTypes::builtin().parameters(), each.name) == nullptr)
      own.push_back(each);
  writeParameters(json, own);
  json.key("types").beginArray();
  bool any = false;
  for (const OutputType& each : pathTo(type)) {
    if (each->file.empty() && !each->readsAny) continue;
    any = true;
    writeType(json, each);
  }
  json.endArray().endObject();
  return any ? json.take() : std::string();
}

}  // namespace fxs::lower
