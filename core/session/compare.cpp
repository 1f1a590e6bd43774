#include "session/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/joined.h"
#include "compare/taps.h"
#include "compare/values.h"
#include "fx/cut.h"
#include "mlir/text/document.h"
#include "session/importing.h"
#include "session/lowered_texts.h"
#include "session/reference.h"
#include "session/weight_file.h"
#include "trace/history.h"

namespace fxs::session {
namespace {

using compare::Inputs;
using tensor::Difference;
using tensor::Tensor;

/// Up to this many values are made results at once; more are sampled first.
constexpr std::size_t kMostTaps = 512;
constexpr std::size_t kSampledTaps = 128;
constexpr std::uint64_t kValueBytes = std::uint64_t{4} << 30;
/// Elements that differ in indices before ties and rounding no longer explain it: one in twenty.
constexpr std::uint64_t kTies = 20;

struct Executed {
  compare::Run run;
  std::vector<Tensor> values;
};

execute::Argument argumentOf(const Tensor& t) { return {t.dtype, t.sizes, t.bytes}; }

/// Runs texts of one snapshot's program.
class Machine {
 public:
  Machine(const Snapshot& s, const execute::Executors& executors, const execute::Limits& limits, WeightFile& weights)
      : s_(s), executors_(executors), limits_(limits), weights_(weights) {}

  const std::vector<execute::ExecutorPtr>& executors() const { return executors_.all; }

  Result<Executed> run(execute::Executor& executor, const std::string& text, const std::vector<Tensor>& inputs, const compare::Sizes& sizes,
                       bool checks, const RunContext& context) const {
    Executed out;
    out.run.executor = executor.id();
    out.run.sizes = sizes;
    execute::Call call;
    call.text = text;
    call.function = s_.request.import.functionName;
    for (const Tensor& input : inputs) call.arguments.push_back(argumentOf(input));
    call.resources = [this](std::string_view handle) { return weights_.at(handle); };
    call.checks = checks;
    call.limits = limits_;
    FXS_TRY(execute::Execution done, executor.execute(call, context));
    out.run.outcome = done.outcome;
    out.run.why = std::move(done.why);
    out.run.node = done.node;
    out.run.compileTime = done.compileTime;
    out.run.runTime = done.runTime;
    out.values = std::move(done.results);
    return out;
  }

 private:
  const Snapshot& s_;
  const execute::Executors& executors_;
  const execute::Limits& limits_;
  WeightFile& weights_;
};

/// A lowered text and what each executor computed with it for each choice of inputs: [inputs][executor].
struct Form {
  LoweredText lowered;
  std::vector<std::vector<Executed>> executed;
};

/// What a result should be.
struct Expected {
  std::optional<Tensor> value;
  std::string whyNot;   ///< if there is no value
  bool certain = true;  ///< false: a path that differs is suspected, not refuted
  std::string doubt;    ///< why not certain
};

class Comparer {
 public:
  Comparer(SnapshotPtr snapshot, const CompareOptions& options, const Environment& env, const RunContext& context, const Machine& machine,
           compare::Comparison& out)
      : snapshot_(std::move(snapshot)),
        s_(*snapshot_),
        options_(options),
        env_(env),
        context_(context),
        machine_(machine),
        out_(out),
        program_(s_.rewritten->program),
        results_(compare::resultNodes(*program_)),
        specs_(compare::resultSpecs(*program_)),
        undetermined_(compare::undeterminedNodes(*program_)),
        lowest_(compare::lowestPrecisions(*program_)),
        indices_(compare::chosenIndices(*program_)),
        sums_(compare::longestSums(*program_, out.inputs.front().sizes)),
        valueOf_(compare::valueNodes(*program_)) {}

  Result<> run() {
    FXS_CHECK(reference());
    for (const lower::OutputType& to : options_.targets) {
      FXS_TRY(LoweredText lowered, lowerByEngine(s_, *program_, to, env_, context_));
      forms_.push_back({std::move(lowered), {}});
    }
    if (references_.empty()) FXS_CHECK(addWitnesses());
    for (Form& form : forms_) FXS_CHECK(execute(form));
    if (references_.empty()) out_.reference = agreementWords();
    for (std::size_t t = 0; t < options_.targets.size(); ++t) {
      FXS_TRY(compare::TargetComparison target, compareTarget(t));
      out_.targets.push_back(std::move(target));
      if (options_.onPart) options_.onPart(std::make_shared<const compare::Comparison>(out_));
    }
    return {};
  }

