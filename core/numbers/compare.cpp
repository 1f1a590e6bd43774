// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "compare/guards.h"
#include "numbers/control_search.h"
#include "numbers/first_difference.h"
#include "numbers/input_sets.h"
#include "numbers/module_reference.h"
#include "numbers/node_scales.h"
#include "session/importing.h"

namespace fxs::numbers {
namespace {

using compare::Inputs;
using tensor::Tensor;

/// What the comparisons of several output types have in common.
struct Shared {
  const CompareOptions& options;
  const session::Environment& env;
  TextRunner& runner;
  compare::Comparison& out;
  std::vector<Reference> references = {};  ///< by inputs; empty without PyTorch
  std::map<std::vector<std::size_t>, compare::Coverage> coverage = {};  ///< by sets of inputs
  std::string noReference = {};  ///< why the Python that was given computed none; else ""
  std::optional<PythonReferences> started =
      {};                            ///< that compute `references`, and those of `further`
  std::vector<Inputs> further = {};  ///< that may take other branches; see furtherInputs()
  std::optional<ModuleReference> module = {};  ///< of an MLIR module
  /// By program, output type and name of the route, with the values of the executors.
  std::map<std::tuple<const fx::Program*, lower::OutputType, std::string_view>, LoweredForm> forms =
      {};
};

/// Without PyTorch's values, unless the error ends all.
Result<> withoutReferences(const Error& error, Shared& shared) {
  if (endsAll(error)) return tl::unexpected<Error>(error);
  shared.noReference = error.message;
  shared.out.notes.push_back("not compared with PyTorch: " + shared.noReference);
  return {};
}

/// What every node should be on each of the inputs: as stored, or computed by PyTorch from now on.
Result<> startReferences(const session::Snapshot& s, Shared& shared, const RunContext& context) {
  const CompareOptions& options = shared.options;
  if (s.capture->module) {
    FXS_TRY(shared.module, moduleReference(s, options.targets.front(), shared.out.inputs,
                                           shared.runner, shared.env, context));
    shared.references = shared.module->references;
    return {};
  }
  if (options.expected) {
    for (std::size_t i = 0; i < shared.out.inputs.size(); ++i)
      shared.references.push_back(storedReference(options.expectedBy, options.expected));
    return {};
  }
  if (options.python.empty()) return {};
  FXS_TRY(shared.further,
          furtherInputs(*s.capture->program, shared.out.inputs.front().sizes, options, context));
  std::vector<Inputs> all = shared.out.inputs;
  all.insert(all.end(), shared.further.begin(), shared.further.end());
  auto started =
      PythonReferences::start(options.python, s, std::move(all), shared.out.inputs.size(),
                              options.seed, shared.env, context);
  if (!started) return withoutReferences(started.error(), shared);
  shared.started.emplace(*std::move(started));
  return {};
}

/// Waits for PyTorch, and appends the inputs that reached more. Does nothing the second time.
Result<> finishReferences(const session::Snapshot& s, Shared& shared, const RunContext& context) {
  if (!shared.started) return {};
  auto values = shared.started->wait();
  shared.started.reset();
  if (!values) return withoutReferences(values.error(), shared);
  const auto further = values->begin() + static_cast<std::ptrdiff_t>(shared.out.inputs.size());
  std::vector<Reference> ofFurther(std::make_move_iterator(further),
                                   std::make_move_iterator(values->end()));
  values->erase(further, values->end());
  shared.references = *std::move(values);
  const fx::Program& program = *s.capture->program;
  keepReaching(program, std::move(shared.further), std::move(ofFurther), shared.out.inputs,
               shared.references, context);
  for (std::size_t i = 0; i < shared.references.size(); ++i)
    leaveOutUndefined(shared.references[i], program, shared.out.inputs[i], context);
  for (const Reference& reference : shared.references) {
    for (const std::string& note : reference.notes)
      if (std::find(shared.out.notes.begin(), shared.out.notes.end(), note) ==
          shared.out.notes.end())
        shared.out.notes.push_back(note);
    if (!shared.options.keepValues) continue;
    const auto held = std::make_shared<const Reference>(reference);
    shared.out.nodeValues.emplace_back(held, held->values.get());
  }
  return {};
}

/// The comparison of one output type, of the program that is rewritten for it.
class Comparer {
 public:
  Comparer(session::SnapshotPtr snapshot, Shared& shared, const RunContext& context)
      : snapshot_(std::move(snapshot)),
        s_(*snapshot_),
        shared_(shared),
        context_(context),
        c_(s_, shared.out.inputs.front().sizes),
        expected_(
            c_, shared.references, shared.noReference, forms_,
            [this](std::size_t inputs, fx::NodeId node) { return scales_.of(inputs, node); },
            [this](std::size_t inputs, fx::NodeId node) {
              return nodeValues(c_.user, shared_.references[inputs], shared_.out.inputs[inputs],
                                context_)(node);
            },
            context),
        first_(snapshot_, c_, shared.out.inputs, forms_, expected_, shared.runner, shared.env,
               context),
        scales_(s_, c_, shared.out.inputs, expected_, first_, context) {}

