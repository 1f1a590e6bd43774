// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of a trace that was stored: trace.json, then, each after a line "=====", its first
// snapshots. What opens can be looked at and prints to a trace that opens and prints the same.
#include "look_at_trace.h"
#include "one_input.h"
#include "temporary_folder.h"

using namespace fxs;

namespace {

constexpr const char* kSnapshots[] = {"000-raw.mlir", "001-a.mlir", "002-b.mlir"};

Result<> open(const std::string& folder) try {
  const RunContext context = fuzz::contextOfOneInput();
  FXS_TRY(const trace::StoredTrace stored, trace::openStoredTrace(folder, context));
  const std::string printed = fuzz::lookAt(*stored.trace);
  fuzz::TemporaryFolder::write(folder + "/" + std::string(trace::kTraceFile), printed);
  const auto again = trace::openStoredTrace(folder, context);
  if (!again) std::cerr << again.error().message << "\n";
  fuzz::require(again.has_value(), "a stored trace can be stored again");
  fuzz::require(trace::traceJson(*again->trace, "fuzz", "") == printed,
                "a trace prints as it reads");
  return {};
} catch (...) {
  return abandoned(folder);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::TemporaryFolder temporary;
  const std::string folder = temporary.emptied("trace");
  std::string_view rest = fuzz::textOf(data, size);
  fuzz::TemporaryFolder::write(folder + "/" + std::string(trace::kTraceFile),
                               fuzz::takeMember(rest));
  for (const char* snapshot : kSnapshots)
    fuzz::TemporaryFolder::write(folder + "/" + snapshot, fuzz::takeMember(rest));
  const auto done = open(folder);
  fuzz::require(done || done.error().code != ErrorCode::Internal,
                "an exception is one that is expected");
  return 0;
}