 private:
  Result<> reference() {
    if (options_.python.empty()) return {};
    for (const Inputs& inputs : out_.inputs) {
      context_.report({"computing every node with PyTorch", -1});
      auto values = pythonReference(options_.python, s_, inputs, options_.seed, env_, context_);
      if (!values) {
        if (values.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(values.error());
        out_.notes.push_back("not compared with PyTorch: " + values.error().message);
        references_.clear();
        return {};
      }
      out_.reference = values->versions;
      for (const std::string& note : values->notes)
        if (std::find(out_.notes.begin(), out_.notes.end(), note) == out_.notes.end()) out_.notes.push_back(note);
      references_.push_back(*std::move(values));
    }
    return {};
  }

  /// Without PyTorch, other lowering paths are computed to see which agree.
  Result<> addWitnesses() {
    for (const lower::OutputType& to : env_.outputTypes.backends()) {
      if (std::none_of(options_.targets.begin(), options_.targets.end(), [&](const auto& t) { return t == to; })) {
        FXS_TRY(LoweredText lowered, lowerByEngine(s_, *program_, to, env_, context_));
        if (!lowered.text.empty()) forms_.push_back({std::move(lowered), {}});
      }
      FXS_TRY(LoweredText direct, lowerByRegistry(s_, *program_, to, context_));
      if (!direct.text.empty()) forms_.push_back({std::move(direct), {}});
    }
    return {};
  }

  Result<> execute(Form& form) {
    if (form.lowered.text.empty()) return {};
    for (const Inputs& inputs : out_.inputs) {
      auto& runs = form.executed.emplace_back();
      for (const auto& executor : machine_.executors()) {
        context_.report({"running " + form.lowered.label() + " with " + executor->version(), -1});
        FXS_TRY(Executed done, machine_.run(*executor, form.lowered.text, inputs.tensors, inputs.sizes, false, context_));
        if (done.run.outcome == execute::Outcome::Ran && done.values.size() != results_.size()) {
          done.run.outcome = execute::Outcome::Crashed;
          done.run.why = fmt::format("it returned {} values, and the program has {}", done.values.size(), results_.size());
          done.values.clear();
        }
        runs.push_back(std::move(done));
      }
    }
    return {};
  }

  std::string agreementWords() const {
    std::vector<std::string> labels;
    for (const Form& form : forms_)
      if (!form.lowered.text.empty()) labels.push_back(form.lowered.label());
    return labels.size() < 2 ? "none" : "agreement of " + joined(labels);
  }

  /// The user's node of a node of the imported program.
  fx::NodeId userNode(fx::NodeId id) const { return id.valid() ? program_->originOf(program_->node(id)).id : id; }
  const std::string& nameOf(fx::NodeId user) const { return s_.capture->program->node(user).name; }

  Difference judged(const Tensor& found, const Tensor& expected, fx::NodeId node) const {
    // Texts below torch do not say whether an integer has a sign.
    if (found.dtype != expected.dtype && isIntegral(found.dtype) && isIntegral(expected.dtype) &&
        facts(found.dtype).bytes == facts(expected.dtype).bytes) {
      Tensor same = found;
      same.dtype = expected.dtype;
      return judged(same, expected, node);
    }
    const DType lowest = node.valid() ? lowest_[node.index()] : DType::Unknown;
    const std::uint64_t terms = node.valid() ? sums_[node.index()] : 1;
    Difference out = tensor::judge(found, expected, {lowest, 0, terms});
    if (node.valid() && indices_[node.index()] && out.verdict == tensor::Verdict::Differs && out.kind != tensor::Kind::Shape &&
        out.wrong * kTies <= std::max(out.elements, kTies)) {
      out.verdict = tensor::Verdict::Suspicious;
      out.words += "; ties and rounding can choose other elements";
    }
    return out;
  }

  std::optional<Tensor> read(std::size_t inputs, const std::string& name) const {
    const tensor::StoredTensor* stored = references_[inputs].find(name);
    if (stored == nullptr) return std::nullopt;
    auto value = references_[inputs].values->read(*stored, kValueBytes, context_);
    return value ? std::optional(*std::move(value)) : std::nullopt;
  }

  /// What PyTorch computed for a result: an output, or what an input or buffer became.
  std::optional<Tensor> resultByPyTorch(std::size_t inputs, std::size_t result) const {
    const fx::OutputSpec& spec = *specs_[result];
    if (spec.kind != fx::OutputKind::UserOutput) {
      // The target is the name of a weight or of an input; values are kept by the name of its placeholder.
      for (const fx::InputSpec& input : s_.capture->program->inputs) {
        const std::string& name = nameOf(input.node);
        if (input.target == spec.target || name == spec.target)
          if (auto value = read(inputs, name + "#after")) return value;
      }
      return std::nullopt;
    }
    std::size_t user = 0;  // which of the user's outputs
    for (std::size_t r = 0; r < result; ++r) user += specs_[r]->kind == fx::OutputKind::UserOutput ? 1 : 0;
    const auto& outputs = s_.capture->program->outputs;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      if (outputs[o].kind != fx::OutputKind::UserOutput || outputs[o].value.isNone()) continue;
      if (user-- == 0) return read(inputs, "output#" + std::to_string(o));
    }
    return std::nullopt;
  }

