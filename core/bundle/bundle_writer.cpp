// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/bundle_writer.h"

#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/counted.h"
#include "base/safe_text.h"
#include "bundle/public_program.h"
#include "bundle/replay.h"
#include "bundle/stages.h"
#include "diagnose/wrong_program.h"
#include "module/source_module.h"

namespace fxs::bundle {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxLibraryBytes = std::uint64_t{16} << 20;

std::string stemOf(const std::string& file) {
  return file == "-" ? "program" : fs::path(file).stem().string();
}

}  // namespace

Result<BundledProgram> BundleWriter::prepared(const fx::Program& given, session::Phase until) {
  FXS_CHECK(checkNodeChoices());
  fx::Program program = given;
  if (options_.weights == BundleWeights::All) program.weights = original_.capture->program->weights;
  clean_.countAgain();
  PublicProgram handedOn = publicProgram(program, clean_);
  program = std::move(handedOn.program);
  leftOut_ = std::move(handedOn.leftOut);
  std::set<std::string_view> used;
  for (const fx::InputSpec& input : program.inputs) used.insert(input.target);
  const auto withBytes = [&](const fx::Weight& weight) {
    if (!weight.readable) return false;
    if (options_.weights == BundleWeights::All) return true;
    return used.contains(weight.fqn) &&
           (options_.weights == BundleWeights::Used || import::isWrittenInline(weight));
  };
  BundledProgram out;
  FXS_TRY(out.bytes, diagnose::writtenProgram(program, withBytes, *original_.capture, context_));

  auto next = std::make_shared<session::Snapshot>();
  next->request = original_.request;
  next->request.file = std::string(kProgramFile);
  next->request.normalize = false;
  next->request.read = {};
  next->request.parity = false;
  next->request.import.embedWeights = false;
  next->request.lower.edit = publicEdit();
  next->engine = original_.engine;
  FXS_TRY(read::Capture capture,
          read::readCapture(memorySource(out.bytes), next->request.file, {}, context_));
  next->capture = std::make_shared<const read::Capture>(std::move(capture));
  FXS_TRY(out.snapshot, session::advance(std::move(next), until, env_, context_));
  if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  if (out.snapshot->lowering) FXS_CHECK(lower::ensureAnswered(*out.snapshot->lowering));
  return out;
}

Result<BundledProgram> BundleWriter::preparedModule(const std::string& text) {
  clean_.countAgain();
  BundledProgram out;
  out.bytes = clean_.text(text);
  auto next = std::make_shared<session::Snapshot>();
  next->request = original_.request;
  next->request.file = std::string(kModuleFile);
  next->request.normalize = false;
  next->request.read = {};
  // From the table, since other stages may start from a smaller module.
  if (auto type = env_.outputTypes.from(lower::name(next->request.lower.target)))
    next->request.lower.target = *std::move(type);
  next->request.lower.edit = publicEdit();
  next->engine = original_.engine;
  FXS_TRY(read::Capture capture,
          module::openModule(out.bytes, next->request.file, {}, *next->engine,
                             next->request.lower.limits, *env_.runner, context_));
  next->capture = std::make_shared<const read::Capture>(std::move(capture));
  FXS_TRY(out.snapshot, session::advance(std::move(next), session::Phase::Lower, env_, context_));
  if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  FXS_CHECK(lower::ensureAnswered(*out.snapshot->lowering));
  return out;
}

std::string BundleWriter::definitionOfTarget() const {
  const lower::OutputType& target = original_.request.lower.target;
  const auto named = env_.outputTypes.from(lower::name(target));
  return lower::userDefinitionsFor(named ? *named : target);
}

Result<> BundleWriter::fillIn(const FailureSignature& signature, std::optional<WrongResult> wrong,
                              BundledProgram program) {
  const session::Snapshot& lowered = *program.snapshot;
  const session::Request& request = original_.request;
  const lower::Engine& engine = lowered.lowering->engine;
  Manifest m;
  m.tool = toolVersion();
  m.program = plainProgramName(clean_.text(stemOf(request.file)));
  const bool isModule = lowered.capture->module != nullptr;
  m.target = isModule ? lowered.request.lower.target : request.lower.target;
  m.targetDefinition = definitionOfTarget();
  m.signature = signature;
  m.wrong = std::move(wrong);
  clean_.text(engine.version);  // to list what publicVersion() removes
  m.engineVersion = publicVersion(engine.version);
  m.engineSha256 = engine.sha256;
  m.torchVersion = lowered.capture->program->torchVersion;
  m.readAs = printable(clean_.text(original_.capture->format));
  m.callNodes = callNodes(*lowered.capture->program);
  m.originalCallNodes = callNodes(*original_.capture->program);
  m.weights = name(isModule ? BundleWeights::None : options_.weights);
  const std::set<std::string> decompose =
      isModule ? std::set<std::string>() : session::rewriteOptionsOf(request).decompose;
  m.decompose.assign(decompose.begin(), decompose.end());
  const auto& choices = request.rewrite;
  m.decomposeNodes.assign(choices.decomposeNodes.begin(), choices.decomposeNodes.end());
  m.keepNodes.assign(choices.keepNodes.begin(), choices.keepNodes.end());
  for (const auto& [argument, value] : choices.arguments)
    m.arguments.push_back({argument.node, argument.name, value});
  if (request.lower.edit) m.edited = request.lower.edit->stage;
  for (const auto& [stage, pipeline] : request.lower.pipelines) {
    FXS_CHECK(checkPublic(pipeline));
    m.passes.push_back({stage, pipeline});
  }
  m.mode = request.import.mode;
  m.function = request.import.functionName;
  m.symbolicShapes = request.import.symbolicShapes;
  m.unregistered = lowered.imported->unregisteredOps;
  m.backendLegalOps.assign(request.lower.backendLegalOps.begin(),
                           request.lower.backendLegalOps.end());
  m.allowNonFinites = request.lower.allowNonFinites;
  m.timeoutMs = request.lower.limits.timeout.count();
  m.memory = request.lower.limits.memory;
  for (const auto* names : {&m.decompose, &m.backendLegalOps})
    for (const std::string& name : *names) FXS_CHECK(checkPublic(name));
  FXS_CHECK(checkPublic(m.function));
  // Replacing private text in the definition would make it another output type.
  if (PrivateText(env_.identity).name(m.targetDefinition) != m.targetDefinition)
    return fail(ErrorCode::Usage, "the definition of output type '" +
                                      std::string(lower::name(m.target)) +
                                      "' goes into the bundle and contains a path, a name or a key "
                                      "of this machine; remove it there");
  struct utsname system{};
  if (::uname(&system) == 0) m.system = std::string(system.sysname) + " " + system.machine;
  m.extraLibrary = !request.lower.extraLibrary.empty();
  if (isModule) {
    m.module.emplace();
    FXS_TRY(const std::vector<lower::StageSpec> stages, stagesOf(m));
    FXS_TRY(m.module, stageProgramOf(stages.back(), engine));
  }
  FXS_TRY(content, contentOf(std::move(m), lowered, options_.describe, context_));
  if (const auto& edit = lowered.request.lower.edit) content.edited = edit->text;
  (isModule ? content.module : content.pt2) = std::move(program.bytes);
  if (content.manifest.extraLibrary) {
    FXS_TRY(const std::string library, readWholeFile(request.lower.extraLibrary, kMaxLibraryBytes));
    content.extraLibrary = clean_.text(library);
  }
  return {};
}

