#pragma once
// The line with which an engine heads each module that it prints around passes, in the spellings of several LLVM versions:
//   // -----// IR Dump After ConvertTorchToTosa Failed: convert-torch-to-tosa{require-full-tosa-conversion=true} //----- //
//   // -----// IR Dump Before Canonicalizer (canonicalize) ('func.func' operation: @main) //----- //
#include <optional>
#include <string>
#include <string_view>

namespace fxs::mlir {

struct DumpHeader {
  bool before = false;
  bool failed = false;
  std::string passClass;  ///< "ConvertTorchToTosa"
  std::string pass;       ///< "convert-torch-to-tosa"; "" where the header has none
  std::string options;    ///< between its braces, spaces folded; "" for none
  std::string anchor;     ///< "func.func", where the header says it
  std::string symbol;     ///< "main", where the header says it
  /// The pass, or its class where the header has none.
  const std::string& name() const { return pass.empty() ? passClass : pass; }
};

inline constexpr std::string_view kDumpMark = "// -----// IR Dump ";

/// nullopt if the line is not such a header. Ignores a carriage return at its end.
std::optional<DumpHeader> parseDumpHeader(std::string_view line);

}  // namespace fxs::mlir
