// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Words that answers use: docs/glossary.md, the reasons for which an operation does not lower, and
// the exit codes.
#include <string>
#include <string_view>
#include <vector>

namespace fxs::cli {

struct GlossaryEntry {
  std::vector<std::string> names;
  std::string meaning;  ///< without markup
};
/// In the order of the document.
std::vector<GlossaryEntry> glossary();
/// Those with this name, in any case, else those whose names have it as a word.
std::vector<GlossaryEntry> explanationsOf(std::string_view word);

}  // namespace fxs::cli
