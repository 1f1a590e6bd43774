// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/engine.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/byte_source.h"
#include "base/json.h"
#include "base/safe_text.h"
#include "base/sha256.h"
#include "lower/engine_program.h"
#include "lower/output_types.h"
#include "lower/tool_passes.h"

namespace fxs::resource {
std::string_view pinnedEngine();
}

namespace fxs::lower {
namespace {

constexpr std::uint64_t kProbeOutput = std::uint64_t{4} << 20;
constexpr std::uint64_t kVersionCacheBytes = std::uint64_t{1} << 20;
constexpr std::string_view kWayOut =
    "; run 'fxscope-cli engine fetch' to install one, or pass another with --engine or "
    "FXSCOPE_ENGINE";

Error engineError(const std::string& path, const std::string& message) {
  return Error{
      ErrorCode::EngineFailed, "engine " + path + ": " + message + std::string(kWayOut), {}};
}

std::string firstLine(std::string_view text) {
  constexpr std::size_t kShown = 80;
  const std::size_t begin = std::min(text.find_first_not_of(" \n\r\t"), text.size());
  const std::string line =
      printable(text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin));
  return line.size() > kShown ? line.substr(0, kShown) + ".." : line;
}

/// The reason for which no program ran, as a phrase.
std::string reasonNotRun(const std::string& path, const Error& error) {
  struct stat file{};
  if (::stat(path.c_str(), &file) != 0) return "does not exist";
  if (!S_ISREG(file.st_mode)) return "is not a file";
  if ((file.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0) return "is not executable";
  return "cannot be run (" + error.message.substr(error.message.rfind(": ") + 2) + ")";
}

/// What keeps a run from being an answer to the flag, as a phrase; "" if nothing does.
std::string wrongWithAnswer(const Exit& exit, const std::string& flag,
                            std::chrono::milliseconds timeout) {
  switch (exit.reason) {
    case ExitReason::TimedOut:
      return "did not answer " + flag + " within " + std::to_string(timeout.count()) + " ms";
    case ExitReason::OutputLimit:
      return "printed more than 4 MiB for " + flag + ": it is not a torch-mlir-opt";
    case ExitReason::ProcessLimit:
      return "started more than " + std::to_string(Cage::kMostProcesses) + " processes at " + flag;
    case ExitReason::Signalled:
      return "was ended by signal " + std::to_string(exit.signal) + " at " + flag;
    case ExitReason::Exited: break;
  }
  if (exit.status != 0 && exit.err.find("ermission denied") != std::string::npos)
    return "its cage prevents it from answering " + flag + " (" + firstLine(exit.err) +
           "); FXSCOPE_CAGE_READ and FXSCOPE_CAGE_WRITE name further folders that it may "
           "read and write";
  if (exit.status != 0)
    return flag + " ended with status " + std::to_string(exit.status) +
           (exit.err.empty() ? std::string() : " (" + firstLine(exit.err) + ")") +
           ": it is not a torch-mlir-opt";
  if (exit.out.empty()) return "printed nothing for " + flag + ": it is not a torch-mlir-opt";
  return {};
}

/// Runs the engine with one flag; all errors name the engine.
Result<std::string> ask(const Engine& engine, const std::string& flag,
                        std::chrono::milliseconds timeout, CommandRunner& runner,
                        const RunContext& context) {
  Command command = engineProgram(engine, {flag});
  command.timeout = timeout;
  command.outputLimit = kProbeOutput;
  auto exit = runToEnd(command, runner, context.stop);
  if (!exit && endsAll(exit.error())) return tl::unexpected<Error>(exit.error());
  const std::string wrong =
      exit ? wrongWithAnswer(*exit, flag, timeout) : reasonNotRun(engine.path, exit.error());
  if (!wrong.empty()) return tl::unexpected<Error>(engineError(engine.path, wrong));
  return std::move(exit->out);
}

/// "LLVM 23.0.0git" from the line "  LLVM version 23.0.0git"; "" if there is none.
std::string versionIn(std::string_view text) {
  constexpr std::string_view kMark = "LLVM version ";
  const std::size_t at = text.find(kMark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + kMark.size());
  return "LLVM " + std::string(rest.substr(0, rest.find_first_of(" \n\r")));
}

/// Whether it has a pipeline of torch-mlir; any program may have --help.
bool lowersTorch(const Engine& engine) {
  const auto& types = OutputTypes::builtin().all();
  return std::any_of(types.begin(), types.end(), [&](const OutputType& type) {
    const std::vector<std::string> passes = passesOf(type->stage);
    return std::any_of(passes.begin(), passes.end(),
                       [&](const std::string& pass) { return engine.passes.contains(pass); });
  });
}

std::string cacheFile(const std::string& cacheDir, const std::string& path) {
  return cacheDir + "/engine-" + sha256(path).substr(0, 16) + ".json";
}

std::optional<Engine> cached(const std::string& path, const std::string& file,
                             const FileIdentity& identity) {
  const auto bytes = readWholeFile(file, kVersionCacheBytes);
  if (!bytes) return std::nullopt;
  const auto document = JsonDocument::parse(*bytes, file);
  if (!document) return std::nullopt;
  const Json root = (*document)->root();
  const auto number = [&](std::string_view key) {
    const auto m = root.find(key);
    return m ? m->asInt().value_or(-1) : -1;
  };
  const FileIdentity known{static_cast<std::uint64_t>(number("device")),
                           static_cast<std::uint64_t>(number("inode")), number("size"),
                           number("mtime"), number("ctime")};
  if (root.textOrEmpty("path") != path || known != identity) return std::nullopt;
  Engine engine{path, root.textOrEmpty("version"), root.textOrEmpty("sha256"), {}, identity};
  if (const auto passes = root.find("passes"))
    for (const Json pass : *passes) engine.passes.emplace(pass.asString().value_or(""));
  if (engine.version.empty() || engine.sha256.empty() || engine.passes.empty()) return std::nullopt;
  return engine;
}

/// Errors are ignored, because the cache only saves time.
void keep(const Engine& engine, const std::string& file, const FileIdentity& identity) {
  JsonWriter json;
  json.beginObject()
      .member("path", engine.path)
      .member("device", static_cast<std::int64_t>(identity.device))
      .member("inode", static_cast<std::int64_t>(identity.inode))
      .member("size", identity.size)
      .member("mtime", identity.modified)
      .member("ctime", identity.changed);
  json.member("version", engine.version)
      .member("sha256", engine.sha256)
      .member("passes", engine.passes);
  json.endObject();
  writeCache(file, json.take());
}

Error changedError(const std::string& path, const std::string& name, const std::string& found,
                   const std::string& pinned) {
  if (!name.empty())
    return Error{ErrorCode::EngineFailed,
                 "engine " + name + ": " + path + " is not the program that was added (SHA-256 " +
                     shortSha256(found) + ".., expected " + shortSha256(pinned) +
                     "..), and was not run; 'fxscope-cli engine remove " + name +
                     "' forgets it, so that it can be added again",
                 {}};
  return Error{ErrorCode::EngineFailed,
               "engine " + path + ": it is not the pinned one (SHA-256 " + shortSha256(found) +
                   ".., expected " + shortSha256(pinned) +
                   "..), and was not run; remove it and run 'fxscope-cli engine fetch' to install "
                   "it again, or put your " +
                   "own engine elsewhere and pass it with --engine or FXSCOPE_ENGINE",
               {}};
}

/// The rest of the line of pinned.txt that begins with `key`.
std::string pinnedLine(std::string_view key) {
  std::istringstream lines{std::string(resource::pinnedEngine())};
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(key)) return line.substr(key.size());
  return {};
}

}  // namespace

