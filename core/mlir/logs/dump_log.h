// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Extracts the IR that an engine prints around passes (--mlir-print-ir-after-all and similar
// options) from its output. Tolerates other output between and within dumps, both kinds of line
// ends, and truncation. Never fails; linear in the text.
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
  std::string ir;  ///< the printed operation with its aliases and resources, with `\n` line ends;
                   ///< "" if nothing was printed
  bool complete = false;  ///< every bracket is closed
  std::size_t line = 0;   ///< 1-based line of the header in the log
};

/// Extracts dumps from a stream, line by line.
class DumpReader {
 public:
  /// Returns the part of the line that belongs to no dump; std::nullopt if all of it does. Ignores
  /// a trailing carriage return.
  std::optional<std::string_view> take(std::string_view line);
  /// All dumps, in order; call at the end of the stream.
  std::vector<DumpedIr> finish() &&;
  /// The latest dump; null before the first.
  const DumpedIr* last() const { return dumps_.empty() ? nullptr : &dumps_.back(); }

 private:
  enum class State : std::uint8_t { Outside, Before, Inside, After, Resources };
  void keep(std::string_view line) { dumps_.back().ir.append(line).push_back('\n'); }
  std::optional<std::string_view> before(std::string_view line);
  void inside(std::string_view line);
  std::optional<std::string_view> after(std::string_view line);
  void resources(std::string_view line);

  std::vector<DumpedIr> dumps_;
  State state_ = State::Outside;
  long depth_ = 0;  ///< of open brackets
  std::size_t number_ = 0;
};

struct DumpLog {
  std::vector<DumpedIr> dumps;
  std::vector<std::string>
      errors;  ///< messages of `..: error: ..` lines, in order, at most kMaxErrors
};
inline constexpr std::size_t kMaxErrors = 100;

DumpLog readDumpLog(std::string_view log);

}  // namespace fxs::mlir
