// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "split/dispatch_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/byte_source.h"
#include "base/counted.h"
#include "mlir/text/document.h"
#include "mlir/text/function_types.h"
#include "mlir/text/without_locations.h"
#include "numbers/weight_file.h"
#include "split/dispatches.h"
#include "split/parameter_file.h"

namespace fxs::split {
namespace {

constexpr std::string_view kCompileTo = "--compile-to=";
constexpr std::string_view kPhases = "--compile-";
constexpr std::string_view kPrintsLocations = "--mlir-print-debuginfo";

/// The phase of iree-compile that the stage ends with; "" if another program made it.
std::string phaseOf(const lower::StageResult& stage) {
  for (const std::string& argument : stage.argv)
    if (argument.starts_with(kCompileTo)) return argument.substr(kCompileTo.size());
  return {};
}

/// Arguments of iree-compile that go on from the stage.
std::vector<std::string> argumentsAfter(const lower::StageResult& stage) {
  std::vector<std::string> out{"--compile-from=" + phaseOf(stage)};
  for (const std::string& argument : stage.argv)
    if (argument.starts_with("--") && !argument.starts_with(kPhases) &&
        argument != kPrintsLocations)
      out.push_back(argument);
  return out;
}

/// By dispatch call, in order, the names of the user's nodes that its location names.
std::vector<SplitSite> sitesOf(const std::string& located, const fx::Program& user) {
  std::vector<SplitSite> out;
  const mlir::Document document(located);
  for (std::size_t i = 0; i < document.module.ops.size(); ++i) {
    const mlir::OpId id = mlir::OpId::of(i);
    if (document.module.nameOf(id) != "flow.dispatch") continue;
    SplitSite& site = out.emplace_back();
    for (const fx::NodeId node : document.nodesOf(id))
      if (node.valid() && node.index() < user.nodes.size())
        site.nodes.push_back(user.node(node).name);
  }
  return out;
}

/// A dispatch, and the calls of it.
struct DispatchGroup {
  std::string executable, function;
  std::vector<std::size_t> calls;  // of Dispatches::calls
  const DispatchCall* taken = nullptr;
  std::string reason;
};

/// Why the values of a call cannot be written to files; "" if they can.
std::string unwritten(const DispatchCall& call) {
  if (!call.untaken.empty()) return call.untaken;
  for (const auto* values : {&call.operands, &call.results})
    for (const DispatchValue& value : *values)
      if (const auto type = execute::valueTypeOf(value.type); !type) return type.error().message;
  return {};
}

std::vector<DispatchGroup> groupsOf(const Dispatches& dispatches) {
  std::vector<DispatchGroup> out;
  std::map<std::string, std::size_t> known;
  for (const std::string& executable : dispatches.executables) {
    known[executable] = out.size();
    out.push_back({executable, executable, {}, nullptr, {}});
  }
  for (std::size_t i = 0; i < dispatches.calls.size(); ++i) {
    const DispatchCall& call = dispatches.calls[i];
    const auto group = known.find(call.executable);
    if (group == known.end()) continue;
    DispatchGroup& of = out[group->second];
    of.calls.push_back(i);
    if (of.taken != nullptr) continue;
    if (std::string reason = unwritten(call); !reason.empty()) {
      if (of.reason.empty()) of.reason = std::move(reason);
      continue;
    }
    of.taken = &call;
    of.function = call.function;
  }
  for (DispatchGroup& group : out)
    if (group.calls.empty()) group.reason = "nothing calls it";
  return out;
}

/// The whole program, run with the values of some calls as further results.
class WholeRun {
 public:
  WholeRun(const mlir::Module& module, std::string function, std::vector<std::string> arguments,
           SplitWork& work, SplitResult& out, const RunContext& context)
      : module_(module),
        function_(std::move(function)),
        arguments_(std::move(arguments)),
        work_(work),
        out_(out),
        context_(context) {}

  Result<> run(const std::vector<const DispatchCall*>& calls) {
    FXS_TRY(ModuleWithValues with, withValuesOf(module_, function_, calls));
    const std::string file = work_.scratch + "/whole.mlir",
                      compiled = work_.scratch + "/whole.vmfb";
    FXS_CHECK(writeWholeFile(file, with.text));
    context_.report({"compiling the program with the values of its dispatches", -1});
    FXS_TRY(const execute::StepEnd end, work_.iree.compile(file, arguments_, compiled, context_));
    if (end.outcome) return fail(ErrorCode::Unsupported, end.message);
    execute::IreeModules::ModuleCall call;
    call.file = compiled;
    call.function = function_;
    FXS_CHECK(addInputs(call));
    FXS_CHECK(addParameters(call));
    // The program's own results are not looked at.
    call.results.resize(with.ownResults);
    for (const CallValue& each : with.values) {
      FXS_TRY(call.results.emplace_back(), execute::valueTypeOf(resultType(each.value)));
    }
    context_.report({"running the program", -1});
    FXS_TRY(const auto ran, work_.iree.run(call, context_));
    if (ran.end.outcome) return fail(ErrorCode::Unsupported, ran.end.message);
    for (std::size_t i = 0; i < with.values.size(); ++i) {
      const std::size_t r = with.ownResults + i;
      stored_[{with.values[i].caller, with.values[i].value.name}] = {ran.files[r], call.results[r]};
    }
    return {};
  }

