#pragma once
// The modules that an engine printed around passes (--mlir-print-ir-after-all and its like), found in a stream that may hold other
// output between and within them, may use either line end and may stop anywhere. Never fails; linear in the text.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/dump_header.h"

namespace fxs::mlir {

struct DumpedIr {
  DumpHeader header;
  std::string ir;         ///< the printed operation with its aliases and resources, line ends as `\n`; "" when nothing was printed
  bool complete = false;  ///< every bracket is closed
  std::size_t line = 0;   ///< of the header in the log, 1-based
};

struct DumpLog {
  std::vector<DumpedIr> dumps;
  std::size_t otherLines = 0;       ///< not empty, and neither header nor IR
  std::vector<std::string> errors;  ///< messages of `..: error: ..` lines, in order, at most kMaxErrors
};
inline constexpr std::size_t kMaxErrors = 100;

DumpLog readDumpLog(std::string_view log);

}  // namespace fxs::mlir
