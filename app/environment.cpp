// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "environment.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include "lower/engine.h"

namespace fxs::app {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// An XDG base directory: the variable, else `fallback` under $HOME, else "".
fs::path base(const char* name, const char* fallback) {
  if (std::string value = variable(name); !value.empty() && fs::path(value).is_absolute())
    return value;
  const std::string home = variable("HOME");
  return home.empty() ? fs::path() : fs::path(home) / fallback;
}

bool isFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// The absolute paths in a list such as PATH.
std::vector<std::string> folders(const std::string& list) {
  std::vector<std::string> out;
  std::istringstream stream(list);
  for (std::string word; std::getline(stream, word, ':');)
    if (fs::path(word).is_absolute()) out.push_back(word);
  return out;
}

/// What configures pip and its access to the network; "NAME=value" each.
std::vector<std::string> pipVariables() {
  constexpr std::array<std::string_view, 14> kNames{
      "HOME",         "HTTP_PROXY",         "HTTPS_PROXY",     "NO_PROXY",      "http_proxy",
      "https_proxy",  "no_proxy",           "ALL_PROXY",       "all_proxy",     "SSL_CERT_FILE",
      "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"};
  std::vector<std::string> out;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable(*each);
    const std::string_view name = variable.substr(0, variable.find('='));
    if (name.starts_with("PIP_") || std::find(kNames.begin(), kNames.end(), name) != kNames.end())
      out.emplace_back(variable);
  }
  return out;
}

Identity identity() {
  Identity self;
  const passwd* account = ::getpwuid(::getuid());
  self.home = variable("HOME");
  if (self.home.empty() && account != nullptr) self.home = account->pw_dir;
  self.user = account != nullptr ? account->pw_name : variable("USER");
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0) self.host = host.data();
  return self;
}

}  // namespace

Surroundings surroundings(const std::string& engineOption) {
  Surroundings out;
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  out.environment.identity = identity();
  out.layoutWorker = (here / "fxscope-layout").string();
  out.rasterWorker = (here / "fxscope-raster").string();
  if (const fs::path cache = base("XDG_CACHE_HOME", ".cache"); !cache.empty())
    out.environment.cacheDir = (cache / "fxscope").string();
  if (const fs::path temporary = fs::temp_directory_path(ignored); !ignored)
    out.environment.temporaryDir = temporary.string();

  out.environment.searchPath = variable("PATH");
  // Installed by pip in an environment, whose Python has pip, PyTorch and torch-mlir.
  if (isFile(here.parent_path() / "pyvenv.cfg"))
    out.environment.searchPath = here.string() + ":" + out.environment.searchPath;
  out.exceptions = {folders(variable("FXSCOPE_CAGE_READ")),
                    folders(variable("FXSCOPE_CAGE_WRITE"))};

  std::vector<std::string>& paths = out.environment.installedEngines;
  std::vector<std::string>& executors = out.environment.installedExecutors;
  // From build/<preset>/bin, or from build/bin without presets.
  for (const char* up : {"../../..", "../.."})
    if (const fs::path tree = (here / up).lexically_normal();
        isFile(tree / "resources/engine/pinned.txt")) {
      paths.push_back((tree / ".cache/engine/torch-mlir-opt").string());
      executors.push_back((tree / ".cache/iree").string());
    }
  if (const fs::path shared = base("XDG_DATA_HOME", ".local/share"); !shared.empty()) {
    const fs::path engines = shared / "fxscope/engines";
    paths.push_back((engines / lower::pinnedEngineVersion() / "torch-mlir-opt").string());
    out.environment.executorsFolder = (shared / "fxscope/iree").string();
    executors.push_back(out.environment.executorsFolder);
    out.environment.enginesFolder = engines.string();
  }
  out.environment.pipEnvironment = pipVariables();

  const std::string named = engineOption.empty() ? variable("FXSCOPE_ENGINE") : engineOption;
  // Also beside an engine that was installed elsewhere; they are pinned by checksum.
  if (named.find('/') != std::string::npos)
    executors.push_back(
        (fs::absolute(named, ignored).lexically_normal().parent_path().parent_path() / "iree")
            .string());
  out.environment.enginePath = named;
  std::string searched;
  for (const std::string& position : paths) searched += (searched.empty() ? "" : ", ") + position;
  out.environment.engineMissing =
      "no engine found (searched " + searched +
      "); run 'fxscope-cli engine fetch' to install one, or pass a torch-mlir-opt with --engine or "
      "FXSCOPE_ENGINE";
  return out;
}

}  // namespace fxs::app