  Result<compare::TargetComparison> run() {
    const lower::OutputType& to = s_.request.lower.target;
    const session::Route* own = s_.request.route;
    FXS_CHECK(addForm(to, *own));
    // Without PyTorch, other lowering paths are computed to see which agree.
    if (shared_.references.empty())
      for (const lower::OutputType& other : shared_.env.outputTypes.backends())
        for (const session::Route* route : {&session::kPipelines, &session::kRegistries})
          if (other != to || route != own) FXS_CHECK(addForm(other, *route));
    return compareTarget(0);
  }
  /// After run(): what the values were compared with.
  std::string reference() const { return expected_.title(); }

 private:
  /// A witness that does not lower is left out.
  Result<> addForm(const lower::OutputType& to, const session::Route& route) {
    const auto [known, isNew] = shared_.forms.try_emplace({c_.program.get(), to, route.name});
    LoweredForm& form = known->second;
    if (isNew) {
      FXS_TRY(form.lowered, lowerBy(route, s_, *c_.program, to, shared_.env, context_));
      FXS_CHECK(execute(form));
      // PyTorch, which computed meanwhile, may have reached more with further inputs.
      FXS_CHECK(finishReferences(s_, shared_, context_));
      FXS_CHECK(execute(form));
    }
    if (forms_.empty() || !form.lowered.text.empty()) forms_.push_back(form);
    return {};
  }

  /// Runs the text on the inputs on which it has not been run.
  Result<> execute(LoweredForm& form) {
    if (form.lowered.text.empty()) return {};
    for (std::size_t i = form.executed.size(); i < shared_.out.inputs.size(); ++i) {
      const Inputs& inputs = shared_.out.inputs[i];
      auto& runs = form.executed.emplace_back();
      for (const auto& executor : shared_.runner.executors()) {
        context_.report({"running " + form.lowered.label() + " with " + executor->version(), -1});
        FXS_TRY(Executed done,
                shared_.runner.run(*executor, form.lowered.text, inputs, false, context_));
        done.run.inputs = i;
        if (done.run.outcome == execute::Outcome::Ran && done.values.size() != c_.results.size()) {
          done.run.outcome = execute::Outcome::Crashed;
          done.run.message = fmt::format("it returned {} values, and the program has {}",
                                         done.values.size(), c_.results.size());
          done.values.clear();
        }
        runs.push_back(std::move(done));
      }
    }
    return {};
  }

  bool isReference(std::size_t f, const std::string& executor) const {
    const auto& module = shared_.module;
    return module && executor == module->executor && forms_[f].lowered.text == module->text;
  }

