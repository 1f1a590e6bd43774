// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/first_difference.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <tuple>

#include "base/counted.h"
#include "base/joined.h"
#include "base/work_time.h"
#include "compare/taps.h"
#include "fx/cut.h"
#include "import/distinct_operations.h"
#include "mlir/text/document.h"
#include "session/linked_stages.h"
#include "trace/history.h"

namespace fxs::numbers {
namespace {

using tensor::Difference;
using tensor::Tensor;

/// Up to this many values are made results at once; more are sampled first.
constexpr std::size_t kMostTaps = 512;
constexpr std::size_t kSampledTaps = 128;
/// For running operations by themselves, on processors; it grows with the time limit of stages.
constexpr std::chrono::minutes kEveryBudget{6};

}  // namespace

/// The values of `nodes` in a lowered form of the program with them as further results, by node and
/// executor.
Result<FirstDifference::NodeValues> FirstDifference::tapped(const LoweredForm& form,
                                                            const std::vector<fx::NodeId>& nodes,
                                                            std::size_t inputs) {
  NodeValues out;
  FXS_TRY(const compare::Tapped tapped, compare::withTaps(c_.program, nodes));
  FXS_TRY(const LoweredText lowered,
          lowerBy(*form.lowered.route, s_, *tapped.program, form.lowered.to, env_, context_));
  if (lowered.text.empty()) return out;
  for (std::size_t e = 0; e < runner_.executors().size(); ++e) {
    if (form.executed[inputs][e].run.outcome != execute::Outcome::Ran) continue;
    auto& executor = *runner_.executors()[e];
    context_.report(
        {"computing inner values of " + form.lowered.label() + " with " + executor.version(), -1});
    FXS_TRY(Executed done, runner_.run(executor, lowered.text, inputs_[inputs], false, context_));
    if (done.run.outcome != execute::Outcome::Ran ||
        done.values.size() != c_.results.size() + nodes.size())
      continue;
    for (std::size_t r = 0; r < c_.results.size(); ++r)
      if (c_.results[r].valid()) out[c_.results[r]].push_back({done.run.executor, done.values[r]});
    for (std::size_t n = 0; n < nodes.size(); ++n)
      out[nodes[n]].push_back({done.run.executor, std::move(done.values[c_.results.size() + n])});
  }
  return out;
}

FirstDifference::NodeValues FirstDifference::computed(std::size_t inputs) {
  std::vector<fx::NodeId> nodes;
  for (const fx::NodeId id : compare::tappableNodes(*c_.program))
    if (!c_.undetermined[id.index()]) nodes.push_back(id);
  if (nodes.size() > kMostTaps) return {};
  for (const LoweredForm& form : forms_) {
    if (inputs >= form.executed.size()) continue;
    auto values = tapped(form, nodes, inputs);
    if (!values && endsAll(values.error())) throw Abandoned(values.error());
    if (values && !values->empty()) return *std::move(values);
  }
  return {};
}

/// Without PyTorch: the values of `nodes` in the first other form that computes any.
Result<FirstDifference::NodeValues> FirstDifference::witnessOf(
    std::size_t f, std::size_t inputs, const std::vector<fx::NodeId>& nodes) {
  NodeValues out;
  for (std::size_t w = 0; w < forms_.size() && out.empty(); ++w) {
    if (w == f || forms_[w].executed.empty()) continue;
    FXS_TRY(out, tapped(forms_[w], nodes, inputs));
  }
  return out;
}

/// What a node's value should be: PyTorch's, or what the witness and the executors that are not
/// asked computed.
std::vector<Tensor> FirstDifference::expectedOf(std::size_t inputs, fx::NodeId node,
                                                const NodeValues& witness,
                                                const std::vector<Computed>& notAsked) const {
  std::vector<Tensor> out;
  if (expectedResults_.byPyTorch()) {
    if (auto value = expectedResults_.ofNode(inputs, node)) out.push_back(*std::move(value));
    return out;
  }
  if (const auto known = witness.find(node); known != witness.end())
    for (const Computed& computed : known->second) out.push_back(computed.value);
  for (const Computed& computed : notAsked) out.push_back(computed.value);
  return out;
}

/// Compares a node's value with what it should be, and keeps the pair that comes closest.
std::optional<Difference> FirstDifference::closest(std::size_t inputs, fx::NodeId node,
                                                   const std::vector<Computed>& found,
                                                   const std::vector<Tensor>& expected) {
  std::optional<Difference> best;
  const Tensor *bestFound = nullptr, *bestExpected = nullptr;
  for (const Computed& computed : found)
    for (const Tensor& want : expected) {
      Difference difference = expectedResults_.judged(inputs, computed.value, want, node);
      if (best && std::tie(difference.verdict, difference.l2) >= std::tie(best->verdict, best->l2))
        continue;
      best = std::move(difference);
      bestFound = &computed.value;
      bestExpected = &want;
    }
  if (best) {
    statistics_[node] = {tensor::statisticsOf(*bestFound), tensor::statisticsOf(*bestExpected)};
    expected_[node] = expected.front();
  }
  return best;
}

/// Compares `nodes` in the target's form, as computed by the executors `only`, or else by the one
/// that comes closest. Without PyTorch, those are compared with the other executors, and the
/// closest with another form.
Result<FirstDifference::Differences> FirstDifference::compareNodes(
    std::size_t f, std::size_t inputs, const std::vector<fx::NodeId>& nodes,
    const std::vector<std::string>& only) {
  Differences out;
  FXS_TRY(NodeValues values, tapped(forms_[f], nodes, inputs));
  NodeValues witness;
  if (!values.empty() && !expectedResults_.byPyTorch() && only.empty()) {
    FXS_TRY(witness, witnessOf(f, inputs, nodes));
  }
  for (auto& [node, byExecutor] : values) {
    if (c_.undetermined[node.index()]) continue;
    const auto notAsked =
        std::stable_partition(byExecutor.begin(), byExecutor.end(), [&](const Computed& computed) {
          return only.empty() ||
                 std::find(only.begin(), only.end(), computed.executor) != only.end();
        });
    const std::vector<Computed> others(std::make_move_iterator(notAsked),
                                       std::make_move_iterator(byExecutor.end()));
    byExecutor.erase(notAsked, byExecutor.end());
    auto difference = closest(inputs, node, byExecutor, expectedOf(inputs, node, witness, others));
    if (difference) out[node] = *std::move(difference);
  }
  return out;
}

/// As compareNodes(), of all of `nodes`; where there are many, samples find the range in which
/// values begin to differ.
Result<FirstDifference::Differences> FirstDifference::compareAll(
    std::size_t f, std::size_t inputs, const std::vector<fx::NodeId>& nodes,
    const std::vector<std::string>& only) {
  if (nodes.size() <= kMostTaps) return compareNodes(f, inputs, nodes, only);
  const std::size_t step = (nodes.size() + kSampledTaps - 1) / kSampledTaps;
  std::vector<fx::NodeId> samples;
  for (std::size_t i = step - 1; i < nodes.size(); i += step) samples.push_back(nodes[i]);
  FXS_TRY(Differences found, compareNodes(f, inputs, samples, only));
  const auto bad = std::find_if(samples.begin(), samples.end(), [&](fx::NodeId id) {
    return found.contains(id) && isWrong(found.at(id));
  });
  const auto begin = static_cast<std::size_t>(bad - samples.begin()) * step;
  const std::vector<fx::NodeId> range(
      nodes.begin() + static_cast<std::ptrdiff_t>(std::min(begin, nodes.size())),
      nodes.begin() + static_cast<std::ptrdiff_t>(std::min(begin + step, nodes.size())));
  FXS_TRY(Differences out, compareNodes(f, inputs, range, only));
  out.merge(found);
  return out;
}

/// The errors of the nodes that `node` was computed from, through nodes that were not compared.
FirstDifference::OperandErrors FirstDifference::errorsOfOperands(const Differences& found,
                                                                 fx::NodeId node) const {
  OperandErrors out;
  std::set<fx::NodeId> seen;
  std::vector<fx::NodeId> work{node};
  while (!work.empty()) {
    const fx::NodeId id = work.back();
    work.pop_back();
    for (const fx::NodeArgument& argument : c_.program->node(id).args)
      fx::forEachNode(argument.value, [&](fx::NodeId operand) {
        if (!seen.insert(operand).second) return;
        if (const auto known = found.find(operand); known != found.end()) {
          out.largest = std::max(out.largest, known->second.units);
          out.anyWrong = out.anyWrong || isWrong(known->second);
        } else {
          work.push_back(operand);
        }
      });
  }
  return out;
}

/// Fills in the nodes of the target, and the first that is wrong though its operands are not.
void FirstDifference::addNodes(const Differences& found, compare::TargetComparison& target) {
  for (const auto& [node, difference] : found) {
    const OperandErrors ofOperands = errorsOfOperands(found, node);
    const NodeStatistics& statistics = statistics_.at(node);
    target.nodes.push_back(
        {c_.userNode(node), difference, ofOperands.largest, statistics.found, statistics.expected});
    if (target.first || ofOperands.anyWrong || !isWrong(difference)) continue;
    target.first.emplace();
    target.first->node = c_.userNode(node);
    target.first->message = difference.message;
    firstNode_ = node;
  }
}

Result<std::string> FirstDifference::find(std::size_t f, compare::TargetComparison& target) {
  if (target.first) {
    if (target.first->node.valid()) FXS_CHECK(findPass(f, target));
    return std::string();
  }
  const std::size_t inputs = compare::worstInputs(target);
  const bool isDisputed = !target.defenders.empty();
  const std::vector<std::string> only = isDisputed ? target.accusers : std::vector<std::string>();
  if (isDisputed) {
    target.fault = "not known whose fault it is";
    for (const compare::Run& run : target.runs)
      if (run.inputs == inputs && run.failed) return findAssertion(f, run, target);
  }
  std::vector<fx::NodeId> comparable;
  for (const fx::NodeId id : compare::tappableNodes(*c_.program))
    if (!c_.undetermined[id.index()] &&
        (!expectedResults_.byPyTorch() || c_.valueOf[c_.userNode(id).index()] == id))
      comparable.push_back(id);
  FXS_TRY(const Differences found, compareAll(f, inputs, comparable, only));
  addNodes(found, target);
  if (!target.first)
    return found.empty() ? std::string()
                         : forms_[f].lowered.label() +
                               ": every inner value agrees when it is a result of its own; the "
                               "difference depends on "
                               "what is lowered together";
  target.first->stage = forms_[f].lowered.to->stage.id;
  if (isDisputed) {
    FXS_TRY(target.fault, faultOf(inputs, target));
  } else {
    FXS_CHECK(runByItself(f, inputs, target));
  }
  FXS_CHECK(findPass(f, target));
  return std::string();
}

/// The text says itself where it ends, in an executor that checks it.
Result<std::string> FirstDifference::findAssertion(std::size_t f, const compare::Run& run,
                                                   compare::TargetComparison& target) {
  target.fault = "of the text: its assertion fails in " + run.executor +
                 ", and is not checked in " + joined(target.defenders, " and ");
  if (!run.failed->node.valid()) return std::string();
  compare::First first;
  first.node = run.failed->node;
  first.stage = forms_[f].lowered.to->stage.id;
  first.message = run.message;
  target.first = std::move(first);
  FXS_CHECK(findPass(f, target));
  return std::string();
}

/// A node as a program of its own, with the values that its operands should have; std::nullopt if
/// one of them is not known.
std::optional<FirstDifference::Isolated> FirstDifference::isolated(fx::NodeId node,
                                                                   std::size_t inputs) const {
  auto cut = fx::cutNodes(c_.program, {node});
  if (!cut) return std::nullopt;
  auto operands = operandsOf(**cut, inputs_[inputs].sizes,
                             [&](const std::string& name) { return valueByName(inputs, name); });
  if (!operands) return std::nullopt;
  return Isolated{*std::move(cut), *std::move(operands)};
}

Result<OperationAlone> FirstDifference::alone(fx::NodeId node, std::size_t inputs,
                                              const Tensor& expected, const lower::OutputType& to) {
  const auto given = isolated(node, inputs);
  if (!given) return OperationAlone();
  const auto judge = [&](const Tensor& found) {
    return expectedResults_.judged(inputs, found, expected, node);
  };
  return runAlone(s_, *given->cut, to, given->operands, judge, runner_, env_, context_);
}

/// Of executors that disagree about the first node.
Result<std::string> FirstDifference::faultOf(std::size_t inputs,
                                             const compare::TargetComparison& target) {
  if (!expectedResults_.byPyTorch())
    return std::string(
        "not known whose fault it is: without PyTorch, nothing says which of them is right");
  const auto given = isolated(firstNode_, inputs);
  const auto expected = expected_.find(firstNode_);
  const std::string& name = c_.nameOf(target.first->node);
  OperationAlone byEngine, byRegistry;
  if (given && expected != expected_.end()) {
    const auto judge = [&](const Tensor& found) {
      return expectedResults_.judged(inputs, found, expected->second, firstNode_);
    };
    FXS_TRY(const LoweredText lowered,
            lowerBy(session::kPipelines, s_, *given->cut, target.to, env_, context_));
    FXS_TRY(const LoweredText written,
            lowerBy(session::kRegistries, s_, *given->cut, target.to, env_, context_));
    if (!lowered.text.empty()) {
      FXS_TRY(byEngine,
              runTextAlone(lowered.text, given->operands, judge, Checks::Too, runner_, context_));
    }
    if (!written.text.empty()) {
      FXS_TRY(byRegistry,
              runTextAlone(written.text, given->operands, judge, Checks::No, runner_, context_));
    }
  }
  return compare::faultOf(name, target.accusers, target.defenders, byEngine.isWrongBy,
                          byRegistry.isWrongBy);
}

/// Whether the first node that differs does so by itself, and in which stage.
Result<> FirstDifference::runByItself(std::size_t f, std::size_t inputs,
                                      compare::TargetComparison& target) {
  const auto expected = expected_.find(firstNode_);
  if (expected == expected_.end()) return {};
  const std::string torchOp =
      forms_[f].lowered.stages.size() > 1 ? forms_[f].lowered.stages[1].text : std::string();
  std::size_t wrongBackends = 0, rightBackends = 0;
  const auto differsIn = [&](const lower::OutputType& to) -> Result<std::optional<bool>> {
    FXS_TRY(const OperationAlone done, alone(firstNode_, inputs, expected->second, to));
    return done.difference ? std::optional(isWrong(*done.difference)) : std::nullopt;
  };
  FXS_TRY(const auto here, differsIn(target.to));
  target.first->byItself = here.value_or(false);
  if (!target.first->byItself || isKept(torchOp, target.first->node)) return {};
  // The torch stage replaced the operation: if every backend computes the same wrong value, that is
  // where it went wrong.
  for (const lower::OutputType& to : env_.outputTypes.backends()) {
    if (to == target.to) continue;
    FXS_TRY(const auto there, differsIn(to));
    if (there) ++(*there ? wrongBackends : rightBackends);
  }
  if (wrongBackends > 0 && rightBackends == 0) target.first->stage = "torch";
  return {};
}

/// Of equal calls, the first whose value is known to differ, or else was not compared; none if all
/// agree.
fx::NodeId FirstDifference::doubtful(const std::vector<fx::NodeId>& equal,
                                     const KnownDifferences& known) const {
  fx::NodeId out;
  for (const fx::NodeId node : equal) {
    const fx::NodeId user = c_.userNode(node);
    if (!user.valid() || c_.valueOf[user.index()] != node || c_.undetermined[node.index()])
      continue;
    const auto found = known.find(user);
    if (found == known.end()) {
      if (!out.valid()) out = node;
    } else if (found->second->verdict != tensor::Verdict::Same) {
      return node;
    }
  }
  return out;
}

Result<std::string> FirstDifference::findEvery(std::size_t f, compare::TargetComparison& target) {
  const std::size_t inputs = compare::worstInputs(target);
  KnownDifferences known;
  for (const compare::NodeComparison& node : target.nodes) known[node.node] = &node.difference;
  const TimeLimit budget(lower::grownWith(s_.request.lower.limits.timeout, kEveryBudget),
                         runner_.work());
  const std::vector<import::DistinctOperation> operations = import::distinctOperations(*c_.program);
  std::size_t done = 0, left = 0;
  for (const import::DistinctOperation& operation : operations) {
    context_.report({"running operations by themselves",
                     static_cast<double>(done++) / static_cast<double>(operations.size())});
    if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    const fx::NodeId chosen = doubtful(operation.nodes, known);
    if (!chosen.valid()) continue;
    if (budget.isReached()) {
      ++left;
      continue;
    }
    const auto expected = expectedResults_.ofNode(inputs, chosen);
    if (!expected) continue;
    FXS_TRY(const OperationAlone run, alone(chosen, inputs, *expected, target.to));
    if (run.isWrong()) target.wrongOperations.push_back({chosen, operation.nodes, *run.difference});
  }
  if (left == 0) return std::string();
  return forms_[f].lowered.label() + ": " + counted(left, "operation") +
         (left == 1 ? " was" : " were") +
         " not run by itself, and whether it is wrong is not known: the time limit was reached, "
         "which "
         "--timeout raises";
}

/// Whether the torch stage keeps the node's operation as it was imported.
bool FirstDifference::isKept(const std::string& torchText, fx::NodeId node) const {
  if (torchText.empty()) return true;
  const std::string target = c_.user.node(node).target;
  const std::string packet =
      target.ends_with(".default") ? target.substr(0, target.size() - 8) : target;
  const mlir::Document document(torchText);
  for (std::uint32_t i = 0; i < document.module.ops.size(); ++i) {
    const auto id = mlir::OpId::of(i);
    if (document.module.nameOf(id) != "torch." + packet) continue;
    const auto nodes = document.nodesOf(id);
    if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return true;
  }
  return false;
}

std::optional<Tensor> FirstDifference::valueByName(std::size_t inputs,
                                                   const std::string& name) const {
  std::size_t input = 0;
  for (const fx::InputSpec& spec : c_.program->inputs) {
    if (spec.kind != fx::InputKind::UserInput) continue;
    if (c_.program->node(spec.node).name == name)
      return input < inputs_[inputs].tensors.size() ? std::optional(inputs_[inputs].tensors[input])
                                                    : std::nullopt;
    ++input;
  }
  const fx::Node* node = c_.program->findNode(name);
  if (node == nullptr) return std::nullopt;
  if (const auto known = expected_.find(node->id); known != expected_.end()) return known->second;
  return !expectedResults_.byPyTorch() ? std::nullopt : expectedResults_.ofNode(inputs, node->id);
}

/// The pass that broke a contract of the target's stages, and where.
void FirstDifference::findBreach(const trace::Trace& trace, const lower::OutputType& to,
                                 compare::First& first) const {
  for (const fx::Finding& breach : session::breachesIn(trace, s_.imported->text, c_.user, to)) {
    if (breach.severity != fx::Severity::Error || breach.pass.empty()) continue;
    first.node = breach.node;
    first.stage = breach.stage;
    first.pass = breach.pass;
    first.message = breach.message;
    return;
  }
}

/// The pass that changed the node's operation, in the stage to blame, and the operations that it
/// made. Nothing is known of other routes than the pipelines.
Result<> FirstDifference::findPass(std::size_t f, compare::TargetComparison& target) {
  compare::First& first = *target.first;
  session::Request request = s_.request;
  request.lower.target = target.to;
  context_.report({"tracing the passes", -1});
  const auto traced = session::advance(session::retarget(snapshot_, std::move(request)),
                                       session::Phase::Trace, env_, context_);
  if (!traced) {
    if (endsAll(traced.error())) return tl::unexpected<Error>(traced.error());
    return {};
  }
  const trace::TracePtr trace = (*traced)->trace;
  if (!forms_[f].lowered.breaches.empty()) findBreach(*trace, target.to, first);
  const auto history = trace::historyOf(*trace, first.node);
  if (!history) return {};
  const trace::HistoryEntry* last = nullptr;
  for (const trace::HistoryEntry& entry : *history) {
    if (entry.pass < 0) continue;
    last = &entry;
    const lower::PassRun& pass = trace->passes().passes[static_cast<std::size_t>(entry.pass)];
    if (pass.stage != first.stage || entry.made.empty() || entry.gone.empty() ||
        !first.pass.empty())
      continue;
    first.pass = pass.pass;
    first.operations.insert(first.operations.end(), entry.made.begin(), entry.made.end());
  }
  if (first.operations.empty() && last != nullptr)
    first.operations.assign(last->made.begin(), last->made.end());
  return {};
}

}  // namespace fxs::numbers
