// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/reference.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <span>

#include "base/byte_source.h"
#include "base/json.h"
#include "base/new_file.h"
#include "base/python_program.h"
#include "compare/guards.h"
#include "compare/undefined.h"
#include "session/importing.h"
#include "tensor/held_tensors.h"
#include "write/pt2.h"

namespace fxs::resource {
std::string_view nodeValues();
}

namespace fxs::numbers {
namespace {

/// It grows with the time limit of stages.
constexpr std::chrono::milliseconds kReferencePatience{600'000};
constexpr std::uint64_t kReferenceOutput = std::uint64_t{16} << 20;

/// What the script printed for one set of inputs.
struct Report {
  std::string versions, stopped;
  bool hasEnded = false, raised = false;
  std::vector<std::string> skipped;
  std::map<std::string, std::string> taken;
};

/// By set of inputs; that of the last one may not have ended.
std::vector<Report> reportsIn(std::string_view out) {
  std::string versions;
  std::vector<Report> all(1);
  forEachAnswer(out, [&](const Json& root) {
    const std::string node = root.textOrEmpty("node");
    if (const std::string torch = root.textOrEmpty("torch"); !torch.empty())
      versions = "Python " + root.textOrEmpty("python") + " with PyTorch " + torch;
    Report& report = all.back();
    if (const std::string skipped = root.textOrEmpty("skipped"); !skipped.empty())
      report.skipped.push_back(node + ": " + skipped);
    if (const std::string taken = root.textOrEmpty("taken"); !taken.empty())
      report.taken[node] = taken;
    if (const std::string error = root.textOrEmpty("error"); !error.empty()) {
      report.stopped = (node.empty() ? "" : node + ": ") + error;
      report.raised = !node.empty();
    }
    if (!root.find("values") && !root.find("error")) return;
    report.hasEnded = true;
    all.emplace_back();
  });
  if (all.size() > 1) all.pop_back();
  for (Report& report : all) report.versions = versions;
  return all;
}

/// The inputs as the script reads them.
Result<std::string> inputBytes(const compare::Inputs& inputs) {
  std::vector<tensor::NamedTensor> named;
  for (const tensor::Tensor& tensor : inputs.tensors)
    named.push_back({std::to_string(named.size()), tensor});
  return tensor::safetensorsBytes(named);
}

/// What a run that wrote no values says.
Error failureOf(const std::string& shown, const Exit& exit, std::chrono::milliseconds timeout,
                const Report& report) {
  const std::string who = report.versions.empty() ? shown : report.versions + " (" + shown + ")";
  if (exit.reason == ExitReason::TimedOut)
    return {
        ErrorCode::Timeout,
        who + " did not end in " + std::to_string(timeout.count() / 1000) + " s; raise --timeout",
        {}};
  if (exit.reason == ExitReason::Signalled)
    return {
        ErrorCode::Unsupported, who + " was killed by signal " + std::to_string(exit.signal), {}};
  const std::string complaint =
      !report.stopped.empty() ? report.stopped : std::string(lastLineOf(exit.err));
  return {ErrorCode::Unsupported,
          who + ": " + (complaint.empty() ? "it printed no values" : complaint),
          {}};
}

/// What the program uses and only a pickle holds, or nothing in the file; "" if there is no such
/// thing.
std::string missingIn(const read::Capture& capture) {
  const fx::Program& program = *capture.program;
  const std::vector<std::vector<fx::NodeId>> users = fx::usersOf(program);
  for (const fx::InputSpec& spec : program.inputs) {
    if (users[spec.node.index()].empty()) continue;
    if (spec.kind == fx::InputKind::CustomObject)
      return "custom object '" + spec.target + "' is a pickle, which fxscope never opens";
    if (!isWeight(spec.kind)) continue;
    const fx::Weight* weight = program.findWeight(spec.target);
    if (weight == nullptr || (weight->readable && !capture.weights))
      return "weight '" + spec.target + "' is not in the file";
    if (!weight->readable) return "weight '" + spec.target + "' cannot be read: " + weight->reason;
  }
  return {};
}

/// Writes the program for Python. Weights keep their strides and aliases, which a program may
/// depend on.
Result<> writeProgram(const std::string& path, const read::Capture& capture,
                      const RunContext& context) {
  const fx::Program& program = *capture.program;
  const std::vector<std::vector<fx::NodeId>> users = fx::usersOf(program);
  std::set<std::string_view> used;
  for (const fx::InputSpec& spec : program.inputs)
    if (!users[spec.node.index()].empty()) used.insert(spec.target);
  std::uint64_t size = 0;
  for (const fx::Weight& weight : program.weights)
    if (weight.readable && used.contains(weight.fqn))
      size += weight.elements() * facts(weight.dtype).bytes;
  context.spend(Resource::Disk, size, "the weights that PyTorch reads");
  write::Pt2Options chosen;
  chosen.layout = write::WeightLayout::AsStored;
  chosen.withBytes = [&](const fx::Weight& weight) {
    return weight.readable && used.contains(weight.fqn);
  };
  chosen.bytes = [&](const fx::Weight& weight) {
    return capture.weights->read(weight, session::kWeightBytes, context);
  };
  return write::writePt2(path, program, chosen, context);
}

void setValues(Reference& reference, std::shared_ptr<const tensor::TensorFile> values) {
  reference.values = std::move(values);
  for (const tensor::StoredTensor& tensor : reference.values->tensors())
    reference.byName.emplace(tensor.name, &tensor);
}

/// For a set at which the process ended.
Reference withoutValues(const Reference& other, std::string reason) {
  Reference out;
  out.versions = other.versions;
  out.command = other.command;
  out.directory = other.directory;
  out.values = std::make_shared<const tensor::HeldTensors>();
  out.stopped = "some node: " + std::move(reason);
  return out;
}

std::string endOf(const Exit& exit) {
  return exit.reason == ExitReason::Signalled ? "killed by signal " + std::to_string(exit.signal)
                                              : "the process ended";
}

}  // namespace

/// Runs `program`, a file in a folder of its own, on sets of inputs, one after the other in one
/// process.
class PyTorchRun {
 public:
  PyTorchRun(std::string shown, std::string python, std::string program, std::uint64_t seed,
             std::chrono::milliseconds timeout, const session::Environment& env,
             const RunContext& context)
      : shown_(std::move(shown)),
        python_(std::move(python)),
        program_(std::move(program)),
        seed_(seed),
        timeout_(timeout),
        env_(env),
        context_(context) {}

