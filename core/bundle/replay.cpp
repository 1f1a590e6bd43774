// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "base/joined.h"
#include "base/scratch_directory.h"
#include "base/sha256.h"
#include "bundle/recorded_options.h"
#include "bundle/stages.h"
#include "contract/lower_kept.h"
#include "diagnose/wrong_program.h"
#include "fx/text.h"
#include "lower/tool_run.h"
#include "mlir/text/module.h"
#include "module/source_module.h"
#include "session/importing.h"
#include "upstream/script.h"

namespace fxs::bundle {
namespace {

/// Of a program that is written as Python, too: nobody reads more.
constexpr std::size_t kScriptOperations = 100;

/// Whether the text contains that function. An empty module must be rejected here, because the
/// engine lowers it successfully.
bool hasFunction(const std::string& text, const std::string& name) {
  const mlir::Module module = mlir::readModule(text);
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::Op& op = module.ops[i];
    const std::string_view head =
        std::string_view(text).substr(op.head.begin, op.head.end - op.head.begin);
    if (module.nameOf(mlir::OpId{static_cast<std::uint32_t>(i)}) == "func.func" &&
        (head.find("@" + name) != std::string_view::npos ||
         head.find("sym_name = \"" + name + "\"") != std::string_view::npos))
      return true;
  }
  return false;
}

bool isEngineFile(std::string_view name) {
  return std::find(kEngineFiles.begin(), kEngineFiles.end(), name) != kEngineFiles.end();
}

tl::unexpected<Error> altered(const std::string& label, const std::string& message) {
  return fail(ErrorCode::InvalidInput, label + ": the bundle was altered: " + message +
                                           "; none of its content can be trusted");
}

/// Whether the engine must reproduce the recorded failure: it is the same engine, and the failure
/// depends on nothing else, such as the machine or the executors.
bool isBinding(const Manifest& m, bool sameEngine) {
  return sameEngine && m.verified && !m.wrong && !dependsOnMachine(m.signature);
}

/// The state and steps of one replay.
class Replay {
 public:
  Replay(const Bundle& bundle, const std::string& label, const lower::Engine& engine,
         const ReplayOptions& options, const session::Environment& env, const RunContext& context)
      : bundle_(bundle),
        m_(bundle.manifest),
        label_(label),
        engine_(engine),
        options_(options),
        env_(env),
        context_(context) {}

  Result<ReplayResult> run() {
    out_.bundle = bundle_.name;
    out_.engine = engine_;
    out_.engineVersion = m_.engineVersion;
    out_.sameEngine = engine_.sha256 == m_.engineSha256;
    out_.expected = text(m_.signature);
    out_.vouched = m_.tool == toolVersion();
    if (bundle_.file(kOutputTypesFile) != m_.targetDefinition)
      return fail(ErrorCode::InvalidInput,
                  label_ + ": it was made with another output type of the name '" +
                      std::string(lower::name(m_.target)) + "': see its " +
                      std::string(kOutputTypesFile));
    FXS_CHECK(start());
    if (imports()) FXS_CHECK(import());
    else if (!hasFunction(raw(), m_.function))
      return altered("raw.mlir has no function '" + m_.function + "'");
    FXS_CHECK(lower());
    FXS_CHECK(judge());
    if (isBinding() && out_.outcome != ReplayOutcome::SameFailure) return std::move(out_);
    if (out_.vouched) {
      FXS_CHECK(compare());
    } else {
      for (const auto& [name, bytes] : bundle_.files) out_.unchecked.push_back(name);
      out_.uncheckedReason = m_.tool.empty() ? "an older fxscope wrote them"
                                             : "fxscope " + m_.tool + " wrote them, this is " +
                                                   std::string(toolVersion());
      out_.statement += "; only that was verified: its files, including run.sh, were not checked";
    }
    return std::move(out_);
  }

