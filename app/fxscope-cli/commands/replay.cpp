// fxscope-cli replay: runs a reproducer bundle again: the same failure, another one, or none.
#include <ostream>

#include "base/json.h"
#include "command.h"
#include "session/bundle.h"

namespace fxs::cli {
namespace {

std::string json(const std::string& input, const session::ReplayResult& r) {
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-replay/1").member("input", input).member("bundle", r.bundle);
  json.member("outcome", session::name(r.outcome)).member("expected", r.expected);
  json.memberOrNull("found", r.outcome == session::ReplayOutcome::Fixed ? std::nullopt : std::optional(r.found));
  json.member("statement", r.statement).key("engine").beginObject();
  json.member("path", r.engine.path).member("version", r.engine.version).member("sha256", r.engine.sha256).endObject();
  json.member("made_with", r.engineVersion).member("same_engine", r.sameEngine).endObject();
  return json.take();
}

std::string text(const session::ReplayResult& r) {
  return r.bundle + "\nfailure: " + r.expected + "\nengine: " + r.engine.version + " (" + r.engine.path + "), " +
         (r.sameEngine ? "the one it was made with" : "not the one it was made with, " + r.engineVersion) + "\n" + r.statement + "\n";
}

int run(const Arguments& arguments, World& world) {
  const std::string path = arguments.get("BUNDLE").value_or("");
  const auto replayed = session::replayBundle(path, world.environment, world.context);
  if (!replayed) return reportError(replayed.error(), world);
  world.out << (arguments.has("--json") ? json(path, *replayed) : text(*replayed));
  return replayed->outcome == session::ReplayOutcome::SameFailure ? kDone : kFindings;
}

}  // namespace

void registerReplay(Commands& commands);
void registerReplay(Commands& commands) {
  commands.add({"replay",
                "runs a bundle again: the same failure, another one, or none",
                {{"BUNDLE", "a zip that bundle wrote"}},
                {{"--json", "", "print JSON (resources/schemas/replay.schema.json)"}},
                run});
}

}  // namespace fxs::cli