  compare::ResultComparison compareResult(std::size_t f, const std::string& executor,
                                          std::size_t inputs, std::size_t result,
                                          const Tensor& found) {
    compare::ResultComparison out;
    out.node = c_.userNode(c_.results[result]);
    out.name = out.node.valid() ? c_.nameOf(out.node) : "output " + std::to_string(result);
    out.type = tensor::typeText(found);
    out.found = tensor::statisticsOf(found);
    if (isReference(f, executor)) {
      out.reason = "it is what the others are compared with";
      return out;
    }
    const Expected expected = expected_.of(f, inputs, result);
    out.reason = expected.reason;
    if (!expected.value) return out;
    out.compared = true;
    out.expected = tensor::statisticsOf(*expected.value);
    out.difference = c_.judged(found, *expected.value, c_.results[result]);
    if (out.difference.verdict != tensor::Verdict::Same) {
      tensor::Difference again =
          expected_.judged(inputs, found, *expected.value, c_.results[result]);
      excused_ = excused_ || again.verdict < out.difference.verdict;
      out.difference = std::move(again);
    }
    if (shared_.options.keepValues) {
      out.output = c_.resultName(result);
      out.foundValue = std::make_shared<const Tensor>(found);
      out.expectedValue = std::make_shared<const Tensor>(*expected.value);
    }
    if (!expected.certain && out.difference.verdict > tensor::Verdict::Suspicious) {
      out.difference.verdict = tensor::Verdict::Suspicious;
      out.difference.message += "; " + expected.doubt;
    }
    return out;
  }

  compare::Run compareRun(std::size_t f, std::size_t inputs, const Executed& executed) {
    compare::Run out = executed.run;
    out.reason = expected_.raised(inputs);
    for (std::size_t r = 0; r < executed.values.size(); ++r)
      out.results.push_back(compareResult(f, out.executor, inputs, r, executed.values[r]));
    return out;
  }

  static void addBreach(const fx::Finding& breach, compare::TargetComparison& out) {
    if (out.verdict < compare::TargetVerdict::Differs) out.message = breach.message;
    out.verdict = compare::TargetVerdict::Differs;
    out.first.emplace();
    out.first->node = breach.node;
    out.first->stage = breach.stage;
    out.first->message = breach.message;
  }

  Result<compare::TargetComparison> compareTarget(std::size_t f) {
    const LoweredForm& form = forms_[f];
    excused_ = false;
    compare::TargetComparison out;
    out.to = form.lowered.to;
    if (form.lowered.text.empty()) {
      out.message = form.lowered.message;
      out.unanswered = !lower::isKnown(form.lowered.stages);
      return out;
    }
    for (std::size_t i = 0; i < form.executed.size(); ++i)
      for (const Executed& executed : form.executed[i])
        out.runs.push_back(compareRun(f, i, executed));
    FXS_CHECK(checkCrashes(form, out));
    compare::decide(out);
    describeScope(out);
    if (!form.lowered.breaches.empty()) addBreach(form.lowered.breaches.front(), out);
    // Inner values of a module are not looked at.
    if (shared_.module) return out;
    if (shared_.options.findFirst && out.verdict >= compare::TargetVerdict::Suspicious) {
      FXS_TRY(std::string note, first_.find(f, out));
      if (!note.empty()) shared_.out.notes.push_back(std::move(note));
    } else if (shared_.options.findFirst && excused_) {
      FXS_CHECK(checkNodes(f, out));
    }
    if (shared_.options.findEvery && out.verdict >= compare::TargetVerdict::DiffersAtNonfinite &&
        expected_.byPyTorch()) {
      FXS_TRY(std::string note, first_.findEvery(f, out));
      if (!note.empty()) shared_.out.notes.push_back(std::move(note));
    }
    return out;
  }