 private:
  const std::string& raw() const { return bundle_.file(kRawFile); }
  tl::unexpected<Error> altered(const std::string& message) const {
    return fxs::bundle::altered(label_, message);
  }
  bool isBinding() const { return fxs::bundle::isBinding(m_, out_.sameEngine); }
  /// A result is judged from the program; a failure of a bundle of another version from its
  /// raw.mlir.
  bool imports() const { return out_.vouched || m_.wrong || m_.module; }

  /// Reads the program and fills in the request from the manifest.
  Result<> start() {
    auto next = std::make_shared<session::Snapshot>();
    session::Request& request = next->request;
    request.file = std::string(kProgramFile);
    request.normalize = false;
    request.rewrite.decompose.insert(m_.decompose.begin(), m_.decompose.end());
    request.rewrite.decomposeNodes.insert(m_.decomposeNodes.begin(), m_.decomposeNodes.end());
    request.rewrite.keepNodes.insert(m_.keepNodes.begin(), m_.keepNodes.end());
    for (const SetArgument& set : m_.arguments)
      request.rewrite.arguments[{set.node, set.name}] = set.value;
    request.import.mode = m_.mode;
    request.import.functionName = m_.function;
    request.import.symbolicShapes = m_.symbolicShapes;
    std::string library;
    if (m_.extraLibrary) {
      FXS_TRY(ScratchDirectory made,
              ScratchDirectory::make(env_.temporaryDir, "the files of a bundle"));
      scratch_.emplace(std::move(made));
      library = scratch_->path() + "/" + std::string(kExtraLibraryFile);
      FXS_CHECK(writeWholeFile(library, bundle_.file(kExtraLibraryFile)));
    }
    request.lower = lowerOptionsOf(m_, library);
    request.lower.limits = granted();
    next->engine = engine_;
    FXS_TRY(read::Capture capture, opened(request));
    if (capture.module) {
      FXS_TRY(m_.target, module::startingFrom(*capture.module, m_.target, env_.outputTypes));
      request.lower.target = m_.target;
      FXS_TRY(const std::vector<lower::StageSpec> stages, stagesOf(m_));
      FXS_TRY(const StageProgram program, stageProgramOf(stages.back(), engine_));
      out_.sameEngine = out_.sameEngine && program.sha256 == m_.module->sha256;
    }
    FXS_CHECK(readChanges(request.lower));
    next->capture = std::make_shared<const read::Capture>(std::move(capture));
    snapshot_ = std::move(next);
    return {};
  }

  /// What was changed of the stages, which runs no passes but their own.
  Result<> readChanges(lower::LowerOptions& options) const {
    if (m_.edited.empty() && m_.passes.empty()) return {};
    if (!m_.edited.empty())
      options.edit = std::make_shared<const lower::Edit>(
          lower::Edit{m_.edited, std::nullopt, bundle_.file(kEditedFile)});
    if (const auto own = checkOwnPasses(options, engine_, *env_.runner, context_); !own) {
      if (own.error().code != ErrorCode::Usage) return tl::unexpected<Error>(own.error());
      return fail(ErrorCode::InvalidInput, label_ + ": manifest.json: " + own.error().message);
    }
    return {};
  }

  Result<read::Capture> opened(session::Request& request) const {
    if (m_.module) {
      request.file = std::string(kModuleFile);
      return module::openModule(bundle_.file(kModuleFile), request.file, {}, engine_,
                                request.lower.limits, *env_.runner, context_);
    }
    return read::readCapture(memorySource(bundle_.file(kProgramFile)),
                             bundle_.name + "/" + std::string(kProgramFile), {}, context_);
  }

