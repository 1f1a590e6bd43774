#pragma once
// The programs that executors run: IREE's, pinned by checksum, and those of LLVM 22.
#include <string>
#include <vector>

#include "base/result.h"

namespace fxs::execute {

/// Paths; "" for a program that was not found.
struct Tools {
  std::string ireeCompile, ireeRunModule, ireeProfile;
  std::string mlirOpt, mlirTranslate, clang, llc, runnerLibrary;
  std::string engine;    ///< torch-mlir-opt: prints TOSA generically, legalizes StableHLO
  std::string cacheDir;  ///< keeps which files of IREE were verified; "" for no cache
};
/// IREE's programs in the first of `folders` that has them, and those of LLVM 22 in `searchPath`.
Tools findTools(const std::vector<std::string>& folders, const std::string& searchPath);
/// The version of IREE that ./run --numbers installs (resources/numbers/pinned.txt).
std::string pinnedIreeVersion();
/// EngineFailed if a program of IREE is not the pinned one. Files are read once for as long as they are those that `cacheDir` knows.
Result<> verifyIree(const Tools&);

}  // namespace fxs::execute