  void describeScope(compare::TargetComparison& target) {
    target.scope = compare::scopeOf(target, shared_.out, c_.user, context_);
    if (!expected_.byPyTorch() || shared_.options.expected || shared_.module) return;
    const auto [known, isNew] = shared_.coverage.try_emplace(target.scope.sets, c_.user);
    compare::Coverage& coverage = known->second;
    if (isNew) {
      context_.report({"looking for values that no operator saw", -1});
      for (const std::size_t set : target.scope.sets)
        coverage.add(
            nodeValues(c_.user, shared_.references[set], shared_.out.inputs[set], context_));
    }
    for (compare::Scope::Control& control : target.scope.control)
      for (const std::size_t set : target.scope.sets) {
        const auto taken = shared_.references[set].taken.find(control.name);
        if (taken != shared_.references[set].taken.end()) control.taken.insert(taken->second);
      }
    target.scope.unseen = coverage.unseen();
    target.scope.sights = coverage.sights();
    target.scope.knowsNodes = true;
  }

  /// What is left of cancelled terms can hide an error of another operand: each node is judged by
  /// its own terms.
  Result<> checkNodes(std::size_t f, compare::TargetComparison& target) {
    FXS_CHECK(first_.find(f, target));
    if (!target.first) return {};
    std::set<std::string> ran;
    for (const compare::Run& run : target.runs)
      if (run.outcome == execute::Outcome::Ran) ran.insert(run.executor);
    target.verdict = ran.size() > 1 && expected_.byPyTorch() ? compare::TargetVerdict::Differs
                                                             : compare::TargetVerdict::Suspicious;
    target.message = c_.nameOf(target.first->node) + ": " + target.first->message;
    return {};
  }

  /// A text that crashed is run again with run-time checks, which name the node.
  Result<> checkCrashes(const LoweredForm& form, compare::TargetComparison& target) {
    for (std::size_t i = 0; i < form.executed.size(); ++i) {
      const auto& runs = form.executed[i];
      if (!expected_.raised(i).empty()) continue;
      if (std::none_of(runs.begin(), runs.end(), [](const Executed& e) {
            return e.run.outcome == execute::Outcome::Crashed;
          }))
        continue;
      for (const auto& executor : shared_.runner.executors()) {
        if (executor->id() != "llvm" || !executor->refuses(form.lowered.text).empty()) continue;
        context_.report({"running with checks of sizes", -1});
        FXS_TRY(Executed checked, shared_.runner.run(*executor, form.lowered.text,
                                                     shared_.out.inputs[i], true, context_));
        checked.run.inputs = i;
        if (checked.run.outcome == execute::Outcome::Crashed && checked.run.node.valid()) {
          target.runs.push_back(checked.run);
          compare::First first;
          first.node = checked.run.node;
          first.stage = form.lowered.to->stage.id;
          first.message = checked.run.message;
          target.first = std::move(first);
          return {};
        }
      }
    }
    return {};
  }

  const session::SnapshotPtr snapshot_;
  const session::Snapshot& s_;
  Shared& shared_;
  const RunContext& context_;
  const ComparedProgram c_;
  std::vector<LoweredForm> forms_;  // the output type first, then witnesses
  ExpectedResults expected_;
  FirstDifference first_;
  NodeScales scales_;
  bool excused_ = false;  // a result of the target is right only relative to terms that cancel
};

/// What the output types were compared with; by name, if not all with the same.
std::string referenceOf(const std::vector<lower::OutputType>& targets,
                        const std::vector<std::string>& with) {
  std::string out;
  for (std::size_t t = 0; t < with.size(); ++t)
    out += (out.empty() ? "" : "; ") + std::string(lower::name(targets[t])) + ": " + with[t];
  const bool same = std::all_of(with.begin(), with.end(),
                                [&](const std::string& each) { return each == with.front(); });
  return same && !with.empty() ? with.front() : out;
}

/// Compares the output types one after the other, each with a budget as if it was asked for alone.
class TypeByType {
 public:
  TypeByType(session::SnapshotPtr snapshot, Shared& shared, const RunContext& context)
      : snapshot_(std::move(snapshot)), shared_(shared), context_(context) {}