  lower::Limits granted() {
    lower::Limits limits = options_.limits;
    const std::chrono::milliseconds timeout(m_.timeoutMs);
    const auto less = [](auto wanted, auto allowed) {
      return wanted > decltype(wanted){0} && (allowed == decltype(allowed){0} || wanted < allowed);
    };
    if (limits.timeout.count() > 0 && timeout > limits.timeout)
      out_.lowered = fmt::format("{} s per stage requested, {} s allowed (--timeout)",
                                 timeout.count() / 1000, limits.timeout.count() / 1000);
    if (limits.memory > 0 && m_.memory > limits.memory)
      out_.lowered +=
          fmt::format("{}{} MiB requested, {} MiB allowed (--memory)",
                      out_.lowered.empty() ? "" : "; ", m_.memory >> 20, limits.memory >> 20);
    if (less(timeout, limits.timeout)) limits.timeout = timeout;
    if (less(m_.memory, limits.memory)) limits.memory = m_.memory;
    return limits;
  }

  /// Imports the program again. The result depends on the operations registered in the original
  /// engine, which the manifest records.
  Result<> import() {
    if (out_.sameEngine || m_.module) {
      FXS_TRY(snapshot_, session::advance(snapshot_, session::Phase::Import, env_, context_));
    } else {
      FXS_TRY(const session::SnapshotPtr rewritten,
              session::advance(snapshot_, session::Phase::Rewrite, env_, context_));
      auto next = std::make_shared<session::Snapshot>(*rewritten);
      import::ImportOptions options = session::importOptionsOf(*next, context_);
      FXS_TRY(const auto first,
              import::importProgram(*next->rewritten->program, options, context_));
      std::set<std::string, std::less<>> registered(first->registrationQueries.begin(),
                                                    first->registrationQueries.end());
      for (const std::string& name : m_.unregistered) registered.erase(name);
      next->registeredOps =
          std::make_shared<const std::set<std::string, std::less<>>>(std::move(registered));
      options.registeredOps = next->registeredOps.get();
      FXS_TRY(next->imported, import::importProgram(*next->rewritten->program, options, context_));
      snapshot_ = std::move(next);
    }
    if (out_.vouched && !isUnchecked(kRawFile) && snapshot_->imported->text != raw())
      return altered("raw.mlir does not match what fxscope writes for its program");
    return {};
  }

  Result<> lower() {
    if (imports()) {
      FXS_TRY(snapshot_, session::advance(snapshot_, session::Phase::Lower, env_, context_));
    } else {
      auto next = std::make_shared<session::Snapshot>(*snapshot_);
      FXS_TRY(next->lowering, lower::lower(raw(), *next->capture->program, engine_,
                                           next->request.lower, *env_.runner, context_));
      next->contract = contract::breachesOf(*next->lowering, raw(), *next->capture->program);
      snapshot_ = std::move(next);
    }
    if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
    for (const lower::StageResult& stage : snapshot_->lowering->stages)
      for (const fx::Finding& finding : stage.findings)
        if (finding.kind == "engine" && stage.failingPass.empty())
          return fail(ErrorCode::EngineFailed, finding.message);
    return {};
  }

  Result<> judge() {
    const lower::Lowering& lowering = *snapshot_->lowering;
    if (m_.wrong && lowering.ok()) return judgeResult();
    if (fails(lowering, m_.signature)) {
      out_.found = out_.expected;
      out_.statement = kHolds;
    } else if (!lower::isKnown(lowering.stages)) {
      const lower::StageResult* stage = failingStage(lowering);
      out_.outcome = ReplayOutcome::Unknown;
      out_.statement = "cannot be judged here: " + (stage == nullptr || stage->findings.empty()
                                                        ? std::string("it reached a limit")
                                                        : stage->findings.front().message);
    } else if (const auto failure = failureOf(lowering)) {
      out_.outcome = ReplayOutcome::OtherFailure;
      out_.found = text(failure->signature);
      out_.statement = "fails in another way: " + out_.found;
    } else if (!snapshot_->lowersRight()) {
      const std::vector<fx::Finding> findings = snapshot_->findings();  // errors first
      out_.outcome = ReplayOutcome::OtherFailure;
      out_.found = findings.empty() ? "it stops without a reason" : findings.front().message;
      out_.statement = "fails in another way: " + out_.found;
    } else {
      out_.outcome = ReplayOutcome::Fixed;
      out_.statement = "does not fail: it reaches " + std::string(lower::name(m_.target));
    }
    return {};
  }

