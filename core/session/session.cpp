// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/session.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "base/byte_source.h"
#include "base/scratch_directory.h"
#include "contract/lower_kept.h"
#include "fx/module_path.h"
#include "lower/pipeline_check.h"
#include "module/source_module.h"
#include "read/bundled_module.h"
#include "rewrite/rule.h"
#include "session/importing.h"
#include "session/linked_stages.h"
#include "session/module_source.h"

namespace fxs::session {
namespace {

using Clock = std::chrono::steady_clock;

/// A phase: whether it runs on the way to another, the parts of the request that it depends on, and
/// the values that it sets in a snapshot.
struct Step {
  Phase phase;
  bool (*isDue)(const Snapshot&, Phase until);
  bool (*sameInput)(const Request&, const Request&);
  void (*discard)(Snapshot&);
};

/// Whether a phase may run on the way to another.
bool isOnTheWay(const Snapshot& s, Phase phase, Phase until) {
  return until < Phase::Lower ? phase <= until : phase <= s.request.route->after;
}

/// Whether one program serves both routes.
bool isSameProgram(const Request& a, const Request& b) {
  return a.route == b.route ||
         (a.route->after >= Phase::Rewrite && b.route->after >= Phase::Rewrite);
}

constexpr Step kSteps[] = {
    {Phase::Read, [](const Snapshot& s, Phase) { return !s.capture; },
     [](const Request& a, const Request& b) { return a.file == b.file && a.read == b.read; },
     [](Snapshot& s) {
       s.capture.reset();
       s.valued.reset();
     }},
    {Phase::Normalize,
     [](const Snapshot& s, Phase until) {
       return !s.normalized &&
              (until == Phase::Normalize || (until > Phase::Normalize && s.request.normalize));
     },
     [](const Request&, const Request&) { return true; },
     [](Snapshot& s) { s.normalized.reset(); }},
    {Phase::Rewrite,
     [](const Snapshot& s, Phase until) {
       return isOnTheWay(s, Phase::Rewrite, until) && !s.rewritten && !s.request.parity;
     },
     [](const Request& a, const Request& b) {
       return rewriteOptionsOf(a) == rewriteOptionsOf(b) && isSameProgram(a, b);
     },
     [](Snapshot& s) { s.rewritten.reset(); }},
    {Phase::Import,
     [](const Snapshot& s, Phase until) {
       return isOnTheWay(s, Phase::Import, until) &&
              (!s.imported || (until >= Phase::Lower && !s.registeredOps));
     },
     [](const Request& a, const Request& b) {
       return a.parity == b.parity && a.import == b.import;
     },
     [](Snapshot& s) {
       s.imported.reset();
       s.registeredOps.reset();
       s.otherLowering.reset();
     }},
    {Phase::Lower,
     [](const Snapshot& s, Phase until) {
       return !s.lowering &&
              (until == Phase::Lower || (until > Phase::Lower && s.request.lowerFirst));
     },
     [](const Request& a, const Request& b) {
       return a.lower == b.lower && a.route == b.route && a.registries == b.registries;
     },
     [](Snapshot& s) {
       s.lowering.reset();
       s.origins.clear();
       s.contract.clear();
       s.direct.reset();
       s.changes.clear();
     }},
    {Phase::Trace, [](const Snapshot& s, Phase until) { return until >= Phase::Trace && !s.trace; },
     [](const Request& a, const Request& b) { return a.traceDir == b.traceDir; },
     [](Snapshot& s) { s.trace.reset(); }},
};

void discard(const Step& step, Snapshot& s) {
  step.discard(s);
  std::erase_if(s.timings, [&](const Timing& t) { return t.phase == step.phase; });
}

/// One step of advance(): runs `work` on the snapshot and records its duration.
template <class Work>
Result<> timed(Snapshot& s, Phase phase, const RunContext& context, Work work) {
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  const auto begin = Clock::now();
  FXS_CHECK(work());
  s.timings.push_back({phase, Clock::now() - begin});
  return {};
}

/// What a file must have in its first bytes to be taken for a module, comments included.
constexpr std::uint64_t kModuleHead = std::uint64_t{64} << 10;

Result<read::Capture> openModule(const std::string& text, Snapshot& s, const Environment& env,
                                 const RunContext& context) {
  if (!s.engine) {
    FXS_TRY(s.engine, engineFor(s, env, context));
  }
  FXS_TRY(read::Capture out, module::openModule(text, s.request.file, s.request.read, *s.engine,
                                                s.request.lower.limits, *env.runner, context));
  FXS_CHECK(describeModule(out, s.request, context));
  return out;
}

Result<read::Capture> readModule(const ByteSource& source, Snapshot& s, const Environment& env,
                                 const RunContext& context) {
  if (source.size() > s.request.read.maxModelBytes)
    return fail(ErrorCode::InvalidInput, s.request.file + ": has more than " +
                                             std::to_string(s.request.read.maxModelBytes >> 20) +
                                             " MiB");
  FXS_TRY(const std::string text, source.read(0, source.size()));
  return openModule(text, s, env, context);
}

/// A program in a file of another form, such as a bundle, which may hold a module.
Result<read::Capture> readProgram(const std::shared_ptr<const ByteSource>& source, Snapshot& s,
                                  const Environment& env, const RunContext& context) {
  FXS_TRY(const std::optional<std::string> module,
          read::bundledModule(source, s.request.file, s.request.read, context));
  if (!module && !s.request.read.program.empty())
    return fail(ErrorCode::Usage,
                s.request.file + ": is not an MLIR module; --program names the program of one");
  if (!module) return read::readCapture(source, s.request.file, s.request.read, context);
  FXS_TRY(read::Capture out, openModule(*module, s, env, context));
  out.format = "reproducer bundle of fxscope: " + out.format;
  out.fileBytes = source->size();
  return out;
}

Result<> read(Snapshot& s, const Environment& env, const RunContext& context) {
  context.report({"reading " + s.request.file, -1});
  const bool isInput = s.request.file == "-";
  FXS_TRY(const std::shared_ptr<const ByteSource> source,
          isInput ? memorySource(env.stdinText) : openFile(s.request.file));
  FXS_TRY(const std::string head, source->read(0, std::min(kModuleHead, source->size())));
  FXS_TRY(auto capture, module::isModule(head) ? readModule(*source, s, env, context)
                                               : readProgram(source, s, env, context));
  s.capture = std::make_shared<read::Capture>(std::move(capture));
  return {};
}

/// Lowering a module starts from the module.
Result<> startFromModule(Snapshot& s, const Environment& env) {
  if (s.request.route != &kPipelines)
    FXS_CHECK(requirePyTorchProgram(s, "--via " + std::string(s.request.route->name)));
  FXS_TRY(s.request.lower.target,
          module::startingFrom(*s.capture->module, s.request.lower.target, env.outputTypes));
  return {};
}

const fx::Program& importedProgram(const Snapshot& s) {
  return s.request.parity ? *s.capture->program : *s.rewritten->program;
}

/// A module's nodes, whose metadata is not that of PyTorch.
std::shared_ptr<const normalize::NormalizedProgram> withoutMetadata(fx::ProgramPtr program) {
  auto out = std::make_shared<normalize::NormalizedProgram>();
  for (const fx::Node& node : program->nodes) {
    normalize::NodeMetadata& metadata = out->nodes.emplace_back();
    metadata.val = node.val;
    metadata.moduleStack = fx::modulesOf(*program, node);
    metadata.stack = fx::stackOf(*program, node);
    if (const fx::StackFrame* frame = fx::userFrame(metadata.stack)) metadata.userLine = *frame;
  }
  out->program = std::move(program);
  return out;
}

Result<> normalize(Snapshot& s, const RunContext& context) {
  context.report({"normalizing metadata", -1});
  if (s.capture->module) {
    s.normalized = withoutMetadata(s.capture->program);
    return {};
  }
  FXS_TRY(s.normalized, normalize::normalize(s.capture->program, context));
  return {};
}

Result<> rewrite(Snapshot& s, const RunContext& context) {
  if (s.capture->module) {
    s.valued = s.capture->program;
    auto same = std::make_shared<rewrite::Rewritten>();
    same->program = s.valued;
    s.rewritten = std::move(same);
    return {};
  }
  context.report({"functionalizing", -1});
  s.valued = valuedProgram(s, context);
  FXS_TRY(s.rewritten, rewrite::rewrite(s.valued, rewriteOptionsOf(s.request), context));
  return {};
}

/// Import requires the engine only if Lower follows or the request sets askEngine.
Result<> prepareEngine(Snapshot& s, Phase until, const Environment& env,
                       const RunContext& context) {
  const bool imports = isOnTheWay(s, Phase::Import, until);
  const bool lowers = imports && until >= Phase::Lower;
  const bool isNeeded = lowers || (imports && s.request.askEngine);
  if (isNeeded && !s.engine) {
    FXS_TRY(s.engine, engineFor(s, env, context));
  }
  if (lowers && !s.lowering)
    FXS_CHECK(lower::checkOutputType(s.request.lower, *s.engine, *env.runner, context));
  return {};
}

/// Whether the importer's built-in table agrees with the engine about these operations.
bool agrees(const std::set<std::string, std::less<>>& registered,
            const std::vector<std::string>& names) {
  const auto& pinned = import::pinnedRegisteredOps();
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return registered.contains(name) == pinned.contains(name);
  });
}

