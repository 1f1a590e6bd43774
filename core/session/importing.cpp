// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/importing.h"

#include <algorithm>
#include <filesystem>

#include "fx/text.h"
#include "lower/known_engines.h"
#include "session/toolbox.h"

namespace fxs::session {
namespace {

bool isSame(const rewrite::Rewritten& a, const rewrite::Rewritten& b) {
  if (a.program == b.program) return a.findings.size() == b.findings.size();
  const auto sameRule = [](const rewrite::Applied& x, const rewrite::Applied& y) {
    return x.rule == y.rule && x.origin == y.origin;
  };
  const auto sameOrigin = [](const fx::Node& x, const fx::Node& y) {
    return x.origin == y.origin && x.name == y.name;
  };
  const std::vector<fx::Node>&nodes = a.program->nodes, &others = b.program->nodes;
  return a.findings.size() == b.findings.size() &&
         std::equal(a.applied.begin(), a.applied.end(), b.applied.begin(), b.applied.end(),
                    sameRule) &&
         std::equal(nodes.begin(), nodes.end(), others.begin(), others.end(), sameOrigin) &&
         fx::dump(*a.program) == fx::dump(*b.program);
}

/// The values of `from` up to its import, for a request that differs in the output type only.
SnapshotPtr withImportOf(const Snapshot& from, const SnapshotPtr& to) {
  auto out = std::make_shared<Snapshot>(*to);
  out->rewritten = from.rewritten;
  out->imported = from.imported;
  out->registeredOps = from.registeredOps;
  return out;
}

}  // namespace

Result<SnapshotPtr> importedFor(const lower::OutputType& type, const SnapshotPtr& from,
                                const std::vector<SnapshotPtr>& known, const Environment& env,
                                const RunContext& context) {
  Request request = from->request;
  request.lower.target = type;
  SnapshotPtr next = retarget(from, std::move(request));
  const auto shareWith = [&](const auto& isEqual) {
    for (const SnapshotPtr& other : known)
      if (!next->imported && other->imported && isEqual(*other)) next = withImportOf(*other, next);
  };
  shareWith([&](const Snapshot& other) {
    return rewriteOptionsOf(other.request) == rewriteOptionsOf(next->request);
  });
  FXS_TRY(next, advance(next, Phase::Rewrite, env, context));
  shareWith([&](const Snapshot& other) {
    return other.rewritten && next->rewritten && isSame(*other.rewritten, *next->rewritten);
  });
  return advance(next, Phase::Import, env, context);
}

Result<std::vector<SnapshotPtr>> importedForEach(const std::vector<lower::OutputType>& types,
                                                 const SnapshotPtr& from, const Environment& env,
                                                 const RunContext& context) {
  std::vector<SnapshotPtr> out, known{from};
  for (const lower::OutputType& type : types) {
    FXS_TRY(SnapshotPtr next, importedFor(type, from, known, env, context));
    known.push_back(next);
    out.push_back(std::move(next));
  }
  return out;
}

fx::ProgramPtr valuedProgram(const Snapshot& s, const RunContext& context) {
  return s.valued ? s.valued : normalize::withInferredValues(s.capture->program, context);
}

import::ImportOptions importOptionsOf(const Snapshot& s, const RunContext& context) {
  import::ImportOptions options{s.request.import, {}, nullptr};
  options.embedWeights = false;
  options.registeredOps = s.registeredOps.get();
  if (const auto weights = s.capture->weights)
    options.weights = [weights, context](const fx::Weight& w) {
      return weights->read(w, kWeightBytes, context);
    };
  return options;
}

Result<std::set<std::string, std::less<>>> registeredOpsFor(const fx::Program& program,
                                                            const lower::Engine& engine,
                                                            const Environment& env,
                                                            const RunContext& context) {
  std::vector<std::string> names = import::wantedOps(program, context);
  const auto& known = import::pinnedRegisteredOps();
  names.insert(names.end(), known.begin(), known.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return lower::registeredOps(engine, names, env.cacheDir, *env.runner, context);
}

Result<lower::Engine> engineFor(const Snapshot& s, const Environment& env,
                                const RunContext& context) {
  return s.engine ? *s.engine : engineOf(env, context);
}

std::string engineGivenOrInstalled(const Environment& env) {
  if (!env.enginePath.empty()) return env.enginePath;
  for (const std::string& candidate : env.installedEngines)
    if (std::error_code ignored; std::filesystem::is_regular_file(candidate, ignored))
      return candidate;
  return {};
}

Result<lower::Engine> engineOf(const Environment& env, const RunContext& context) {
  const std::string given = engineGivenOrInstalled(env);
  if (given.empty() || env.runner == nullptr)
    return fail(ErrorCode::EngineFailed,
                env.engineMissing.empty()
                    ? "no engine was chosen; pass a torch-mlir-opt with --engine"
                    : env.engineMissing);
  FXS_TRY(const auto known, lower::knownEngine(env.enginesFolder, given));
  const auto path = known ? Result<std::string>(known->path) : findProgram(given, env.searchPath);
  if (!path)
    return fail(ErrorCode::EngineFailed,
                "engine " + path.error().message +
                    ", and no known engine; run 'fxscope-cli engine fetch' to install one, or pass "
                    "another with --engine or "
                    "FXSCOPE_ENGINE ('fxscope-cli engine list' lists the known ones)");
  lower::ProbeOptions options;
  const bool installed = std::any_of(
      env.installedEngines.begin(), env.installedEngines.end(), [&](const std::string& candidate) {
        std::error_code ignored;
        return std::filesystem::equivalent(candidate, *path, ignored);
      });
  if (known) {
    options.sha256 = known->sha256;
    options.name = known->name;
  } else if (installed) {
    options.sha256 = lower::pinnedEngineSha256();
  }
  FXS_TRY(lower::Engine engine,
          lower::probeEngine(*path, env.cacheDir, *env.runner, context, options));
  engine.name = options.name;
  engine.tools = toolboxOf(env);
  return engine;
}

}  // namespace fxs::session
