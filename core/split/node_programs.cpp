// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "compare/taps.h"
#include "execute/lowered_input.h"
#include "execute/native_stages.h"
#include "execute/weights_as_arguments.h"
#include "fx/cut.h"
#include "import/distinct_operations.h"
#include "numbers/lowered_texts.h"
#include "numbers/text_runner.h"
#include "numbers/weight_file.h"
#include "session/importing.h"
#include "split/dispatch_programs.h"

namespace fxs::split {
namespace {

using tensor::Tensor;

/// Values that are made results of one run.
constexpr std::size_t kMostValues = 512;

/// The program without results that are numbers, such as sizes that others use, too.
fx::ProgramPtr withTensorResults(const fx::Program& cut) {
  auto out = std::make_shared<fx::Program>(cut);
  std::erase_if(out->outputs, [&](const fx::OutputSpec& spec) {
    const fx::NodeId* id = spec.value.node();
    return id == nullptr || out->node(*id).val.tensor() == nullptr;
  });
  fx::ArgumentList values;
  for (const fx::OutputSpec& spec : out->outputs) values.emplace_back(*spec.value.node());
  fx::Node& output = out->nodes[out->main().nodes.back().index()];
  if (!output.args.empty()) output.args.front().value = std::move(values);
  return out;
}

class NodeSplit {
 public:
  NodeSplit(SplitWork& work, SplitResult& out, numbers::TextRunner& runner,
            const RunContext& context)
      : work_(work),
        s_(work.snapshot),
        program_(work.snapshot.rewritten->program),
        out_(out),
        runner_(runner),
        context_(context),
        weights_(work.snapshot, work.scratch, work.options.run.seed, context) {}

  Result<> run() {
    const std::vector<import::DistinctOperation> operations = import::distinctOperations(*program_);
    out_.by = "node";
    out_.distinct = operations.size();
    std::vector<Operation> taken;
    for (const import::DistinctOperation& operation : operations) {
      out_.sites += operation.nodes.size();
      Operation each{operation, nullptr};
      auto cut = fx::cutNodes(program_, {operation.first});
      if (!cut) leave(operation, cut.error().message);
      else if (program_->node(operation.first).graph != program_->main().id)
        leave(operation, "it is in a subgraph");
      else if (each.cut = withTensorResults(**cut); each.cut->outputs.empty()) {
        leave(operation, "it computes no tensor");
        each.cut = nullptr;
      }
      if (each.cut) taken.push_back(std::move(each));
    }
    FXS_CHECK(computeValues(taken));
    std::size_t done = 0;
    for (const Operation& operation : taken) {
      if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
      context_.report({"lowering and running " + nameOf(operation.of.first),
                       static_cast<double>(done++) / static_cast<double>(taken.size())});
      FXS_CHECK(write(operation));
    }
    if (!weights_.drawn().empty())
      out_.notes.push_back(std::to_string(weights_.drawn().size()) +
                           " of the weights have no data in the file and were drawn");
    return {};
  }

 private:
  struct Operation {
    import::DistinctOperation of;
    fx::ProgramPtr cut;
  };

  const std::string& nameOf(fx::NodeId id) const { return program_->node(id).name; }
  void leave(const import::DistinctOperation& operation, std::string reason) {
    out_.left.push_back({nameOf(operation.first), operation.nodes.size(), std::move(reason)});
  }

