#include "environment.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace fxs::app {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// An XDG base directory: the variable, else `fallback` under $HOME, else nothing.
fs::path base(const char* name, const char* fallback) {
  if (const std::string value = variable(name); !value.empty() && fs::path(value).is_absolute()) return value;
  const std::string home = variable("HOME");
  return home.empty() ? fs::path() : fs::path(home) / fallback;
}

bool isFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

Surroundings surroundings(const std::string& engineOption) {
  Surroundings out;
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  out.layoutWorker = (here / "fxscope-layout").string();
  if (const fs::path cache = base("XDG_CACHE_HOME", ".cache"); !cache.empty()) out.environment.cacheDir = (cache / "fxscope").string();
  if (const fs::path temporary = fs::temp_directory_path(ignored); !ignored) out.environment.temporaryDir = temporary.string();

  if (!engineOption.empty()) {
    out.environment.enginePath = engineOption;
    return out;
  }
  if (const std::string named = variable("FXSCOPE_ENGINE"); !named.empty()) {
    out.environment.enginePath = named;
    return out;
  }
  std::vector<fs::path> places;
  // build/<preset>/bin, or build/bin of a build without presets.
  for (const char* up : {"../../..", "../.."}) places.push_back((here / up / ".cache/engine/torch-mlir-opt").lexically_normal());
  if (const fs::path shared = base("XDG_DATA_HOME", ".local/share"); !shared.empty())
    places.push_back(shared / "fxscope/engine/torch-mlir-opt");
  for (const fs::path& place : places)
    if (isFile(place)) {
      out.environment.enginePath = place.string();
      return out;
    }
  std::string tried;
  for (const fs::path& place : places) tried += (tried.empty() ? "" : ", ") + place.string();
  out.environment.engineMissing =
      "no engine found (looked at " + tried + "); './run --build' installs one, or name a torch-mlir-opt with --engine or FXSCOPE_ENGINE";
  return out;
}

}  // namespace fxs::app