  /// What PyTorch computed for a node of the imported program; nullopt if it is not the value of a node of the user's program.
  std::optional<Tensor> byPyTorch(std::size_t inputs, fx::NodeId node) const {
    const fx::NodeId user = userNode(node);
    if (!user.valid() || valueOf_[user.index()] != node) return std::nullopt;
    return read(inputs, nameOf(user));
  }

  Expected expectedResult(std::size_t f, std::size_t inputs, std::size_t result) {
    const fx::NodeId node = results_[result];
    Expected out;
    if (node.valid() && undetermined_[node.index()]) {
      out.whyNot = "it depends on random numbers or uninitialized memory";
      return out;
    }
    if (!references_.empty()) {
      out.value = resultByPyTorch(inputs, result);
      if (!out.value && node.valid()) out.value = byPyTorch(inputs, node);
      if (!out.value) out.whyNot = "PyTorch did not compute it";
      return out;
    }
    return agreement(f, inputs, result);
  }

  /// A value that a lowering path computed, and the paths that agree with it.
  struct Candidate {
    std::size_t form;
    const Tensor* value;
    std::set<std::size_t> agrees;
  };
  const std::vector<Candidate>& candidatesFor(std::size_t inputs, std::size_t result) {
    const auto [known, isNew] = candidates_.try_emplace({inputs, result});
    std::vector<Candidate>& out = known->second;
    if (!isNew) return out;
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      if (inputs >= forms_[i].executed.size()) continue;
      for (const Executed& e : forms_[i].executed[inputs])
        if (e.run.outcome == execute::Outcome::Ran) out.push_back({i, &e.values[result], {i}});
    }
    for (std::size_t a = 0; a < out.size(); ++a)
      for (std::size_t b = a + 1; b < out.size(); ++b) {
        if (judged(*out[a].value, *out[b].value, results_[result]).verdict > tensor::Verdict::Suspicious) continue;
        out[a].agrees.insert(out[b].form);
        out[b].agrees.insert(out[a].form);
      }
    return out;
  }

  /// The value on which most lowering paths agree.
  Expected agreement(std::size_t f, std::size_t inputs, std::size_t result) {
    Expected out;
    const Candidate* best = nullptr;
    const Candidate* other = nullptr;
    for (const Candidate& c : candidatesFor(inputs, result)) {
      if (c.form != f && other == nullptr) other = &c;
      // Of equally supported values, one of another path is the better witness.
      if (best == nullptr || c.agrees.size() > best->agrees.size() ||
          (c.agrees.size() == best->agrees.size() && best->form == f && c.form != f && c.agrees.contains(f)))
        best = &c;
    }
    if (other == nullptr) {
      out.whyNot = "no other lowering path computes it; give a Python with PyTorch to compare with";
      return out;
    }
    if (best->agrees.size() < 2) {
      out.value = *other->value;
      out.certain = false;
      out.doubt = "no two lowering paths agree";
      return out;
    }
    out.value = *best->value;
    out.certain = best->agrees.contains(f) || best->agrees.size() >= 3;
    if (!out.certain) {
      std::vector<std::string> labels;
      for (const std::size_t i : best->agrees) labels.push_back(forms_[i].lowered.label());
      out.doubt = joined(labels, " and ") + " agree on another value";
    }
    return out;
  }

