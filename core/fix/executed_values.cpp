// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/executed_values.h"

#include <algorithm>

#include "base/joined.h"
#include "fix/fixed_form.h"
#include "numbers/compared_program.h"
#include "numbers/lowered_texts.h"
#include "numbers/text_runner.h"
#include "session/importing.h"

namespace fxs::fix {
namespace {

using numbers::Executed;
using numbers::LoweredText;
using session::SnapshotPtr;

bool isRight(const LoweredText& lowered) {
  return !lowered.text.empty() && lowered.breaches.empty();
}

class ExecutedValues {
 public:
  ExecutedValues(const SnapshotPtr& user, const std::vector<compare::Inputs>& inputs,
                 FixedProgram& fixed, const session::Environment& env, const RunContext& context)
      : user_(user), inputs_(inputs), fixed_(fixed), env_(env), context_(context) {}

  Result<> compare() {
    FXS_TRY(file_, session::advance(fixed_.snapshot, session::Phase::Import, env_, context_));
    FXS_TRY(const bool found, lowerBoth());
    if (!found) {
      fixed_.values.reason =
          "the original lowers to no output type without the changes; give --python PATH";
      return {};
    }
    numbers::RunOptions options;
    options.targets = {original_.to};
    FXS_TRY(const auto ofUser, numbers::TextRunner::make(*imported_, options, env_, context_));
    FXS_TRY(const auto ofFixed, numbers::TextRunner::make(*file_, options, env_, context_));
    fixed_.values.by = joined(ofUser->versions()) + " at " + original_.label();
    for (const compare::Inputs& set : inputs_) FXS_CHECK(compareSet(set, *ofUser, *ofFixed));
    if (fixed_.values.results > 0) return {};
    fixed_.values = {};
    fixed_.values.reason = reason_.empty() ? "no executor runs both programs" : reason_;
    return {};
  }

 private:
  /// Whether there is a way of lowering that takes both programs.
  Result<bool> lowerBoth() {
    std::vector<SnapshotPtr> known{user_};
    for (const lower::OutputType& to : env_.outputTypes.backends()) {
      FXS_TRY(imported_, session::importedFor(to, user_, known, env_, context_));
      known.push_back(imported_);
      FXS_TRY(original_, numbers::lowerBy(session::kPipelines, *imported_,
                                          *imported_->rewritten->program, to, env_, context_));
      if (!isRight(original_)) continue;
      FXS_TRY(changed_,
              numbers::lowerBy(session::kPipelines, *file_, fixed_.program(), to, env_, context_));
      if (isRight(changed_)) return true;
    }
    for (const SnapshotPtr& imported : known) {
      const lower::OutputType& to = imported->request.lower.target;
      imported_ = imported;
      FXS_TRY(original_, numbers::lowerBy(session::kRegistries, *imported,
                                          *imported->rewritten->program, to, env_, context_));
      if (!isRight(original_)) continue;
      FXS_TRY(changed_,
              numbers::lowerBy(session::kRegistries, *file_, fixed_.program(), to, env_, context_));
      if (isRight(changed_)) return true;
    }
    return false;
  }

  Result<> compareSet(const compare::Inputs& set, numbers::TextRunner& ofUser,
                      numbers::TextRunner& ofFixed) {
    const numbers::ComparedProgram original(*imported_, set.sizes), changed(*file_, set.sizes);
    bool compared = false;
    for (std::size_t e = 0; e < ofUser.executors().size(); ++e) {
      context_.report({"running the fixed program with " + ofUser.executors()[e]->version(), -1});
      FXS_TRY(const Executed expected,
              ofUser.run(*ofUser.executors()[e], original_.text, set, false, context_));
      if (!ran(expected)) continue;
      FXS_TRY(const Executed found,
              ofFixed.run(*ofFixed.executors()[e], changed_.text, set, false, context_));
      if (!ran(found)) continue;
      compared = true;
      compareResults(set, original, expected, changed, found);
    }
    if (compared) fixed_.values.sets.push_back(compare::label(set));
    return {};
  }

  bool ran(const Executed& executed) {
    if (executed.run.outcome == execute::Outcome::Ran) return true;
    if (reason_.empty()) reason_ = executed.run.message;
    return false;
  }

  void compareResults(const compare::Inputs& set, const numbers::ComparedProgram& original,
                      const Executed& expected, const numbers::ComparedProgram& changed,
                      const Executed& found) {
    for (std::size_t r = 0; r < std::min(found.values.size(), changed.results.size()); ++r) {
      const std::string name = changed.resultName(r);
      for (std::size_t q = 0; q < std::min(expected.values.size(), original.results.size()); ++q) {
        if (name.empty() || original.resultName(q) != name) continue;
        const fx::NodeId result = changed.results[r];
        if (result.valid() && changed.undetermined[result.index()]) break;
        ++fixed_.values.results;
        const tensor::Difference difference =
            changed.judged(found.values[r], expected.values[q], result);
        if (difference.verdict > tensor::Verdict::Suspicious)
          fixed_.values.differences.push_back(
              {result.valid() ? changed.nameOf(changed.userNode(result)) : name,
               compare::label(set), difference.message,
               difference.verdict == tensor::Verdict::Differs});
        break;
      }
    }
  }

  const SnapshotPtr& user_;
  const std::vector<compare::Inputs>& inputs_;
  FixedProgram& fixed_;
  const session::Environment& env_;
  const RunContext& context_;
  SnapshotPtr file_;                ///< the fixed program, imported
  SnapshotPtr imported_;            ///< the user's program, for the output type of `original_`
  LoweredText original_, changed_;  ///< what is run
  std::string reason_;              ///< why the first that did not run did not
};

}  // namespace

Result<> compareExecuted(const SnapshotPtr& user, const std::vector<compare::Inputs>& inputs,
                         FixedProgram& fixed, const session::Environment& env,
                         const RunContext& context) {
  if (const auto empty = weightsWithoutValues(*user->rewritten->program); !empty.nodes.empty()) {
    fixed.values.reason = "weights have no values: " + empty.reason;
    return {};
  }
  return ExecutedValues(user, inputs, fixed, env, context).compare();
}

}  // namespace fxs::fix
