// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli explain: what a word, a reason or an exit code means.
#include <ostream>

#include "base/joined.h"
#include "base/nearest.h"
#include "base/safe_text.h"
#include "command.h"
#include "glossary.h"

namespace fxs::cli {
namespace {

Error notInGlossary(const std::string& word) {
  const std::vector<GlossaryEntry> all = glossary();
  std::vector<std::string_view> names;
  for (const GlossaryEntry& entry : all)
    names.insert(names.end(), entry.names.begin(), entry.names.end());
  const std::vector<std::string> near = nearest(word, names, 1);
  return {ErrorCode::Usage,
          "the glossary has no " + printableName(word) + "; " +
              (near.empty() ? "'fxscope-cli explain' lists its words"
                            : "did you mean '" + near.front() + "'?"),
          {}};
}

Result<int> runExplain(const Arguments& arguments, Console& console) {
  const auto word = arguments.get("WORD");
  if (!word) {
    for (const GlossaryEntry& entry : glossary()) console.out << joined(entry.names) << "\n";
    return kDone;
  }
  const std::vector<GlossaryEntry> found = explanationsOf(*word);
  if (found.empty()) return tl::unexpected<Error>(notInGlossary(*word));
  for (const GlossaryEntry& entry : found)
    console.write(
        laidOut({{joined(entry.names), Tone::Code}, {": " + entry.meaning}}, 2, console.layout));
  return kDone;
}

}  // namespace

void registerExplain(Commands& commands);
void registerExplain(Commands& commands) {
  commands.add(
      {"explain",
       "say what a word of an answer means, a reason or an exit code",
       {{"WORD", "such as blocked, suspicious, no-pattern or 4 (default: list the words)", false}},
       {},
       reporting<runExplain>,
       Group::Why});
}

}  // namespace fxs::cli
