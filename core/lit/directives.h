// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The lines of a text that lit reads: RUN, DEFINE, REDEFINE, REQUIRES, UNSUPPORTED and XFAIL, with
// the lines that continue them, up to a line with `END.`.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::lit {

enum class DirectiveKind : std::uint8_t { Run, Define, Redefine, Requires, Unsupported, Xfail };
std::string_view name(DirectiveKind);  ///< "RUN", "DEFINE" ..

struct Directive {
  DirectiveKind kind = DirectiveKind::Run;
  std::uint32_t line = 0, lastLine = 0;  ///< 1-based
  std::string text;  ///< what follows the `:`, trimmed; continued lines are joined, `%(line)` and
                     ///< `%(line+1)` replaced
  std::string
      message;  ///< why it cannot be used, "" if nothing is wrong: a continuation is missing
};

/// In the order of the text. Never fails; linear in the text.
std::vector<Directive> directivesOf(std::string_view text);
/// Whether lit would read a directive in this line.
bool hasDirective(std::string_view line);

}  // namespace fxs::lit
