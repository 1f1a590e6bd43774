// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engines/fetch_executors.h"

#include <filesystem>

#include "base/scratch_directory.h"
#include "engines/pip.h"
#include "execute/tools.h"

namespace fxs::engines {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlatform = "manylinux_2_28_x86_64";  // of the pinned wheels

}  // namespace

Result<std::string> fetchExecutors(const session::Environment& env, const RunContext& context) {
  const std::string& folder = env.executorsFolder;
  if (folder.empty())
    return fail(ErrorCode::Usage, "no folder for executors; set HOME or XDG_DATA_HOME");
  if (const execute::Tools present = execute::findTools({folder}, "");
      !present.ireeCompile.empty() && execute::verifyIree(present))
    return folder;
  // Beside its place, to be renamed; removed again if anything fails.
  FXS_TRY(const ScratchDirectory scratch,
          ScratchDirectory::make(fs::path(folder).parent_path().string(), "the executors"));
  std::vector<std::string> wheels;
  for (const execute::PinnedWheel& wheel : execute::pinnedIreeWheels()) {
    FXS_TRY(wheels.emplace_back(),
            downloadWheel({wheel.package, kPlatform, "unpack its programs to " + folder},
                          scratch.file(std::to_string(wheels.size())), env, context));
    FXS_CHECK(checkWheel(wheels.back(), wheel.package, wheel.sha256));
  }
  const std::string programs = scratch.file("iree");
  FXS_CHECK(execute::unpackIree(wheels, programs, context));
  std::error_code error;
  fs::remove_all(folder, error);
  fs::rename(programs, folder, error);
  if (error) return fail(ErrorCode::Io, folder + ": cannot be put there: " + error.message());
  return folder;
}

}  // namespace fxs::engines