  compare::ResultComparison compareResult(std::size_t f, std::size_t inputs, std::size_t result, const Tensor& found) {
    compare::ResultComparison out;
    out.node = userNode(results_[result]);
    out.name = out.node.valid() ? nameOf(out.node) : "output " + std::to_string(result);
    out.type = tensor::typeText(found);
    out.found = tensor::statisticsOf(found);
    const Expected expected = expectedResult(f, inputs, result);
    out.whyNot = expected.whyNot;
    if (!expected.value) return out;
    out.compared = true;
    out.expected = tensor::statisticsOf(*expected.value);
    out.difference = judged(found, *expected.value, results_[result]);
    if (!expected.certain && out.difference.verdict > tensor::Verdict::Suspicious) {
      out.difference.verdict = tensor::Verdict::Suspicious;
      out.difference.words += "; " + expected.doubt;
    }
    return out;
  }

  Result<compare::TargetComparison> compareTarget(std::size_t f) {
    const Form& form = forms_[f];
    compare::TargetComparison out;
    out.to = form.lowered.to;
    if (form.lowered.text.empty()) {
      out.why = form.lowered.why;
      return out;
    }
    for (std::size_t i = 0; i < form.executed.size(); ++i)
      for (const Executed& executed : form.executed[i]) {
        compare::Run run = executed.run;
        for (std::size_t r = 0; r < executed.values.size(); ++r) run.results.push_back(compareResult(f, i, r, executed.values[r]));
        out.runs.push_back(std::move(run));
      }
    FXS_CHECK(checkCrashes(form, out));
    compare::decide(out);
    if (!form.lowered.breaches.empty() && out.verdict < compare::TargetVerdict::Differs) {
      const fx::Finding& breach = form.lowered.breaches.front();
      out.verdict = compare::TargetVerdict::Differs;
      out.why = breach.message;
      out.first.emplace();
      out.first->node = breach.node;
      out.first->stage = form.lowered.to->stage.id;
      out.first->how = breach.message;
    }
    if (options_.findFirst && out.verdict >= compare::TargetVerdict::Suspicious) FXS_CHECK(findFirst(f, out));
    return out;
  }

  /// A text that crashed is run again with run-time checks, which name the node.
  Result<> checkCrashes(const Form& form, compare::TargetComparison& target) {
    for (std::size_t i = 0; i < form.executed.size(); ++i) {
      const auto& runs = form.executed[i];
      if (std::none_of(runs.begin(), runs.end(), [](const Executed& e) { return e.run.outcome == execute::Outcome::Crashed; })) continue;
      for (const auto& executor : machine_.executors()) {
        if (executor->id() != "llvm" || !executor->refuses(form.lowered.text).empty()) continue;
        context_.report({"running with checks of sizes", -1});
        FXS_TRY(Executed checked, machine_.run(*executor, form.lowered.text, out_.inputs[i].tensors, out_.inputs[i].sizes, true, context_));
        if (checked.run.outcome == execute::Outcome::Crashed && checked.run.node.valid()) {
          target.runs.push_back(checked.run);
          compare::First first;
          first.node = checked.run.node;
          first.stage = form.lowered.to->stage.id;
          first.how = checked.run.why;
          target.first = std::move(first);
          return {};
        }
      }
    }
    return {};
  }

  /// The inputs for which the target differs most, by index.
  std::size_t worstInputs(const Form& form, const compare::TargetComparison& target) const {
    std::size_t worst = 0;
    int most = -1;
    for (std::size_t i = 0; i < form.executed.size(); ++i) {
      compare::TargetComparison alone;
      for (const compare::Run& run : target.runs)
        if (run.sizes == out_.inputs[i].sizes) alone.runs.push_back(run);
      compare::decide(alone);
      if (static_cast<int>(alone.verdict) > most) {
        most = static_cast<int>(alone.verdict);
        worst = i;
      }
    }
    return worst;
  }