Result<> import(Snapshot& s, const Environment& env, const RunContext& context) {
  if (s.capture->module) {
    auto module = std::make_shared<import::Imported>();
    module->text = s.capture->module->text;
    module->ops = s.capture->module->ops;
    s.imported = std::move(module);
    s.registeredOps = std::make_shared<const std::set<std::string, std::less<>>>();
    return {};
  }
  context.report({"importing to torch dialect", -1});
  const fx::Program& program = importedProgram(s);
  import::ImportOptions options = importOptionsOf(s, context);
  options.embedWeights = s.request.import.embedWeights;
  FXS_TRY(s.imported, import::importProgram(program, options, context));
  if (!s.engine || s.registeredOps) return {};
  // Import for the pinned engine first; import again only if this engine registers other
  // operations, which is rare.
  FXS_TRY(auto ops, lower::registeredOps(*s.engine, s.imported->registrationQueries, env.cacheDir,
                                         *env.runner, context));
  s.registeredOps = std::make_shared<const std::set<std::string, std::less<>>>(std::move(ops));
  if (agrees(*s.registeredOps, s.imported->registrationQueries)) return {};
  options.registeredOps = s.registeredOps.get();
  FXS_TRY(s.imported, import::importProgram(program, options, context));
  return {};
}

/// Returns a predicate: whether a target has a decomposition that was not requested. A module is
/// not decomposed.
std::function<bool(std::string_view)> decomposable(const Snapshot& s) {
  if (s.capture->module) return [](std::string_view) { return false; };
  return [requested = rewriteOptionsOf(s.request).decompose](std::string_view target) {
    const auto& rules = rewrite::builtinRules().rules();
    const std::string packet(target.substr(0, target.rfind('.')));
    return !requested.contains(std::string(target)) && !requested.contains(packet) &&
           std::any_of(rules.begin(), rules.end(), [&](const rewrite::Rule& rule) {
             return !rule.essential && rule.target == target;
           });
  };
}

