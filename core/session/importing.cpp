#include "session/importing.h"

#include <algorithm>

namespace fxs::session {
namespace {

constexpr std::size_t kWeightBytes = std::size_t{16} << 30;

}  // namespace

import::ImportOptions importOptionsOf(const Snapshot& s) {
  import::ImportOptions options = s.request.import;
  options.embedWeights = false;
  options.registeredOps = s.registeredOps.get();
  if (const auto weights = s.capture->weights) options.weights = [weights](const fx::Weight& w) { return weights->read(w, kWeightBytes); };
  return options;
}

Result<std::set<std::string, std::less<>>> registeredOpsFor(const fx::Program& program, const lower::Engine& engine, const Environment& env,
                                                            const RunContext& context) {
  std::vector<std::string> names = import::wantedOps(program);
  const auto& known = import::pinnedRegisteredOps();
  names.insert(names.end(), known.begin(), known.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return lower::registeredOps(engine, names, env.cacheDir, *env.runner, context);
}

Result<lower::Engine> engineFor(const Snapshot& s, const Environment& env, const RunContext& context) {
  if (s.engine) return *s.engine;
  if (env.enginePath.empty() || env.runner == nullptr)
    return fail(ErrorCode::EngineFailed,
                env.engineMissing.empty() ? "no engine was chosen; name a torch-mlir-opt with --engine" : env.engineMissing);
  return lower::probeEngine(env.enginePath, env.cacheDir, *env.runner, context);
}

}  // namespace fxs::session