  /// Runs what was lowered on the bundle's inputs.
  Result<> judgeResult() {
    FXS_TRY(const ScratchDirectory folder,
            ScratchDirectory::make(env_.temporaryDir, "the inputs of a bundle"));
    numbers::CompareOptions options;
    options.targets = {m_.target};
    options.inputsFile = folder.file(std::string(kInputsFile));
    const std::string& inputs = bundle_.file(kInputsFile);
    const std::string inputsLabel = label_ + "/" + std::string(kInputsFile);
    FXS_TRY(const auto values, tensor::openTensors(memorySource(inputs), inputsLabel, context_));
    if (const auto valid =
            compare::inputsFrom(*snapshot_->capture->program, *values, inputsLabel, context_);
        !valid)
      return fail(ErrorCode::InvalidInput, valid.error().message);
    FXS_CHECK(writeWholeFile(options.inputsFile, inputs));
    if (const std::string& expected = bundle_.file(kExpectedFile); !expected.empty()) {
      FXS_TRY(options.expected,
              tensor::openTensors(memorySource(expected), label_ + "/" + std::string(kExpectedFile),
                                  context_));
    }
    options.expectedBy = m_.wrong->expectedBy;
    options.findFirst = false;
    FXS_TRY(const compare::ComparisonPtr comparison,
            numbers::compare(snapshot_, options, env_, context_));
    const compare::TargetComparison& target = comparison->targets.front();
    const std::string_view kind = compare::kindOf(target);
    if (kind == m_.wrong->kind) {
      out_.found = out_.expected;
      out_.statement = "computes the same wrong result: " + target.message;
    } else if (!kind.empty()) {
      out_.outcome = ReplayOutcome::OtherFailure;
      out_.found = fmt::format("{} ({})", kWrongResult, kind);
      out_.statement = "is wrong in another way: " + target.message;
    } else if (target.verdict == compare::TargetVerdict::Same) {
      out_.outcome = ReplayOutcome::Fixed;
      out_.statement = "computes what is expected for the inputs of the bundle";
    } else {
      out_.outcome = ReplayOutcome::Unknown;
      out_.statement = fmt::format("cannot be judged here ({}): {}", compare::name(target.verdict),
                                   target.message);
    }
    return {};
  }

  /// Regenerates and compares every file, except output that only the original engine can give or
  /// that differs between runs.
  Result<> compare() {
    std::vector<std::string> wrong;
    if (manifestJson(regeneratedManifest()) != manifestJson(m_))
      wrong.emplace_back("manifest.json");
    FXS_TRY(const Content content, regenerated());
    FXS_TRY(const std::vector<File> files, filesOf(content));
    for (const File& file : files) {
      const auto found = bundle_.files.find(file.name);
      if (found == bundle_.files.end() || found->second != file.bytes) wrong.push_back(file.name);
      else (isUnchecked(file.name) ? out_.unchecked : out_.checked).push_back(file.name);
    }
    for (const auto& [name, bytes] : bundle_.files)
      if (std::none_of(files.begin(), files.end(),
                       [&](const File& file) { return file.name == name; }))
        wrong.push_back(name);
    if (isBinding() && !content.minimal.empty() && wrong.empty()) {
      FXS_TRY(const bool same,
              moduleFails(content.minimal, *snapshot_, m_.signature, env_, context_));
      if (!same) wrong.emplace_back(kMinimalFile);
    }
    if (!wrong.empty())
      return altered(fmt::format("{} {} not match what fxscope writes for its manifest and program",
                                 joined(wrong), wrong.size() == 1 ? "does" : "do"));
    if (!out_.unchecked.empty()) out_.uncheckedReason = uncheckedReason();
    return {};
  }

