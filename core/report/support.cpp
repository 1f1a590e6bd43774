// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/counted.h"
#include "base/joined.h"
#include "report/json_parts.h"
#include "report/line.h"

namespace fxs::report {
namespace {

using support::Cell;
using support::Matrix;
using support::Operator;
using support::Sizes;
using support::Standing;

constexpr std::array kStandings{Standing::Always, Standing::Part, Standing::Never,
                                Standing::NotMeasured};
constexpr std::array kAgreements{support::Agreement::SameForm, support::Agreement::OtherForm,
                                 support::Agreement::Undecided, support::Agreement::OtherResult,
                                 support::Agreement::Differs};
constexpr std::array kSizes{Sizes::Static, Sizes::Dynamic};
/// More operators than this are shown by one line for each output type.
constexpr std::size_t kWithCells = 4;

std::size_t countOf(const Matrix& matrix, std::size_t target, Standing standing) {
  const auto operators = matrix.calls().operators();
  return static_cast<std::size_t>(
      std::count_if(operators.begin(), operators.end(), [&](const Operator& op) {
        return support::verdictOf(matrix, op, target).standing == standing;
      }));
}

std::vector<const Matrix*> matricesOf(const SupportReport& report) {
  std::vector<const Matrix*> out;
  for (const auto& matrix : report.others) out.push_back(matrix.get());
  return out;
}

std::string head(const Matrix& matrix) {
  std::string out = line("measured with engine {}: {} of {} operators\n", matrix.engine().title(),
                         counted(matrix.programs(), "program"), matrix.calls().operators().size());
  if (const std::size_t missing = matrix.missing(); missing > 0)
    out +=
        line("{} not measured: run 'fxscope-cli support --measure'\n", counted(missing, "program"));
  return out;
}

std::size_t countOf(const SupportOfProgram& program, support::Agreement agreement) {
  return static_cast<std::size_t>(
      std::count_if(program.calls.begin(), program.calls.end(),
                    [&](const support::Compared& call) { return call.agreement == agreement; }));
}

std::string_view sentenceOf(support::Agreement agreement) {
  using support::Agreement;
  switch (agreement) {
    case Agreement::SameForm: return "as measured, in the same form";
    case Agreement::OtherForm: return "as measured in other forms";
    case Agreement::Undecided: return "in a form that was not measured; the measured ones differ";
    case Agreement::OtherResult: return "unlike the measured forms, in another form";
    case Agreement::Differs: return "unlike the measured call of the same form";
  }
  return "";
}

/// Calls that do not agree, at most this many in text.
constexpr std::size_t kListed = 20;

std::string programText(const SupportOfProgram& program) {
  std::string out = line("\n{}: {}, of which {} with an output type each are in the matrix\n",
                         program.input, counted(program.surveyed, "call"), program.calls.size());
  for (const support::Agreement agreement : kAgreements)
    out += line("  {:>6}  {}\n", countOf(program, agreement), sentenceOf(agreement));
  std::size_t left = 0, listed = 0;
  for (const support::Compared& call : program.calls) {
    if (call.agreement != support::Agreement::Differs &&
        call.agreement != support::Agreement::OtherResult)
      continue;
    if (listed++ >= kListed) {
      ++left;
      continue;
    }
    const fx::Node& node = program.program.node(call.node);
    out +=
        line("  {} ({}) to {}: {}; {} of {} measured forms lower\n", node.name, node.target,
             call.target, call.lowers ? "lowers" : "is blocked", call.cell.lower, call.cell.forms);
  }
  if (left > 0) out += line("  and {} more\n", left);
  return out;
}

std::string cellText(const Cell& cell) {
  if (cell.forms == 0) return "-";
  if (cell.all()) return cell.exported == cell.forms ? "yes" : "rewritten";
  if (cell.none()) return cell.exported > 0 ? "exported" : "no";
  return fmt::format("{}/{}", cell.lower, cell.forms);
}

std::string operatorText(const SupportReport& report, const Operator& op) {
  const Matrix& matrix = report.matrix;
  std::string out = line("\n{}  {}\n", op.name, counted(op.programs(), "program"));
  std::size_t width = 0;
  for (const std::string& target : matrix.targets()) width = std::max(width, target.size());
  for (std::size_t t = 0; t < matrix.targets().size(); ++t) {
    out +=
        line("  {:<{}}  {}", matrix.targets()[t], width, support::verdictOf(matrix, op, t).message);
    if (const auto since = support::sinceWhen(matricesOf(report), op, matrix.targets()[t]))
      out += line(" (since engine {})", since->title());
    out += "\n";
  }
  if (report.operators.size() > kWithCells) return out;
  const std::vector<DType> dtypes = support::dtypesOf(op);
  out += line("\n  {:<{}}  {:<7}", "", width, "");
  for (const DType dtype : dtypes) out += line("  {:>9}", facts(dtype).shortName);
  out += "\n";
  for (std::size_t t = 0; t < matrix.targets().size(); ++t)
    for (const Sizes sizes : kSizes) {
      out += line("  {:<{}}  {:<7}", sizes == Sizes::Static ? matrix.targets()[t] : "", width,
                  support::name(sizes));
      for (const DType dtype : dtypes)
        out += line("  {:>9}", cellText(support::cellOf(matrix, op, t, dtype, sizes)));
      out += "\n";
    }
  return out;
}

}  // namespace

std::string supportText(const SupportReport& report) {
  const Matrix& matrix = report.matrix;
  std::string out = head(matrix);
  if (report.program != nullptr) return out + programText(*report.program);
  for (const Operator* op : report.operators) out += operatorText(report, *op);
  if (!report.operators.empty()) {
    out +=
        "\nA cell is the operator's measured calls with this element type: yes, no, how many of "
        "several lower, rewritten (only with "
        "fxscope's "
        "rewrites), exported (only without them), or - for no such call.\n";
    return out;
  }
  out += line("\n  {:<18}  {:>12}  {:>12}  {:>12}  {:>12}\n", "operators", "always lower",
              "in part", "never", "not measured");
  for (std::size_t t = 0; t < matrix.targets().size(); ++t) {
    out += line("  {:<18}", matrix.targets()[t]);
    for (const Standing standing : kStandings)
      out += line("  {:>12}", countOf(matrix, t, standing));
    out += "\n";
  }
  if (report.others.size() > 1) {
    std::vector<std::string> titles;
    for (const auto& other : report.others) titles.push_back(other->engine().title());
    out += line("\nengines measured, the oldest first: {}\n", joined(titles));
  }
  return out;
}

namespace {

JsonForm<support::MeasuredEngine> measuredForm() {
  using support::MeasuredEngine;
  return {{"version", &MeasuredEngine::version},
          {"sha256", &MeasuredEngine::sha256, "of the executable"},
          {"release", &MeasuredEngine::release, nullIfEmpty, "the name given with --release"}};
}

/// An output type by its index.
JsonForm<std::size_t> summaryForm(const SupportReport* report) {
  JsonForm<std::size_t> out = {
      {"target", [report](std::size_t t) { return report->matrix.targets()[t]; }, isOutputType()}};
  static constexpr std::array<std::string_view, 4> kKeys{"always", "part", "never", "not_measured"};
  for (std::size_t i = 0; i < kStandings.size(); ++i)
    out = std::move(out).with({{kKeys[i], [report, i](std::size_t t) {
                                  return countOf(report->matrix, t, kStandings[i]);
                                }}});
  return out;
}

/// The measured calls with an element type and kind of sizes.
struct DtypeCell {
  DType dtype;
  Sizes sizes;
  Cell cell;
};
JsonForm<DtypeCell> dtypeCellForm() {
  const auto with = [](auto member) {
    return [member](const DtypeCell& c) { return c.cell.*member; };
  };
  return {
      {"dtype", [](const DtypeCell& c) { return facts(c.dtype).shortName; }},
      {"sizes", &DtypeCell::sizes, JsonNames(Sizes::Dynamic)},
      {"forms", with(&Cell::forms), atLeast(1)},
      {"lower", with(&Cell::lower), "with fxscope's rewrites"},
      {"lower_as_exported", with(&Cell::exported), "without them"},
      {"kinds", with(&Cell::kinds), JsonNames(diagnose::Kind::IllegalOp), "why the others do not"}};
}

/// An operator for one output type.
struct OperatorTarget {
  const Operator* op;
  std::size_t target;
};
JsonForm<OperatorTarget> operatorTargetForm(const SupportReport* report) {
  using support::Verdict;
  using T = OperatorTarget;
  const auto verdict = [report](const T& t) {
    return support::verdictOf(report->matrix, *t.op, t.target);
  };
  const auto since = [report](const T& t) {
    const auto engine =
        support::sinceWhen(matricesOf(*report), *t.op, report->matrix.targets()[t.target]);
    return engine ? engine->title() : std::string();
  };
  const auto cells = [report](const T& t) {
    std::vector<DtypeCell> out;
    for (const DType dtype : support::dtypesOf(*t.op))
      for (const Sizes sizes : kSizes)
        out.push_back(
            {dtype, sizes, support::cellOf(report->matrix, *t.op, t.target, dtype, sizes)});
    std::erase_if(out, [](const DtypeCell& c) { return c.cell.forms == 0; });
    return out;
  };
  return JsonForm<T>{{"target", [report](const T& t) { return report->matrix.targets()[t.target]; },
                      isOutputType()}}
      .with(verdict,
            JsonForm<Verdict>{{"standing", &Verdict::standing, JsonNames(Standing::Always)},
                              {"verdict", &Verdict::message},
                              {"programs", &Verdict::programs},
                              {"lower", &Verdict::lower}})
      .with({{"since", since, nullIfEmpty, "the engine since which the standing is this one"},
             {"cells", cells, dtypeCellForm()}});
}

JsonForm<SupportOfProgram> supportOfProgramForm(const SupportReport* report) {
  using support::Compared;
  const auto node = [report](auto member) {
    return [report, member](const Compared& call) {
      return report->program->program.node(call.node).*member;
    };
  };
  const JsonForm<Compared> compared = {
      {"node", node(&fx::Node::name)},
      {"operator", node(&fx::Node::target)},
      {"target", &Compared::target, isOutputType()},
      {"lowers", &Compared::lowers, "by itself, in the program's survey"},
      {"agreement", &Compared::agreement, JsonNames(support::Agreement::Differs)},
      {"forms", [](const Compared& call) { return call.cell.forms; }},
      {"lower", [](const Compared& call) { return call.cell.lower; }}};
  return {{"input", [](const SupportOfProgram& p) { return p.input; }},
          {"calls", [](const SupportOfProgram& p) { return p.surveyed; }},
          {"compared", [](const SupportOfProgram& p) -> auto& { return p.calls; }, compared}};
}

JsonAnswer<SupportReport> supportAnswer(const SupportReport* report) {
  using R = SupportReport;
  const auto others = [](const R& r) {
    std::vector<support::MeasuredEngine> out;
    for (const auto& other : r.others) out.push_back(other->engine());
    return out;
  };
  const auto targets = [report](const auto&) {
    return std::views::iota(std::size_t{0}, report->matrix.targets().size());
  };
  const auto ofOperator = [targets](const Operator& op) {
    std::vector<OperatorTarget> out;
    for (const std::size_t target : targets(op)) out.push_back({&op, target});
    return out;
  };
  const JsonForm<Operator> operators = {{"operator", [](const Operator& op) { return op.name; }},
                                        {"targets", ofOperator, operatorTargetForm(report)}};
  return {
      "fxscope-support/1",
      "fxscope-cli support --json",
      {{"engine", [](const R& r) { return r.matrix.engine(); }, measuredForm()},
       {"engines", others, measuredForm(), "all that were measured, the oldest first"},
       {"operators_measured", [](const R& r) { return r.matrix.calls().operators().size(); }},
       {"programs", [](const R& r) { return r.matrix.programs(); }, "calls with an element type"},
       {"missing", [](const R& r) { return r.matrix.missing(); }, "programs without an outcome"},
       {"summary", targets, summaryForm(report), "operators by output type"},
       {"operators", &R::operators, operators, "those asked for"},
       {"program", &R::program, supportOfProgramForm(report), "of --of"}}};
}

}  // namespace

std::string supportJson(const SupportReport& report) { return supportAnswer(&report).text(report); }
std::string supportSchema() { return supportAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
