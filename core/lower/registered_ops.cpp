// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>

#include "base/byte_source.h"
#include "lower/engine_program.h"

namespace fxs::lower {
namespace {

constexpr std::uint64_t kListingCacheBytes = std::uint64_t{16} << 20;
constexpr std::chrono::milliseconds kListingTimeout{120'000};
constexpr std::uint64_t kListingOutput = std::uint64_t{64} << 20;
/// Exists in no dialect: if the engine does not report it, the probe does not work with this
/// engine.
constexpr const char* kAbsent = "torch.fxscope.no_such_operation";

using Known = std::map<std::string, bool, std::less<>>;

bool isOpName(std::string_view name) {
  return name.starts_with("torch.") && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '.';
         });
}

/// One result per line: "+torch.aten.add.Tensor" or "-torch.aten.diff".
Known readKnown(const std::string& file) {
  Known known;
  const auto bytes = readWholeFile(file, kListingCacheBytes);
  if (!bytes) return known;
  for (std::size_t begin = 0; begin < bytes->size();) {
    const std::size_t end = std::min(bytes->find('\n', begin), bytes->size());
    if (end - begin > 1 && ((*bytes)[begin] == '+' || (*bytes)[begin] == '-'))
      known[bytes->substr(begin + 1, end - begin - 1)] = (*bytes)[begin] == '+';
    begin = end + 1;
  }
  return known;
}

void writeKnown(const std::string& file, const Known& known) {
  std::string text;
  for (const auto& [name, registered] : known) text += (registered ? "+" : "-") + name + "\n";
  writeCache(file, text);
}

/// Checks all names in one run, with one module for each; the verifier reports those that are not
/// registered.
Result<> probe(const Engine& engine, const std::vector<std::string>& names, Known& known,
               CommandRunner& runner, const RunContext& context) {
  Command command =
      engineProgram(engine, {"-", "--split-input-file", "--mlir-disable-diagnostic-notes",
                             "--mlir-print-op-on-diagnostic=false"});
  command.timeout = kListingTimeout;
  command.outputLimit = kListingOutput;
  command.stdinText = "\"" + std::string(kAbsent) + "\"() : () -> ()\n";
  for (const std::string& name : names)
    command.stdinText += "// -----\n\"" + name + "\"() : () -> ()\n";
  FXS_TRY(const Exit exit, runToEnd(command, runner, context.stop));
  constexpr std::string_view kMark = "unregistered operation '";
  std::set<std::string, std::less<>> absent;
  for (std::size_t at = exit.err.find(kMark); at != std::string::npos;
       at = exit.err.find(kMark, at + 1)) {
    const std::size_t begin = at + kMark.size();
    absent.insert(exit.err.substr(begin, exit.err.find('\'', begin) - begin));
  }
  if (wasKilled(exit))
    return fail(ErrorCode::EngineFailed, "engine " + engine.path + ": " + killMessage(exit));
  if (exit.reason != ExitReason::Exited || !absent.contains(kAbsent))
    return fail(ErrorCode::EngineFailed, "engine " + engine.path +
                                             ": did not say which operations its torch dialect "
                                             "registers; pass another with --engine");
  for (const std::string& name : names) known[name] = !absent.contains(name);
  return {};
}

}  // namespace

Result<std::set<std::string, std::less<>>> registeredOps(const Engine& engine,
                                                         const std::vector<std::string>& names,
                                                         const std::string& cacheDir,
                                                         CommandRunner& runner,
                                                         const RunContext& context) {
  const std::string file = cacheDir.empty()
                               ? std::string()
                               : cacheDir + "/registered-" + engine.sha256.substr(0, 16) + ".txt";
  Known known = file.empty() ? Known() : readKnown(file);
  std::vector<std::string> unknown;
  for (const std::string& name : names)
    if (!known.contains(name) && isOpName(name)) unknown.push_back(name);
  if (!unknown.empty()) {
    context.report({"querying the operations registered by the engine", -1});
    FXS_CHECK(probe(engine, unknown, known, runner, context));
    if (!file.empty()) writeKnown(file, known);
  }
  std::set<std::string, std::less<>> out;
  for (const std::string& name : names)
    if (const auto at = known.find(name); at != known.end() && at->second) out.insert(name);
  return out;
}

}  // namespace fxs::lower
