// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli import: the RAW torch dialect text of a program, located at its nodes.
#include <ostream>

#include "base/safe_text.h"
#include "command.h"
#include "mode.h"

namespace fxs::cli {
namespace {

void printFindings(const std::vector<fx::Finding>& findings, std::ostream& out) {
  for (const fx::Finding& finding : findings) {
    out << name(finding.severity) << ": ";
    if (!finding.nodeName.empty())
      out << "node '" << printable(finding.nodeName) << "' (" << printable(finding.target) << "): ";
    out << printable(finding.message);
    if (finding.count > 1) out << " (" << finding.count << " nodes)";
    out << "\n";
  }
}

std::string summary(const import::Imported& imported, const std::string& path) {
  std::string text = printable(path) + ": " + std::to_string(imported.ops) + " operations";
  if (!imported.unregisteredOps.empty()) {
    text += ", as torch.operator:";
    for (const std::string& op : imported.unregisteredOps) text += " " + printable(op);
  }
  return text + "\n";
}

int runImport(const Arguments& arguments, Console& console) {
  session::Request request = requestFrom(arguments);
  if (const auto text = arguments.get("--mode")) {
    auto mode = modeFrom(*text);
    if (!mode) return reportError(mode.error(), console);
    request.import.mode = *mode;
  }
  request.parity = request.import.mode != import::Mode::Lowering;
  request.askEngine = arguments.has("--engine");
  if (request.parity && arguments.has("--decompose"))
    return reportError(
        Error{
            ErrorCode::Usage,
            "--decompose requires --mode lowering: frozen and program import the program unchanged",
            {}},
        console);
  request.import.embedWeights = arguments.has("--weights");
  request.parity = request.import.mode != import::Mode::Lowering;

  const auto done = runTo(session::Phase::Import, request, arguments, console);
  if (!done) return reportError(done.error(), console);
  if (const auto can = session::requirePyTorchProgram(**done, "import"); !can)
    return reportError(can.error(), console);
  const import::Imported& imported = *(*done)->imported;
  const std::vector<fx::Finding> findings = (*done)->findings();
  printFindings(findings, console.err);
  if (auto written = writeAnswer(arguments, imported.text, console); !written)
    return reportError(written.error(), console);
  if (const auto path = arguments.get("-o"); path && *path != "-")
    console.out << summary(imported, *path);
  for (const fx::Finding& finding : findings)
    if (finding.severity == fx::Severity::Error) return kFindings;
  return kDone;
}

}  // namespace

void registerImport(Commands& commands) {
  commands.add({"import",
                "import the program to the RAW torch dialect, each operation located at its node",
                {{"FILE", "an exported program (.pt2), or - for standard input"}},
                {{"--mode",
                  "MODE",
                  "import mode: lowering (default: functionalized, weights frozen, mutated values "
                  "as extra outputs, returned first), "
                  "frozen or program (as import_frozen_program and import_program of torch-mlir)",
                  false,
                  {"lowering", "frozen", "program"}},
                 {"--weights", "",
                  "embed the weights' data at the end of the module (default: resource handles "
                  "without data)"},
                 {"--symbolic-shapes", "",
                  "emit symbolic sizes as torch.symbolic_int and torch.bind_symbolic_shape"},
                 {"--func-name", "NAME", "name of the function (default: main)"},
                 {"--decompose", "OP,..", "decompose these operators first", true},
                 {"-o", "OUT", "write the module to OUT, and a summary to standard output"}},
                runImport,
                Group::Look});
}

}  // namespace fxs::cli
