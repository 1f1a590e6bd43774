// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "base/safe_text.h"
#include "base/scratch_directory.h"
#include "bundle/bundle_writer.h"
#include "bundle/replay.h"
#include "diagnose/wrong_program.h"
#include "numbers/reference.h"

namespace fxs::bundle {
namespace {

using tensor::NamedTensor;
using tensor::Tensor;

class WrongExporter {
 public:
  WrongExporter(const session::SnapshotPtr& snapshot, const BundleOptions& options,
                const session::Environment& env, const RunContext& context, ScratchDirectory folder)
      : original_(*snapshot),
        env_(env),
        context_(context),
        writer_(original_, options, env_, context),
        search_(snapshot,
                {*options.wrong, [this](const fx::Program& program) { return prepared(program); }},
                env, context, std::move(folder)) {}

  Result<BundleResult> run() {
    FXS_TRY(const diagnose::WrongProgram wrong, search_.smallest());
    FXS_CHECK(fillIn(wrong));
    return writer_.write([this](NewFile& file) { return replayed(file); });
  }

 private:
  Result<session::SnapshotPtr> prepared(const fx::Program& program) {
    FXS_TRY(BundledProgram written, writer_.prepared(program, session::Phase::Import));
    bytes_ = std::move(written.bytes);
    return std::move(written.snapshot);
  }

  Result<> fillIn(const diagnose::WrongProgram& wrong) {
    const compare::Comparison& comparison = *wrong.comparison;
    const compare::TargetComparison& target = wrong.target();
    WrongResult result{search_.kind(), writer_.filter().text(printable(target.message)), {}, {}};
    result.executors = executorsOf(comparison);
    FXS_TRY(const std::vector<NamedTensor> expected, expectedIn(comparison));
    const std::vector<NamedTensor> found = foundIn(target);
    if (!expected.empty())
      result.expectedBy = writer_.filter().text(printable(comparison.reference));
    diagnose::FailureSignature signature = search_.signatureOf(wrong);
    signature.pass = printable(signature.pass);
    signature.fxTarget = writer_.filter().name(signature.fxTarget);
    FXS_TRY(auto lowered, session::advance(wrong.snapshot, session::Phase::Lower, env_, context_));
    FXS_CHECK(writer_.fillIn(signature, std::move(result), {bytes_, std::move(lowered)}));
    FXS_TRY(writer_.content.inputs, tensor::safetensorsBytes(wrong.inputs));
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
  const session::Environment& env_;
  const RunContext& context_;
  BundleWriter writer_;
  std::string bytes_;  ///< of the program that was prepared last, which is the one that is bundled
  diagnose::WrongProgramSearch search_;
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
  return WrongExporter(imported, options, env, context, std::move(folder)).run();
}

}  // namespace fxs::bundle