  Manifest regeneratedManifest() const {
    Manifest manifest = m_;
    manifest.torchVersion = snapshot_->capture->program->torchVersion;
    manifest.unregistered = snapshot_->imported->unregisteredOps;
    if (out_.sameEngine) manifest.engineVersion = publicVersion(engine_.version);
    manifest.callNodes = callNodes(*snapshot_->capture->program);
    return manifest;
  }

  /// With the bundle's own bytes for what cannot be regenerated here.
  Result<Content> regenerated() const {
    FXS_TRY(Content content, contentOf(m_, *snapshot_, options_.describe, context_));
    const read::Capture& capture = *snapshot_->capture;
    if (isUnchecked(kRawFile)) content.raw = raw();
    if (capture.module) {
      content.module = capture.module->source;
    } else {
      FXS_TRY(content.pt2,
              diagnose::writtenProgram(
                  *capture.program, [](const fx::Weight& weight) { return weight.readable; },
                  capture, context_));
    }
    content.extraLibrary = bundle_.file(kExtraLibraryFile);
    content.edited = bundle_.file(kEditedFile);
    content.minimal = bundle_.file(kMinimalFile);
    if (!isBinding()) content.input = bundle_.file(kInputFile);
    if (m_.wrong) {
      if (!out_.sameEngine) content.lowered = bundle_.file(kLoweredFile);
      content.inputs = bundle_.file(kInputsFile);
      content.expected = bundle_.file(kExpectedFile);
      content.found = bundle_.file(kFoundFile);
    }
    if (!repeatsMessages()) {
      content.failureIr = bundle_.file(kFailureFile);
      content.engineText = bundle_.file("engine.txt");
    }
    if (!repeatsDiagnostics()) {
      content.diagnosticsText = bundle_.file("diagnostics.txt");
      content.diagnosticsJson = bundle_.file("diagnostics.json");
    }
    return content;
  }

  /// Whether the engine must print what it printed when the bundle was made.
  bool repeatsMessages() const {
    return isBinding() && m_.engineRepeats && m_.signature.kind != "crash";
  }
  bool repeatsDiagnostics() const { return repeatsMessages() && options_.describe; }

  bool isUnchecked(std::string_view name) const {
    if (name == kRawFile) return m_.module && !out_.sameEngine;  // as another program prints it
    if (m_.wrong)
      return name.ends_with(".safetensors") || (name == kLoweredFile && !out_.sameEngine);
    if (name == kInputFile || name == kMinimalFile) return !isBinding();
    if (name.starts_with("diagnostics.")) return !repeatsDiagnostics();
    return isEngineFile(name) && !repeatsMessages();
  }

  /// Why files of a bundle of this version were not compared.
  const char* uncheckedReason() const {
    if (m_.wrong) return "they hold values, which were computed when it was made";
    if (!out_.sameEngine) return "they record the behaviour of the engine of the bundle";
    if (!m_.verified) return "it did not reproduce when it was made";
    if (!m_.engineRepeats) return "the output of its engine varies from run to run";
    return repeatsMessages() ? "their expected content is unknown"
                             : "crashes, timeouts and memory limits vary from run to run";
  }

  const Bundle& bundle_;
  Manifest m_;  // its target without the stages that a module leaves out
  const std::string& label_;
  const lower::Engine& engine_;
  const ReplayOptions& options_;
  const session::Environment& env_;
  const RunContext& context_;
  std::optional<ScratchDirectory> scratch_;
  session::SnapshotPtr snapshot_;
  ReplayResult out_;
};

/// Those that torch-mlir runs.
Result<> addScripts(const session::Snapshot& lowered, Content& out, const RunContext& context) {
  const read::Capture& capture = *lowered.capture;
  if (capture.module || callNodes(*capture.program) > kScriptOperations) return {};
  const auto model = upstream::pythonModel(*capture.program, capture.weights.get(), context);
  if (!model && endsAll(model.error())) return tl::unexpected<Error>(model.error());
  if (!model) return {};
  out.script = upstream::scriptText(*model, lowered.request.lower);
  out.e2eTest = upstream::e2eTestText(*model, out.manifest.signature.fxTarget);
  return {};
}

}  // namespace

