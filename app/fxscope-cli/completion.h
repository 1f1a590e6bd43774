// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Completes command lines of fxscope-cli and fxscope by what the commands declare. The shells'
// scripts only ask for the candidates, so they never change when a command does.
#include <string>
#include <string_view>
#include <vector>

#include "command.h"

namespace fxs::cli {

struct Candidate {
  std::string text;  ///< the whole word
  std::string help;
};
struct Completions {
  std::vector<Candidate> candidates;
  bool files = false;  ///< paths fit, too
};

/// Those of the last of `words`, of which the first is the program's name. Engines are those of
/// `folder` (lower/known_engines.h).
Completions completionsOf(const std::vector<std::string>& words, const Commands&,
                          const lower::OutputTypes&, const std::string& folder);

/// Merges what bash splits at "=": "--to", "=", "tosa".
std::vector<std::string> joinedAtEquals(const std::vector<std::string>& words);

inline const std::vector<std::string>& shells() {
  static const std::vector<std::string> names{"bash", "zsh", "fish"};
  return names;
}
/// The script that makes a shell complete; `shell` is one of shells().
std::string_view completionScript(std::string_view shell);

}  // namespace fxs::cli