  Result<TypedTensor> value(const DispatchCall& call, const DispatchValue& value) const {
    const auto found = stored_.find({call.caller, value.name});
    if (found == stored_.end())
      return fail(ErrorCode::Internal, "the value " + value.name + " was not computed");
    TypedTensor out;
    out.type = found->second.type;
    FXS_TRY(out.value, execute::readIreeResult(found->second.file, out.type,
                                               work_.options.run.limits, context_));
    return out;
  }

 private:
  struct StoredValue {
    std::string file;
    execute::ValueType type;
  };

  static std::string resultType(const DispatchValue& value) {
    return value.type == "index" ? "i64" : value.type;
  }

  Result<> addInputs(execute::IreeModules::ModuleCall& call) const {
    const std::vector<std::string> types = argumentTypes(module_, function_);
    const auto& tensors = out_.inputs.tensors;
    if (types.size() != tensors.size())
      return fail(ErrorCode::Unsupported,
                  fmt::format("the lowered program takes {}, and the program {}",
                              counted(types.size(), "input"), tensors.size()));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      execute::ValueType type;
      type.dtype = tensors[i].dtype;
      type.element = mlir::signless(facts(type.dtype).mlir);
      type.number = types[i] != "!hal.buffer_view";
      const std::string file =
          fmt::format("{}/given-{}{}", work_.scratch, i, execute::fileEnding(type.dtype));
      FXS_TRY(const std::string bytes, execute::fileOf(tensors[i]));
      FXS_CHECK(writeWholeFile(file, bytes));
      call.inputs.push_back(execute::ireeValue(tensors[i], type, file));
    }
    return {};
  }

  Result<> addParameters(execute::IreeModules::ModuleCall& call) {
    FXS_TRY(const ModuleParameters parameters, parametersIn(module_.text));
    if (parameters.names.empty()) return {};
    numbers::WeightFile weights(work_.snapshot, work_.scratch, work_.options.run.seed, context_);
    const std::string file = work_.scratch + "/parameters.safetensors";
    FXS_CHECK(writeParameters(file, parameters.names, weights, context_));
    call.parameters = (parameters.scope.empty() ? "" : parameters.scope + "=") + file;
    if (!weights.drawn().empty())
      out_.notes.push_back(fmt::format("{} of the weights have no data in the file and were drawn",
                                       weights.drawn().size()));
    return {};
  }

  const mlir::Module& module_;
  const std::string function_;
  const std::vector<std::string> arguments_;
  SplitWork& work_;
  SplitResult& out_;
  const RunContext& context_;
  std::map<std::pair<mlir::OpId, std::string>, StoredValue> stored_;
};

Result<> writeDispatch(const mlir::Module& module, const DispatchGroup& group,
                       const std::vector<SplitSite>& sites,
                       const std::vector<std::string>& arguments, const WholeRun& whole,
                       SplitWork& work, SplitResult& out, const RunContext& context) {
  FXS_TRY(const std::string text, callAlone(module, *group.taken));
  SplitProgram program;
  program.name = group.function;
  program.function = kAloneFunction;
  program.arguments = arguments;
  for (const std::size_t call : group.calls) {
    if (call >= sites.size()) continue;
    program.sites.push_back(sites[call]);
  }
  std::vector<TypedTensor> inputs, results;
  for (const DispatchValue& operand : group.taken->operands) {
    if (!operand.definition.empty()) continue;
    FXS_TRY(inputs.emplace_back(), whole.value(*group.taken, operand));
  }
  for (const DispatchValue& result : group.taken->results) {
    FXS_TRY(results.emplace_back(), whole.value(*group.taken, result));
  }
  FXS_CHECK(work.writer.write(program, text, inputs, results, context));
  out.programs.push_back(std::move(program));
  return {};
}

}  // namespace

bool hasDispatches(const lower::StageResult& stage) {
  return !phaseOf(stage).empty() && stage.form == mlir::TextForm::Mlir &&
         stage.text.find("flow.executable ") != std::string::npos;
}

Result<> splitDispatches(const lower::StageResult& stage, SplitWork& work, SplitResult& out,
                         const RunContext& context) {
  const session::Snapshot& s = work.snapshot;
  const std::string function =
      s.capture->module ? s.capture->module->function : s.request.import.functionName;
  const std::string plain = mlir::withoutLocations(stage.text);
  const mlir::Module module(plain);
  const Dispatches dispatches = dispatchesIn(module, function);
  const std::vector<DispatchGroup> groups = groupsOf(dispatches);
  const std::vector<SplitSite> sites = sitesOf(stage.text, *s.capture->program);
  const std::vector<std::string> arguments = argumentsAfter(stage);
  out.by = "dispatch";
  out.distinct = dispatches.executables.size();
  out.sites = dispatches.calls.size();
  std::vector<const DispatchCall*> taken;
  for (const DispatchGroup& group : groups)
    if (group.taken != nullptr) taken.push_back(group.taken);
  WholeRun whole(module, function, arguments, work, out, context);
  if (!taken.empty()) FXS_CHECK(whole.run(taken));
  std::size_t done = 0;
  for (const DispatchGroup& group : groups) {
    if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    context.report({"writing and running " + group.function,
                    static_cast<double>(done++) / static_cast<double>(groups.size())});
    if (group.taken == nullptr)
      out.left.push_back({group.function, group.calls.size(), group.reason});
    else FXS_CHECK(writeDispatch(module, group, sites, arguments, whole, work, out, context));
  }
  return {};
}

}  // namespace fxs::split
