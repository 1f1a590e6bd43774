// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What an editor of MLIR text knows at a position, without the tool: names that can stand there,
// and the bracket that belongs to another. Follows how MLIR prints: an operation begins a line, and
// a region opens at the end of one. Offsets are bytes.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fxs::ui {

struct Completion {
  std::size_t begin = 0;           ///< of what is completed, which ends at the cursor
  std::vector<std::string> names;  ///< that begin with it, and are longer; sorted, without repeats
};
/// After `%`, the values in scope; else the operations. `operations` is sorted.
Completion completionAt(std::string_view text, std::size_t offset,
                        const std::vector<std::string>& operations);
/// "%arg0", "%5": defined before the offset, in regions that are open there; in text order.
std::vector<std::string> valuesInScope(std::string_view text, std::size_t offset);
/// The brackets `(`, `[` or `{` and their counterparts at or before the offset; nullopt if there is
/// none, or it has no counterpart.
std::optional<std::pair<std::size_t, std::size_t>> bracketsAt(std::string_view text,
                                                              std::size_t offset);
/// The white space that the line after the one with the offset begins with.
std::string indentAfter(std::string_view text, std::size_t offset);

}  // namespace fxs::ui
