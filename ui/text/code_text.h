// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An immutable text of any size with an index of its lines, shared and never copied. Positions are
// a 0-based line and a byte offset in it.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "fx/program.h"
#include "mlir/text/module.h"
#include "text/folded_lines.h"
#include "trace/provenance.h"

namespace fxs::ui {

class CodeText {
 public:
  /// Owns the string.
  static std::shared_ptr<const CodeText> of(std::string text);
  /// Refers to text that `owner` keeps alive.
  static std::shared_ptr<const CodeText> view(std::string_view text,
                                              std::shared_ptr<const void> owner);

  std::string_view all() const { return text_; }
  /// At least 1; a text that ends in a newline has no empty line after it.
  std::size_t lineCount() const { return starts_.size(); }
  std::string_view line(std::size_t index) const;  ///< without the newline
  std::size_t startOf(std::size_t index) const { return starts_[index]; }
  /// The line that contains a byte offset; the last line for offsets past the end.
  std::uint32_t lineAt(std::size_t offset) const;
  std::size_t longestLine() const { return longest_; }  ///< bytes

 private:
  CodeText(std::string_view text, std::shared_ptr<const void> owner);
  std::shared_ptr<const void> owner_;
  std::string_view text_;
  std::vector<std::size_t> starts_;
  std::size_t longest_ = 0;
};
using CodeTextPtr = std::shared_ptr<const CodeText>;

/// A text with the origins of its lines, and its structure.
struct StageText {
  CodeTextPtr code;
  trace::LineOrigins origins;  ///< may cover fewer lines than the text; the rest has none
  std::shared_ptr<const mlir::Module> module;   ///< of `code`; null if the text is not MLIR
  std::vector<Fold> folds;                      ///< by structure
  std::shared_ptr<const trace::OpenText> open;  ///< what it was made from; null for an FX dump
};
/// The text of a stage, or of a snapshot of a trace.
std::shared_ptr<const StageText> stageText(std::shared_ptr<const trace::OpenText>);
/// The FX dump; origins are nodes of the user's program, also for a rewritten program.
std::shared_ptr<const StageText> fxStageText(const fx::Program&);

/// A range of one line: `line` is 0-based, `begin` and `end` are bytes.
struct FindMatch {
  std::uint32_t line = 0, begin = 0, end = 0;
  friend bool operator==(const FindMatch&, const FindMatch&) = default;
};
struct FindQuery {
  std::string text;
  bool regex = false;
  bool matchCase = false;
};
struct Found {
  std::vector<FindMatch> matches;
  bool more = false;  ///< stopped at kMaxMatches
  std::string error;  ///< of an invalid regular expression
};
inline constexpr std::size_t kMaxMatches = 100'000;
Found find(const CodeText&, const FindQuery&, const RunContext&);

}  // namespace fxs::ui