Result<trace::TracePtr> traceOf(const Snapshot& s, const std::string& directory,
                                const Environment& env, const RunContext& context) {
  lower::TraceOptions options;
  options.lower = s.request.lower;
  options.cacheDir = env.cacheDir;
  std::shared_ptr<void> owned;
  options.directory = directory;
  if (options.directory.empty()) {
    FXS_TRY(ScratchDirectory scratch,
            ScratchDirectory::make(env.temporaryDir, "the snapshots of a trace"));
    options.directory = scratch.path();
    owned = std::make_shared<ScratchDirectory>(std::move(scratch));
  }
  trace::SnapshotLinker linker;
  const lower::TraceCallbacks callbacks{decomposable(s),
                                        [&](const lower::PassTrace& passes, auto text) {
                                          linker.add(passes, std::move(text), context);
                                        }};
  FXS_TRY(auto passes, lower::tracePasses(s.imported->text, *s.capture->program, *s.engine, options,
                                          s.lowering.get(), *env.runner, context, callbacks));
  std::vector<std::string> names;
  for (const fx::Node& node : s.capture->program->nodes) names.push_back(node.name);
  return linker.finish(std::move(passes), std::move(names), std::move(owned), context);
}

Result<> lowerByPipelines(Snapshot& s, const Environment& env, const RunContext& context,
                          const OnStage& onStage) {
  std::vector<const lower::StageResult*> ended;
  LinkedStages linked(*s.capture->program, importedProgram(s), s.request.import.mode,
                      s.request.lower.target, &s.imported->text, context);
  const auto linkEnded = [&] {
    while (linked.size() < ended.size()) linked.add(*ended[linked.size()]);
  };
  lower::LowerCallbacks callbacks{decomposable(s), {}, linkEnded};
  callbacks.onStage = [&](const lower::StageResult& stage) {
    ended.push_back(&stage);
    if (onStage) onStage(stage);
  };
  const bool isSameEngine = s.otherLowering && s.otherLowering->engine.sha256 == s.engine->sha256;
  FXS_TRY(s.lowering, lower::lower(s.imported->text, *s.capture->program, *s.engine,
                                   s.request.lower, *env.runner, context, callbacks,
                                   isSameEngine ? s.otherLowering.get() : nullptr));
  s.otherLowering.reset();
  linkEnded();
  s.origins = linked.takeOrigins();
  const bool failed = !s.lowering->ok() && lower::isKnown(s.lowering->stages);
  if (failed && !context.stop.stop_requested())
    FXS_CHECK(contract::ensureHonest(*s.engine, s.request.lower, *env.runner, context));
  if (!linked.isKept() && !context.stop.stop_requested()) {
    FXS_CHECK(contract::ensureHonest(*s.engine, s.request.lower, *env.runner, context));
    context.report({"looking for the pass that breaks the contract", -1});
    RunContext quiet = context;
    quiet.report = [](const Progress&) {};
    if (const auto trace = traceOf(s, "", env, quiet)) linked.explain(**trace);
    else if (endsAll(trace.error())) return tl::unexpected<Error>(trace.error());
  }
  s.contract = linked.findings();
  if (s.request.import.asTorchMlir)  // which does not check its texts
    for (fx::Finding& finding : s.contract)
      finding.severity = std::min(finding.severity, fx::Severity::Warning);
  return {};
}

