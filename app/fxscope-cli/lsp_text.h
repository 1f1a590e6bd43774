// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Texts of the Language Server Protocol: the documents that an editor has open, positions in them,
// and the URIs of files.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.h"
#include "base/text_range.h"

namespace fxs::cli {

/// What the characters of a position count.
enum class PositionUnit : std::uint8_t { Utf8, Utf16 };
/// The units of the first `bytes` bytes of a line.
std::uint32_t unitsOf(std::string_view line, std::size_t bytes, PositionUnit);

/// The path of a "file:" URI of this machine.
std::optional<std::string> pathOfUri(std::string_view uri);
std::string uriOfPath(std::string_view path);

/// 0-based.
struct LspRange {
  std::uint32_t line = 0, begin = 0, endLine = 0, end = 0;
};
void writeRange(JsonWriter&, const LspRange&);
struct LspPosition {
  std::uint32_t line = 0, character = 0;
};
/// The member "range" or "position"; nullopt if it is not one.
std::optional<LspRange> rangeIn(const Json& params);
std::optional<LspPosition> positionIn(const Json& params);

class LspDocument {
 public:
  LspDocument(std::string uri, std::string text);
  LspDocument(const LspDocument&) = delete;
  LspDocument& operator=(const LspDocument&) = delete;

  std::string uri;
  bool isMlir = false;
  const std::string& text() const { return text_; }
  std::size_t lineCount() const { return begins_.size(); }
  std::string_view line(std::size_t index) const;  ///< 0-based, without its end

  /// Where a line that a program recorded is now: there, or at the nearest line with the same code;
  /// nullopt if the text has it no longer. 0-based; `code`: without blanks around it, "" if it is
  /// not known.
  std::optional<std::uint32_t> placeOf(std::uint32_t line, std::string_view code) const;
  /// The code of a line.
  LspRange rangeOf(std::uint32_t line, PositionUnit) const;
  /// The offset of a position in the text; that of the line's end if the line is shorter.
  std::size_t offsetOf(const LspPosition&, PositionUnit) const;
  LspRange rangeOf(TextRange, PositionUnit) const;

 private:
  std::string text_;
  std::vector<std::size_t> begins_;
  mutable std::unordered_map<std::string_view, std::vector<std::uint32_t>> byCode_;  // when asked
};

}  // namespace fxs::cli
