// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli support: which operators the engine lowers, by output type, element type and kind of
// sizes, as measured.
#include "support/support.h"

#include <algorithm>
#include <ostream>
#include <thread>

#include "base/safe_text.h"
#include "command.h"
#include "diagnose/diagnose.h"
#include "report/support.h"

namespace fxs::cli {
namespace {

using MatrixPtr = std::shared_ptr<const support::Matrix>;

/// The matrix of the engine in use, else of the newest that was measured. EngineFailed if an engine
/// that was named cannot be run.
Result<MatrixPtr> chosenMatrix(const std::vector<MatrixPtr>& known, const Arguments& arguments,
                               Console& console) {
  const auto engine = session::engineOf(console.environment, console.context);
  if (!engine && arguments.has("--engine")) return tl::unexpected<Error>(engine.error());
  MatrixPtr matrix = support::matrixFor(known, engine ? engine->sha256 : "");
  if (engine && arguments.has("--engine") && (!matrix || matrix->engine().sha256 != engine->sha256))
    return fail(ErrorCode::Usage,
                "engine " + engine->path +
                    " was not measured; run 'fxscope-cli support --measure --engine " +
                    engine->path + "'");
  if (!matrix)
    return fail(ErrorCode::Usage, "no engine was measured; run 'fxscope-cli support --measure'");
  return matrix;
}

struct Surveyed {
  session::SnapshotPtr snapshot;
  diagnose::DiagnosisPtr diagnosis;
};
Result<Surveyed> surveyed(const std::string& file, const support::Matrix& matrix,
                          const Arguments& arguments, Console& console) {
  session::Request request = requestFrom(arguments);
  request.file = file;
  request.askEngine = true;
  diagnose::DiagnoseOptions options;
  for (const std::string& target : matrix.targets()) {
    FXS_TRY(lower::OutputType type, lower::OutputTypes::builtin().from(target));
    options.targets.push_back(std::move(type));
  }
  request.decomposeForTarget = true;
  options.experiments = options.beyondTorchMlir = false;
  FXS_TRY(session::SnapshotPtr snapshot,
          runTo(session::Phase::Import, std::move(request), arguments, console));
  FXS_CHECK(session::requirePyTorchProgram(*snapshot, "support --of"));
  FXS_TRY(diagnose::DiagnosisPtr diagnosis,
          diagnose::diagnose(snapshot, options, console.environment, console.context));
  return Surveyed{std::move(snapshot), std::move(diagnosis)};
}

Result<std::vector<const support::Operator*>> operatorsFrom(const Arguments& arguments) {
  std::vector<const support::Operator*> out;
  for (const std::string& word : arguments.raw("OP")) {
    FXS_TRY(const auto found, support::Calls::builtin().matching(word));
    for (const support::Operator* op : found)
      if (std::find(out.begin(), out.end(), op) == out.end()) out.push_back(op);
  }
  return out;
}

Result<MatrixPtr> measuredMatrix(const std::vector<const support::Operator*>& operators,
                                 const Arguments& arguments, Console& console) {
  support::SupportOptions options;
  options.operators = operators;
  options.release = arguments.get("--release").value_or("");
  options.processes = std::max(std::thread::hardware_concurrency(), 1U);
  options.again = arguments.has("--again");
  FXS_TRY(const auto measured,
          support::measureSupport(options, console.environment, console.context));
  if (!measured.file.empty())
    console.err << "fxscope-cli: " << measured.measured << " programs measured, kept in "
                << printable(measured.file) << "\n";
  return measured.matrix;
}

/// `file` as given; the survey must outlive the result.
report::SupportOfProgram comparedWith(const support::Matrix& matrix, const Surveyed& survey,
                                      const std::string& file, const Arguments& arguments) {
  const fx::Program& user = *survey.snapshot->capture->program;
  const auto calls = std::count_if(user.nodes.begin(), user.nodes.end(), [](const fx::Node& node) {
    return node.op == fx::NodeOp::CallFunction && node.target != fx::kGetitem;
  });
  return {pathsOf(arguments, file).of(file), user,
          support::compare(matrix, user, *survey.diagnosis), static_cast<std::size_t>(calls)};
}

Result<int> runSupport(const Arguments& arguments, Console& console) {
  for (const char* option : {"--release", "--again"})
    if (arguments.has(option) && !arguments.has("--measure"))
      return fail(ErrorCode::Usage, "option '" + std::string(option) + "' requires --measure");
  FXS_TRY(const auto operators, operatorsFrom(arguments));
  MatrixPtr matrix;
  if (arguments.has("--measure")) {
    FXS_TRY(matrix, measuredMatrix(operators, arguments, console));
  }
  std::vector<std::string> problems;
  const std::vector<MatrixPtr> known = support::knownSupport(console.environment, problems);
  for (const std::string& problem : problems)
    console.err << "fxscope-cli: left out " << printable(problem) << "\n";
  if (!matrix) {
    FXS_TRY(matrix, chosenMatrix(known, arguments, console));
  }
  report::SupportReport answer{*matrix, known, operators};
  Surveyed survey;
  std::optional<report::SupportOfProgram> program;
  if (const auto file = arguments.get("--of")) {
    FXS_TRY(survey, surveyed(*file, *matrix, arguments, console));
    program.emplace(comparedWith(*matrix, survey, *file, arguments));
    answer.program = &*program;
  }
  console.out << (arguments.has("--json") ? report::supportJson(answer)
                                          : report::supportText(answer));
  return kDone;
}

}  // namespace

void registerSupport(Commands& commands);
void registerSupport(Commands& commands) {
  commands.add(
      {"support",
       "show which operators the engine lowers, by output type, element type and static or dynamic "
       "sizes, as measured",
       {{"OP",
         "an operator, or part of its name: gelu, aten.gelu.default (default: a summary of all)",
         false, true}},
       {{"--measure", "",
         "lower each operator's calls with the engine, and keep the result (all operators: less "
         "than an hour)"},
        {"--again", "", "measure also what was measured before"},
        {"--release", "NAME", "name of the engine in reports, such as its release; orders engines"},
        {"--of", "FILE",
         "survey a .pt2 with the engine, and compare each of its calls with the matrix"},
        {"--json", "", "print JSON (resources/schemas/support.schema.json)"}},
       reporting<runSupport>,
       Group::Why});
}

}  // namespace fxs::cli
