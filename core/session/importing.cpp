#include "session/importing.h"

#include <algorithm>
#include <filesystem>

#include "lower/known_engines.h"
#include "session/toolbox.h"

namespace fxs::session {

fx::ProgramPtr valuedProgram(const Snapshot& s, const RunContext& context) {
  return s.valued ? s.valued : normalize::withInferredValues(s.capture->program, context);
}

import::ImportOptions importOptionsOf(const Snapshot& s, const RunContext& context) {
  import::ImportOptions options{s.request.import, {}, nullptr};
  options.embedWeights = false;
  options.registeredOps = s.registeredOps.get();
  if (const auto weights = s.capture->weights)
    options.weights = [weights, context](const fx::Weight& w) { return weights->read(w, kWeightBytes, context); };
  return options;
}

Result<std::set<std::string, std::less<>>> registeredOpsFor(const fx::Program& program, const lower::Engine& engine, const Environment& env,
                                                            const RunContext& context) {
  std::vector<std::string> names = import::wantedOps(program, context);
  const auto& known = import::pinnedRegisteredOps();
  names.insert(names.end(), known.begin(), known.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return lower::registeredOps(engine, names, env.cacheDir, *env.runner, context);
}

Result<lower::Engine> engineFor(const Snapshot& s, const Environment& env, const RunContext& context) {
  return s.engine ? *s.engine : engineOf(env, context);
}

std::string engineGivenOrInstalled(const Environment& env) {
  if (!env.enginePath.empty()) return env.enginePath;
  for (const std::string& place : env.installedEngines)
    if (std::error_code ignored; std::filesystem::is_regular_file(place, ignored)) return place;
  return {};
}

Result<lower::Engine> engineOf(const Environment& env, const RunContext& context) {
  const std::string given = engineGivenOrInstalled(env);
  if (given.empty() || env.runner == nullptr)
    return fail(ErrorCode::EngineFailed,
                env.engineMissing.empty() ? "no engine was chosen; pass a torch-mlir-opt with --engine" : env.engineMissing);
  FXS_TRY(const auto known, lower::knownEngine(env.enginesFolder, given));
  const auto path = known ? Result<std::string>(known->path) : findProgram(given, env.searchPath);
  if (!path)
    return fail(ErrorCode::EngineFailed,
                "engine " + path.error().message +
                    ", and no known engine; run 'fxscope-cli engine fetch' to install one, or pass another with --engine or "
                    "FXSCOPE_ENGINE ('fxscope-cli engine list' lists the known ones)");
  lower::ProbeOptions options;
  const bool installed = std::any_of(env.installedEngines.begin(), env.installedEngines.end(), [&](const std::string& place) {
    std::error_code ignored;
    return std::filesystem::equivalent(place, *path, ignored);
  });
  if (known) {
    options.sha256 = known->sha256;
    options.name = known->name;
  } else if (installed) {
    options.sha256 = lower::pinnedEngineSha256();
  }
  FXS_TRY(lower::Engine engine, lower::probeEngine(*path, env.cacheDir, *env.runner, context, options));
  engine.name = options.name;
  engine.tools = toolboxOf(env);
  return engine;
}

}  // namespace fxs::session
