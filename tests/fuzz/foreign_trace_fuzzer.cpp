// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces that another program wrote: a log of modules printed around passes, a reproducer, or,
// where the input begins with "TREE", a folder of one file a pass, each after a line "=====". What
// opens is linked, looked at, stored and opened again.
#include "look_at_trace.h"
#include "lower/foreign_trace.h"
#include "mlir/logs/dump_log.h"
#include "mlir/logs/module_of_dumps.h"
#include "mlir/text/expanded_aliases.h"
#include "one_input.h"
#include "temporary_folder.h"

using namespace fxs;

namespace {

constexpr std::string_view kTree = "TREE";
constexpr std::size_t kMaxFiles = 20;

void checkLog(std::string_view text) {
  const mlir::DumpLog log = mlir::readDumpLog(text);
  mlir::ModuleOfDumps module;
  std::size_t kept = 0, line = 0;
  for (const mlir::DumpedIr& dump : log.dumps) {
    fuzz::require(!dump.header.passClass.empty(), "a dump has a pass");
    fuzz::require(dump.line > line, "dumps stand in order");
    fuzz::require(!dump.complete || !dump.ir.empty(), "a complete dump has a module");
    line = dump.line;
    if (dump.complete) {
      module.take(mlir::Document(dump.ir));
      fuzz::require(!module.text().empty(), "a printed module is kept");
      const std::string spelled = mlir::withAliasesExpanded(dump.ir);
      fuzz::require(spelled.size() <= (mlir::kMaxGrowth + 1) * dump.ir.size() + 2048,
                    "aliases grow within bounds");
    }
    kept += dump.ir.size();
  }
  fuzz::require(kept <= text.size() + 1, "no line is kept twice");
}

RunContext contextOfOneInput() {
  BudgetLimits limits = fuzz::limitsOfOneInput();
  limits[Resource::Disk] = limits[Resource::Text];
  return fuzz::contextOfOneInput(limits);
}

Result<> open(const std::string& path, const std::string& snapshots) try {
  const RunContext context = contextOfOneInput();
  FXS_TRY(auto passes, lower::openForeignTrace(path, snapshots, context));
  const std::vector<trace::SourceLine> sources{{"model.py", 3, fx::NodeId::of(1)},
                                               {"model.py", 4, fx::NodeId::of(2)}};
  FXS_TRY(const auto linked, trace::SnapshotLinker(sources).finish(
                                 std::move(passes), {"x", "relu", "add"}, nullptr, context));
  const std::string printed = fuzz::lookAt(*linked);
  fuzz::TemporaryFolder::write(snapshots + "/" + std::string(trace::kTraceFile), printed);
  const auto again = trace::openStoredTrace(snapshots, context);
  if (!again) std::cerr << again.error().message << "\n";
  fuzz::require(again.has_value(), "a trace can be stored");
  fuzz::require(trace::traceJson(*again->trace, "fuzz", "") == printed,
                "a trace prints as it reads");
  return {};
} catch (...) {
  return abandoned(path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::TemporaryFolder temporary;
  const std::string snapshots = temporary.emptied("snapshots"), input = temporary.emptied("input");
  std::string_view text = fuzz::textOf(data, size);
  std::string path = input;
  if (text.starts_with(kTree)) {
    text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
    for (std::size_t i = 1; !text.empty() && i < kMaxFiles; ++i)
      fuzz::TemporaryFolder::write(
          input + "/" + std::to_string(i % 7) + "_" + std::to_string(i) + "_pass.mlir",
          fuzz::takeMember(text));
  } else {
    checkLog(text);
    path += "/log.txt";
    fuzz::TemporaryFolder::write(path, text);
  }
  const auto done = open(path, snapshots);
  if (!done && done.error().code == ErrorCode::Internal) std::cerr << done.error().message << "\n";
  fuzz::require(done || done.error().code != ErrorCode::Internal,
                "an exception is one that is expected");
  return 0;
}