  /// The values of `nodes` in a lowered form of the program with them as further results, by node and executor.
  using NodeValues = std::map<fx::NodeId, std::vector<Tensor>>;
  Result<NodeValues> tapped(const Form& form, const std::vector<fx::NodeId>& nodes, std::size_t inputs) {
    NodeValues out;
    FXS_TRY(const compare::Tapped tapped, compare::withTaps(program_, nodes));
    LoweredText lowered;
    if (form.lowered.path == "registry") {
      FXS_TRY(lowered, lowerByRegistry(s_, *tapped.program, form.lowered.to, context_));
    } else {
      FXS_TRY(lowered, lowerByEngine(s_, *tapped.program, form.lowered.to, env_, context_));
    }
    if (lowered.text.empty()) return out;
    for (std::size_t e = 0; e < machine_.executors().size(); ++e) {
      if (form.executed[inputs][e].run.outcome != execute::Outcome::Ran) continue;
      auto& executor = *machine_.executors()[e];
      context_.report({"computing inner values of " + form.lowered.label() + " with " + executor.version(), -1});
      FXS_TRY(Executed done, machine_.run(executor, lowered.text, out_.inputs[inputs].tensors, out_.inputs[inputs].sizes, false, context_));
      if (done.run.outcome != execute::Outcome::Ran || done.values.size() != results_.size() + nodes.size()) continue;
      for (std::size_t r = 0; r < results_.size(); ++r)
        if (results_[r].valid()) out[results_[r]].push_back(done.values[r]);
      for (std::size_t n = 0; n < nodes.size(); ++n) out[nodes[n]].push_back(std::move(done.values[results_.size() + n]));
    }
    return out;
  }

  /// Compares `nodes` in the target's form, and adds what was found to `target`, in program order.
  Result<> compareNodes(std::size_t f, std::size_t inputs, const std::vector<fx::NodeId>& nodes, std::map<fx::NodeId, Difference>& found) {
    FXS_TRY(const NodeValues values, tapped(forms_[f], nodes, inputs));
    if (values.empty()) return {};
    NodeValues witness;
    if (references_.empty()) {
      for (std::size_t w = 0; w < forms_.size() && witness.empty(); ++w) {
        if (w == f || forms_[w].executed.empty()) continue;
        FXS_TRY(witness, tapped(forms_[w], nodes, inputs));
      }
    }
    for (const auto& [node, byExecutor] : values) {
      if (undetermined_[node.index()]) continue;
      std::vector<Tensor> expected;
      if (!references_.empty()) {
        if (auto value = byPyTorch(inputs, node)) expected.push_back(*std::move(value));
      } else if (const auto known = witness.find(node); known != witness.end()) {
        expected = known->second;
      }
      std::optional<Difference> best;
      for (const Tensor& value : byExecutor)
        for (const Tensor& want : expected) {
          Difference difference = judged(value, want, node);
          if (!best || difference.verdict < best->verdict || (difference.verdict == best->verdict && difference.l2 < best->l2))
            best = std::move(difference);
        }
      if (best) {
        expected_[node] = expected.front();
        found[node] = *std::move(best);
      }
    }
    return {};
  }

  static bool isWrong(const Difference& d) { return d.verdict >= tensor::Verdict::DiffersAtNonfinite; }

  /// The largest error among the nodes that `node` was computed from, through nodes that were not compared.
  double errorOfOperands(const std::map<fx::NodeId, Difference>& found, fx::NodeId node, bool& wrong) const {
    double units = 0;
    std::set<fx::NodeId> seen;
    std::vector<fx::NodeId> work{node};
    while (!work.empty()) {
      const fx::NodeId id = work.back();
      work.pop_back();
      for (const fx::NodeArgument& argument : program_->node(id).args)
        fx::forEachNode(argument.value, [&](fx::NodeId operand) {
          if (!seen.insert(operand).second) return;
          if (const auto known = found.find(operand); known != found.end()) {
            units = std::max(units, known->second.units);
            wrong = wrong || isWrong(known->second);
          } else {
            work.push_back(operand);
          }
        });
    }
    return units;
  }