  /// Of the operands and results of the operations, by a run of the whole program with them as
  /// further results.
  Result<> computeValues(const std::vector<Operation>& operations) {
    std::set<std::string> wanted;
    for (const Operation& operation : operations) {
      for (const fx::InputSpec& spec : operation.cut->inputs)
        wanted.insert(operation.cut->node(spec.node).name);
      for (const fx::NodeId result : compare::resultNodes(*operation.cut))
        if (result.valid()) wanted.insert(operation.cut->node(result).name);
    }
    std::vector<fx::NodeId> nodes;
    for (const fx::NodeId id : compare::tappableNodes(*program_))
      if (wanted.contains(nameOf(id))) nodes.push_back(id);
    std::size_t input = 0;
    for (const fx::InputSpec& spec : program_->inputs) {
      if (spec.kind != fx::InputKind::UserInput || !spec.constant.isNone()) continue;
      if (input < out_.inputs.tensors.size())
        values_[nameOf(spec.node)] = out_.inputs.tensors[input];
      ++input;
    }
    for (std::size_t begin = 0; begin < std::max<std::size_t>(nodes.size(), 1);
         begin += kMostValues) {
      const std::size_t end = std::min(begin + kMostValues, nodes.size());
      FXS_CHECK(compute({nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                         nodes.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    return {};
  }

  Result<> compute(const std::vector<fx::NodeId>& nodes) {
    FXS_TRY(const compare::Tapped tapped, compare::withTaps(program_, nodes));
    context_.report({"lowering the program with the values of its nodes", -1});
    FXS_TRY(const numbers::LoweredText lowered,
            numbers::lowerBy(*s_.request.route, s_, *tapped.program, out_.to, work_.env, context_));
    if (lowered.text.empty())
      return fail(ErrorCode::Usage, std::string(lower::name(out_.to)) + ": " + lowered.message);
    execute::Executor& executor = *runner_.executors().front();
    context_.report({"running the program with " + executor.version(), -1});
    FXS_TRY(numbers::Executed done,
            runner_.run(executor, lowered.text, out_.inputs, false, context_));
    if (done.run.outcome != execute::Outcome::Ran)
      return fail(ErrorCode::Unsupported, executor.version() + ": " + done.run.message);
    std::vector<fx::NodeId> results = compare::resultNodes(*program_);
    results.insert(results.end(), nodes.begin(), nodes.end());
    if (done.values.size() != results.size())
      return fail(ErrorCode::Unsupported, "the lowered program has other results");
    for (std::size_t r = 0; r < results.size(); ++r)
      if (results[r].valid()) values_[nameOf(results[r])] = std::move(done.values[r]);
    return {};
  }

  Result<> write(const Operation& operation) {
    SplitProgram program;
    program.name = nameOf(operation.of.first);
    FXS_TRY(std::optional<Texts> lowered, textOf(operation, program.function));
    if (!lowered) return {};
    std::vector<TypedTensor> inputs, results;
    std::size_t given = 0;
    for (const fx::InputSpec& spec : operation.cut->inputs) {
      if (spec.kind != fx::InputKind::UserInput || !spec.constant.isNone()) continue;
      const std::string& name = operation.cut->node(spec.node).name;
      const auto value = values_.find(name);
      if (value == values_.end()) {
        leave(operation.of, "the value of '" + name + "' is not known");
        return {};
      }
      if (given >= lowered->signature.arguments.size()) break;
      inputs.push_back({value->second, lowered->signature.arguments[given++]});
    }
    for (const std::string& handle : lowered->handles) {
      if (given >= lowered->signature.arguments.size()) break;
      FXS_TRY(Tensor weight, weightOf(handle, lowered->signature.arguments[given].dtype));
      inputs.push_back({std::move(weight), lowered->signature.arguments[given++]});
    }
    const std::vector<fx::NodeId> resultNodes = compare::resultNodes(*operation.cut);
    for (std::size_t r = 0; r < resultNodes.size(); ++r) {
      const auto value = resultNodes[r].valid()
                             ? values_.find(operation.cut->node(resultNodes[r]).name)
                             : values_.end();
      if (value == values_.end() || r >= lowered->signature.results.size()) {
        leave(operation.of, "the value of a result is not known");
        return {};
      }
      results.push_back({value->second, lowered->signature.results[r]});
    }
    if (given != lowered->signature.arguments.size() ||
        results.size() != lowered->signature.results.size()) {
      leave(operation.of, "its text takes or returns other values than the operation");
      return {};
    }
    program.arguments = execute::ireeArguments();
    for (const fx::NodeId node : operation.of.nodes)
      program.sites.push_back({{program_->originOf(program_->node(node)).name}});
    FXS_CHECK(work_.writer.write(program, lowered->text, inputs, results, context_));
    out_.programs.push_back(std::move(program));
    return {};
  }

  struct Texts {
    std::string text;
    std::vector<std::string> handles;
    execute::Signature signature;
  };

  /// The operation's text with weights as arguments; nullopt for one that is left.
  Result<std::optional<Texts>> textOf(const Operation& operation, std::string& function) {
    const auto left = [&](std::string reason) -> std::optional<Texts> {
      leave(operation.of, std::move(reason));
      return std::nullopt;
    };
    auto lowered =
        numbers::lowerBy(*s_.request.route, s_, *operation.cut, out_.to, work_.env, context_);
    if (!lowered && endsAll(lowered.error())) return tl::unexpected<Error>(lowered.error());
    if (!lowered) return left(lowered.error().message);
    if (lowered->text.empty()) return left("by itself, it " + lowered->message);
    function = s_.request.import.functionName;
    auto lifted = execute::weightsAsArguments(lowered->text, function);
    if (!lifted) return left(lifted.error().message);
    auto signature = execute::signatureOf(lifted->text, function);
    if (!signature) return left(signature.error().message);
    Texts out{std::move(lifted->text), std::move(lifted->handles), *std::move(signature)};
    if (execute::has(execute::dialectsOf(out.text), "tosa")) {
      // IREE reads it in generic form.
      FXS_TRY(execute::Converted same,
              execute::generic(out.text, work_.tools, work_.scratch, work_.options.run.limits,
                               *work_.env.runner, context_));
      if (same.end.outcome) return left(same.end.message);
      out.text = std::move(same.text);
    }
    return out;
  }

  Result<Tensor> weightOf(const std::string& handle, DType dtype) {
    FXS_TRY(const execute::Argument argument, weights_.at(handle));
    Tensor out{dtype, argument.sizes, {}};
    if (const auto* held = std::get_if<std::string>(&argument.elements)) {
      out.bytes = *held;
      return out;
    }
    const auto& stored = std::get<execute::StoredBytes>(argument.elements);
    FXS_TRY(const auto source, openFile(stored.file));
    FXS_TRY(out.bytes, source->read(stored.offset, stored.bytes));
    return out;
  }

  SplitWork& work_;
  const session::Snapshot& s_;
  const fx::ProgramPtr program_;
  SplitResult& out_;
  numbers::TextRunner& runner_;
  const RunContext& context_;
  numbers::WeightFile weights_;
  std::map<std::string, Tensor> values_;  // by node
};

}  // namespace

Result<> splitNodes(SplitWork& work, SplitResult& out, const RunContext& context) {
  if (work.snapshot.capture->module)
    return fail(ErrorCode::Usage,
                work.snapshot.request.file +
                    ": an MLIR module has no nodes; choose an output type that divides it into "
                    "dispatches");
  FXS_TRY(const auto runner,
          numbers::TextRunner::make(work.snapshot, work.options.run, work.env, context));
  return NodeSplit(work, out, *runner, context).run();
}

}  // namespace fxs::split
