// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/fixed_values.h"

#include <algorithm>
#include <map>

#include "compare/error_scales.h"
#include "diagnose/static_sizes.h"
#include "fix/executed_values.h"
#include "fix/fixed_form.h"
#include "numbers/expected_results.h"
#include "numbers/input_sets.h"
#include "numbers/reference.h"

namespace fxs::fix {
namespace {

/// Choices of symbolic sizes that are tried.
constexpr std::size_t kChoices = 3;

/// The fixed program as a file of its own, which PyTorch opens.
session::SnapshotPtr asFile(const FixedProgram& fixed) {
  auto capture = std::make_shared<read::Capture>(*fixed.snapshot->capture);
  capture->program = asLoaded(fixed.program());
  auto out = std::make_shared<session::Snapshot>();
  out->request = fixed.snapshot->request;
  auto rewritten = std::make_shared<rewrite::Rewritten>();
  rewritten->program = capture->program;
  out->rewritten = std::move(rewritten);
  out->capture = std::move(capture);
  return out;
}

class FixedValuesComparer {
 public:
  /// `file`: asFile(fixed), which outlives it.
  FixedValuesComparer(const session::SnapshotPtr& user, const FixedProgram& fixed,
                      const session::Snapshot& file, const std::vector<compare::Inputs>& inputs,
                      std::vector<numbers::Reference> expected,
                      const std::vector<numbers::Reference>& found, const RunContext& context)
      : inputs_(inputs),
        references_(std::move(expected)),
        found_(found),
        context_(context),
        user_(fixedOf(user, fixed)),
        c_(*user_, inputs.front().sizes),
        file_(file, inputs.front().sizes),
        expected_(
            c_, references_, nothing_, forms_,
            [this](std::size_t i, fx::NodeId node) { return scaleOf(i, node); },
            [this](std::size_t i, fx::NodeId node) { return valuesOf(i)(node); }, context) {
    for (std::size_t i = 0; i < references_.size(); ++i)
      numbers::leaveOutUndefined(references_[i], c_.user, inputs_[i], context_);
  }

  void compareAll(FixedValues& out) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const std::string& stopped = found_[i].stopped;
      const bool isUnknown =
          !stopped.empty() && !found_[i].raised;  // the process ended, or was not waited for
      if (!expected_.raised(i).empty() || isUnknown) continue;
      out.sets.push_back(compare::label(inputs_[i]));
      if (!stopped.empty()) {
        out.differences.push_back({"", out.sets.back(), "PyTorch raises at " + stopped, true});
        continue;
      }
      for (std::size_t r = 0; r < c_.results.size(); ++r) compareResult(i, r, out);
    }
    if (out.results > 0 || !out.differences.empty()) return;
    if (!out.sets.empty()) {
      out.reason = reason_.empty() ? "PyTorch computed no result of the fixed program" : reason_;
      return;
    }
    const std::string raised = expected_.raised(0);
    out.reason = raised.empty() ? "PyTorch did not end: " + found_.front().stopped
                                : "for all inputs, " + raised;
  }

 private:
  /// The user's program with the fixed one as what it is rewritten to.
  static session::SnapshotPtr fixedOf(const session::SnapshotPtr& user, const FixedProgram& fixed) {
    auto out = std::make_shared<session::Snapshot>(*user);
    out->rewritten = fixed.snapshot->rewritten;
    return out;
  }

  void compareResult(std::size_t inputs, std::size_t result, FixedValues& out) {
    const numbers::Expected expected = expected_.of(0, inputs, result);
    if (!expected.value) {
      if (reason_.empty()) reason_ = c_.resultName(result) + ": " + expected.reason;
      return;
    }
    const std::string name = c_.resultName(result), set = compare::label(inputs_[inputs]);
    const numbers::Reference& found = found_[inputs];
    const tensor::StoredTensor* stored = found.find(file_.resultName(result));
    if (stored == nullptr) return;
    const auto value = found.values->read(*stored, numbers::kValueBytes, context_);
    if (!value) return;
    ++out.results;
    const tensor::Difference difference =
        expected_.judged(inputs, *value, *expected.value, c_.results[result]);
    if (difference.verdict <= tensor::Verdict::Suspicious) return;
    const fx::NodeId node = c_.userNode(c_.results[result]);
    out.differences.push_back({node.valid() ? c_.nameOf(node) : name, set, difference.message,
                               difference.verdict == tensor::Verdict::Differs});
  }