Result<> trace(Snapshot& s, const Environment& env, const RunContext& context) {
  FXS_TRY(s.trace, traceOf(s, s.request.traceDir, env, context));
  if (!s.lowering)
    s.contract =
        breachesIn(*s.trace, s.imported->text, *s.capture->program, s.request.lower.target);
  return {};
}

/// Whether a lowering by `a` may have stages of one by `b`; lower() compares the rest.
bool mayShareStages(lower::LowerOptions a, const lower::LowerOptions& b) {
  a.target = b.target;
  a.edit = b.edit;
  a.skipped = b.skipped;
  a.pipelines = b.pipelines;
  return a == b;
}

}  // namespace

constinit const Route kPipelines{"torch-mlir", "Pipelines",
                                 "the whole program through its pipelines", Phase::Import,
                                 lowerByPipelines};

std::string_view name(Phase phase) {
  switch (phase) {
    case Phase::Read: return "read";
    case Phase::Normalize: return "normalize";
    case Phase::Rewrite: return "rewrite";
    case Phase::Import: return "import";
    case Phase::Lower: return "lower";
    case Phase::Trace: break;
  }
  return "trace";
}

rewrite::RewriteOptions rewriteOptionsOf(const Request& request, const lower::OutputType& target) {
  rewrite::RewriteOptions out = request.rewrite;
  if (request.decomposeForTarget && !request.parity &&
      out.decompositions == rewrite::Decompositions::Essential)
    out.decompose.merge(lower::decomposedFor(target));
  return out;
}

rewrite::RewriteOptions rewriteOptionsOf(const Request& request) {
  return rewriteOptionsOf(request, request.lower.target);
}

Result<> requirePyTorchProgram(const Snapshot& s, std::string_view work) {
  if (!s.capture || !s.capture->module) return {};
  return fail(ErrorCode::Usage, s.request.file + ": is an MLIR module; " + std::string(work) +
                                    " needs an exported PyTorch program (.pt2)");
}

SnapshotPtr start(Request request) {
  auto s = std::make_shared<Snapshot>();
  s->request = std::move(request);
  return s;
}

