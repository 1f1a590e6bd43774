// A log of modules printed around passes, with whatever else is in it.
#include "fuzz_input.h"
#include "mlir/aliases.h"
#include "mlir/dump_log.h"
#include "mlir/module_of_dumps.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fxs::fuzz::textOf(data, size);
  const fxs::mlir::DumpLog log = fxs::mlir::readDumpLog(text);
  fxs::mlir::ModuleOfDumps module;
  std::size_t kept = 0, line = 0;
  for (const fxs::mlir::DumpedIr& dump : log.dumps) {
    fxs::fuzz::require(!dump.header.passClass.empty(), "a dump has a pass");
    fxs::fuzz::require(dump.line > line, "dumps stand in order");
    fxs::fuzz::require(!dump.complete || !dump.ir.empty(), "a complete dump has a module");
    line = dump.line;
    if (dump.complete) {
      module.take(dump.ir);
      fxs::fuzz::require(!module.text().empty(), "a printed module is kept");
      const std::string spelled = fxs::mlir::withAliasesSpelledOut(dump.ir);
      fxs::fuzz::require(spelled.size() <= (fxs::mlir::kMaxGrowth + 1) * dump.ir.size() + 2048, "aliases grow within bounds");
    }
    kept += dump.ir.size();
  }
  fxs::fuzz::require(kept <= text.size() + 1, "no line is kept twice");
  return 0;
}
