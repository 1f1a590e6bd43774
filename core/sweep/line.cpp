// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/line.h"

#include <tuple>

#include "base/json.h"
#include "base/safe_text.h"

namespace fxs::sweep {
namespace {

constexpr JsonLimits kLineLimits{std::uint64_t{16} << 20, 16};

/// The writer's line breaks are between values only: inside strings they are escaped.
std::string onOneLine(const std::string& json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '\n') {
      out += json[i];
      continue;
    }
    while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
  }
  return out + '\n';
}

Result<std::string> textOrNullAt(const Json& object, std::string_view key) {
  FXS_TRY(const Json value, object.at(key));
  if (value.isNull()) return std::string();
  FXS_TRY(const std::string_view text, value.asString());
  return std::string(text);
}
Result<std::optional<bool>> boolOrNullAt(const Json& object, std::string_view key) {
  FXS_TRY(const Json value, object.at(key));
  if (value.isNull()) return std::optional<bool>();
  FXS_TRY(const bool flag, value.asBool());
  return std::optional<bool>(flag);
}
Result<std::uint64_t> countAt(const Json& object, std::string_view key) {
  FXS_TRY(const Json value, object.at(key));
  FXS_TRY(const std::int64_t count, value.asInt());
  if (count < 0)
    return tl::unexpected<Error>(value.error("expected a count, got a negative number"));
  return static_cast<std::uint64_t>(count);
}

Result<Blocker> blockerFrom(const Json& json) {
  FXS_TRY(const Json object, json.asObject());
  Blocker out;
  FXS_TRY(out.fxTarget, object.stringAt("operator"));
  FXS_TRY(out.kind, object.stringAt("class"));
  FXS_TRY(out.nodes, countAt(object, "nodes"));
  FXS_TRY(out.operations, countAt(object, "operations"));
  FXS_TRY(const Json fix, object.at("fix"));
  if (fix.isNull()) return out;
  FXS_CHECK(fix.asObject());
  Fix made;
  FXS_TRY(made.id, fix.stringAt("id"));
  FXS_TRY(made.change, fix.stringAt("change"));
  FXS_TRY(made.verified, fix.stringAt("verified"));
  out.fix = std::move(made);
  return out;
}

}  // namespace

bool sameOutcome(const Line& a, const Line& b) {
  const auto said = [](const Line& l) {
    return std::tie(l.program, l.to, l.status, l.stage, l.message, l.blockers, l.complete,
                    l.fixedLowers, l.nodes, l.sha256, l.options, l.fxscope, l.engine,
                    l.engineSha256);
  };
  return said(a) == said(b);
}

std::string lineText(const Line& line) {
  JsonWriter json;
  json.beginObject()
      .member("schema", kLineSchema)
      .member("program", line.program)
      .member("to", line.to);
  json.member("status", name(line.status)).textOrNull("stage", line.stage);
  json.textOrNull("message", line.message).key("blockers").beginArray();
  for (const Blocker& blocker : line.blockers) {
    json.beginObject().member("operator", blocker.fxTarget).member("class", blocker.kind);
    json.member("nodes", blocker.nodes).member("operations", blocker.operations).key("fix");
    if (const auto& fix = blocker.fix)
      json.beginObject()
          .member("id", fix->id)
          .member("change", fix->change)
          .member("verified", fix->verified)
          .endObject();
    else json.null();
    json.endObject();
  }
  json.endArray().memberOrNull("complete", line.complete);
  json.memberOrNull("fixed_lowers", line.fixedLowers).member("nodes", line.nodes);
  json.textOrNull("sha256", line.sha256);
  json.member("options", line.options).member("fxscope", line.fxscope);
  json.key("engine")
      .beginObject()
      .member("version", line.engine)
      .member("sha256", line.engineSha256)
      .endObject();
  json.key("seconds")
      .beginObject()
      .member("read", line.seconds.read)
      .member("lower", line.seconds.lower);
  json.member("diagnose", line.seconds.diagnose).endObject().key("peak_memory");
  if (line.peakMemory > 0) json.value(line.peakMemory);
  else json.null();
  json.endObject();
  return onOneLine(json.take());
}

Result<Line> lineFrom(std::string_view text, const std::string& label, const RunContext& context) {
  FXS_TRY(const auto document, JsonDocument::parse(text, label, kLineLimits, context));
  const Json object = document->root();
  const auto schema = object.find("schema");
  if (!schema || !schema->isString() || schema->asString().value() != kLineSchema)
    return fail(ErrorCode::InvalidInput,
                label + ": is not a line of " + std::string(kLineSchema) +
                    ", which 'fxscope-cli sweep' writes; pass its results");
  Line out;
  FXS_TRY(out.program, object.stringAt("program"));
  FXS_TRY(out.to, object.stringAt("to"));
  FXS_TRY(const std::string_view said, object.stringAt("status"));
  const auto status = statusFrom(said);
  if (!status)
    return tl::unexpected<Error>(
        object.at("status")->error("unknown status " + printableName(said)));
  out.status = *status;
  FXS_TRY(out.stage, textOrNullAt(object, "stage"));
  FXS_TRY(out.message, textOrNullAt(object, "message"));
  FXS_TRY(const Json blockers, object.arrayAt("blockers"));
  for (const Json each : blockers) {
    FXS_TRY(Blocker blocker, blockerFrom(each));
    out.blockers.push_back(std::move(blocker));
  }
  FXS_TRY(out.complete, boolOrNullAt(object, "complete"));
  FXS_TRY(out.fixedLowers, boolOrNullAt(object, "fixed_lowers"));
  FXS_TRY(out.nodes, countAt(object, "nodes"));
  FXS_TRY(out.sha256, textOrNullAt(object, "sha256"));
  FXS_TRY(out.options, object.stringAt("options"));
  FXS_TRY(out.fxscope, object.stringAt("fxscope"));
  FXS_TRY(const Json engine, object.at("engine"));
  FXS_TRY(out.engine, engine.stringAt("version"));
  FXS_TRY(out.engineSha256, engine.stringAt("sha256"));
  FXS_TRY(const Json seconds, object.at("seconds"));
  FXS_TRY(out.seconds.read, seconds.floatAt("read"));
  FXS_TRY(out.seconds.lower, seconds.floatAt("lower"));
  FXS_TRY(out.seconds.diagnose, seconds.floatAt("diagnose"));
  FXS_TRY(const Json memory, object.at("peak_memory"));
  if (!memory.isNull()) {
    FXS_TRY(out.peakMemory, countAt(object, "peak_memory"));
  }
  return out;
}

}  // namespace fxs::sweep
