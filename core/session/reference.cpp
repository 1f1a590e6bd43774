#include "session/reference.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/byte_source.h"
#include "base/json.h"
#include "base/new_file.h"
#include "base/python_program.h"
#include "base/take_until.h"
#include "session/importing.h"
#include "write/pt2.h"

namespace fxs::resource {
std::string_view nodeValues();
}

namespace fxs::session {
namespace {

/// It grows with the time limit of stages.
constexpr std::chrono::milliseconds kReferencePatience{600'000};
constexpr std::uint64_t kReferenceOutput = std::uint64_t{16} << 20;

/// What the script printed.
struct Told {
  std::string versions, stopped;
  bool hasEnded = false, raised = false;
  std::vector<std::string> skipped;
};

Told toldIn(std::string_view out) {
  Told told;
  while (!out.empty()) {
    const auto document = JsonDocument::parse(std::string(takeUntil('\n', out)), "the answer of the Python script");
    if (!document) continue;
    const Json root = (*document)->root();
    const auto text = [&](std::string_view key) {
      const auto member = root.find(key);
      return member ? std::string(member->asString().value_or("")) : std::string();
    };
    const std::string node = text("node");
    if (const std::string torch = text("torch"); !torch.empty()) told.versions = "Python " + text("python") + " with PyTorch " + torch;
    if (const std::string skipped = text("skipped"); !skipped.empty()) told.skipped.push_back(node + ": " + skipped);
    if (const std::string error = text("error"); !error.empty()) {
      told.stopped = (node.empty() ? "" : node + ": ") + error;
      told.raised = !node.empty();
    }
    told.hasEnded = told.hasEnded || root.find("values") || root.find("error");
  }
  return told;
}

std::string lastLineOf(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const std::size_t begin = text.rfind('\n');
  return std::string(text.substr(begin == std::string_view::npos ? 0 : begin + 1));
}

/// The inputs as the script reads them.
Result<std::string> inputBytes(const compare::Inputs& inputs) {
  std::vector<tensor::NamedTensor> named;
  for (const tensor::Tensor& tensor : inputs.tensors) named.push_back({std::to_string(named.size()), tensor});
  return tensor::safetensorsBytes(named);
}

/// What a run that wrote no values says.
Error failureOf(const std::string& shown, const Exit& exit, std::chrono::milliseconds timeout, const Told& told) {
  const std::string who = told.versions.empty() ? shown : told.versions + " (" + shown + ")";
  if (exit.reason == ExitReason::TimedOut)
    return {ErrorCode::Timeout, who + " did not end in " + std::to_string(timeout.count() / 1000) + " s; raise --timeout", {}};
  if (exit.reason == ExitReason::Signalled)
    return {ErrorCode::Unsupported, who + " was killed by signal " + std::to_string(exit.signal), {}};
  const std::string complaint = !told.stopped.empty() ? told.stopped : lastLineOf(exit.err);
  return {ErrorCode::Unsupported, who + ": " + (complaint.empty() ? "it printed no values" : complaint), {}};
}

/// What the program uses and only a pickle holds, or nothing in the file; "" if there is no such thing.
std::string missingIn(const read::Capture& capture) {
  const fx::Program& program = *capture.program;
  const std::vector<std::vector<fx::NodeId>> users = fx::usersOf(program);
  for (const fx::InputSpec& spec : program.inputs) {
    if (users[spec.node.index()].empty()) continue;
    if (spec.kind == fx::InputKind::CustomObject) return "custom object '" + spec.target + "' is a pickle, which fxscope never opens";
    if (spec.kind != fx::InputKind::Parameter && spec.kind != fx::InputKind::Buffer && spec.kind != fx::InputKind::ConstantTensor) continue;
    const fx::Weight* weight = program.findWeight(spec.target);
    if (weight == nullptr || (weight->readable && !capture.weights)) return "weight '" + spec.target + "' is not in the file";
    if (!weight->readable) return "weight '" + spec.target + "' cannot be read: " + weight->whyNot;
  }
  return {};
}

/// Writes the program for Python. Weights keep their strides and aliases, which a program may depend on.
Result<> writeProgram(const std::string& path, const read::Capture& capture, const RunContext& context) {
  const fx::Program& program = *capture.program;
  const std::vector<std::vector<fx::NodeId>> users = fx::usersOf(program);
  std::set<std::string_view> used;
  for (const fx::InputSpec& spec : program.inputs)
    if (!users[spec.node.index()].empty()) used.insert(spec.target);
  std::uint64_t size = 0;
  for (const fx::Weight& weight : program.weights)
    if (weight.readable && used.contains(weight.fqn)) size += weight.elements() * facts(weight.dtype).bytes;
  context.spend(Resource::Disk, size, "the weights that PyTorch reads");
  write::Pt2Options how;
  how.layout = write::WeightLayout::AsStored;
  how.withBytes = [&](const fx::Weight& weight) { return weight.readable && used.contains(weight.fqn); };
  how.bytes = [&](const fx::Weight& weight) { return capture.weights->read(weight, kWeightBytes, context); };
  return write::writePt2(path, program, how, context);
}

void setValues(Reference& reference, std::shared_ptr<const tensor::TensorFile> values) {
  reference.values = std::move(values);
  for (const tensor::StoredTensor& tensor : reference.values->tensors()) reference.byName.emplace(tensor.name, &tensor);
}

/// The values of one run of `program`, a file in a folder of its own.
Result<Reference> computed(const std::string& shown, const std::string& python, const std::string& program, const compare::Inputs& inputs,
                           std::uint64_t seed, const Snapshot& s, const Environment& env, const RunContext& context) {
  FXS_TRY(ScratchDirectory made, ScratchDirectory::make(env.temporaryDir, "PyTorch's values"));
  Reference out;
  out.directory = std::make_shared<const ScratchDirectory>(std::move(made));
  const std::string given = out.directory->file("inputs.safetensors"), folder = out.directory->file("values");
  FXS_TRY(const std::string bytes, inputBytes(inputs));
  FXS_CHECK(writeWholeFile(given, bytes));
  std::error_code error;
  if (!std::filesystem::create_directory(folder, error)) return tl::unexpected<Error>(writeError(folder, error.value()));
  const std::string values = folder + "/values.safetensors";

  context.report({"computing every node in PyTorch", -1});
  out.command =
      pythonProgram(python, std::string(nodeValuesScript()), {program, given, values, std::to_string(seed)}, {program, given}, folder);
  out.command.timeout = lower::grownWith(s.request.lower.limits.timeout, kReferencePatience);
  out.command.outputLimit = kReferenceOutput;
  // The values are first written without a header, then copied.
  out.command.cage->fileSize = context.budget->left(Resource::Disk) / 2;
  FXS_TRY(const Exit exit, env.runner->run(out.command, context.stop));

  Told told = toldIn(exit.out);
  out.versions = told.versions;
  out.notes = std::move(told.skipped);
  const bool isThere = std::filesystem::symlink_status(values, error).type() == std::filesystem::file_type::regular;
  if (!exit.ok() || !told.hasEnded || !isThere) return tl::unexpected<Error>(failureOf(shown, exit, out.command.timeout, told));
  context.spend(Resource::Disk, std::filesystem::file_size(values, error), "PyTorch's values");
  FXS_TRY(auto written, tensor::openTensorFile(values, context));
  if (written->tensors().empty() && !told.stopped.empty() && !told.raised)
    return tl::unexpected<Error>(failureOf(shown, exit, out.command.timeout, told));
  setValues(out, std::move(written));
  out.stopped = std::move(told.stopped);
  return out;
}

}  // namespace

const tensor::StoredTensor* Reference::find(std::string_view name) const {
  const auto found = byName.find(name);
  return found == byName.end() ? nullptr : found->second;
}

Reference storedReference(std::string whose, std::shared_ptr<const tensor::TensorFile> values) {
  Reference out;
  out.versions = std::move(whose);
  setValues(out, std::move(values));
  return out;
}

std::string_view nodeValuesScript() { return resource::nodeValues(); }

Result<std::vector<Reference>> pythonReferences(const std::string& python, const Snapshot& s, const std::vector<compare::Inputs>& inputs,
                                                std::uint64_t seed, const Environment& env, const RunContext& context) {
  const read::Capture& capture = *s.capture;
  if (capture.format.find(".pt2") == std::string::npos)
    return fail(ErrorCode::Unsupported, capture.label + ": PyTorch computes values of a .pt2 only; this is a " + capture.format);
  const std::string shown = python == "auto" ? "python3" : python;
  FXS_TRY(const std::string found, findProgram(shown, env.searchPath));
  if (const std::string missing = missingIn(capture); !missing.empty()) return fail(ErrorCode::Unsupported, capture.label + ": " + missing);
  FXS_TRY(const ScratchDirectory folder, ScratchDirectory::make(env.temporaryDir, "the program that PyTorch computes"));
  const std::string program = folder.file("program.pt2");
  FXS_CHECK(writeProgram(program, capture, context));
  std::vector<Reference> out;
  for (const compare::Inputs& one : inputs) {
    FXS_TRY(Reference values, computed(shown, found, program, one, seed, s, env, context));
    out.push_back(std::move(values));
  }
  return out;
}

}  // namespace fxs::session
