// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli completion: the script that makes a shell complete, and the candidates that it asks
// for.
#include "completion.h"

#include <algorithm>
#include <ostream>

namespace fxs::cli {
namespace {

int runCompletion(const Arguments& arguments, Console& console) {
  const std::string shell = *arguments.get("SHELL");
  if (std::find(shells().begin(), shells().end(), shell) == shells().end())
    return reportError(
        {ErrorCode::Usage, "unknown shell '" + shell + "'; expected bash, zsh or fish", {}},
        console);
  std::vector<std::string> words = arguments.raw("WORD");
  if (words.empty()) {
    console.out << completionScript(shell);
    return kDone;
  }
  std::size_t before = 0;  // of each candidate, what the shell has as a word of its own
  if (shell == "bash") {
    words = joinedAtEquals(words);
    if (const std::string& last = words.back();
        last.starts_with("--") && last.find('=') != std::string::npos)
      before = last.find('=') + 1;
  }
  Commands commands;
  registerAllCommands(commands);
  const Completions found = completionsOf(words, commands, console.environment.outputTypes,
                                          console.environment.enginesFolder);
  for (const Candidate& candidate : found.candidates)
    console.out << candidate.text.substr(before)
                << (candidate.help.empty() ? "" : "\t" + candidate.help) << "\n";
  if (found.files) console.out << ":files\n";
  return kDone;
}

}  // namespace

void registerCompletion(Commands& commands);
void registerCompletion(Commands& commands) {
  commands.add(
      {"completion",
       "print the script that makes a shell complete commands of fxscope-cli and fxscope",
       {{"SHELL", "bash, zsh or fish", true, false, shells()},
        {"WORD",
         "the words of a command line: print what completes the last one, as the script asks for",
         false, true}},
       {},
       runCompletion,
       Group::SetUp});
}

}  // namespace fxs::cli