  Result<> findFirst(std::size_t f, compare::TargetComparison& target) {
    if (target.first) return target.first->node.valid() ? findPass(target) : Result<>();
    const std::size_t inputs = worstInputs(forms_[f], target);
    std::vector<fx::NodeId> all;
    for (const fx::NodeId id : compare::tappableNodes(*program_))
      if (!undetermined_[id.index()] && (references_.empty() || valueOf_[userNode(id).index()] == id)) all.push_back(id);
    std::map<fx::NodeId, Difference> found;
    if (all.size() <= kMostTaps) {
      FXS_CHECK(compareNodes(f, inputs, all, found));
    } else {
      const std::size_t step = (all.size() + kSampledTaps - 1) / kSampledTaps;
      std::vector<fx::NodeId> some;
      for (std::size_t i = step - 1; i < all.size(); i += step) some.push_back(all[i]);
      FXS_CHECK(compareNodes(f, inputs, some, found));
      const auto bad = std::find_if(some.begin(), some.end(), [&](fx::NodeId id) { return found.contains(id) && isWrong(found.at(id)); });
      const auto begin = static_cast<std::size_t>(bad - some.begin()) * step;
      const std::vector<fx::NodeId> rest(all.begin() + static_cast<std::ptrdiff_t>(std::min(begin, all.size())),
                                         all.begin() + static_cast<std::ptrdiff_t>(std::min(begin + step, all.size())));
      FXS_CHECK(compareNodes(f, inputs, rest, found));
    }
    std::optional<compare::First> first;
    for (const auto& [node, difference] : found) {
      bool operandsWrong = false;
      const double units = errorOfOperands(found, node, operandsWrong);
      target.nodes.push_back({userNode(node), difference, units});
      if (first || operandsWrong || !isWrong(difference)) continue;
      first.emplace();
      first->node = userNode(node);
      first->how = difference.words;
      firstNode_ = node;
    }
    if (!first) {
      if (!found.empty())
        out_.notes.push_back(
            forms_[f].lowered.label() +
            ": every inner value agrees when it is a result of its own; the difference depends on what is lowered together");
      return {};
    }
    first->stage = forms_[f].lowered.to->stage.id;
    target.first = std::move(first);
    FXS_CHECK(runByItself(f, inputs, target));
    return findPass(target);
  }

  /// The first node that differs, as a program of its own with the values that its operands should have.
  Result<> runByItself(std::size_t f, std::size_t inputs, compare::TargetComparison& target) {
    const auto expected = expected_.find(firstNode_);
    if (expected == expected_.end()) return {};
    const auto cut = fx::cutNodes(program_, {firstNode_});
    if (!cut) return {};
    std::vector<Tensor> arguments;
    for (const fx::InputSpec& spec : (*cut)->inputs) {
      if (spec.kind != fx::InputKind::UserInput) continue;
      const auto value = valueByName(inputs, (*cut)->node(spec.node).name);
      if (!value) return {};
      arguments.push_back(*value);
    }
    const std::string torchOp = forms_[f].lowered.stages.size() > 1 ? forms_[f].lowered.stages[1].text : std::string();
    std::size_t wrongBackends = 0, rightBackends = 0;
    const auto differsIn = [&](const lower::OutputType& to) -> Result<std::optional<bool>> {
      FXS_TRY(const LoweredText lowered, lowerByEngine(s_, **cut, to, env_, context_));
      if (lowered.text.empty()) return std::optional<bool>();
      std::optional<bool> wrong;
      for (const auto& executor : machine_.executors()) {
        FXS_TRY(const Executed done, machine_.run(*executor, lowered.text, arguments, out_.inputs[inputs].sizes, false, context_));
        if (done.run.outcome != execute::Outcome::Ran || done.values.empty()) continue;
        const bool bad = isWrong(judged(done.values.front(), expected->second, firstNode_));
        wrong = wrong.value_or(true) && bad;
      }
      return wrong;
    };
    FXS_TRY(const auto here, differsIn(target.to));
    target.first->byItself = here.value_or(false);
    if (!target.first->byItself || isKept(torchOp, target.first->node)) return {};
    // The torch stage replaced the operation: if every backend computes the same wrong value, that is where it went wrong.
    for (const lower::OutputType& to : env_.outputTypes.backends()) {
      if (to == target.to) continue;
      FXS_TRY(const auto there, differsIn(to));
      if (there) ++(*there ? wrongBackends : rightBackends);
    }
    if (wrongBackends > 0 && rightBackends == 0) target.first->stage = "torch";
    return {};
  }

  /// Whether the torch stage keeps the node's operation as it was imported.
  bool isKept(const std::string& torchText, fx::NodeId node) const {
    if (torchText.empty()) return true;
    const std::string target = s_.capture->program->node(node).target;
    const std::string packet = target.ends_with(".default") ? target.substr(0, target.size() - 8) : target;
    const mlir::Document document(torchText);
    for (std::uint32_t i = 0; i < document.module.ops.size(); ++i) {
      const auto id = mlir::OpId::of(i);
      if (document.module.nameOf(id) != "torch." + packet) continue;
      const auto nodes = document.nodesOf(id);
      if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return true;
    }
    return false;
  }