  /// A process that computes some sets.
  struct Started {
    std::shared_ptr<const ScratchDirectory> directory;
    std::string folder;
    Command command;
    std::unique_ptr<StartedCommand> process;
  };
  Result<Started> start(std::span<const compare::Inputs> sets) const {
    Started out;
    FXS_TRY(ScratchDirectory made, ScratchDirectory::make(env_.temporaryDir, "PyTorch's values"));
    out.directory = std::make_shared<const ScratchDirectory>(std::move(made));
    out.folder = out.directory->file("values");
    std::error_code error;
    if (!std::filesystem::create_directory(out.folder, error))
      return tl::unexpected<Error>(writeError(out.folder, error.value()));
    FXS_TRY(out.command, commandFor(sets, *out.directory, out.folder));
    out.process = env_.runner->start(out.command, context_.stop);
    return out;
  }

  /// The values for the first of the sets that it computes, at least one.
  Result<std::vector<Reference>> values(const Started& started,
                                        std::span<const compare::Inputs> sets) const {
    const auto& [directory, folder, command, process] = started;
    std::error_code error;
    context_.report({"computing every node in PyTorch", -1});
    FXS_TRY(const Exit exit, process->wait());
    std::vector<Reference> out;
    std::string end = endOf(exit);
    std::vector<Report> all = reportsIn(exit.out);
    for (std::size_t i = 0; i < std::min(all.size(), sets.size()); ++i) {
      Report& report = all[i];
      const std::string file = valuesFile(folder, i);
      const bool isThere = std::filesystem::symlink_status(file, error).type() ==
                           std::filesystem::file_type::regular;
      if (!report.hasEnded || !isThere) {
        if (out.empty()) return tl::unexpected<Error>(failureOf(shown_, exit, timeout_, report));
        break;
      }
      const std::uint64_t bytes = std::filesystem::file_size(file, error);
      if (!out.empty() && bytes > context_.budget->left(Resource::Disk)) {
        end = "its values exceed what is left of the limit on disk";
        break;
      }
      context_.spend(Resource::Disk, bytes, "PyTorch's values");
      FXS_TRY(auto written, tensor::openTensorFile(file, context_));
      if (written->tensors().empty() && !report.stopped.empty() && !report.raised)
        return tl::unexpected<Error>(failureOf(shown_, exit, timeout_, report));
      Reference& reference = out.emplace_back();
      reference.versions = std::move(report.versions);
      reference.notes = std::move(report.skipped);
      reference.stopped = std::move(report.stopped);
      reference.raised = report.raised;
      reference.taken = std::move(report.taken);
      reference.command = command;
      reference.directory = directory;
      setValues(reference, std::move(written));
    }
    if (out.size() == sets.size() && !exit.ok())
      return tl::unexpected<Error>(failureOf(shown_, exit, timeout_, all.back()));
    if (out.size() < sets.size()) out.push_back(withoutValues(out.back(), std::move(end)));
    return out;
  }

 private:
  static std::string valuesFile(const std::string& folder, std::size_t set) {
    return folder + "/" + std::to_string(set) + "-values.safetensors";
  }

  Result<Command> commandFor(std::span<const compare::Inputs> sets,
                             const ScratchDirectory& directory, const std::string& folder) const {
    std::vector<std::string> arguments{program_, std::to_string(seed_)}, reads{program_};
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const std::string given = directory.file(std::to_string(i) + "-inputs.safetensors");
      FXS_TRY(const std::string bytes, inputBytes(sets[i]));
      FXS_CHECK(writeWholeFile(given, bytes));
      arguments.insert(arguments.end(), {given, valuesFile(folder, i)});
      reads.push_back(given);
    }
    Command out = pythonProgram(python_, std::string(nodeValuesScript()), arguments, reads, folder);
    out.timeout = timeout_;
    out.outputLimit = kReferenceOutput;
    // The values are first written without a header, then copied.
    out.cage->fileSize = context_.budget->left(Resource::Disk) / 2;
    return out;
  }