Result<Content> contentOf(Manifest manifest, const session::Snapshot& lowered,
                          const Describe& describe, const RunContext& context) {
  Content out;
  out.manifest = std::move(manifest);
  out.programText = fx::dump(*lowered.capture->program);
  out.raw = lowered.imported->text;
  if (out.manifest.wrong) {
    out.lowered = lowered.lowering->stages.back().text;
    return out;
  }
  out.input = inputOfFailure(*lowered.lowering, out.raw);
  session::Snapshot reported = lowered;
  PrivateText filter;
  reported.lowering = portable(*lowered.lowering, lowered.request.lower.extraLibrary, filter);
  out.removed = filter.removed();
  if (const lower::StageResult* stage = failingStage(*reported.lowering)) {
    out.failureIr = stage->failureIr;
    out.engineText = stage->stderrText;
  }
  FXS_CHECK(addScripts(lowered, out, context));
  if (describe) std::tie(out.diagnosticsText, out.diagnosticsJson) = describe(reported);
  return out;
}

Result<StageProgram> stageProgramOf(const lower::StageSpec& stage, const lower::Engine& engine) {
  FXS_TRY(const lower::Engine runs, lower::engineOfStage(stage, engine));
  StageProgram out{stage.tool.program, runs.sha256};
  if (out.sha256.empty()) {
    FXS_TRY(out.sha256, sha256OfFile(runs.path));
  }
  return out;
}

std::size_t callNodes(const fx::Program& program) {
  return static_cast<std::size_t>(
      std::count_if(program.nodes.begin(), program.nodes.end(), [](const fx::Node& node) {
        return node.op == fx::NodeOp::CallFunction && node.target != fx::kGetitem;
      }));
}

Result<bool> moduleFails(const std::string& module, const session::Snapshot& of,
                         const FailureSignature& signature, const session::Environment& env,
                         const RunContext& context) {
  FXS_TRY(const auto lowering, lower::lower(module, *of.capture->program, of.lowering->engine,
                                            of.request.lower, *env.runner, context));
  if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
  return fails(*lowering, signature);
}

Result<ReplayResult> replay(const Bundle& bundle, const std::string& label,
                            const lower::Engine& engine, const ReplayOptions& options,
                            const session::Environment& env, const RunContext& context) {
  return Replay(bundle, label, engine, options, env, context).run();
}

Result<ReplayResult> replayBundle(const std::string& path, const ReplayOptions& options,
                                  const session::Environment& env, const RunContext& context) {
  return guarded(path, [&]() -> Result<ReplayResult> {
    context.report({"reading " + path, -1});
    FXS_TRY(auto source, openFile(path));
    FXS_TRY(const Bundle bundle, open(std::move(source), path, env.outputTypes));
    FXS_TRY(const lower::Engine engine, session::engineOf(env, context));
    FXS_TRY(ReplayResult out, replay(bundle, path, engine, options, env, context));
    // What a limit cut off says nothing about the bundle.
    const bool isOther =
        out.outcome != ReplayOutcome::SameFailure && out.outcome != ReplayOutcome::Unknown;
    if (isBinding(bundle.manifest, out.sameEngine) && isOther)
      return altered(path, "it claims '" + out.expected +
                               "', but with its own engine its raw.mlir " + out.statement);
    return out;
  });
}

std::string_view name(ReplayOutcome outcome) {
  switch (outcome) {
    case ReplayOutcome::SameFailure: return "same-failure";
    case ReplayOutcome::OtherFailure: return "other-failure";
    case ReplayOutcome::Fixed: return "fixed";
    case ReplayOutcome::Unknown: break;
  }
  return "unknown";
}

}  // namespace fxs::bundle
