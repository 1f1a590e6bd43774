// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/tools.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/byte_source.h"
#include "base/joined.h"
#include "base/program.h"
#include "base/sha256.h"
#include "base/zip.h"
#include "execute/verified_files.h"

namespace fxs::resource {
std::string_view pinnedNumbers();
}

namespace fxs::execute {
namespace {

namespace fs = std::filesystem;

/// Bitcode of AMD's device libraries is where iree-compile looks for it.
constexpr std::array<const char*, 8> kIree{"iree-compile",
                                           "iree-lld",
                                           "iree-opt",
                                           "libIREECompiler.so",
                                           "iree-profile",
                                           "iree-run-module",
                                           "iree_platform_libs/rocm/ockl.bc",
                                           "iree_platform_libs/rocm/ocml.bc"};
/// The folders of the wheels in which they are.
constexpr std::array<std::string_view, 2> kWheelFolders{"iree/compiler/_mlir_libs/",
                                                        "iree/_runtime_libs/"};

constexpr std::uint64_t kProgramBytes = std::uint64_t{1} << 30;

bool isFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// The word after `key` on the first line of pinned.txt that begins with it.
std::string pinned(const std::string& key) {
  std::istringstream lines{std::string(resource::pinnedNumbers())};
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(key + " "))
      return line.substr(key.size() + 1, line.find(' ', key.size() + 1) - key.size() - 1);
  return {};
}

}  // namespace

Tools findTools(const std::vector<std::string>& folders, const std::string& searchPath) {
  Tools out;
  for (const std::string& folder : folders) {
    bool all = true;
    for (const char* program : kIree) all = all && isFile(fs::path(folder) / program);
    if (!all) continue;
    out.ireeCompile = folder + "/iree-compile";
    out.ireeOpt = folder + "/iree-opt";
    out.ireeRunModule = folder + "/iree-run-module";
    out.ireeProfile = folder + "/iree-profile";
    break;
  }
  out.mlirOpt = findProgram("mlir-opt-22", searchPath).value_or("");
  out.mlirTranslate = findProgram("mlir-translate-22", searchPath).value_or("");
  out.clang = findProgram("clang-22", searchPath).value_or("");
  out.llc = findProgram("llc-22", searchPath).value_or("");
  out.fileCheck = findProgram("FileCheck-22", searchPath).value_or("");
  for (const char* library : {"/usr/lib/llvm-22/lib/libmlir_c_runner_utils.so.22.1",
                              "/usr/lib/llvm-22/lib/libmlir_c_runner_utils.so"})
    if (out.runnerLibrary.empty() && isFile(library)) out.runnerLibrary = library;
  return out;
}

std::vector<PinnedWheel> pinnedIreeWheels() {
  std::vector<PinnedWheel> out;
  std::istringstream lines{std::string(resource::pinnedNumbers())};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    std::string kind, name, version, sha256;
    if (stream >> kind >> name >> version >> sha256 && kind == "wheel")
      out.push_back({name + "==" + version, sha256});
  }
  return out;
}

Result<> unpackIree(const std::vector<std::string>& wheels, const std::string& folder,
                    const RunContext& context) {
  std::set<std::string> missing(kIree.begin(), kIree.end());
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(ErrorCode::Io, folder + ": cannot be made: " + error.message());
  for (const std::string& wheel : wheels) {
    FXS_TRY(auto bytes, openFile(wheel));
    FXS_TRY(const auto zip, ZipReader::open(std::move(bytes), fs::path(wheel).filename().string()));
    for (const ZipEntry& entry : zip->entries()) {
      const auto* in = std::find_if(
          kWheelFolders.begin(), kWheelFolders.end(),
          [&](std::string_view wheelFolder) { return entry.name.starts_with(wheelFolder); });
      if (in == kWheelFolders.end()) continue;
      const std::string program = entry.name.substr(in->size());
      if (missing.erase(program) == 0) continue;
      context.report({"unpacking " + program, -1});
      FXS_TRY(const std::string content, zip->read(entry, kProgramBytes, context));
      if (sha256(content) != pinned("program " + program))
        return fail(ErrorCode::EngineFailed, program + " is not the pinned program");
      const fs::path file = fs::path(folder) / program;
      fs::create_directories(file.parent_path(), error);
      FXS_CHECK(writeProgram(file.string(), content));
    }
  }
  if (!missing.empty())
    return fail(ErrorCode::InvalidInput, "the wheels of IREE have no " + joined(missing));
  return {};
}

std::string pinnedIreeVersion() { return pinned("wheel iree-base-compiler"); }

Result<> verifyIree(const Tools& tools) {
  const fs::path folder = fs::path(tools.ireeCompile).parent_path();
  std::vector<std::pair<std::string, std::string>> files;
  for (const char* program : kIree)
    files.emplace_back((folder / program).string(), pinned(std::string("program ") + program));
  const VerifiedFiles verified(tools.cacheDir, files);
  if (verified.known()) return {};
  for (const auto& [file, checksum] : files) {
    FXS_TRY(const std::string found, sha256OfFile(file));
    if (found != checksum)
      return fail(ErrorCode::EngineFailed, file + ": is not the pinned program; remove " +
                                               folder.string() +
                                               " and run 'fxscope-cli engine fetch --numbers'");
  }
  verified.keep();
  return {};
}

}  // namespace fxs::execute