  std::optional<Tensor> valueByName(std::size_t inputs, const std::string& name) const {
    std::size_t input = 0;
    for (const fx::InputSpec& spec : program_->inputs) {
      if (spec.kind != fx::InputKind::UserInput) continue;
      if (program_->node(spec.node).name == name)
        return input < out_.inputs[inputs].tensors.size() ? std::optional(out_.inputs[inputs].tensors[input]) : std::nullopt;
      ++input;
    }
    const fx::Node* node = program_->findNode(name);
    if (node == nullptr) return std::nullopt;
    if (const auto known = expected_.find(node->id); known != expected_.end()) return known->second;
    return references_.empty() ? std::nullopt : byPyTorch(inputs, node->id);
  }

  /// The pass that changed the node's operation, in the stage to blame, and the operations that it made.
  Result<> findPass(compare::TargetComparison& target) {
    compare::First& first = *target.first;
    Request request = s_.request;
    request.lower.target = target.to;
    context_.report({"tracing the passes", -1});
    const auto traced = advance(retarget(snapshot_, std::move(request)), Phase::Trace, env_, context_);
    if (!traced) {
      if (traced.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(traced.error());
      return {};
    }
    const trace::TracePtr trace = (*traced)->trace;
    const auto history = trace::historyOf(*trace, first.node);
    if (!history) return {};
    const lower::PassTrace& passes = trace->passes();
    const trace::HistoryEntry* last = nullptr;
    for (const trace::HistoryEntry& entry : *history) {
      if (entry.pass < 0) continue;
      const lower::PassRun& pass = passes.passes[static_cast<std::size_t>(entry.pass)];
      if (pass.stage == first.stage && !entry.made.empty() && !entry.gone.empty() && first.pass.empty()) {
        first.pass = pass.pass;
        for (const std::string& made : entry.made) first.operations.push_back(made);
      }
      last = &entry;
    }
    if (first.operations.empty() && last != nullptr)
      for (const std::string& made : last->made) first.operations.push_back(made);
    return {};
  }

  const SnapshotPtr snapshot_;
  const Snapshot& s_;
  const CompareOptions& options_;
  const Environment& env_;
  const RunContext& context_;
  const Machine& machine_;
  compare::Comparison& out_;
  const fx::ProgramPtr program_;
  const std::vector<fx::NodeId> results_;
  const std::vector<const fx::OutputSpec*> specs_;  // of the results
  const std::vector<bool> undetermined_;
  const std::vector<DType> lowest_;
  const std::vector<bool> indices_;
  const std::vector<std::uint64_t> sums_;
  const std::vector<fx::NodeId> valueOf_;
  std::vector<Form> forms_;                                                           // the targets first, then witnesses
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Candidate>> candidates_;  // by inputs and result
  std::vector<Reference> references_;                                                 // by inputs; empty without PyTorch
  std::map<fx::NodeId, Tensor> expected_;                                             // of the nodes of program_ that were compared
  fx::NodeId firstNode_;                                                              // of program_
};

Result<std::vector<Inputs>> inputsFor(const Snapshot& s, const RunOptions& options, std::size_t choices, const RunContext& context) {
  const fx::Program& program = *s.capture->program;
  std::vector<Inputs> out;
  if (!options.inputsFile.empty()) {
    FXS_TRY(const auto file, tensor::openTensorFile(options.inputsFile, context));
    FXS_TRY(Inputs inputs, compare::inputsFrom(program, *file, options.inputsFile, context));
    out.push_back(std::move(inputs));
    return out;
  }
  FXS_TRY(std::vector<compare::Sizes> sizes, compare::sizesToTry(program, options.sizes, context));
  if (sizes.size() > choices) sizes.resize(choices);
  for (const compare::Sizes& each : sizes) {
    FXS_TRY(Inputs inputs, compare::drawInputs(program, each, options.seed, context));
    out.push_back(std::move(inputs));
  }
  return out;
}

/// What running needs: an engine, executors, a folder, weights.
struct Setting {
  ScratchDirectory folder;
  execute::Executors executors;
};
Result<Setting> settingFor(const Snapshot& s, const Environment& env) {
  if (!s.imported || !s.rewritten || !s.engine || env.runner == nullptr)
    return fail(ErrorCode::Usage, "running requires a program that was imported with an engine");
  execute::Tools tools = env.numbers;
  tools.engine = s.engine->path;
  FXS_TRY(ScratchDirectory folder, ScratchDirectory::make(env.temporaryDir, "the programs and values of a run"));
  execute::Executors executors = execute::executorsFor(tools, folder.path(), *env.runner);
  if (executors.all.empty()) return fail(ErrorCode::Usage, executors.missing);
  return Setting{std::move(folder), std::move(executors)};
}

}  // namespace

Result<compare::ComparisonPtr> compare(const SnapshotPtr& snapshot, const CompareOptions& options, const Environment& env,
                                       const RunContext& context) try {
  FXS_TRY(const Setting setting, settingFor(*snapshot, env));
  auto out = std::make_shared<compare::Comparison>();
  for (const auto& executor : setting.executors.all) out->executors.push_back(executor->version());
  if (!setting.executors.missing.empty()) out->notes.push_back(setting.executors.missing);
  FXS_TRY(out->inputs, inputsFor(*snapshot, options, options.choices, context));
  WeightFile weights(*snapshot, setting.folder.path(), options.seed, context);
  const Machine machine(*snapshot, setting.executors, options.limits, weights);
  FXS_CHECK(Comparer(snapshot, options, env, context, machine, *out).run());
  if (!weights.drawn().empty())
    out->notes.push_back(fmt::format("{} of the weights have no data in the file and were drawn", weights.drawn().size()));
  return compare::ComparisonPtr(std::move(out));
} catch (...) {
  return abandoned(snapshot->request.file);
}

Result<std::shared_ptr<const RunResult>> runStages(const SnapshotPtr& snapshot, const RunOptions& options, const Environment& env,
                                                   const RunContext& context) try {
  const Snapshot& s = *snapshot;
  FXS_TRY(const Setting setting, settingFor(s, env));
  auto out = std::make_shared<RunResult>();
  for (const auto& executor : setting.executors.all) out->executors.push_back(executor->version());
  if (!setting.executors.missing.empty()) out->notes.push_back(setting.executors.missing);
  FXS_TRY(std::vector<Inputs> inputs, inputsFor(s, options, 1, context));
  out->inputs = std::move(inputs.front());
  for (const fx::NodeId id : compare::resultNodes(*s.rewritten->program))
    out->names.push_back(id.valid() ? s.rewritten->program->originOf(s.rewritten->program->node(id)).name : "constant");
  for (const fx::InputSpec& spec : s.capture->program->inputs)
    if (spec.kind == fx::InputKind::UserInput && spec.constant.isNone() && out->inputNames.size() < out->inputs.tensors.size())
      out->inputNames.push_back(s.capture->program->node(spec.node).name);
  WeightFile weights(s, setting.folder.path(), options.seed, context);
  const Machine machine(s, setting.executors, options.limits, weights);
  std::set<std::string> done;
  for (const lower::OutputType& to : options.targets) {
    FXS_TRY(const LoweredText lowered, lowerByEngine(s, *s.rewritten->program, to, env, context));
    if (lowered.text.empty()) {
      out->notes.push_back(std::string(lower::name(to)) + ": " + lowered.why);
      out->reached = false;
    }
    for (const lower::StageResult& stage : lowered.stages) {
      if (stage.text.empty() || !done.insert(stage.id).second) continue;
      for (const auto& executor : setting.executors.all) {
        context.report({"running " + stage.id + " with " + executor->version(), -1});
        FXS_TRY(Executed executed, machine.run(*executor, stage.text, out->inputs.tensors, out->inputs.sizes, false, context));
        for (std::size_t r = 0; r < executed.values.size(); ++r) {
          compare::ResultComparison result;
          result.name = r < out->names.size() ? out->names[r] : "result " + std::to_string(r);
          result.type = tensor::typeText(executed.values[r]);
          result.found = tensor::statisticsOf(executed.values[r]);
          executed.run.results.push_back(std::move(result));
        }
        out->stages.push_back({stage.id, std::move(executed.run), std::move(executed.values)});
      }
    }
  }
  if (!weights.drawn().empty())
    out->notes.push_back(fmt::format("{} of the weights have no data in the file and were drawn", weights.drawn().size()));
  return std::shared_ptr<const RunResult>(std::move(out));
} catch (...) {
  return abandoned(snapshot->request.file);
}

}  // namespace fxs::session