  compare::NodeValue valuesOf(std::size_t inputs) const {
    return numbers::nodeValues(c_.user, references_[inputs], inputs_[inputs], context_);
  }

  double scaleOf(std::size_t inputs, fx::NodeId node) {
    const fx::NodeId user = c_.userNode(node);
    if (!user.valid()) return 0;
    const auto [known, isNew] = scales_.try_emplace(inputs);
    if (isNew) known->second = compare::errorScales(c_.user, valuesOf(inputs));
    return known->second[user.index()];
  }

  const std::vector<compare::Inputs>& inputs_;
  std::vector<numbers::Reference> references_;
  const std::vector<numbers::Reference>& found_;
  const RunContext& context_;
  const session::SnapshotPtr user_;
  const numbers::ComparedProgram c_, file_;
  const std::vector<numbers::LoweredForm> forms_;
  const std::string nothing_;
  numbers::ExpectedResults expected_;
  std::map<std::size_t, std::vector<double>> scales_;
  std::string reason_;  ///< of the first result that is not compared
};

/// The sets of inputs on which both programs are compared: of the static sizes, where the change is
/// for these.
Result<std::vector<compare::Inputs>> inputsFor(const session::SnapshotPtr& user,
                                               const FixedProgram& fixed,
                                               numbers::RunOptions& options,
                                               const RunContext& context) {
  if (std::any_of(fixed.changes.begin(), fixed.changes.end(),
                  [](const FixedChange& c) { return c.staticSizes; }))
    options.sizes = diagnose::chosenSizes(*user->capture->program);
  std::vector<std::string> notes;
  return numbers::inputSetsFor(*user, options, kChoices, notes, context);
}

Result<> compareInPyTorch(const std::string& python, const session::SnapshotPtr& user,
                          const std::vector<compare::Inputs>& inputs, std::uint64_t seed,
                          FixedProgram& fixed, const session::Environment& env,
                          const RunContext& context) {
  const session::SnapshotPtr file = asFile(fixed);
  FXS_TRY(auto original,
          numbers::PythonReferences::start(python, *user, inputs, 1, seed, env, context));
  FXS_TRY(auto changed,
          numbers::PythonReferences::start(python, *file, inputs, 1, seed, env, context));
  FXS_TRY(std::vector<numbers::Reference> expected, original.wait());
  FXS_TRY(const std::vector<numbers::Reference> found, changed.wait());
  fixed.values.by = expected.front().versions;
  FixedValuesComparer(user, fixed, *file, inputs, std::move(expected), found, context)
      .compareAll(fixed.values);
  return {};
}

Result<> compareValues(const std::string& python, const session::SnapshotPtr& user,
                       FixedProgram& fixed, const session::Environment& env,
                       const RunContext& context) {
  numbers::RunOptions options;
  FXS_TRY(const std::vector<compare::Inputs> inputs, inputsFor(user, fixed, options, context));
  if (python.empty()) return compareExecuted(user, inputs, fixed, env, context);
  return compareInPyTorch(python, user, inputs, options.seed, fixed, env, context);
}

}  // namespace

Result<> compareFixedValues(const std::string& python, const session::SnapshotPtr& user,
                            FixedProgram& fixed, const session::Environment& env,
                            const RunContext& context) {
  context.report({"computing the fixed program", -1});
  fixed.values = {};
  Result<> done = compareValues(python, user, fixed, env, context);
  if (done) return {};
  if (endsAll(done.error())) return done;
  fixed.values = {};
  fixed.values.reason = done.error().message;
  return {};
}

}  // namespace fxs::fix
