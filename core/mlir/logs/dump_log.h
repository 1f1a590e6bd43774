#pragma once
// The modules that an engine printed around passes (--mlir-print-ir-after-all and its like), found in a stream that may hold other
// output between and within them, may use either line end and may stop anywhere. Never fails; linear in the text.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/logs/dump_header.h"

namespace fxs::mlir {

struct DumpedIr {
  DumpHeader header;
  std::string ir;         ///< the printed operation with its aliases and resources, line ends as `\n`; "" when nothing was printed
  bool complete = false;  ///< every bracket is closed
  std::size_t line = 0;   ///< of the header in the log, 1-based
};

/// Takes the dumps out of a stream, line by line.
class DumpReader {
 public:
  /// What of the line belongs to no dump; nothing when all of it does. A carriage return at its end does not matter.
  std::optional<std::string_view> take(std::string_view line);
  /// At the stream's end: all dumps, in order.
  std::vector<DumpedIr> finish() &&;
  /// The latest; null before the first.
  const DumpedIr* last() const { return dumps_.empty() ? nullptr : &dumps_.back(); }

 private:
  enum class State : std::uint8_t { Outside, Before, Inside, After, Resources };
  void keep(std::string_view line) { dumps_.back().ir.append(line).push_back('\n'); }
  void inside(std::string_view line);
  void resources(std::string_view line);

  std::vector<DumpedIr> dumps_;
  State state_ = State::Outside;
  long depth_ = 0;  ///< of open brackets
  std::size_t number_ = 0;
};

struct DumpLog {
  std::vector<DumpedIr> dumps;
  std::size_t otherLines = 0;       ///< not empty, and neither header nor IR
  std::vector<std::string> errors;  ///< messages of `..: error: ..` lines, in order, at most kMaxErrors
};
inline constexpr std::size_t kMaxErrors = 100;

DumpLog readDumpLog(std::string_view log);

}  // namespace fxs::mlir
