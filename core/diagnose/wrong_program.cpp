// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/wrong_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/new_file.h"
#include "diagnose/smaller_sizes.h"
#include "fx/cut.h"
#include "numbers/known_values.h"
#include "write/pt2.h"

namespace fxs::diagnose {
namespace {

using tensor::NamedTensor;

constexpr std::string_view kInputsFile = "inputs.safetensors";
constexpr std::uint64_t kMaxWeightBytes = std::uint64_t{2} << 30;
/// A candidate is lowered, compiled and run by every executor, and computed by PyTorch: seconds
/// each. On processors; it grows with the time limit of stages.
constexpr std::chrono::milliseconds kWrongResultBudget{240'000};
/// Sizes to try for tensors that may have any; some errors, as of a sum, need more than two
/// elements.
constexpr std::array<std::int64_t, 3> kSizes{2, 8, 32};

/// The part of `value` of these sizes that has the element `at`, or the leading one where that says
/// nothing. nullopt if it is smaller.
std::optional<tensor::Tensor> part(const tensor::Tensor& value,
                                   const std::vector<std::int64_t>& sizes,
                                   const std::vector<std::int64_t>& at) {
  const std::size_t rank = sizes.size();
  if (value.sizes.size() != rank) return std::nullopt;
  if (value.sizes == sizes) return value;
  const std::size_t width = facts(value.dtype).bytes;
  std::vector<std::int64_t> first(rank, 0), strides(rank, 1);
  for (std::size_t i = rank; i-- > 0;) {
    if (sizes[i] > value.sizes[i]) return std::nullopt;
    if (i + 1 < rank) strides[i] = strides[i + 1] * value.sizes[i + 1];
    if (at.size() == rank) first[i] = std::clamp<std::int64_t>(at[i], 0, value.sizes[i] - sizes[i]);
  }
  tensor::Tensor out{value.dtype, sizes, {}};
  const std::uint64_t count = out.elements();
  for (std::uint64_t n = 0; n < count; ++n) {
    std::uint64_t rest = n, from = 0;
    for (std::size_t i = rank; i-- > 0;) {
      const auto size = static_cast<std::uint64_t>(sizes[i]);
      from += (static_cast<std::uint64_t>(first[i]) + rest % size) *
              static_cast<std::uint64_t>(strides[i]);
      rest /= size;
    }
    out.bytes.append(value.bytes, from * width, width);
  }
  return out;
}

/// The sizes of a value if they are numbers.
std::optional<std::vector<std::int64_t>> staticSizes(const fx::Node& node) {
  const fx::TensorMeta* meta = node.val.tensor();
  return meta == nullptr ? std::nullopt : fx::staticSizes(meta->sizes);
}

/// Whether the program writes to a weight.
bool isWritten(const fx::Program& program, const std::string& target) {
  return std::any_of(program.outputs.begin(), program.outputs.end(),
                     [&](const fx::OutputSpec& output) { return output.target == target; });
}

}  // namespace

WrongProgramSearch::WrongProgramSearch(session::SnapshotPtr snapshot,
                                       const WrongProgramOptions& options,
                                       const session::Environment& env, const RunContext& context,
                                       ScratchDirectory folder)
    : snapshot_(std::move(snapshot)),
      original_(*snapshot_),
      user_(original_.capture->program),
      compareOptions_(options.compare),
      prepare_(options.prepare),
      weightsAsInputs_(options.weightsAsInputs),
      work_(*env.runner),
      env_(env),
      context_(context),
      folder_(std::move(folder)) {
  env_.runner = &work_;
  compareOptions_.targets = {original_.request.lower.target};
  compareOptions_.keepValues = true;
  compareOptions_.onPart = {};
}

Result<> WrongProgramSearch::compareAll() {
  FXS_TRY(inAll_, numbers::compare(snapshot_, compareOptions_, env_, context_));
  const compare::TargetComparison& target = inAll_->targets.front();
  kind_ = compare::kindOf(target);
  if (kind_.empty()) return tl::unexpected<Error>(nothingWrong(target));
  worst_ = compare::worstInputs(target);
  if (target.first) node_ = target.first->node;
  for (const compare::NodeComparison& node : target.nodes)
    if (node.node == node_ && !node.difference.worst.empty())
      worstElement_ = node.difference.worst.front().index;
  return {};
}

Error WrongProgramSearch::nothingWrong(const compare::TargetComparison& target) const {
  const std::string who =
      fmt::format("{}: {}: ", original_.request.file, lower::name(original_.request.lower.target));
  if (target.verdict == compare::TargetVerdict::Same)
    return {ErrorCode::Usage,
            who + "it computes what is expected by " + inAll_->reference + " for " +
                target.scope.message(),
            {}};
  if (target.unanswered) return {ErrorCode::EngineFailed, who + target.message, {}};
  std::string message = fmt::format("{} ({})", target.message, compare::name(target.verdict));
  if (inAll_->nodeValues.empty()) message += "; --python compares with PyTorch, which decides more";
  return {ErrorCode::Usage, who + "it is not certain that a result is wrong: " + message, {}};
}

compare::Sizes WrongProgramSearch::sizes() const {
  return inAll_ ? inAll_->inputs[worst_].sizes : compare::Sizes();
}

FailureSignature WrongProgramSearch::signatureOf(const WrongProgram& wrong) const {
  FailureSignature out{std::string(lower::name(original_.request.lower.target)), "",
                       std::string(kWrongResult), "", ""};
  const auto& first = wrong.target().first;
  if (!first) return out;
  out.stage = first->stage;
  out.pass = first->pass;
  if (first->node.valid())
    out.fxTarget = wrong.snapshot->capture->program->node(first->node).target;
  return out;
}

/// The values that a candidate's inputs have in the whole program; drawn ones if some are not known
/// or not allowed.
Result<std::vector<NamedTensor>> WrongProgramSearch::inputsOf(const fx::Program& program) const {
  const numbers::KnownValues values(*user_, *inAll_, worst_, context_);
  std::vector<NamedTensor> named;
  bool known = true;
  for (const fx::InputSpec& spec : program.inputs) {
    if (spec.kind != fx::InputKind::UserInput || !spec.constant.isNone()) continue;
    const fx::Node& node = program.node(spec.node);
    named.push_back({node.name, {}});
    std::optional<tensor::Tensor> value;
    if (const auto weight = weights_.find(node.name); weight != weights_.end())
      value = weight->second;
    else if (known) value = values.find(node.name);
    if (const auto sizes = staticSizes(node); value && sizes)
      value = part(*value, *sizes, worstElement_);
    known = known && value;
    if (known) named.back().tensor = *std::move(value);
  }
  if (known) {
    FXS_TRY(std::string bytes, tensor::safetensorsBytes(named));
    FXS_TRY(const auto file,
            tensor::openTensors(memorySource(std::move(bytes)), "inputs", context_));
    if (compare::inputsFrom(program, *file, "inputs", context_)) return named;
  }
  FXS_TRY(compare::Inputs drawn, compare::drawInputs(program, {}, compareOptions_.seed, context_));
  named.resize(std::min(named.size(), drawn.tensors.size()));
  for (std::size_t i = 0; i < named.size(); ++i) named[i].tensor = std::move(drawn.tensors[i]);
  return named;
}

Result<std::optional<WrongProgram>> WrongProgramSearch::with(const session::SnapshotPtr& prepared,
                                                             std::vector<NamedTensor> inputs,
                                                             bool findFirst) {
  WrongProgram out{prepared, std::move(inputs), nullptr};
  numbers::CompareOptions chosen = compareOptions_;
  chosen.inputsFile = folder_.file(std::string(kInputsFile));
  FXS_TRY(const std::string bytes, tensor::safetensorsBytes(out.inputs));
  FXS_CHECK(writeWholeFile(chosen.inputsFile, bytes));
  chosen.sizes.clear();
  chosen.seed = 0;  // as when it is run again
  chosen.findFirst = findFirst;
  auto comparison = numbers::compare(prepared, chosen, env_, context_);
  if (!comparison && (endsAll(comparison.error()) || comparison.error().code == ErrorCode::Io))
    return tl::unexpected<Error>(comparison.error());
  if (!comparison || compare::kindOf((*comparison)->targets.front()) != kind_) return std::nullopt;
  out.comparison = *std::move(comparison);
  return std::optional(std::move(out));
}

/// The candidate in the form that its receiver gets, if it computes wrong in the same way; else
/// nullopt.
Result<std::optional<WrongProgram>> WrongProgramSearch::judged(const fx::Program& candidate,
                                                               bool findFirst) {
  const auto passed = [](Error error) -> Result<std::optional<WrongProgram>> {
    if (endsAll(error) || error.code == ErrorCode::Io)
      return tl::unexpected<Error>(std::move(error));
    return std::nullopt;
  };
  auto prepared = prepare_(candidate);
  if (!prepared) return passed(prepared.error());
  auto inputs = inputsOf(*(*prepared)->capture->program);
  if (!inputs) return passed(inputs.error());
  auto wrong = with(*prepared, *std::move(inputs), findFirst);
  return wrong ? std::move(wrong) : passed(wrong.error());
}

/// Whether the node that computes wrong is in the candidate.
bool WrongProgramSearch::hasNode(const fx::Program& candidate) const {
  if (!node_.valid() || &candidate == user_.get()) return true;
  const auto nodes = fx::nodesFrom(candidate, node_);
  return std::any_of(nodes.begin(), nodes.end(), [&](fx::NodeId id) {
    return candidate.node(id).op == fx::NodeOp::CallFunction;
  });
}

Result<fx::ProgramPtr> WrongProgramSearch::fewestOperations() {
  const FailureSignature wanted{std::string(lower::name(original_.request.lower.target)), "", kind_,
                                "", ""};
  // Candidates come smallest first, so that the rest need not be run once one computes wrong.
  const Probe probe = [&](const std::vector<fx::ProgramPtr>& candidates,
                          const RunContext&) -> Result<std::vector<std::vector<Failure>>> {
    std::vector<std::vector<Failure>> out(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (!hasNode(*candidates[i])) continue;
      FXS_TRY(const auto wrong, judged(*candidates[i], false));
      if (!wrong) continue;
      out[i].push_back({wanted, node_});
      break;
    }
    return out;
  };
  const TimeLimit budget(
      lower::grownWith(original_.request.lower.limits.timeout, kWrongResultBudget), work_);
  auto reduction = reduceProgram(user_, wanted, probe, {node_, budget}, context_);
  if (reduction) return reduction->program;
  if (reduction.error().code != ErrorCode::InvalidInput &&
      reduction.error().code != ErrorCode::Timeout)
    return tl::unexpected<Error>(reduction.error());
  return user_;
}

/// The program with the weights that it only reads as inputs, whose values are kept, if it computes
/// wrong in the same way; else as it is.
Result<fx::ProgramPtr> WrongProgramSearch::withWeightsAsInputs(const fx::ProgramPtr& program) {
  auto out = std::make_shared<fx::Program>(*program);
  for (fx::InputSpec& input : out->inputs) {
    const fx::Weight* weight = program->findWeight(input.target);
    if (!fx::isWeight(input.kind) || weight == nullptr || !weight->readable ||
        isWritten(*program, input.target))
      continue;
    FXS_TRY(std::string bytes,
            original_.capture->weights->read(*weight, kMaxWeightBytes, context_));
    weights_[program->node(input.node).name] = {weight->dtype, weight->sizes, std::move(bytes)};
    input = {fx::InputKind::UserInput, input.node, "", true, {}};
  }
  if (weights_.empty()) return program;
  out->inputNames.clear();
  FXS_TRY(const auto wrong, judged(*out, false));
  if (wrong) return fx::ProgramPtr(std::move(out));
  weights_.clear();
  return program;
}

Result<WrongProgram> WrongProgramSearch::smallest() {
  FXS_CHECK(compareAll());
  FXS_TRY(fx::ProgramPtr best, fewestOperations());
  if (weightsAsInputs_) {
    FXS_TRY(best, withWeightsAsInputs(best));
  }
  for (const std::int64_t size : kSizes) {
    const std::vector<std::int64_t> larger = sizesThatMayShrink(*best, size);
    if (larger.empty()) break;
    const fx::ProgramPtr small = withSmallSizes(*best, {larger.begin(), larger.end()}, size);
    context_.report({fmt::format("trying tensors of size {}", size), -1});
    FXS_TRY(auto wrong, judged(*small, true));
    if (wrong) return *std::move(wrong);
  }
  FXS_TRY(auto wrong, judged(*best, true));
  if (!wrong)
    return fail(ErrorCode::Unsupported, original_.request.file +
                                            ": after being written to a file and read again, the "
                                            "program does not compute a wrong result");
  return *std::move(wrong);
}

Result<std::string> writtenProgram(const fx::Program& program,
                                   const std::function<bool(const fx::Weight&)>& withBytes,
                                   const read::Capture& capture, const RunContext& context) {
  write::Pt2Options options;
  options.withBytes = withBytes;
  options.bytes = [&](const fx::Weight& weight) {
    return capture.weights->read(weight, kMaxWeightBytes, context);
  };
  return write::pt2Bytes(program, options, context);
}

}  // namespace fxs::diagnose