  const std::string shown_, python_, program_;
  const std::uint64_t seed_;
  const std::chrono::milliseconds timeout_;
  const session::Environment& env_;
  const RunContext& context_;
};

const tensor::StoredTensor* Reference::find(std::string_view name) const {
  const auto found = byName.find(name);
  return found == byName.end() ? nullptr : found->second;
}

compare::NodeValue nodeValues(const fx::Program& user, const Reference& reference,
                              const compare::Inputs& inputs, const RunContext& context) {
  return [&, given = compare::givenInputs(user)](fx::NodeId id) -> std::optional<tensor::Tensor> {
    for (std::size_t i = 0; i < std::min(given.size(), inputs.tensors.size()); ++i)
      if (given[i]->id == id) return inputs.tensors[i];
    const tensor::StoredTensor* stored = reference.find(user.node(id).name);
    if (stored == nullptr) return std::nullopt;
    auto value = reference.values->read(*stored, kValueBytes, context);
    return value ? std::optional(*std::move(value)) : std::nullopt;
  };
}

void leaveOutUndefined(Reference& reference, const fx::Program& user, const compare::Inputs& inputs,
                       const RunContext& context) {
  compare::Undefined undefined =
      compare::undefinedIn(user, nodeValues(user, reference, inputs, context));
  reference.undefined = std::move(undefined.message);
  for (const fx::NodeId node : undefined.nodes) reference.byName.erase(user.node(node).name);
}

Reference storedReference(std::string whose, std::shared_ptr<const tensor::TensorFile> values) {
  Reference out;
  out.versions = std::move(whose);
  setValues(out, std::move(values));
  return out;
}

std::string_view nodeValuesScript() { return resource::nodeValues(); }

struct PythonReferences::State {
  std::vector<compare::Inputs> inputs;
  std::size_t required;
  ScratchDirectory folder;  ///< of the program
  PyTorchRun run;
  PyTorchRun::Started started;
};

PythonReferences::PythonReferences(std::unique_ptr<State> state) : state_(std::move(state)) {}
PythonReferences::PythonReferences(PythonReferences&&) noexcept = default;
PythonReferences::~PythonReferences() = default;

Result<PythonReferences> PythonReferences::start(const std::string& python,
                                                 const session::Snapshot& s,
                                                 std::vector<compare::Inputs> inputs,
                                                 std::size_t required, std::uint64_t seed,
                                                 const session::Environment& env,
                                                 const RunContext& context) {
  const read::Capture& capture = *s.capture;
  if (capture.format.find(".pt2") == std::string::npos)
    return fail(
        ErrorCode::Unsupported,
        capture.label + ": PyTorch computes values of a .pt2 only; this is a " + capture.format);
  const std::string shown = python == "auto" ? "python3" : python;
  FXS_TRY(const std::string found, findProgram(shown, env.searchPath));
  if (const std::string missing = missingIn(capture); !missing.empty())
    return fail(ErrorCode::Unsupported, capture.label + ": " + missing);
  FXS_TRY(ScratchDirectory folder,
          ScratchDirectory::make(env.temporaryDir, "the program that PyTorch computes"));
  const std::string program = folder.file("program.pt2");
  FXS_CHECK(writeProgram(program, capture, context));
  const PyTorchRun run(shown, found, program, seed,
                       lower::grownWith(s.request.lower.limits.timeout, kReferencePatience), env,
                       context);
  FXS_TRY(PyTorchRun::Started started, run.start(inputs));
  return PythonReferences(std::make_unique<State>(
      State{std::move(inputs), required, std::move(folder), run, std::move(started)}));
}

Result<std::vector<Reference>> PythonReferences::wait() {
  const auto& [inputs, required, folder, run, started] = *state_;
  std::vector<Reference> out;
  while (out.size() < inputs.size()) {
    if (!out.empty() && out.size() >= required) {
      out.push_back(withoutValues(out.back(), "not computed"));
      continue;
    }
    const auto left = std::span(inputs).subspan(out.size());
    // Another process where one has ended at a set.
    Result<std::vector<Reference>> values = tl::unexpected<Error>(Error{});
    if (out.empty()) {
      values = run.values(started, left);
    } else {
      FXS_TRY(const PyTorchRun::Started again, run.start(left));
      values = run.values(again, left);
    }
    const bool isAboutInputs =
        !values && !out.empty() && values.error().code == ErrorCode::Unsupported;
    if (!values && !isAboutInputs) return tl::unexpected<Error>(values.error());
    if (isAboutInputs) out.push_back(withoutValues(out.back(), values.error().message));
    else std::move(values->begin(), values->end(), std::back_inserter(out));
  }
  return out;
}

}  // namespace fxs::numbers
