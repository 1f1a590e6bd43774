// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/counted.h"
#include "base/joined.h"
#include "base/json.h"
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
        line("  {:<{}}  {}", matrix.targets()[t], width, support::verdictOf(matrix, op, t).words);
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

void cellsJson(JsonWriter& json, const Matrix& matrix, const Operator& op, std::size_t target) {
  json.key("cells").beginArray();
  for (const DType dtype : support::dtypesOf(op))
    for (const Sizes sizes : kSizes) {
      const Cell cell = support::cellOf(matrix, op, target, dtype, sizes);
      if (cell.forms == 0) continue;
      json.beginObject()
          .member("dtype", facts(dtype).shortName)
          .member("sizes", support::name(sizes));
      json.member("forms", cell.forms).member("lower", cell.lower);
      json.member("lower_as_exported", cell.exported).key("kinds").beginArray();
      for (const diagnose::Kind kind : cell.kinds) json.value(diagnose::name(kind));
      json.endArray().endObject();
    }
  json.endArray();
}

void programJson(JsonWriter& json, const SupportOfProgram& program) {
  json.beginObject().member("input", program.input).member("calls", program.surveyed);
  json.key("compared").beginArray();
  for (const support::Compared& call : program.calls) {
    const fx::Node& node = program.program.node(call.node);
    json.beginObject()
        .member("node", node.name)
        .member("operator", node.target)
        .member("target", call.target);
    json.member("lowers", call.lowers).member("agreement", support::name(call.agreement));
    json.member("forms", call.cell.forms).member("lower", call.cell.lower).endObject();
  }
  json.endArray().endObject();
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

std::string supportJson(const SupportReport& report) {
  const Matrix& matrix = report.matrix;
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-support/1");
  const auto engine = [&](const support::MeasuredEngine& e) {
    json.beginObject().member("version", e.version).member("sha256", e.sha256);
    json.textOrNull("release", e.release).endObject();
  };
  json.key("engine");
  engine(matrix.engine());
  json.key("engines").beginArray();
  for (const auto& other : report.others) engine(other->engine());
  json.endArray();
  json.member("operators_measured", matrix.calls().operators().size())
      .member("programs", matrix.programs())
      .member("missing", matrix.missing());
  json.key("summary").beginArray();
  for (std::size_t t = 0; t < matrix.targets().size(); ++t) {
    json.beginObject().member("target", matrix.targets()[t]);
    for (const Standing standing : kStandings) {
      std::string key(support::name(standing));
      std::replace(key.begin(), key.end(), '-', '_');
      json.member(key, countOf(matrix, t, standing));
    }
    json.endObject();
  }
  json.endArray().key("operators").beginArray();
  for (const Operator* op : report.operators) {
    json.beginObject().member("operator", op->name).key("targets").beginArray();
    for (std::size_t t = 0; t < matrix.targets().size(); ++t) {
      const support::Verdict verdict = support::verdictOf(matrix, *op, t);
      json.beginObject()
          .member("target", matrix.targets()[t])
          .member("standing", support::name(verdict.standing))
          .member("verdict", verdict.words);
      json.member("programs", verdict.programs).member("lower", verdict.lower);
      const auto since = support::sinceWhen(matricesOf(report), *op, matrix.targets()[t]);
      json.memberOrNull("since", since ? std::optional(since->title()) : std::nullopt);
      cellsJson(json, matrix, *op, t);
      json.endObject();
    }
    json.endArray().endObject();
  }
  json.endArray().key("program");
  if (report.program != nullptr) programJson(json, *report.program);
  else json.null();
  json.endObject();
  return json.take();
}

}  // namespace fxs::report
