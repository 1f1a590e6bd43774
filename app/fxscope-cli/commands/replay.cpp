// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli replay: runs a reproducer bundle and checks its files.
#include <ostream>

#include "base/json.h"
#include "bundle/bundle.h"
#include "bundle_words.h"
#include "command.h"
#include "lower_request.h"
#include "report/line.h"

namespace fxs::cli {
namespace {

std::string json(const std::string& input, const bundle::ReplayResult& r,
                 const report::Paths& paths) {
  JsonWriter json;
  json.beginObject()
      .member("schema", "fxscope-replay/2")
      .member("input", paths.of(input))
      .member("bundle", r.bundle);
  json.member("outcome", bundle::name(r.outcome)).member("expected", r.expected);
  json.textOrNull("found", r.found);
  json.member("statement", r.statement).member("vouched", r.vouched).key("files").beginObject();
  json.member("checked", r.checked).member("unchecked", r.unchecked);
  json.textOrNull("why_unchecked", r.uncheckedReason).endObject().textOrNull("limits", r.lowered);
  json.key("engine")
      .beginObject()
      .member("path", paths.of(r.engine.path))
      .member("version", r.engine.version);
  json.member("sha256", r.engine.sha256)
      .endObject()
      .member("made_with", r.engineVersion)
      .member("same_engine", r.sameEngine)
      .endObject();
  return json.take();
}

std::string text(const bundle::ReplayResult& r, const report::Paths& paths) {
  std::string out = report::line("{}\nfailure: {}\nengine: {} ({}), {}\n", r.bundle, r.expected,
                                 r.engine.version, paths.of(r.engine.path),
                                 r.sameEngine ? "the engine of the bundle"
                                              : "not the engine of the bundle, " + r.engineVersion);
  if (!r.checked.empty())
    out += report::line("files: {} of {} match what fxscope writes for this program and manifest\n",
                        r.checked.size(), r.checked.size() + r.unchecked.size());
  if (!r.unchecked.empty()) {
    out += report::line("not checked, because {}:", r.uncheckedReason);
    for (const std::string& name : r.unchecked) out += report::line(" {}", name);
    out += "\n";
  }
  if (!r.lowered.empty()) out += report::line("limits: {}\n", r.lowered);
  return out + report::line("{}\n", r.statement);
}

int runReplay(const Arguments& arguments, Console& console) {
  const std::string path = arguments.get("BUNDLE").value_or("");
  bundle::ReplayOptions options;
  options.describe = bundleTexts;
  const auto limits = limitsFrom(arguments);
  if (!limits) return reportError(limits.error(), console);
  options.limits = *limits;
  const auto replayed = bundle::replayBundle(path, options, console.environment, console.context);
  if (!replayed) return reportError(replayed.error(), console);
  const report::Paths paths = pathsOf(arguments, path);
  console.out << (arguments.has("--json") ? json(path, *replayed, paths) : text(*replayed, paths));
  if (replayed->outcome == bundle::ReplayOutcome::Unknown) return kEngine;
  return replayed->outcome == bundle::ReplayOutcome::SameFailure && replayed->vouched ? kDone
                                                                                      : kFindings;
}

}  // namespace

void registerReplay(Commands& commands);
void registerReplay(Commands& commands) {
  commands.add({"replay",
                "run a bundle again and check its files: the same failure or wrong result, another "
                "one, or none",
                {{"BUNDLE", "bundle (.zip) to replay"}},
                {{"--timeout", "TIME",
                  "time limit per stage, in seconds, or minutes with m (default: 120); a bundle "
                  "may set a lower one"},
                 {"--memory", "SIZE",
                  "address space limit of the engine, in MiB, or GiB with G (default: 8G); a "
                  "bundle may set a lower one"},
                 {"--json", "", "print JSON (resources/schemas/replay.schema.json)"}},
                runReplay,
                Group::Share});
}

}  // namespace fxs::cli
