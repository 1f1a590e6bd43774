// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parts of a text, and changes of it by offsets of the old one.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::mlir {

class TextEdits {
 public:
  void replace(std::size_t begin, std::size_t end, std::string text) {
    edits_.push_back({begin, end, std::move(text)});
  }
  void insert(std::size_t at, std::string text) { replace(at, at, std::move(text)); }
  /// Of those at one offset, the earlier call's comes first. One that begins within what another
  /// replaces is left out.
  std::string applied(std::string_view text) const;

 private:
  struct TextEdit {
    std::size_t begin, end;
    std::string text;
  };
  std::vector<TextEdit> edits_;
};

/// The parts of `a, b{c, d}` at commas outside of strings and brackets, trimmed; none for "".
std::vector<std::string_view> topLevelParts(std::string_view text);

}  // namespace fxs::mlir
