// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The directives of FileCheck in a text, to show them. What they match is up to FileCheck, see
// matches.h.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace fxs::lit {

enum class CheckKind : std::uint8_t { Plain, Next, Same, Dag, Label, Not, Empty, Count };

struct Check {
  CheckKind kind = CheckKind::Plain;
  TextRange prefix;         ///< "CHECK"
  TextRange directive;      ///< "CHECK-NEXT", as FileCheck names it
  TextRange pattern;        ///< what follows the `:`, trimmed
  std::uint32_t line = 0;   ///< 1-based
  std::uint32_t count = 1;  ///< of CHECK-COUNT-2
  bool isLiteral = false;   ///< `CHECK{LITERAL}:`
};
/// "CHECK-NEXT" as "-NEXT"; "" for a plain one.
std::string_view suffix(CheckKind);

/// In the order of the text. As in FileCheck, a prefix counts where no letter, digit, `-` or `_`
/// stands before it, and what follows `COM:` or `RUN:` in a line does not. Never fails; linear in
/// the text for a bounded number of prefixes.
std::vector<Check> checksOf(std::string_view text,
                            const std::vector<std::string>& prefixes = {"CHECK"});

}  // namespace fxs::lit