SnapshotPtr retarget(const SnapshotPtr& from, Request request) {
  auto s = std::make_shared<Snapshot>(*from);
  bool valid = true;
  for (const Step& step : kSteps) {
    valid = valid && step.sameInput(from->request, request);
    if (valid) continue;
    discard(step, *s);
  }
  const auto& other = from->lowering;
  const bool byPipelines = from->request.route == &kPipelines && request.route == &kPipelines;
  if (byPipelines && s->imported && !s->lowering && other &&
      mayShareStages(from->request.lower, request.lower))
    s->otherLowering = other;
  s->request = std::move(request);
  return s;
}

SnapshotPtr withEngine(const SnapshotPtr& from, lower::Engine engine) {
  auto s = std::make_shared<Snapshot>(*from);
  // Another engine may print a module in another form.
  const bool readsAgain = s->capture && s->capture->module;
  for (const Step& step : kSteps)
    if (readsAgain || step.phase >= Phase::Import) discard(step, *s);
  s->engine = std::move(engine);
  s->request.askEngine = true;
  return s;
}

Result<SnapshotPtr> advance(SnapshotPtr from, Phase until, const Environment& env,
                            const RunContext& context, const OnStage& onStage) {
  return guarded(from->request.file, [&]() -> Result<SnapshotPtr> {
    const Route& route = *from->request.route;
    if (until >= Phase::Trace && &route != &kPipelines)
      return fail(ErrorCode::Usage, "a trace requires --via " + std::string(kPipelines.name) +
                                        ", not " + std::string(route.name));
    auto next = std::make_shared<Snapshot>(*from);
    Snapshot& s = *next;
    const auto run = [&](Phase phase) {
      switch (phase) {
        case Phase::Read: return read(s, env, context);
        case Phase::Normalize: return normalize(s, context);
        case Phase::Rewrite: return rewrite(s, context);
        case Phase::Import: return import(s, env, context);
        case Phase::Lower: return route.lower(s, env, context, onStage);
        case Phase::Trace: break;
      }
      return trace(s, env, context);
    };
    for (const Step& step : kSteps) {
      if (step.phase == Phase::Import && until >= Phase::Lower && s.capture->module)
        FXS_CHECK(startFromModule(s, env));
      if (step.phase == Phase::Import) FXS_CHECK(prepareEngine(s, until, env, context));
      if (step.isDue(s, until))
        FXS_CHECK(timed(s, step.phase, context, [&] { return run(step.phase); }));
    }
    return SnapshotPtr(std::move(next));
  });
}

bool Snapshot::keepsContract() const { return fxs::contract::isKept(contract); }

bool Snapshot::lowersRight() const {
  if (!lowering || !lowering->ok() || !keepsContract()) return false;
  const std::vector<fx::Finding> all = findings();  // errors first
  return all.empty() || all.front().severity != fx::Severity::Error;
}

std::vector<fx::Finding> Snapshot::findings() const {
  std::vector<fx::Finding> out;
  const auto take = [&out](const std::vector<fx::Finding>& from) {
    out.insert(out.end(), from.begin(), from.end());
  };
  if (rewritten) take(rewritten->findings);
  if (imported) take(imported->findings);
  // Operations that were not imported become torch.operator, which the stages reject again; report
  // them once.
  std::set<fx::NodeId> refused;
  for (const fx::Finding& f : out)
    if (f.severity == fx::Severity::Error && f.kind == "not-imported" && f.node.valid())
      refused.insert(f.node);
  const auto takeNew = [&](const std::vector<fx::Finding>& from) {
    std::copy_if(from.begin(), from.end(), std::back_inserter(out),
                 [&](const fx::Finding& f) { return !refused.contains(f.node); });
  };
  if (lowering)
    for (const lower::StageResult& stage : lowering->stages) takeNew(stage.findings);
  else if (trace)
    for (const lower::StageResult& stage : trace->passes().stages) takeNew(stage.findings);
  takeNew(contract);
  std::stable_sort(out.begin(), out.end(), [](const fx::Finding& a, const fx::Finding& b) {
    return std::tuple(-static_cast<int>(a.severity), a.node) <
           std::tuple(-static_cast<int>(b.severity), b.node);
  });
  return out;
}

}  // namespace fxs::session
