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
                               World& world) {
  const auto engine = session::engineOf(world.environment, world.context);
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
                          const Arguments& arguments, World& world) {
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
          runTo(session::Phase::Import, std::move(request), arguments, world));
  FXS_TRY(diagnose::DiagnosisPtr diagnosis,
          diagnose::diagnose(snapshot, options, world.environment, world.context));
  return Surveyed{std::move(snapshot), std::move(diagnosis)};
}

int runSupport(const Arguments& arguments, World& world) {
  for (const char* option : {"--release", "--again"})
    if (arguments.has(option) && !arguments.has("--measure"))
      return reportError(
          {ErrorCode::Usage, "option '" + std::string(option) + "' requires --measure", {}}, world);
  std::vector<const support::Operator*> operators;
  for (const std::string& word : arguments.whole("OP")) {
    const auto found = support::Calls::builtin().matching(word);
    if (!found) return reportError(found.error(), world);
    for (const support::Operator* op : *found)
      if (std::find(operators.begin(), operators.end(), op) == operators.end())
        operators.push_back(op);
  }
  MatrixPtr matrix;
  if (arguments.has("--measure")) {
    support::SupportOptions options;
    options.operators = operators;
    options.release = arguments.get("--release").value_or("");
    options.processes = std::max(std::thread::hardware_concurrency(), 1U);
    options.again = arguments.has("--again");
    const auto measured = support::measureSupport(options, world.environment, world.context);
    if (!measured) return reportError(measured.error(), world);
    matrix = measured->matrix;
    if (!measured->file.empty())
      world.err << "fxscope-cli: " << measured->measured << " programs measured, kept in "
                << printable(measured->file) << "\n";
  }
  std::vector<std::string> problems;
  const std::vector<MatrixPtr> known = support::knownSupport(world.environment, problems);
  for (const std::string& problem : problems)
    world.err << "fxscope-cli: left out " << printable(problem) << "\n";
  if (!matrix) {
    const auto chosen = chosenMatrix(known, arguments, world);
    if (!chosen) return reportError(chosen.error(), world);
    matrix = *chosen;
  }
  report::SupportReport answer{*matrix, known, operators};
  Surveyed survey;
  std::optional<report::SupportOfProgram> program;
  if (const auto file = arguments.get("--of")) {
    auto done = surveyed(*file, *matrix, arguments, world);
    if (!done) return reportError(done.error(), world);
    survey = *std::move(done);
    const fx::Program& user = *survey.snapshot->capture->program;
    const auto calls =
        std::count_if(user.nodes.begin(), user.nodes.end(), [](const fx::Node& node) {
          return node.op == fx::NodeOp::CallFunction && node.target != fx::kGetitem;
        });
    program.emplace(report::SupportOfProgram{pathsOf(arguments, *file).of(*file), user,
                                             support::compare(*matrix, user, *survey.diagnosis),
                                             static_cast<std::size_t>(calls)});
    answer.program = &*program;
  }
  world.out << (arguments.has("--json") ? report::supportJson(answer)
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
       runSupport});
}

}  // namespace fxs::cli
