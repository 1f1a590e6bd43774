#include "session/bundle.h"

#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/counted.h"
#include "base/new_file.h"
#include "base/safe_text.h"
#include "base/scratch_directory.h"
#include "bundle/content.h"
#include "bundle/public_program.h"
#include "diagnose/engine_probe.h"
#include "diagnose/reduce_module.h"
#include "fx/cut.h"
#include "session/reduce.h"
#include "session/replay.h"

namespace fxs::session {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxLibraryBytes = std::uint64_t{16} << 20;
/// Time limits for reduction; when they are exceeded, the best result so far is used.
constexpr std::chrono::milliseconds kReduceBudget{10'000};
constexpr std::chrono::milliseconds kModuleBudget{3'000};
constexpr std::chrono::milliseconds kScriptStart{30'000};
constexpr std::uint64_t kScriptOutput = std::uint64_t{1} << 20;

std::string stemOf(const std::string& file) { return file == "-" ? "program" : fs::path(file).stem().string(); }

/// A candidate for the program of the bundle, in the form that its receiver gets: written, read back, imported and lowered.
struct Candidate {
  std::string pt2;
  SnapshotPtr lowered;
};

class Exporter {
 public:
  Exporter(SnapshotPtr whole, const BundleOptions& options, const Environment& env, const RunContext& context)
      : snapshot_(std::move(whole)), whole_(*snapshot_), options_(options), env_(env), context_(context) {}

  Result<BundleResult> run() {
    FXS_TRY(bundle::Failure failure, chooseFailure());
    // Private names are replaced in the written program, so replace them in the signature too.
    failure.signature.op = clean_.name(failure.signature.op);
    failure.signature.fxTarget = clean_.name(failure.signature.fxTarget);
    FXS_TRY(Candidate candidate, smallest(failure));
    FXS_CHECK(fillIn(failure.signature, candidate));

    const bool toDirectory = fs::is_directory(options_.path);
    NewFile file(toDirectory ? options_.path + "/fxscope-bundle" : options_.path);
    // Store it as verified for now; the check follows.
    FXS_CHECK(store(file, true, std::string(bundle::kHolds)));
    FXS_TRY(const std::string problem, holdToIt(file));
    if (!problem.empty()) FXS_CHECK(store(file, false, problem));
    if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());

    BundleResult out;
    out.path = toDirectory ? options_.path + "/" + packed_.name + ".zip" : options_.path;
    FXS_CHECK(file.keepAs(out.path));
    out.bytes = packed_.bytes.size();
    out.sha256 = packed_.sha256;
    out.callNodes = content_.manifest.callNodes;
    out.originalCallNodes = content_.manifest.originalCallNodes;
    out.signature = text(failure.signature);
    out.reproduces = problem.empty();
    out.statement = content_.manifest.statement;
    out.removed = removed();
    return out;
  }

 private:
  const std::string& file() const { return whole_.request.file; }
  std::string target() const { return std::string(lower::name(whole_.request.lower.target)); }

  Result<bundle::Failure> chooseFailure() {
    const lower::Lowering& lowering = *whole_.lowering;
    for (const std::vector<fx::Finding>* findings :
         {&whole_.imported->findings, whole_.rewritten ? &whole_.rewritten->findings : &whole_.imported->findings})
      for (const fx::Finding& finding : *findings)
        if (finding.severity == fx::Severity::Error && bundle::failingStage(lowering) == nullptr)
          return fail(ErrorCode::Unsupported,
                      file() + ": stops before any engine runs, so there is nothing for an engine to reproduce: " + finding.message);
    if (auto failure = bundle::failureOf(lowering, options_.node)) return *failure;
    if (!options_.node.valid()) return fail(ErrorCode::Usage, file() + ": reaches " + target() + ": there is no failure to bundle");
    // Another operation failed first; see whether this one fails when extracted.
    const fx::Node& node = whole_.capture->program->node(options_.node);
    for (const fx::ProgramPtr& cut : cuts(options_.node)) {
      FXS_TRY(const Candidate candidate, prepared(*cut));
      if (const auto failure = bundle::failureOf(*candidate.lowered->lowering)) return bundle::Failure{failure->signature, options_.node};
    }
    return fail(ErrorCode::Usage,
                "node '" + node.name + "' (" + node.target + ") does not keep the program from " + target() + ", and lowers by itself");
  }

  /// One operation extracted from the user's program and from the rewritten one.
  std::vector<fx::ProgramPtr> cuts(fx::NodeId node) const {
    std::vector<fx::ProgramPtr> out;
    const auto add = [&](const fx::ProgramPtr& program, std::vector<fx::NodeId> nodes) {
      std::erase_if(nodes, [&](fx::NodeId id) { return program->node(id).op != fx::NodeOp::CallFunction; });
      if (nodes.empty()) return;
      if (auto cut = fx::cutNodes(program, nodes)) out.push_back(*std::move(cut));
    };
    add(whole_.capture->program, {node});
    if (whole_.rewritten) add(whole_.rewritten->program, fx::nodesFrom(*whole_.rewritten->program, node));
    return out;
  }

  /// The first of the candidates, fewest operations first, that fails in the same way when it is read back.
  Result<Candidate> smallest(const bundle::Failure& failure) {
    if (options_.reduce) {
      // A failure by time or memory limit costs that much in every trial, so do not reduce it, and try only one cut.
      if (!bundle::dependsOnMachine(failure.signature)) {
        FXS_TRY(auto few, reduced(failure));
        if (few) return *std::move(few);
      }
      if (failure.node.valid()) context_.report({"extracting " + whole_.capture->program->node(failure.node).name, -1});
      for (const fx::ProgramPtr& cut : failure.node.valid() ? cuts(failure.node) : std::vector<fx::ProgramPtr>()) {
        auto candidate = prepared(*cut);
        if (!candidate && candidate.error().code != ErrorCode::Unsupported && candidate.error().code != ErrorCode::InvalidInput)
          return tl::unexpected<Error>(candidate.error());
        if (candidate && bundle::fails(*candidate->lowered->lowering, failure.signature)) return *std::move(candidate);
      }
    }
    FXS_TRY(Candidate candidate, prepared(*whole_.capture->program));
    if (!bundle::fails(*candidate.lowered->lowering, failure.signature)) {
      const auto other = bundle::failureOf(*candidate.lowered->lowering);
      return fail(ErrorCode::Unsupported, file() + ": after being written to a file and read again, the program fails in another way" +
                                              (other ? ": " + text(other->signature) : std::string()) +
                                              "; it was: " + text(failure.signature));
    }
    return candidate;
  }

  /// The reduced program. nullopt if nothing could be removed, or if it fails in another way after being written and read.
  Result<std::optional<Candidate>> reduced(const bundle::Failure& failure) {
    const auto smaller = reduce(snapshot_, {whole_.request.lower.target, failure.node, kReduceBudget}, env_, context_);
    if (!smaller && smaller.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(smaller.error());
    if (!smaller || (*smaller)->reduction.calls >= (*smaller)->reduction.originalCalls) return std::optional<Candidate>();
    auto candidate = prepared(*(*smaller)->reduction.program);
    if (!candidate && candidate.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(candidate.error());
    if (!candidate || !bundle::fails(*candidate->lowered->lowering, failure.signature)) return std::optional<Candidate>();
    return std::optional(*std::move(candidate));
  }

  /// The reduced RAW module of the bundle's program; "" if nothing can be removed.
  Result<std::string> minimalModule(const bundle::FailureSignature& signature) const {
    const Request& request = lowered_->request;
    diagnose::Question question;
    question.user = lowered_->capture->program;
    question.lower = request.lower;
    question.engine = lowered_->lowering->engine;
    question.runner = env_.runner;
    const std::string& raw = lowered_->imported->text;
    const diagnose::ModuleProbe probe = [&](const std::vector<std::string>& modules, const RunContext& run) {
      return diagnose::failuresOf(question, modules, run);
    };
    context_.report({"reducing the module", -1});
    auto minimal = diagnose::reduceModule(raw, signature, probe, kModuleBudget, context_);
    if (!minimal && minimal.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(minimal.error());
    return minimal && *minimal != raw ? *std::move(minimal) : std::string();
  }

  Result<Candidate> prepared(const fx::Program& given) {
    fx::Program program = given;
    if (options_.weights == BundleWeights::All) program.weights = whole_.capture->program->weights;
    clean_.countAgain();
    bundle::PublicProgram handedOn = bundle::publicProgram(program, clean_);
    program = std::move(handedOn.program);
    leftOut_ = std::move(handedOn.leftOut);
    std::set<std::string_view> used;
    for (const fx::InputSpec& input : program.inputs) used.insert(input.target);
    const auto withBytes = [&](const fx::Weight& weight) {
      if (!weight.readable) return false;
      if (options_.weights == BundleWeights::All) return true;
      return used.contains(weight.fqn) && (options_.weights == BundleWeights::Used || import::isWrittenInline(weight));
    };
    Candidate out;
    FXS_TRY(out.pt2, writtenProgram(program, withBytes, *whole_.capture, context_));

    auto next = std::make_shared<Snapshot>();
    next->request = whole_.request;
    next->request.file = std::string(bundle::kProgramFile);
    next->request.normalize = false;
    next->request.read = {};
    next->request.parity = false;
    next->request.import.embedWeights = false;
    next->engine = whole_.engine;
    FXS_TRY(read::Capture capture, read::readCapture(memorySource(out.pt2), next->request.file, {}, context_));
    next->capture = std::make_shared<const read::Capture>(std::move(capture));
    FXS_TRY(out.lowered, advance(std::move(next), Phase::Lower, env_, context_));
    if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    return out;
  }

  Result<> fillIn(const bundle::FailureSignature& signature, Candidate& candidate) {
    lowered_ = candidate.lowered;
    const Request& request = whole_.request;
    const lower::Engine& engine = lowered_->lowering->engine;
    bundle::Manifest m;
    m.tool = bundle::toolVersion();
    m.program = bundle::plainProgramName(clean_.text(stemOf(file())));
    m.target = request.lower.target;
    m.targetDefinition = lower::userDefinitionsFor(m.target);
    m.signature = signature;
    m.engineVersion = engine.version;
    m.engineSha256 = engine.sha256;
    m.torchVersion = lowered_->capture->program->torchVersion;
    m.readAs = printable(whole_.capture->format);
    m.callNodes = callNodes(*lowered_->capture->program);
    m.originalCallNodes = callNodes(*whole_.capture->program);
    m.weights = name(options_.weights);
    m.decompose.assign(request.rewrite.decompose.begin(), request.rewrite.decompose.end());
    m.mode = request.import.mode;
    m.function = request.import.functionName;
    m.symbolicShapes = request.import.symbolicShapes;
    m.unregistered = lowered_->imported->unregisteredOps;
    m.backendLegalOps.assign(request.lower.backendLegalOps.begin(), request.lower.backendLegalOps.end());
    m.allowNonFinites = request.lower.allowNonFinites;
    m.timeoutMs = request.lower.limits.timeout.count();
    m.memory = request.lower.limits.memory;
    // Replacing private text in the definition would make it another output type.
    if (PrivateText(env_.identity).name(m.targetDefinition) != m.targetDefinition)
      return fail(ErrorCode::Usage, "the definition of output type '" + std::string(lower::name(m.target)) +
                                        "' goes into the bundle and contains a path, a name or a key of this machine; remove it there");
    struct utsname system{};
    if (::uname(&system) == 0) m.system = std::string(system.sysname) + " " + system.machine;
    m.extraLibrary = !request.lower.extraLibrary.empty();
    content_ = contentOf(std::move(m), *lowered_, options_.describe);
    content_.pt2 = std::move(candidate.pt2);
    if (options_.reduce && !bundle::dependsOnMachine(signature)) {
      FXS_TRY(const std::string minimal, minimalModule(signature));
      FXS_TRY(const bool same, minimal.empty() ? Result<bool>(false) : moduleFails(minimal, *lowered_, signature, env_, context_));
      if (same) content_.minimal = minimal;
    }
    if (content_.manifest.extraLibrary) {
      FXS_TRY(const std::string library, readWholeFile(request.lower.extraLibrary, kMaxLibraryBytes));
      content_.extraLibrary = clean_.text(library);
    }
    return {};
  }

  Result<> store(NewFile& file, bool verified, const std::string& statement) {
    content_.manifest.verified = verified;
    content_.manifest.statement = printable(statement);
    FXS_TRY(const std::vector<bundle::File> files, bundle::filesOf(content_));
    FXS_TRY(packed_, bundle::pack(content_.manifest, files));
    return file.write(packed_.bytes);
  }

  std::vector<std::string> removed() const {
    std::vector<std::string> out;
    for (const Removed& found : clean_.removed()) out.push_back(text(found));
    for (const auto& [key, operations] : leftOut_)
      out.push_back("metadata '" + printable(key) + "' of " + counted(operations, "operation"));
    return out;
  }

  Result<bundle::Bundle> reopened(const NewFile& file) const {
    FXS_TRY(auto source, openFile(file.partial()));
    return bundle::open(std::move(source), file.partial(), env_.outputTypes);
  }

  /// Replays the written bundle, then runs its script in a scratch directory. "" if both fail in the same way, otherwise what is wrong.
  Result<std::string> holdToIt(NewFile& file) {
    context_.report({"replaying the bundle", -1});
    FXS_TRY(bundle::Bundle bundle, reopened(file));
    ReplayOptions options{whole_.request.lower.limits, options_.describe};
    const auto again = [&] { return replay(bundle, file.partial(), lowered_->lowering->engine, options, env_, context_); };
    auto replayed = again();
    if (!replayed && replayed.error().code == ErrorCode::InvalidInput) {
      // The engine's output may differ between runs; if so, record that and do not compare it.
      content_.manifest.engineRepeats = false;
      FXS_CHECK(store(file, true, std::string(bundle::kHolds)));
      FXS_TRY(bundle, reopened(file));
      replayed = again();
    }
    if (!replayed && replayed.error().code != ErrorCode::InvalidInput) return tl::unexpected<Error>(replayed.error());
    const std::string no(bundle::kDoesNotHold);
    if (!replayed) return no + "its files cannot be regenerated: " + replayed.error().message.substr(file.partial().size() + 2);
    if (replayed->outcome == ReplayOutcome::Fixed) return no + "when run again, it does not fail";
    if (replayed->outcome == ReplayOutcome::OtherFailure) return no + "when run again, it " + replayed->statement;
    FXS_TRY(const ScratchDirectory scratch, ScratchDirectory::make(env_.temporaryDir, "the files of a bundle"));
    for (const auto& [member, bytes] : bundle.files) FXS_CHECK(writeWholeFile(scratch.path() + "/" + member, bytes));
    Command command;
    command.argv = {"/bin/sh", std::string(bundle::kScriptFile), lowered_->lowering->engine.path};
    Cage& cage = command.cage.emplace();
    cage.reading = Cage::Reading::Everything;  // as for an engine that is a script
    cage.processes = Cage::Processes::Programs;
    cage.writes = {scratch.path()};
    command.directory = scratch.path();
    // The script limits CPU time; on a busy machine the wall-clock time is much longer.
    command.timeout = whole_.request.lower.limits.timeout * 8 + kScriptStart;
    command.memoryLimit = whole_.request.lower.limits.memory;
    command.outputLimit = kScriptOutput;
    FXS_TRY(const Exit exit, env_.runner->run(command, context_.stop));
    if (exit.reason != ExitReason::Exited) return no + "its run.sh does not terminate";
    if (!exit.ok()) {
      const std::string line = exit.out.substr(0, exit.out.find('\n'));
      return no + "its run.sh " + (line.empty() ? "ended with status " + std::to_string(exit.status) : "prints: " + line);
    }
    return std::string();
  }

  const SnapshotPtr snapshot_;
  const Snapshot& whole_;
  const BundleOptions& options_;
  const Environment& env_;
  const RunContext& context_;
  PrivateText clean_{env_.identity};
  std::map<std::string, std::size_t> leftOut_;
  SnapshotPtr lowered_;
  bundle::Content content_;
  bundle::Packed packed_;
};

}  // namespace

std::string_view name(BundleWeights weights) {
  switch (weights) {
    case BundleWeights::None: return "none";
    case BundleWeights::Used: return "used";
    case BundleWeights::All: break;
  }
  return "all";
}

Result<BundleWeights> bundleWeightsFrom(std::string_view word) {
  for (const BundleWeights weights : {BundleWeights::None, BundleWeights::Used, BundleWeights::All})
    if (word == name(weights)) return weights;
  return fail(ErrorCode::Usage, "unknown choice of weights '" + std::string(word) + "'; expected none, used or all");
}

Result<BundleResult> exportBundle(const SnapshotPtr& snapshot, const BundleOptions& options, const Environment& env,
                                  const RunContext& context) try {
  if (env.runner == nullptr) return fail(ErrorCode::Usage, "a bundle requires an engine that can be run");
  if (options.path.empty()) return fail(ErrorCode::Usage, "a bundle requires an output file");
  FXS_TRY(const SnapshotPtr lowered, advance(snapshot, Phase::Lower, env, context));
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  return Exporter(lowered, options, env, context).run();
} catch (...) {
  return abandoned(snapshot->request.file);
}

}  // namespace fxs::session
