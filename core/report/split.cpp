// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/split.h"

#include <algorithm>
#include <array>

#include "base/joined.h"
#include "base/json_form.h"
#include "report/json_parts.h"
#include "report/line.h"

namespace fxs::resource {
std::string_view splitTest();
}

namespace fxs::report {
namespace {

using split::AloneOutcome;
using split::SplitLeft;
using split::SplitProgram;
using split::SplitResult;
using split::SplitSite;
using split::SplitValue;

constexpr std::size_t kShownNodes = 4;

std::size_t countOf(const SplitResult& result, AloneOutcome outcome) {
  const auto is = [&](const SplitProgram& program) { return program.outcome == outcome; };
  return static_cast<std::size_t>(
      std::count_if(result.programs.begin(), result.programs.end(), is));
}

std::string nodesOf(const SplitProgram& program) {
  if (program.sites.empty() || program.sites.front().nodes.empty()) return {};
  std::vector<std::string> nodes = program.sites.front().nodes;
  const std::size_t all = nodes.size();
  if (all > kShownNodes) nodes.resize(kShownNodes);
  return joined(nodes) + (all > kShownNodes ? ", .." : "");
}

/// "3 equal, 1 differs"
std::string outcomesOf(const SplitResult& result) {
  constexpr std::array kAll{AloneOutcome::Equal, AloneOutcome::Same, AloneOutcome::Suspicious,
                            AloneOutcome::Differs, AloneOutcome::NotRun};
  std::vector<std::string> out;
  for (const AloneOutcome outcome : kAll)
    if (const std::size_t count = countOf(result, outcome); count > 0)
      out.push_back(std::to_string(count) + " " + std::string(name(outcome)));
  return joined(out);
}

std::string commandOf(const SplitProgram& program) {
  std::vector<std::string> compile{"iree-compile", program.file, "-o", "program.vmfb"};
  compile.insert(compile.end(), program.arguments.begin(), program.arguments.end());
  std::vector<std::string> run{"iree-run-module", "--module=program.vmfb", "--device=local-sync",
                               "--function=" + program.function};
  for (const SplitValue& value : program.inputs) run.push_back("--input=" + value.given);
  for (const SplitValue& value : program.results) run.push_back("--expected_output=" + value.given);
  return "cd " + program.folder + "\n" + shellWords(compile) + "\n" + shellWords(run) + "\n";
}

JsonAnswer<SplitReport> splitAnswer() {
  const JsonForm<SplitValue> value = {
      {"type", &SplitValue::type, "f32[2, 10]"},
      {"file", &SplitValue::file, nullIfEmpty,
       "in the program's folder; null for a number. .npy, or elements as they are in a .bin"},
      {"given", &SplitValue::given,
       "what iree-run-module takes after --input= or --expected_output="},
      {"tolerance", &SplitValue::tolerance,
       "of norm(found - expected) / norm(expected); 0: elements must be equal"},
      {"element_tolerance", &SplitValue::elementTolerance,
       "of one element, relative to the larger of itself and the root mean square of all"}};
  const JsonForm<SplitSite> site = {
      {"nodes", &SplitSite::nodes, "of the program, that are computed there; none if not known"}};
  const JsonForm<SplitProgram> program = {
      {"name", &SplitProgram::name, "of the dispatch, or of the first node"},
      {"folder", &SplitProgram::folder},
      {"file", &SplitProgram::file, "the module, in the folder"},
      {"function", &SplitProgram::function},
      {"arguments", &SplitProgram::arguments, "of iree-compile, but for files"},
      {"inputs", &SplitProgram::inputs, value},
      {"results", &SplitProgram::results, value, "as computed in the run of the whole program"},
      {"sites", &SplitProgram::sites, site,
       "where the whole program computes the same; values are those of the first"},
      {"outcome", &SplitProgram::outcome, JsonNames(AloneOutcome::NotRun),
       "of running it by itself: equal is to the last bit, same within the tolerance"},
      {"message", &SplitProgram::message, nullIfEmpty}};
  const JsonForm<SplitLeft> left = {
      {"name", &SplitLeft::name}, {"sites", &SplitLeft::sites}, {"reason", &SplitLeft::reason}};
  const auto set = [](const SplitResult& result) { return label(result.inputs); };
  const JsonForm<SplitResult> result = {
      {"to", [](const SplitResult& r) { return lower::name(r.to); }, isOutputType(),
       kOutputTypeMessage},
      {"by", &SplitResult::by, JsonNames{"dispatch", "node"}, "what each program is"},
      {"compiler", &SplitResult::compiler, "IREE 3.13.0"},
      {"set", set, "the inputs of the run, as --inputs set: takes it"},
      {"sizes", [](const SplitResult& r) -> const auto& { return r.inputs.sizes; },
       "symbolic sizes by symbol"},
      {"distinct", &SplitResult::distinct,
       "dispatches after the compiler's deduplication, or distinct operations"},
      {"sites", &SplitResult::sites, "calls of dispatches, or operations"},
      {"unlowered", &SplitResult::unlowered, nullIfEmpty, "why nothing was written"},
      {"programs", &SplitResult::programs, program, "each distinct one once"},
      {"left", &SplitResult::left, left, "what was not written"},
      {"notes", &SplitResult::notes}};
  return {"fxscope-split/1", "fxscope-cli split: a program as many small ones",
          JsonForm<SplitReport>{{"input", &SplitReport::input, kInputMessage}}.with(
              [](const SplitReport& r) -> const auto& { return r.result; }, result)};
}

std::string summaryOf(const SplitReport& report) {
  const SplitResult& r = report.result;
  const std::string one = r.by == "dispatch" ? "distinct dispatch" : "distinct operation";
  const std::string ending = r.by == "dispatch" ? "es" : "s";
  std::string out =
      fmt::format("{} of {} {}{}, computed at {}", counted(r.programs.size(), "program"),
                  r.distinct, one, r.distinct == 1 ? "" : ending, counted(r.sites, "place"));
  if (const std::string outcomes = outcomesOf(r); !outcomes.empty()) out += ": " + outcomes;
  return out;
}

std::string readmeOf(const SplitReport& report) {
  const SplitResult& r = report.result;
  std::string out = line("# {} at {}, by {}\n\n", report.input, lower::name(r.to), r.by);
  out += line("{}.\n\n", summaryOf(report));
  out +=
      "Each folder has a module, its inputs, and the results that it computed in a run of the "
      "whole program. `index.json`\nhas the command lines of all, and for each the nodes that it "
      "computes. `test_dispatches.py` compiles, runs and compares\nthem, by pytest or by itself. "
      "By hand:\n\n```sh\n";
  if (!r.programs.empty()) out += printableLines(commandOf(r.programs.front()));
  return out + line("```\n\nThe values are those of {}. ", r.compiler) +
         "Another version, or another processor, may round otherwise: the test allows for that, "
         "and\n`--expected_output` has a fixed tolerance of its own, see `iree-run-module "
         "--help`.\n";
}

}  // namespace

std::string splitText(const SplitReport& report) {
  const SplitResult& r = report.result;
  if (!r.unlowered.empty()) return line("{}: {}\n", lower::name(r.to), r.unlowered);
  std::string out;
  for (const SplitProgram& program : r.programs) {
    out += line("{}  {} -> {}  {}", program.folder, counted(program.inputs.size(), "input"),
                counted(program.results.size(), "result"), name(program.outcome));
    if (program.sites.size() > 1) out += line("  {}", counted(program.sites.size(), "place"));
    if (const std::string nodes = nodesOf(program); !nodes.empty()) out += line("  {}", nodes);
    out += "\n";
    if (!program.message.empty()) out += line("    {}\n", program.message);
  }
  for (const SplitLeft& left : r.left) out += line("not written: {}: {}\n", left.name, left.reason);
  for (const std::string& note : r.notes) out += line("{}\n", note);
  return out + line("{}\n", summaryOf(report));
}

std::string splitJson(const SplitReport& report) { return splitAnswer().text(report); }
std::string splitSchema() { return splitAnswer().schemaText(); }

std::vector<std::pair<std::string, std::string>> splitFiles(const SplitReport& report) {
  return {{"index.json", splitJson(report)},
          {"README.md", readmeOf(report)},
          {"test_dispatches.py", std::string(resource::splitTest())}};
}

}  // namespace fxs::report
