// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The programs that executors run: IREE's, pinned by checksum, and those of LLVM 22.
#include <string>
#include <vector>

#include "base/result.h"
#include "base/run_context.h"

namespace fxs::execute {

/// Paths; "" for a program that was not found.
struct Tools {
  std::string ireeCompile, ireeOpt, ireeRunModule, ireeProfile;
  std::string mlirOpt, mlirTranslate, clang, llc, runnerLibrary;
  std::string fileCheck;  ///< checks what lit tests print
  std::string engine;     ///< torch-mlir-opt: prints TOSA generically, legalizes StableHLO
  std::string cacheDir;   ///< keeps which files of IREE were verified; "" for no cache
};
/// IREE's programs in the first of `folders` that has them, and those of LLVM 22 in `searchPath`.
Tools findTools(const std::vector<std::string>& folders, const std::string& searchPath);
/// The version of IREE that ./run --numbers and `fxscope-cli engine fetch --numbers` install
/// (resources/numbers/pinned.txt).
std::string pinnedIreeVersion();
struct PinnedWheel {
  std::string package;  ///< "iree-base-compiler==3.13.0"
  std::string sha256;
};
std::vector<PinnedWheel> pinnedIreeWheels();
/// Unpacks IREE's programs out of the wheels into `folder`, which is made. InvalidInput if one is
/// missing, EngineFailed if one is not the pinned one.
Result<> unpackIree(const std::vector<std::string>& wheels, const std::string& folder,
                    const RunContext&);
/// EngineFailed if a program of IREE is not the pinned one. Files are read once for as long as they
/// are those that `cacheDir` knows.
Result<> verifyIree(const Tools&);

}  // namespace fxs::execute