Result<> BundleWriter::checkNodeChoices() const {
  const auto& choices = original_.request.rewrite;
  for (const auto* nodes : {&choices.decomposeNodes, &choices.keepNodes})
    for (const std::string& node : *nodes) FXS_CHECK(checkPublic(node));
  for (const auto& [argument, value] : choices.arguments)
    for (const std::string* text : {&argument.node, &argument.name, &value})
      FXS_CHECK(checkPublic(*text));
  return {};
}

lower::EditPtr BundleWriter::publicEdit() {
  if (!original_.request.lower.edit) return nullptr;
  lower::Edit edit = *original_.request.lower.edit;
  edit.text = clean_.text(edit.text);
  return std::make_shared<const lower::Edit>(std::move(edit));
}

/// Names on the command line are part of what is run again.
Result<> BundleWriter::checkPublic(const std::string& name) const {
  if (PrivateText(env_.identity).name(name) == name) return {};
  return fail(
      ErrorCode::Usage,
      "'" + printable(name) +
          "' goes into the bundle and contains a path, a name or a key; choose another name");
}

Result<BundleResult> BundleWriter::write(
    const std::function<Result<std::string>(NewFile&)>& check) {
  const bool toDirectory = fs::is_directory(options_.path);
  NewFile file(toDirectory ? options_.path + "/fxscope-bundle" : options_.path);
  // Store it as verified for now; the check follows.
  FXS_CHECK(store(file, true, std::string(kHolds)));
  FXS_TRY(const std::string problem, check(file));
  if (!problem.empty()) FXS_CHECK(store(file, false, problem));
  if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());

  BundleResult out;
  out.path = toDirectory ? options_.path + "/" + packed_.fileName : options_.path;
  FXS_CHECK(file.keepAs(out.path));
  out.bytes = packed_.bytes.size();
  out.sha256 = packed_.sha256;
  out.callNodes = content.manifest.callNodes;
  out.originalCallNodes = content.manifest.originalCallNodes;
  out.signature = text(content.manifest.signature);
  out.reproduces = problem.empty();
  out.isKnown = !problem.starts_with(kNotKnown);
  out.statement = content.manifest.statement;
  out.removed = removed();
  return out;
}

Result<> BundleWriter::store(NewFile& file, bool verified, const std::string& statement) {
  content.manifest.verified = verified;
  content.manifest.statement = printable(clean_.text(statement));
  FXS_TRY(const std::vector<File> files, filesOf(content));
  FXS_TRY(packed_, pack(content.manifest, files));
  FXS_CHECK(file.write(packed_.bytes));
  return file.flush();
}

Result<Bundle> BundleWriter::reopened(const NewFile& file) const {
  FXS_TRY(auto source, openFile(file.openPath()));
  const Manifest& m = content.manifest;
  if (m.targetDefinition.empty() || env_.outputTypes.from(lower::name(m.target)))
    return open(std::move(source), file.path(), env_.outputTypes);
  // A pipeline that the user gave for this program is in no table.
  FXS_TRY(const lower::OutputTypes types,
          env_.outputTypes.with(m.targetDefinition, std::string(kOutputTypesFile), context_));
  return open(std::move(source), file.path(), types);
}

std::vector<std::string> BundleWriter::removed() const {
  std::vector<std::string> out;
  std::vector<Removed> all = clean_.removed();
  for (const Removed& more : content.removed) {
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const Removed& r) { return r.kind == more.kind; });
    if (known == all.end()) all.push_back(more);
    else known->count += more.count;
  }
  for (const Removed& found : all) out.push_back(text(found));
  for (const auto& [key, operations] : leftOut_)
    out.push_back("metadata '" + printable(key) + "' of " + counted(operations, "operation"));
  return out;
}

}  // namespace fxs::bundle