  /// Fills in the targets. The first error if it ends all, or if nothing is known of any type.
  Result<> run() {
    const Budget::Mark mark = context_.budget->mark();
    for (const lower::OutputType& to : shared_.options.targets) {
      RunContext own = context_;
      own.budget = std::make_shared<const Budget>(*context_.budget, mark);
      const std::size_t before = imported_.size();
      auto target = compared(to, own);
      references_.resize(shared_.out.targets.size() + 1);
      if (!target) {
        const bool isOverBudget = own.budget->wasExceeded(), isImported = imported_.size() > before;
        if (endsAll(target.error()) || target.error().code == ErrorCode::Io ||
            !(isImported || isOverBudget))
          return tl::unexpected<Error>(target.error());
        target = notKnown(to, target.error(), isOverBudget);
      }
      shared_.out.targets.push_back(*std::move(target));
      shared_.out.reference = referenceOf(shared_.options.targets, references_);
      if (shared_.options.onPart)
        shared_.options.onPart(std::make_shared<const compare::Comparison>(shared_.out));
    }
    const bool none = std::all_of(shared_.out.targets.begin(), shared_.out.targets.end(),
                                  [](const auto& target) { return target.unanswered; });
    return unanswered_ && none ? Result<>(tl::unexpected<Error>(*std::move(unanswered_)))
                               : Result<>();
  }

 private:
  Result<compare::TargetComparison> compared(const lower::OutputType& to, const RunContext& own) {
    return guarded(snapshot_->request.file, [&]() -> Result<compare::TargetComparison> {
      FXS_TRY(session::SnapshotPtr next,
              session::importedFor(to, snapshot_, imported_, shared_.env, own));
      imported_.push_back(next);
      Comparer comparer(std::move(next), shared_, own);
      auto target = comparer.run();
      references_.push_back(comparer.reference());
      return target;
    });
  }

  compare::TargetComparison notKnown(const lower::OutputType& to, const Error& error,
                                     bool isOverBudget) {
    if (!unanswered_) unanswered_ = error;
    compare::TargetComparison out;
    out.to = to;
    out.message = error.message;
    out.unanswered =
        isOverBudget || error.code == ErrorCode::EngineFailed || error.code == ErrorCode::Timeout;
    return out;
  }

  const session::SnapshotPtr snapshot_;
  Shared& shared_;
  const RunContext& context_;
  std::vector<session::SnapshotPtr> imported_{snapshot_};
  std::vector<std::string> references_;  // by output type
  std::optional<Error> unanswered_;
};

}  // namespace

Result<compare::ComparisonPtr> compare(const session::SnapshotPtr& snapshot,
                                       const CompareOptions& options,
                                       const session::Environment& env, const RunContext& context) {
  return guarded(snapshot->request.file, [&]() -> Result<compare::ComparisonPtr> {
    if (!options.python.empty()) FXS_CHECK(session::requirePyTorchProgram(*snapshot, "--python"));
    FXS_CHECK(checkIsRun(*snapshot));
    FXS_TRY(const auto runner, TextRunner::make(*snapshot, options, env, context));
    auto out = std::make_shared<compare::Comparison>();
    out->via = snapshot->request.route->name;
    out->executors = runner->versions();
    FXS_TRY(out->inputs, inputSetsFor(*snapshot, options, options.choices, out->notes, context));
    Shared shared{options, env, *runner, *out};
    FXS_CHECK(startReferences(*snapshot, shared, context));
    FXS_CHECK(TypeByType(snapshot, shared, context).run());
    for (std::string& note : runner->notes()) out->notes.push_back(std::move(note));
    out->executorTime = runner->executorTime();
    return compare::ComparisonPtr(std::move(out));
  });
}

}  // namespace fxs::numbers
