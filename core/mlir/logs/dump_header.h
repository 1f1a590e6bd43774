// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parses the header line of IR that an engine prints before or after passes, in the forms of
// several LLVM versions:
//   // -----// IR Dump After ConvertTorchToTosa Failed:
//   convert-torch-to-tosa{require-full-tosa-conversion=true} //----- //
//   // -----// IR Dump Before Canonicalizer (canonicalize) ('func.func' operation: @main) //-----
//   //
#include <optional>
#include <string>
#include <string_view>

namespace fxs::mlir {

struct DumpHeader {
  bool before = false;
  bool failed = false;
  std::string passClass;  ///< "ConvertTorchToTosa"
  std::string pass;       ///< "convert-torch-to-tosa"; "" if the header has none
  std::string options;    ///< between its braces, spaces folded; "" for none
  std::string anchor;     ///< "func.func"; "" if the header has none
  std::string symbol;     ///< "main"; "" if the header has none
  /// The pass argument if the header has one, else the class.
  const std::string& name() const { return pass.empty() ? passClass : pass; }
};

inline constexpr std::string_view kDumpMark = "// -----// IR Dump ";

/// std::nullopt if the line is not such a header. Ignores a trailing carriage return.
std::optional<DumpHeader> parseDumpHeader(std::string_view line);

}  // namespace fxs::mlir
