// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/safe_text.h"
#include "base/scratch_directory.h"
#include "base/work_time.h"
#include "bundle/bundle_writer.h"
#include "bundle/replay.h"
#include "diagnose/reduce.h"
#include "diagnose/smaller_sizes.h"
#include "fx/cut.h"
#include "numbers/known_values.h"
#include "numbers/reference.h"

namespace fxs::bundle {
namespace {

using tensor::NamedTensor;
using tensor::Tensor;

/// A candidate is lowered, compiled and run by every executor, and computed by PyTorch: seconds
/// each. On processors; it grows with the time limit of stages.
constexpr std::chrono::milliseconds kWrongResultBudget{240'000};
/// Sizes to try for tensors that may have any; some errors, as of a sum, need more than two
/// elements.
constexpr std::array<std::int64_t, 3> kSizes{2, 8, 32};

/// The part of `value` of these sizes that has the element `at`, or the leading one where that says
/// nothing. nullopt if it is smaller.
std::optional<Tensor> part(const Tensor& value, const std::vector<std::int64_t>& sizes,
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
  Tensor out{value.dtype, sizes, {}};
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

/// A program that computes wrong in the same way.
struct WrongProgram {
  BundledProgram written;
  std::string inputs;  ///< safetensors
  compare::ComparisonPtr comparison;
  const compare::TargetComparison& target() const { return comparison->targets.front(); }
};

class WrongExporter {
 public:
  WrongExporter(const session::Snapshot& original, const BundleOptions& options,
                const session::Environment& env, const RunContext& context, ScratchDirectory folder)
      : original_(original),
        user_(original.capture->program),
        compareOptions_(*options.wrong),
        work_(*env.runner),
        env_(env),
        context_(context),
        folder_(std::move(folder)),
        writer_(original, options, env_, context) {
    env_.runner = &work_;
    compareOptions_.targets = {original.request.lower.target};
    compareOptions_.keepValues = true;
    compareOptions_.onPart = {};
  }

  Result<BundleResult> run(const session::SnapshotPtr& snapshot) {
    FXS_TRY(inAll_, numbers::compare(snapshot, compareOptions_, env_, context_));
    const compare::TargetComparison& target = inAll_->targets.front();
    kind_ = compare::kindOf(target);
    if (kind_.empty()) return tl::unexpected<Error>(nothingWrong(target));
    worst_ = compare::worstInputs(target);
    if (target.first) node_ = target.first->node;
    for (const compare::NodeComparison& node : target.nodes)
      if (node.node == node_ && !node.difference.worst.empty())
        worstElement_ = node.difference.worst.front().index;

    FXS_TRY(WrongProgram wrong, smallest());
    FXS_TRY(wrong.written.snapshot,
            session::advance(wrong.written.snapshot, session::Phase::Lower, env_, context_));
    FXS_CHECK(fillIn(std::move(wrong)));
    return writer_.write([this](NewFile& file) { return replayed(file); });
  }

 private:
  std::string targetName() const {
    return std::string(lower::name(original_.request.lower.target));
  }

  Error nothingWrong(const compare::TargetComparison& target) const {
    const std::string who = original_.request.file + ": " + targetName() + ": ";
    if (target.verdict == compare::TargetVerdict::Same)
      return {ErrorCode::Usage,
              who + "it computes what is expected by " + inAll_->reference + " for " +
                  target.scope.message(),
              {}};
    if (target.unanswered) return {ErrorCode::EngineFailed, who + target.message, {}};
    std::string message = fmt::format("{} ({})", target.message, compare::name(target.verdict));
    if (inAll_->nodeValues.empty())
      message += "; --python compares with PyTorch, which decides more";
    return {ErrorCode::Usage, who + "it is not certain that a result is wrong: " + message, {}};
  }

  diagnose::FailureSignature signatureOf(const compare::TargetComparison& target,
                                         const fx::Program& program) {
    diagnose::FailureSignature out{targetName(), "", std::string(kWrongResult), "", ""};
    if (!target.first) return out;
    out.stage = target.first->stage;
    out.pass = printable(target.first->pass);
    if (target.first->node.valid())
      out.fxTarget = writer_.filter().name(program.node(target.first->node).target);
    return out;
  }

  /// The values that a candidate's inputs have in the whole program, as a safetensors file; drawn
  /// ones if some are not known or not allowed.
  Result<std::string> inputsOf(const fx::Program& program) const {
    const numbers::KnownValues values(*user_, *inAll_, worst_, context_);
    std::vector<NamedTensor> named;
    bool known = true;
    for (const fx::InputSpec& spec : program.inputs) {
      if (spec.kind != fx::InputKind::UserInput || !spec.constant.isNone()) continue;
      const fx::Node& node = program.node(spec.node);
      named.push_back({node.name, {}});
      auto value = known ? values.find(node.name) : std::nullopt;
      if (const auto sizes = staticSizes(node); value && sizes)
        value = part(*value, *sizes, worstElement_);
      known = known && value;
      if (known) named.back().tensor = *std::move(value);
    }
    if (known) {
      FXS_TRY(std::string bytes, tensor::safetensorsBytes(named));
      FXS_TRY(const auto file, tensor::openTensors(memorySource(bytes), "inputs", context_));
      if (compare::inputsFrom(program, *file, "inputs", context_)) return bytes;
    }
    FXS_TRY(compare::Inputs drawn,
            compare::drawInputs(program, {}, compareOptions_.seed, context_));
    named.resize(std::min(named.size(), drawn.tensors.size()));
    for (std::size_t i = 0; i < named.size(); ++i) named[i].tensor = std::move(drawn.tensors[i]);
    return tensor::safetensorsBytes(named);
  }

  /// The candidate in the form that the receiver of the bundle gets, if it computes wrong in the
  /// same way; else nullopt.
  Result<std::optional<WrongProgram>> judged(const fx::Program& candidate, bool findFirst) {
    const auto passed = [](Error error) -> Result<std::optional<WrongProgram>> {
      if (endsAll(error) || error.code == ErrorCode::Io)
        return tl::unexpected<Error>(std::move(error));
      return std::nullopt;
    };
    WrongProgram out;
    auto written = writer_.prepared(candidate, session::Phase::Import);
    if (!written) return passed(written.error());
    out.written = *std::move(written);
    auto inputs = inputsOf(*out.written.snapshot->capture->program);
    if (!inputs) return passed(inputs.error());
    out.inputs = *std::move(inputs);
    numbers::CompareOptions chosen = compareOptions_;
    chosen.inputsFile = folder_.file(std::string(kInputsFile));
    FXS_CHECK(writeWholeFile(chosen.inputsFile, out.inputs));
    chosen.sizes.clear();
    chosen.seed = 0;  // as in a replay
    chosen.findFirst = findFirst;
    auto comparison = numbers::compare(out.written.snapshot, chosen, env_, context_);
    if (!comparison) return passed(comparison.error());
    if (compare::kindOf((*comparison)->targets.front()) != kind_) return std::nullopt;
    out.comparison = *std::move(comparison);
    return std::optional(std::move(out));
  }

  /// Whether the node that computes wrong is in the candidate.
  bool hasNode(const fx::Program& candidate) const {
    if (!node_.valid() || &candidate == user_.get()) return true;
    const auto nodes = fx::nodesFrom(candidate, node_);
    return std::any_of(nodes.begin(), nodes.end(), [&](fx::NodeId id) {
      return candidate.node(id).op == fx::NodeOp::CallFunction;
    });
  }

  Result<WrongProgram> smallest() {
    const diagnose::FailureSignature wanted{targetName(), "", kind_, "", ""};
    // Candidates come smallest first, so that the rest need not be run once one computes wrong.
    const diagnose::Probe probe =
        [&](const std::vector<fx::ProgramPtr>& candidates,
            const RunContext&) -> Result<std::vector<std::vector<diagnose::Failure>>> {
      std::vector<std::vector<diagnose::Failure>> out(candidates.size());
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!hasNode(*candidates[i])) continue;
        FXS_TRY(const auto wrong, judged(*candidates[i], false));
        if (!wrong) continue;
        out[i].push_back({wanted, node_});
        break;
      }
      return out;
    };
    fx::ProgramPtr best = user_;
    const TimeLimit budget(
        lower::grownWith(original_.request.lower.limits.timeout, kWrongResultBudget), work_);
    auto reduction = diagnose::reduceProgram(user_, wanted, probe, {node_, budget}, context_);
    if (!reduction && reduction.error().code != ErrorCode::InvalidInput &&
        reduction.error().code != ErrorCode::Timeout)
      return tl::unexpected<Error>(reduction.error());
    if (reduction) best = reduction->program;
    for (const std::int64_t size : kSizes) {
      const std::vector<std::int64_t> larger = diagnose::sizesThatMayShrink(*best, size);
      if (larger.empty()) break;
      const fx::ProgramPtr small =
          diagnose::withSmallSizes(*best, {larger.begin(), larger.end()}, size);
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

  Result<> fillIn(WrongProgram wrong) {
    const compare::Comparison& comparison = *wrong.comparison;
    const compare::TargetComparison& target = wrong.target();
    WrongResult result{kind_, writer_.filter().text(printable(target.message)), {}, {}};
    result.executors = executorsOf(comparison);
    FXS_TRY(const std::vector<NamedTensor> expected, expectedIn(comparison));
    const std::vector<NamedTensor> found = foundIn(target);
    const fx::ProgramPtr program = wrong.written.snapshot->capture->program;
    if (!expected.empty())
      result.expectedBy = writer_.filter().text(printable(comparison.reference));
    FXS_CHECK(
        writer_.fillIn(signatureOf(target, *program), std::move(result), std::move(wrong.written)));
    writer_.content.inputs = std::move(wrong.inputs);
    if (!expected.empty()) {
      FXS_TRY(writer_.content.expected, tensor::safetensorsBytes(expected));
    }
    if (!found.empty()) {
      FXS_TRY(writer_.content.found, tensor::safetensorsBytes(found));
    }
    return {};
  }

  /// Those that ran the program, or crashed in it.
  std::vector<std::string> executorsOf(const compare::Comparison& comparison) {
    const std::vector<compare::Run>& runs = comparison.targets.front().runs;
    std::vector<std::string> out;
    for (std::size_t r = 0; r < std::min(runs.size(), comparison.executors.size()); ++r)
      if (runs[r].outcome == execute::Outcome::Ran || runs[r].outcome == execute::Outcome::Crashed)
        out.push_back(writer_.filter().text(printable(comparison.executors[r])));
    return out;
  }

  static bool hasValues(const compare::ResultComparison& value) {
    return value.compared && !value.output.empty();
  }

  /// What the first run with values was compared with. Of a text that crashed, nothing was
  /// compared: then what the reference computed.
  Result<std::vector<NamedTensor>> expectedIn(const compare::Comparison& comparison) const {
    std::vector<NamedTensor> out;
    for (const compare::Run& run : comparison.targets.front().runs) {
      for (const compare::ResultComparison& value : run.results)
        if (hasValues(value)) out.push_back({value.output, *value.expectedValue});
      if (!out.empty()) return out;
    }
    if (comparison.nodeValues.empty()) return out;
    const auto& reference = comparison.nodeValues.front();
    for (const tensor::StoredTensor& stored : reference->tensors()) {
      if (!stored.name.starts_with("output#") && !stored.name.ends_with("#after")) continue;
      FXS_TRY(Tensor value, reference->read(stored, numbers::kValueBytes, context_));
      out.push_back({stored.name, std::move(value)});
    }
    return out;
  }

  static std::vector<NamedTensor> foundIn(const compare::TargetComparison& target) {
    std::vector<NamedTensor> out;
    for (const compare::Run& run : target.runs)
      for (const compare::ResultComparison& value : run.results)
        if (hasValues(value)) out.push_back({run.executor + ":" + value.output, *value.foundValue});
    return out;
  }

  /// Replays the written bundle. "" if it computes the same wrong result, otherwise what is wrong
  /// with it.
  Result<std::string> replayed(const NewFile& file) {
    context_.report({"replaying the bundle", -1});
    FXS_TRY(const Bundle bundle, writer_.reopened(file));
    const auto again = replay(bundle, file.path(), *original_.engine,
                              {original_.request.lower.limits, {}}, env_, context_);
    const std::string no(kDoesNotHold);
    if (!again && again.error().code == ErrorCode::InvalidInput)
      return no + "its files cannot be regenerated: " +
             again.error().message.substr(file.path().size() + 2);
    if (!again) return tl::unexpected<Error>(again.error());
    if (again->outcome == ReplayOutcome::SameFailure) return std::string();
    return (again->outcome == ReplayOutcome::Unknown ? std::string(kNotKnown) : no) +
           "when run again, it " + again->statement;
  }

  const session::Snapshot& original_;
  const fx::ProgramPtr user_;
  numbers::CompareOptions compareOptions_;
  WorkTime work_;
  session::Environment env_;
  const RunContext& context_;
  const ScratchDirectory folder_;
  BundleWriter writer_;
  compare::ComparisonPtr inAll_;  ///< of the whole program
  std::string kind_;              ///< compare::kindOf()
  std::size_t worst_ = 0;         ///< the inputs of inAll_ to keep
  fx::NodeId node_;  ///< of the user's program: the first that differs; invalid if not known
  std::vector<std::int64_t> worstElement_;  ///< of that node's value
};

}  // namespace

Result<BundleResult> exportWrongResult(const session::SnapshotPtr& imported,
                                       const BundleOptions& options,
                                       const session::Environment& env, const RunContext& context) {
  if (options.weights == BundleWeights::None)
    return fail(ErrorCode::Usage,
                "a bundle of a wrong result requires the weights that it is computed with: used or "
                "all, not none");
  FXS_TRY(ScratchDirectory folder,
          ScratchDirectory::make(env.temporaryDir, "the programs of a bundle"));
  return WrongExporter(*imported, options, env, context, std::move(folder)).run(imported);
}

}  // namespace fxs::bundle
