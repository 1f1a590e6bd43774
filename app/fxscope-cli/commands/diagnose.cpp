// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli diagnose: every operation that blocks a program for one or more output types, why,
// and fixes.
#include "report/diagnose.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>

#include "command.h"
#include "diagnose/diagnose.h"
#include "diagnose_page.h"
#include "layer_files.h"
#include "lower_request.h"
#include "next_step.h"
#include "run_request.h"

namespace fxs::cli {
namespace {

using Form = std::string (*)(const report::DiagnoseReport&);
std::string plainText(const report::DiagnoseReport& report) { return report::diagnoseText(report); }
struct Format {
  std::string name;
  Form form;
};
const std::vector<Format>& formats() {
  static const std::vector<Format> all{{"text", plainText},
                                       {"json", report::diagnoseJson},
                                       {"sarif", report::diagnoseSarif},
                                       {"html", report::diagnoseHtml},
                                       {"markdown", report::diagnoseMarkdown}};
  return all;
}

Result<Form> formFrom(const Arguments& arguments) {
  const std::string wanted =
      arguments.has("--json") ? "json" : arguments.get("--format").value_or("text");
  std::string known;
  for (const Format& format : formats()) {
    if (format.name == wanted) return format.form;
    known += (known.empty() ? "" : ", ") + format.name;
  }
  return fail(ErrorCode::Usage, "option '--format': '" + wanted + "' is not one of " + known);
}

Result<diagnose::DiagnoseOptions> diagnoseOptionsFrom(const Arguments& arguments) {
  diagnose::DiagnoseOptions options;
  options.experiments = !arguments.has("--no-experiments");
  options.python = arguments.get("--python").value_or("");
  FXS_TRY(options.known, knownFaultsOf(arguments));
  numbers::CompareOptions numbers;
  numbers.python = options.python;
  FXS_CHECK(setRunOptions(numbers, arguments));
  for (const std::string_view option : {"--inputs", "--size"})
    if (arguments.has(option) && !arguments.has("--numbers"))
      return fail(ErrorCode::Usage, "option '" + std::string(option) + "' requires --numbers");
  if (arguments.has("--numbers")) options.numbers = numbers;
  return options;
}

int endOf(const diagnose::Diagnosis& diagnosis) {
  const auto any = [&](auto is) {
    return std::any_of(diagnosis.targets.begin(), diagnosis.targets.end(), is);
  };
  using Target = diagnose::TargetDiagnosis;
  if (any([](const Target& t) {
        return (!t.lowers && t.isKnown) || (t.computed && t.computed->accused);
      }))
    return kFindings;
  if (any([](const Target& t) { return t.exceedsBudget(); })) return kInput;
  return any([](const Target& t) { return !t.lowers && !t.isKnown; }) ? kEngine : kDone;
}

/// The next step for those who are given the answer: without paths of this machine.
std::optional<diagnose::NextStep> handedOn(std::optional<diagnose::NextStep> step,
                                           const std::string& file, const report::Paths& paths) {
  if (step)
    for (std::string& word : step->arguments)
      if (word == file || word.starts_with('/')) word = paths.of(word);
  return step;
}

Result<int> runDiagnose(const Arguments& arguments, Console& console) {
  FXS_TRY(const Form form, formFrom(arguments));
  FXS_TRY(const std::optional<std::size_t> layerRows, layerRowsFrom(arguments));
  FXS_TRY(auto request, lowerRequestForTargets("diagnose", arguments, console));
  auto& [base, targets] = request;
  base.normalize = false;
  session::Request asked = base;
  asked.askEngine = true;
  // Several are imported with a budget for each.
  const auto until = targets.size() > 1 ? session::Phase::Read : session::Phase::Import;
  FXS_TRY(const auto imported, runTo(until, std::move(asked), arguments, console));
  FXS_TRY(diagnose::DiagnoseOptions options, diagnoseOptionsFrom(arguments));
  FXS_TRY(Layers layers, layersFrom(arguments, *imported->capture->program, console));
  options.targets = targets;
  compare::ComparisonPtr comparison;
  options.onComparison = [&comparison](const compare::ComparisonPtr& made) { comparison = made; };
  FXS_TRY(const auto diagnosis,
          diagnose::diagnose(imported, options, console.environment, console.context));
  std::error_code ignored;
  const report::Paths paths = pathsOf(arguments, base.file);
  report::DiagnoseReport answer{paths.of(base.file), *diagnosis, *imported->capture->program,
                                std::filesystem::current_path(ignored).string()};
  answer.paths = paths;
  answer.version = FXS_VERSION;
  answer.comparison = comparison;
  answer.next = withOptions(diagnose::nextStep(*imported, *diagnosis), arguments);
  answer.layers = std::move(layers.shown);
  answer.layerRows = layerRows;
  std::optional<report::DiagnosePicture> picture;
  if (form == report::diagnoseHtml) {
    picture = pictureOf(answer.program, *diagnosis, console);
    answer.picture = picture ? &*picture : nullptr;
    answer.lowerings = loweringsOf(imported, *diagnosis, console);
  }
  if (form == plainText) {
    // On a terminal the command is one to run.
    const TextLayout layout = layoutOfAnswer(arguments, console);
    FXS_CHECK(writeText(
        arguments, report::diagnoseText(answer, layout) + nextLines(answer.next, layout), console));
  } else {
    answer.next = handedOn(std::move(answer.next), base.file, paths);
    FXS_CHECK(writeAnswer(arguments, form(answer), console));
  }
  return console.context.stop.stop_requested() ? int{kCancelled} : endOf(*diagnosis);
}

}  // namespace

void registerDiagnose(Commands& commands);
void registerDiagnose(Commands& commands) {
  commands.add(
      {"diagnose",
       "list every operation that blocks a program, why, and the fixes that were tried and "
       "verified",
       {{"FILE", "a .pt2, an MLIR module, or - for standard input"}},
       withLoweringOptions(withNodeOptions(withRunOptions(
           {{"--to", "TYPE,..", "output types: ${output-types}", true},
            asOption(),
            {"--format",
             "FORM",
             "text (default), json, sarif, html or markdown",
             false,
             {"text", "json", "sarif", "html", "markdown"}},
            layerOption("in text, html and markdown also show"),
            layerRowsOption(),
            {"--json", "", "same as --format json (resources/schemas/diagnose.schema.json)"},
            {"--no-experiments", "", "report what blocks and why, without trying fixes"},
            knownOption(),
            {"--python", "PATH",
             "Python interpreter with PyTorch (auto: python3), to try PyTorch's decompositions "
             "too"},
            {"--numbers", "",
             "also run what the program lowers to, and find the operations that compute wrong "
             "(best with --python)"},
            {"--decompose", "OP,..",
             "decompose these operators first, where a decomposition exists", true},
            {"-o", "OUT", "write the report to OUT"}}))),
       reporting<runDiagnose>,
       Group::Why});
}

}  // namespace fxs::cli
