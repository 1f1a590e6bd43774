// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli diff: compares two modules operation by operation.
#include <filesystem>
#include <istream>
#include <iterator>
#include <ostream>
#include <utility>

#include "base/byte_source.h"
#include "base/number_from.h"
#include "command.h"
#include "mlir/compare/constants.h"
#include "report/module_diff.h"
#include "trace/stored_trace.h"

namespace fxs::cli {
namespace {

constexpr std::uint64_t kMaxModule = std::uint64_t{2} << 30;

Result<std::string> textOf(const std::string& input, Console& console) {
  if (input == "-") return std::string{std::istreambuf_iterator<char>(console.in), {}};
  return readWholeFile(input, kMaxModule);
}

/// For `TRACE#12`, the file of the module after pass 12 of a stored trace (0: before the first
/// pass); anything else is a file.
Result<std::string> fileOf(const std::string& input, Console& console) {
  const std::size_t hash = input.rfind('#');
  std::error_code ignored;
  if (hash == std::string::npos || std::filesystem::exists(input, ignored)) return input;
  const auto number = numberFrom<std::size_t>(std::string_view(input).substr(hash + 1));
  if (!number) return input;
  FXS_TRY(const trace::StoredTrace stored,
          trace::openStoredTrace(input.substr(0, hash), console.context,
                                 console.environment.outputTypes));
  const lower::PassTrace& passes = stored.trace->passes();
  if (*number > passes.passes.size())
    return fail(ErrorCode::Usage,
                input + ": the trace has " + std::to_string(passes.passes.size()) + " passes");
  const int snapshot = *number == 0 ? 0 : passes.passes[*number - 1].snapshot;
  if (snapshot < 0)
    return fail(ErrorCode::Usage, input + ": no module after pass " + std::to_string(*number) +
                                      ": the pass did not finish");
  return passes.pathOf(passes.snapshots[static_cast<std::size_t>(snapshot)]);
}

Result<std::size_t> contextOf(const Arguments& arguments) {
  const std::string text = arguments.get("--context").value_or("2");
  if (const auto out = numberFrom<std::size_t>(text)) return *out;
  return fail(ErrorCode::Usage, "--context: expected a number of operations, got '" + text + "'");
}

int runDiff(const Arguments& arguments, Console& console) {
  const auto context = contextOf(arguments);
  if (!context) return reportError(context.error(), console);
  const std::string inputA = *arguments.get("A");
  const std::string inputB = *arguments.get("B");
  const auto fileA = fileOf(inputA, console);
  if (!fileA) return reportError(fileA.error(), console);
  const auto fileB = fileOf(inputB, console);
  if (!fileB) return reportError(fileB.error(), console);
  const auto textA = textOf(*fileA, console);
  if (!textA) return reportError(textA.error(), console);
  const auto textB = textOf(*fileB, console);
  if (!textB) return reportError(textB.error(), console);
  const mlir::Module a = mlir::readModule(*textA);
  const mlir::Module b = mlir::readModule(*textB);
  for (const auto& [module, input] : {std::pair(&a, &inputA), std::pair(&b, &inputB)})
    if (module->ops.empty())
      return reportError({ErrorCode::InvalidInput, *input + ": contains no MLIR operation", {}},
                         console);
  mlir::Diff diff = mlir::diff(a, b);
  if (arguments.has("--hide-constants")) diff = mlir::withoutConstants(a, b, diff);
  const report::ModuleDiffReport report{inputA, inputB, a, b, diff, *context};
  console.out << (arguments.has("--json") ? report::moduleDiffJson(report)
                                          : report::moduleDiffText(report));
  return diff.empty() ? kDone : kFindings;
}

}  // namespace

void registerDiff(Commands& commands);
void registerDiff(Commands& commands) {
  commands.add({"diff",
                "compare two modules operation by operation, ignoring locations and the names of "
                "values and aliases",
                {{"A",
                  "MLIR file, - for standard input, or TRACE#N: the module after pass N of a "
                  "stored trace (0: before the first pass)"},
                 {"B", "module to compare with"}},
                {{"--context", "N", "unchanged operations to show around each change (default: 2)"},
                 {"--hide-constants", "", "leave out operations that only give a constant"},
                 {"--json", "", "print JSON (resources/schemas/diff.schema.json)"}},
                runDiff,
                Group::Passes});
}

}  // namespace fxs::cli
