// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/finding.h"
#include "report/compare.h"
#include "report/json_parts.h"

namespace fxs::report {
namespace {

using compare::ResultComparison;
using compare::Run;
using compare::Scope;
using compare::TargetComparison;

constexpr const char* kSetMessage = "where the elements come from (docs/numbers.md)";
constexpr const char* kSizesMessage = "symbolic sizes by symbol";
constexpr const char* kViaMessage = "the lowering path whose texts ran, as --via names it";

JsonNames viaNames() { return {"torch-mlir", "nodes", "registry"}; }
JsonNames verdictNames() { return JsonNames(compare::TargetVerdict::Differs); }

std::vector<std::string_view> namesOf(const compare::Values& values) {
  std::vector<std::string_view> out;
  for (const compare::Value value : values.list()) out.push_back(name(value));
  return out;
}

/// Of a node of the user's program, "" for none.
std::string nodeName(const fx::Program& program, fx::NodeId id) {
  return id.valid() && id.index() < program.nodes.size() ? program.node(id).name : std::string();
}

JsonForm<tensor::Statistics> statisticsForm() {
  using S = tensor::Statistics;
  return {{"elements", &S::elements},   {"nan", &S::nans},
          {"infinite", &S::infinities}, {"min", &S::min, anyNumber, "of the finite elements"},
          {"max", &S::max, anyNumber},  {"mean", &S::mean, anyNumber},
          {"norm", &S::norm, anyNumber}};
}
JsonForm<tensor::Statistics> histogramForm() {
  return statisticsForm()
      .with({{"histogram", &tensor::Statistics::histogram,
              "finite elements in 16 equal steps from min to max"}})
      .named("statistics");
}

JsonForm<tensor::Difference> differenceForm() {
  using D = tensor::Difference;
  using E = tensor::Element;
  const JsonForm<E> element = {
      {"index", &E::index}, {"found", &E::found, anyNumber}, {"expected", &E::expected, anyNumber}};
  return {{"verdict", &D::verdict, JsonNames(tensor::Verdict::Differs)},
          {"kind", &D::kind, JsonNames(tensor::Kind::Rounding)},
          {"l2", &D::l2, anyNumber, "relative l2 error of the finite elements"},
          {"units", &D::units, anyNumber, "l2 in eps of the lowest precision in the computation"},
          {"max_abs", &D::maxAbs, anyNumber},
          {"wrong", &D::wrong},
          {"elements", &D::elements},
          {"message", &D::message, nullIfEmpty},
          {"worst", &D::worst, element}};
}

JsonForm<Scope::Tried> triedForm() {
  using T = Scope::Tried;
  return JsonForm<T>{{"input", &T::input},
                     {"type", [](const T& t) { return facts(t.dtype).shortName; }, "i8"},
                     {"min", &T::min, "of the finite elements"},
                     {"max", &T::max},
                     {"over_range", &T::isFullRange, "integers over all of their type"},
                     {"has", [](const T& t) { return namesOf(t.values); },
                      "kinds of values (resources/numbers/separating_values.txt)"}}
      .named("values");
}

/// With what the values are if there is a `program` to ask.
JsonForm<compare::Inputs> comparedInputsForm(JsonForm<compare::Inputs> values) {
  using I = compare::Inputs;
  const auto types = [](const I& inputs) {
    std::vector<std::string> out;
    for (const tensor::Tensor& t : inputs.tensors) out.push_back(tensor::typeText(t));
    return out;
  };
  return JsonForm<I>{{"set", &I::set, JsonNames(compare::InputSetKind::Shifted), kSetMessage},
                     {"round", &I::round, "sets of one kind and sizes are counted"},
                     {"sizes", &I::sizes, kSizesMessage},
                     {"tensors", types, "f32[2, 3], in order of the signature"}}
      .with(values)
      .with({{"notes", &I::notes}});
}

JsonForm<Run> runOutcomeForm() {
  return {{"sizes", &Run::sizes, kSizesMessage},
          {"outcome", &Run::outcome, JsonNames(execute::Outcome::OutOfMemory)},
          {"message", &Run::message, nullIfEmpty}};
}
JsonForm<Run> resultsForm(const JsonForm<ResultComparison>& result) {
  return {
      {"variants", &Run::variants, "of the output types' stages, in which the text was compiled"},
      {"compile_seconds", &Run::compileTime},
      {"run_seconds", &Run::runTime},
      {"results", &Run::results, result}};
}

const tensor::Difference* differenceOf(const ResultComparison& result) {
  return result.compared ? &result.difference : nullptr;
}
JsonForm<ResultComparison> comparedForm() {
  using R = ResultComparison;
  return JsonForm<R>{{"name", &R::name},
                     {"type", &R::type},
                     {"compared", &R::compared},
                     {"why_not", &R::reason, nullIfEmpty}}
      .with(differenceOf, differenceForm());
}

JsonForm<Run> comparedRunForm(const CompareReport* report) {
  const auto expected = [](const ResultComparison& result) {
    return result.compared ? &result.expected : nullptr;
  };
  return JsonForm<Run>{{"executor", &Run::executor},
                       {"inputs", &Run::inputs, "index in the inputs of the answer"}}
      .with(runOutcomeForm())
      .with({{"node", [report](const Run& run) { return nodeName(report->program, run.node); },
              nullIfEmpty, "where it crashed"}})
      .with(
          resultsForm(comparedForm().with({{"expected", expected, absentIfEmpty, histogramForm()},
                                           {"found", &ResultComparison::found, histogramForm()}})));
}

/// The runs of one set of inputs, and what they say together.
using RunsOfSet = std::map<std::size_t, std::vector<const Run*>>::value_type;
JsonForm<RunsOfSet> runsOfSetForm() {
  const JsonForm<Run> found = {
      {"executor", &Run::executor},
      {"found", [](const Run& run) { return compare::findingOf(run).message; },
       "same, differs at add, not compared, not supported, crashed"},
      {"message", [](const Run& run) { return compare::findingOf(run).message; }, nullIfEmpty}};
  const auto verdict = [](const RunsOfSet& set) { return compare::judgeSet(set.second).verdict; };
  return {{"inputs", &RunsOfSet::first, "index in the inputs of the answer"},
          {"set", [](const RunsOfSet& set) { return name(set.second.front()->set); }},
          {"verdict", verdict, verdictNames()},
          {"message", [](const RunsOfSet& set) { return compare::judgeSet(set.second).message; },
           nullIfEmpty},
          {"executors", &RunsOfSet::second, found,
           "what each found, before it is weighed against the others"}};
}

template <class Seen>
JsonForm<Seen> seenForm() {
  return {{"operator", &Seen::packet},
          {"values", [](const Seen& seen) { return name(seen.value); }},
          {"calls", &Seen::calls, atLeast(1)}};
}

JsonForm<TargetComparison> scopeForm() {
  using Control = Scope::Control;
  using NotCompared = Scope::NotCompared;
  using NotTried = Scope::NotTried;
  const JsonForm<NotTried> notTried = {
      {"values", [](const NotTried& each) { return namesOf(each.values); }},
      {"inputs", &NotTried::inputs},
      {"because", &NotTried::because, nullIfEmpty,
       "the operator whose result is not defined or not stable for them"}};
  const JsonForm<Control> control = {
      {"node", &Control::name},
      {"loop", &Control::isLoop},
      {"taken", &Control::taken, JsonNames{"true", "false", "0", "1", "several"},
       "branches or numbers of trips; empty: not known"}};
  const JsonForm<NotCompared> notCompared = {{"name", &NotCompared::name},
                                             {"message", &NotCompared::message}};
  const auto known = [](auto member) {
    return [member](const Scope& s) { return s.knowsNodes ? &(s.*member) : nullptr; };
  };
  return JsonForm<TargetComparison>{}
      .with(&TargetComparison::scope, JsonForm<Scope>{{"message", &Scope::message, "one line"}})
      .with({{"sets", &compare::runsByInputs, runsOfSetForm(),
              "what the executors say together of each set of inputs"}})
      .with(&TargetComparison::scope,
            JsonForm<Scope>{
                {"sizes", &Scope::sizes, "symbolic sizes that were compared, by symbol"},
                {"values", &Scope::tried, triedForm(),
                 "by input tensor, over all sets that were compared"},
                {"not_tried", &Scope::notTried, notTried},
                {"not_seen", known(&Scope::unseen), seenForm<compare::Unseen>(),
                 "values that separate right from wrong and that no operand of the operator's "
                 "calls had; null: not known, without PyTorch"},
                {"seen", known(&Scope::sights),
                 seenForm<compare::Sight>().with({{"seen", &compare::Sight::seen}}),
                 "the values that separate right from wrong at each operator, and how many of its "
                 "calls had one among their operands; null: not known, without PyTorch"},
                {"control", &Scope::control, control,
                 "conditions and loops of the main graph, and what of them ran"},
                {"not_compared", &Scope::notCompared, notCompared, "results"}});
}

JsonForm<compare::First> firstForm(const CompareReport* report) {
  using First = compare::First;
  const auto target = [report](const First& first) {
    const bool known = first.node.valid() && first.node.index() < report->program.nodes.size();
    return known ? report->program.node(first.node).target : std::string();
  };
  return {{"node", [report](const First& first) { return nodeName(report->program, first.node); }},
          {"target", target},
          {"stage", &First::stage},
          {"pass", &First::pass, nullIfEmpty},
          {"message", &First::message},
          {"by_itself", &First::byItself, "it also differs when it is lowered and run by itself"},
          {"operations", &First::operations}};
}

JsonForm<compare::NodeComparison> comparedNodeForm(const CompareReport* report) {
  using Node = compare::NodeComparison;
  return JsonForm<Node>{
      {"node", [report](const Node& node) { return nodeName(report->program, node.node); }}}
      .with(&Node::difference, differenceForm())
      .with({{"operand_units", &Node::inputUnits, anyNumber},
             {"found", &Node::found, statisticsForm()},
             {"expected", &Node::expected, statisticsForm()}});
}

JsonForm<TargetComparison> comparedTargetForm(const CompareReport* report) {
  using T = TargetComparison;
  return {{"to", [](const T& target) { return lower::name(target.to); }},
          {"verdict", &T::verdict, verdictNames()},
          {"message", &T::message, nullIfEmpty},
          {"accusers", &T::accusers,
           "of a suspicious verdict: executors that compute a value other than expected, or crash"},
          {"defenders", &T::defenders, "executors that disagree with these"},
          {"fault", &T::fault, nullIfEmpty,
           "of executors that disagree: whose fault it probably is, and why"},
          {"scope", itself, scopeForm(), "for what the verdict holds, derived from what ran"},
          {"outputs", &outputsOf, comparedForm(), "the worst over all runs"},
          {"first", &T::first, firstForm(report)},
          {"runs", &T::runs, comparedRunForm(report)},
          {"nodes", &T::nodes, comparedNodeForm(report),
           "inner nodes in program order, if they were looked at"}};
}

JsonAnswer<CompareReport> compareAnswer(const CompareReport* report) {
  using C = compare::Comparison;
  using I = compare::Inputs;
  const auto values = [report](const I& each) { return compare::valuesOf(each, report->program); };
  const JsonForm<C> comparison = {
      {"via", &C::via, viaNames(), kViaMessage},
      {"reference", &C::reference, "what results were compared with"},
      {"executors", &C::executors},
      {"executor_seconds", &C::executorTime, atLeast(0),
       "what executors took to compile and to run, also inner values and operations by themselves"},
      {"inputs", &C::inputs,
       comparedInputsForm({{"values", values, triedForm(), "by input tensor"}})},
      {"targets", &C::targets, comparedTargetForm(report)},
      {"notes", &C::notes}};
  return {"fxscope-compare/1", "fxscope-cli compare --json",
          JsonForm<CompareReport>{{"input", &CompareReport::input, kInputMessage}}.with(
              [](const CompareReport& r) -> auto& { return r.comparison; }, comparison)};
}

JsonForm<RunRow> rowForm() {
  const JsonForm<ResultComparison> result = {{"name", &ResultComparison::name},
                                             {"type", &ResultComparison::type},
                                             {"found", &ResultComparison::found, histogramForm()}};
  struct Share {
    const compare::Dispatch& dispatch;
    std::chrono::duration<double> all;
  };
  const auto shares = [](const RunRow& row) {
    std::chrono::duration<double> all{0};
    for (const compare::Dispatch& each : row.run.dispatches) all += each.measured.time;
    std::vector<Share> out;
    for (const compare::Dispatch& each : row.run.dispatches) out.push_back({each, all});
    return out;
  };
  const JsonForm<Share> dispatch = {
      {"name", [](const Share& s) { return s.dispatch.measured.name; }},
      {"calls", [](const Share& s) { return s.dispatch.measured.calls; }},
      {"seconds", [](const Share& s) { return s.dispatch.measured.time; },
       "of all its calls in one run"},
      {"share",
       [](const Share& s) { return s.all.count() > 0 ? s.dispatch.measured.time / s.all : 0.0; },
       atLeast(0), atMost(1), "of the time of all dispatches"},
      {"nodes", [](const Share& s) { return s.dispatch.nodes; },
       "that it computes; empty if not known"}};
  const auto run = [](const RunRow& row) -> auto& { return row.run; };
  return JsonForm<RunRow>{{"stage", &RunRow::stage}}
      .with(run, JsonForm<Run>{{"executor", &Run::executor}}
                     .with(runOutcomeForm())
                     .with(resultsForm(result)))
      .with({{"files", &RunRow::files},
             {"dispatches", shares, dispatch,
              "with --dispatches: what ran as one on the device, longest first"}});
}

JsonAnswer<RunReport> runAnswer() {
  using R = RunReport;
  return {
      "fxscope-run/1",
      "fxscope-cli run --json",
      {{"input", &R::input, kInputMessage},
       {"via", &R::via, viaNames(), kViaMessage},
       {"executors", [](const R& report) { return report.executors; }},
       {"inputs", [](const R& report) -> auto& { return report.inputs; }, comparedInputsForm({})},
       {"stages", &R::rows, rowForm()},
       {"notes", [](const R& report) { return report.notes; }}}};
}

}  // namespace

std::string compareJson(const CompareReport& report) { return compareAnswer(&report).text(report); }
std::string compareSchema() { return compareAnswer(nullptr).schemaText(); }
std::string runJson(const RunReport& report) { return runAnswer().text(report); }
std::string runSchema() { return runAnswer().schemaText(); }

}  // namespace fxs::report
