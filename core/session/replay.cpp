#include "session/replay.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace fxs::session {
namespace {

/// What a bundle may ask for at most.
constexpr std::chrono::minutes kMaxTimeout{10};
constexpr std::uint64_t kMaxMemory = std::uint64_t{32} << 30;

lower::Limits limitsOf(const bundle::Manifest& m) {
  lower::Limits limits;
  if (m.timeoutMs > 0) limits.timeout = std::min<std::chrono::milliseconds>(std::chrono::milliseconds(m.timeoutMs), kMaxTimeout);
  if (m.memory > 0) limits.memory = std::min(m.memory, kMaxMemory);
  return limits;
}

}  // namespace

Result<ScratchDirectory> ScratchDirectory::make(const Environment& env) {
  if (env.temporaryDir.empty())
    return fail(ErrorCode::Io, "a bundle is unpacked in a directory of its own; name a directory for temporary files (TMPDIR)");
  std::string pattern = env.temporaryDir + "/fxscope-bundle-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr)
    return fail(ErrorCode::Io, env.temporaryDir + ": no directory can be made there: " + std::strerror(errno));
  return ScratchDirectory(pattern);
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Result<std::shared_ptr<const lower::Lowering>> lowerAgain(const bundle::Bundle& bundle, const lower::Engine& engine, const Environment& env,
                                                          const RunContext& context) {
  const bundle::Manifest& m = bundle.manifest;
  FXS_TRY(const read::Capture capture, read::readCapture(memorySource(bundle.file(bundle::kProgramFile)),
                                                         bundle.name + "/" + std::string(bundle::kProgramFile), {}, context));
  lower::LowerOptions options;
  auto target = lower::outputTypeFrom(m.target);
  if (!target) return fail(ErrorCode::InvalidInput, bundle.name + "/manifest.json: " + target.error().message);
  options.target = *target;
  options.allowNonFinites = m.allowNonFinites;
  options.limits = limitsOf(m);
  std::optional<ScratchDirectory> scratch;
  if (m.extraLibrary) {
    FXS_TRY(ScratchDirectory made, ScratchDirectory::make(env));
    scratch.emplace(std::move(made));
    options.extraLibrary = scratch->path() + "/" + std::string(bundle::kExtraLibraryFile);
    FXS_CHECK(writeWholeFile(options.extraLibrary, bundle.file(bundle::kExtraLibraryFile)));
  }
  FXS_TRY(auto lowering, lower::lower(bundle.file(bundle::kRawFile), *capture.program, engine, options, *env.runner, context));
  if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
  for (const lower::StageResult& stage : lowering->stages)
    for (const fx::Finding& finding : stage.findings)
      if (finding.kind == "engine" && stage.failingPass.empty())
        return fail(ErrorCode::EngineFailed, "engine " + engine.path + ": " + finding.message);
  return lowering;
}

Result<ReplayResult> judge(const bundle::Bundle& bundle, const lower::Lowering& lowering, const std::string& label) {
  const bundle::Manifest& m = bundle.manifest;
  ReplayResult out;
  out.bundle = bundle.name;
  out.engine = lowering.engine;
  out.engineVersion = m.engineVersion;
  out.sameEngine = lowering.engine.sha256 == m.engineSha256;
  out.expected = text(m.signature);
  if (bundle::fails(lowering, m.signature)) {
    out.found = out.expected;
    out.statement = "fails in the same way";
  } else if (const auto failure = bundle::failureOf(lowering)) {
    out.outcome = ReplayOutcome::OtherFailure;
    out.found = text(failure->signature);
    out.statement = "fails in another way: " + out.found;
  } else {
    out.outcome = ReplayOutcome::Fixed;
    out.statement = "does not fail: it reaches " + m.target;
  }
  // An engine does the same with the same text, unless time or memory decide.
  if (!out.sameEngine || !m.verified || bundle::dependsOnMachine(m.signature)) return out;
  if (out.outcome != ReplayOutcome::SameFailure)
    return fail(ErrorCode::InvalidInput, label + ": the bundle was altered: it claims '" + out.expected +
                                             "', but with the very engine it was made with its raw.mlir " + out.statement);
  if (bundle::inputOfFailure(lowering, bundle.file(bundle::kRawFile)) != bundle.file(bundle::kInputFile))
    return fail(ErrorCode::InvalidInput, label + ": the bundle was altered: its input.mlir is not what its raw.mlir gives");
  return out;
}

Result<ReplayResult> replayBundle(const std::string& path, const Environment& env, const RunContext& context) {
  context.report({"reading " + path, -1});
  FXS_TRY(auto source, openFile(path));
  FXS_TRY(const bundle::Bundle bundle, bundle::open(std::move(source), path));
  if (env.enginePath.empty() || env.runner == nullptr)
    return fail(ErrorCode::EngineFailed,
                env.engineMissing.empty() ? "no engine was chosen; name a torch-mlir-opt with --engine" : env.engineMissing);
  FXS_TRY(const lower::Engine engine, lower::probeEngine(env.enginePath, env.cacheDir, *env.runner, context));
  FXS_TRY(const auto lowering, lowerAgain(bundle, engine, env, context));
  return judge(bundle, *lowering, path);
}

std::string_view name(ReplayOutcome outcome) {
  switch (outcome) {
    case ReplayOutcome::SameFailure: return "same-failure";
    case ReplayOutcome::OtherFailure: return "other-failure";
    case ReplayOutcome::Fixed: break;
  }
  return "fixed";
}

}  // namespace fxs::session