Result<Engine> probeEngine(const std::string& given, const std::string& cacheDir,
                           CommandRunner& runner, const RunContext& context,
                           const ProbeOptions& options) {
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(given, ignored).string();
  Engine engine{path, {}, {}, {}, identityOf(path)};
  const std::string file =
      engine.file && !cacheDir.empty() ? cacheFile(cacheDir, path) : std::string();
  std::optional<Engine> known = file.empty() ? std::nullopt : cached(path, file, *engine.file);
  const bool isFile = std::filesystem::is_regular_file(path, ignored);
  if (known) engine.sha256 = known->sha256;
  else if (isFile) engine.sha256 = sha256OfFile(path).value_or("");
  if (isFile && !options.sha256.empty() && engine.sha256 != options.sha256)
    return tl::unexpected<Error>(changedError(path, options.name, engine.sha256, options.sha256));
  if (known) return *known;

  context.report({"inspecting the engine", -1});
  FXS_TRY(const std::string versionText,
          ask(engine, "--version", options.timeout, runner, context));
  engine.version = versionIn(versionText);
  if (engine.version.empty())
    return tl::unexpected<Error>(engineError(
        path, "is not a torch-mlir-opt: its --version says '" + firstLine(versionText) + "'"));
  FXS_TRY(const std::string help, ask(engine, "--help", options.timeout, runner, context));
  for (ToolPass& pass : passesInHelp(help)) engine.passes.insert(std::move(pass.name));
  if (!lowersTorch(engine))
    return tl::unexpected<Error>(
        engineError(path, "is not a torch-mlir-opt: it registers none of torch-mlir's pipelines"));
  if (engine.sha256.empty()) {
    FXS_TRY(engine.sha256, sha256OfFile(path));
  }
  if (!file.empty()) keep(engine, file, *engine.file);
  return engine;
}

std::string pinnedEngineSha256() {
  const std::string line = pinnedLine("program ");
  return line.substr(line.rfind(' ') + 1);
}

std::string pinnedEngineWheel() {
  const std::string line = pinnedLine("wheel ");
  return line.substr(0, line.rfind(' '));
}

std::string pinnedEngineWheelSha256() {
  const std::string line = pinnedLine("wheel ");
  return line.substr(line.rfind(' ') + 1);
}

std::string pinnedEngineVersion() {
  const std::string wheel = pinnedEngineWheel();
  return wheel.substr(wheel.rfind(' ') + 1);
}

std::string otherEngineNote(const Engine& engine) {
  if (engine.sha256.empty() || engine.sha256 == pinnedEngineSha256()) return {};
  return "rules were checked with the engine of " + pinnedEngineWheel() + "; this engine is " +
         engine.version + ", sha256 " + shortSha256(engine.sha256);
}

}  // namespace fxs::lower
