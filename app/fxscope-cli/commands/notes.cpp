// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli notes: the bookmarks and notes beside a program.
#include "report/notes.h"

#include <ostream>

#include "command.h"

namespace fxs::cli {

namespace {

int runNotes(const Arguments& arguments, Console& console) {
  const session::Request request = requestFrom(arguments);
  if (request.file == "-")
    return reportError(
        Error{ErrorCode::Usage, "notes are kept beside a file; standard input has none", {}},
        console);
  const auto kept = notes::readBeside(request.file);
  if (!kept) return reportError(kept.error(), console);
  const auto snapshot = runTo(session::Phase::Read, request, arguments, console);
  if (!snapshot) return reportError(snapshot.error(), console);
  const fx::Program& program = *(*snapshot)->capture->program;
  const auto placed = notes::placed(*kept, program, notes::versionOf(program));
  const std::string file = notes::fileBeside(request.file);
  console.out << (arguments.has("--json") ? report::notesJson(file, placed)
                                          : report::notesText(file, placed));
  return kDone;
}

}  // namespace

void registerNotes(Commands& commands) {
  commands.add(
      {"notes",
       "list the bookmarks and notes that the window keeps beside a program",
       {{"FILE", "a .pt2, a captured graph or an MLIR module; its notes are in FILE.fxscope.json"}},
       {{"--json", "", "print JSON (resources/schemas/notes_list.schema.json)"}},
       runNotes,
       Group::Look});
}

}  // namespace fxs::cli
