// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is known of the programs that tests run: `*-opt` and FileCheck, by their names and options.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::lit {

enum class ProgramKind : std::uint8_t { Opt, FileCheck, Other };
/// By its name, with or without a path and a version: "torch-mlir-opt", "mlir-opt-22".
ProgramKind programKind(std::string_view program);

/// The default of `-split-input-file`.
inline constexpr std::string_view kSplitMarker = "// -----";

/// Whether an MLIR tool compares its diagnostics with expected-* lines.
bool verifiesDiagnostics(const std::vector<std::string>& argv);

struct FileCheckOptions {
  std::string checkFile;                 ///< as written, "%s"
  std::string inputFile;                 ///< "" for standard input
  std::vector<std::string> prefixes;     ///< "CHECK" if none is named
  std::vector<std::string> definitions;  ///< "NAME=value" or "#NAME=value" of -D
  bool strictWhitespace = false;         ///< blanks are compared one by one
};
FileCheckOptions fileCheckOptions(const std::vector<std::string>& argv);

}  // namespace fxs::lit
