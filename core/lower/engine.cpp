#include "lower/engine.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/byte_source.h"
#include "base/json.h"
#include "base/sha256.h"
#include "lower/lower.h"

namespace fxs::lower {
namespace {

constexpr std::uint64_t kProbeOutput = std::uint64_t{4} << 20;
constexpr std::uint64_t kCacheBytes = std::uint64_t{1} << 20;
constexpr std::string_view kWayOut = "; './run --build' installs one, or name another with --engine or FXSCOPE_ENGINE";

Error engineError(const std::string& path, const std::string& what) {
  return Error{ErrorCode::EngineFailed, "engine " + path + ": " + what + std::string(kWayOut), {}};
}

std::string firstLine(std::string_view text) {
  constexpr std::size_t kShown = 80;
  const std::size_t begin = std::min(text.find_first_not_of(" \n\r\t"), text.size());
  std::string line(text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
  return line.size() > kShown ? line.substr(0, kShown) + ".." : line;
}

/// Runs the engine with one flag; every way in which that can go wrong is an error that names the engine.
Result<std::string> ask(const std::string& path, const std::string& flag, std::chrono::milliseconds timeout, CommandRunner& runner,
                        const RunContext& context) {
  Command command;
  command.argv = {path, flag};
  command.timeout = timeout;
  command.outputLimit = kProbeOutput;
  const auto exit = runner.run(command, context.stop);
  if (!exit) {
    if (exit.error().code == ErrorCode::Cancelled) return tl::unexpected<Error>(exit.error());
    struct stat file{};
    if (::stat(path.c_str(), &file) == 0) {
      if (!S_ISREG(file.st_mode)) return tl::unexpected<Error>(engineError(path, "is not a file"));
      if ((file.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0) return tl::unexpected<Error>(engineError(path, "is not executable"));
      return tl::unexpected<Error>(
          engineError(path, "cannot be run (" + exit.error().message.substr(exit.error().message.rfind(": ") + 2) + ")"));
    }
    return tl::unexpected<Error>(engineError(path, "does not exist"));
  }
  switch (exit->reason) {
    case ExitReason::TimedOut:
      return tl::unexpected<Error>(engineError(path, "did not answer " + flag + " within " + std::to_string(timeout.count()) + " ms"));
    case ExitReason::OutputLimit:
      return tl::unexpected<Error>(engineError(path, "printed more than 4 MiB for " + flag + ": it is no torch-mlir-opt"));
    case ExitReason::Signalled:
      return tl::unexpected<Error>(engineError(path, "was ended by signal " + std::to_string(exit->signal) + " at " + flag));
    case ExitReason::Exited: break;
  }
  if (exit->status != 0)
    return tl::unexpected<Error>(engineError(path, flag + " ended with status " + std::to_string(exit->status) +
                                                       (exit->err.empty() ? std::string() : " (" + firstLine(exit->err) + ")") +
                                                       ": it is no torch-mlir-opt"));
  if (exit->out.empty()) return tl::unexpected<Error>(engineError(path, "printed nothing for " + flag + ": it is no torch-mlir-opt"));
  return exit->out;
}

/// "LLVM 23.0.0git" of the line "  LLVM version 23.0.0git"; "" when there is none.
std::string versionIn(std::string_view text) {
  constexpr std::string_view kMark = "LLVM version ";
  const std::size_t at = text.find(kMark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + kMark.size());
  return "LLVM " + std::string(rest.substr(0, rest.find_first_of(" \n\r")));
}

/// The pipelines of the known stages, each once, in the order of the stages.
std::vector<std::string> knownPipelines() {
  std::vector<std::string> out;
  for (const OutputType type : {OutputType::Torch, OutputType::LinalgOnTensors, OutputType::Tosa, OutputType::Stablehlo})
    for (const StageSpec& stage : stagesFor(type))
      for (const std::string& pipeline : pipelinesOf(stage))
        if (std::find(out.begin(), out.end(), pipeline) == out.end()) out.push_back(pipeline);
  return out;
}

/// What identifies the file without reading it.
struct Identity {
  std::string path;
  std::int64_t size = 0;
  std::int64_t mtime = 0;  // nanoseconds
  std::int64_t inode = 0;
  friend bool operator==(const Identity&, const Identity&) = default;
};

std::optional<Identity> identify(const std::string& path) {
  struct stat file{};
  std::error_code ignored;
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  return Identity{std::filesystem::absolute(path, ignored).string(), file.st_size,
                  std::int64_t{file.st_mtim.tv_sec} * 1'000'000'000 + file.st_mtim.tv_nsec, static_cast<std::int64_t>(file.st_ino)};
}

std::string cacheFile(const std::string& cacheDir, const Identity& identity) {
  return cacheDir + "/engine-" + sha256(identity.path).substr(0, 16) + ".json";
}

std::optional<Engine> cached(const std::string& path, const std::string& file, const Identity& identity) {
  const auto bytes = readWholeFile(file, kCacheBytes);
  if (!bytes) return std::nullopt;
  const auto document = JsonDocument::parse(*bytes, file);
  if (!document) return std::nullopt;
  const Json root = (*document)->root();
  const auto text = [&](std::string_view key) {
    const auto m = root.find(key);
    return m ? std::string(m->asString().value_or("")) : std::string();
  };
  const auto number = [&](std::string_view key) {
    const auto m = root.find(key);
    return m ? m->asInt().value_or(-1) : -1;
  };
  if (Identity{text("path"), number("size"), number("mtime"), number("inode")} != identity) return std::nullopt;
  Engine engine{path, text("version"), text("sha256"), {}};
  if (const auto pipelines = root.find("pipelines"))
    for (const Json p : *pipelines) engine.pipelines.emplace_back(p.asString().value_or(""));
  if (engine.version.empty() || engine.sha256.empty() || engine.pipelines.empty()) return std::nullopt;
  return engine;
}

/// A cache that cannot be written costs time, not correctness.
void keep(const Engine& engine, const std::string& cacheDir, const std::string& file, const Identity& identity) {
  std::error_code ignored;
  std::filesystem::create_directories(cacheDir, ignored);
  JsonWriter json;
  json.beginObject()
      .member("path", identity.path)
      .member("size", identity.size)
      .member("mtime", identity.mtime)
      .member("inode", identity.inode);
  json.member("version", engine.version).member("sha256", engine.sha256).key("pipelines").beginArray();
  for (const std::string& pipeline : engine.pipelines) json.value(pipeline);
  json.endArray().endObject();
  (void)writeWholeFile(file, json.take());
}

}  // namespace

Result<Engine> probeEngine(const std::string& path, const std::string& cacheDir, CommandRunner& runner, const RunContext& context,
                           std::chrono::milliseconds timeout) {
  const std::optional<Identity> identity = identify(path);
  const std::string file = identity && !cacheDir.empty() ? cacheFile(cacheDir, *identity) : std::string();
  if (!file.empty())
    if (auto engine = cached(path, file, *identity)) return *engine;

  context.report({"looking at the engine", -1});
  FXS_TRY(const std::string versionText, ask(path, "--version", timeout, runner, context));
  Engine engine{path, versionIn(versionText), {}, {}};
  if (engine.version.empty())
    return tl::unexpected<Error>(engineError(path, "is no torch-mlir-opt: its --version says '" + firstLine(versionText) + "'"));
  FXS_TRY(const std::string help, ask(path, "--help", timeout, runner, context));
  for (const std::string& pipeline : knownPipelines())
    if (help.find("--" + pipeline + " ") != std::string::npos) engine.pipelines.push_back(pipeline);
  if (engine.pipelines.empty())
    return tl::unexpected<Error>(engineError(path, "is no torch-mlir-opt: it registers none of torch-mlir's pipelines"));
  FXS_TRY(engine.sha256, sha256OfFile(path));
  if (!file.empty()) keep(engine, cacheDir, file, *identity);
  return engine;
}

}  // namespace fxs::lower
