// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/notes.h"

#include "base/json_form.h"
#include "report/line.h"

namespace fxs::report {
namespace {

struct NotesReport {
  const std::string& file;
  const std::vector<notes::Placed>& notes;
};

JsonAnswer<NotesReport> notesAnswer() {
  using notes::NodeName, notes::Note, notes::Placed;
  const JsonForm<NodeName> node = {
      {"graph", &NodeName::graph,
       "\"\" for the main graph; else the get_attr nodes that lead to the graph"},
      {"node", &NodeName::node}};
  const JsonForm<Note> note = {{"target", &Note::target, "of the node, when it was noted"},
                               {"text", &Note::text, "\"\" for a bookmark"},
                               {"time", &Note::time, "of the last change, in UTC"}};
  const JsonForm<Placed> placed =
      JsonForm<Placed>{}
          .with(&Placed::name, node)
          .with(&Placed::note, note)
          .with(
              {{"place", &Placed::state, JsonNames{"same", "other_version", "other_target", "gone"},
                "whether the program is the one that was noted; if not, whether it has the node, "
                "with that target"}});
  return {"fxscope-notes-list/1",
          "fxscope-cli notes --json",
          {{"file", [](const NotesReport& report) { return report.file; },
            "that keeps the notes; it exists only if there are any"},
           {"notes", [](const NotesReport& report) { return report.notes; }, placed,
            "in the order of the program's nodes, those that are gone last"}}};
}

}  // namespace

std::string notesText(const std::string& file, const std::vector<notes::Placed>& notes) {
  std::string out = line("{}: {}\n", file, notes::summary(notes));
  for (const notes::Placed& each : notes) {
    const std::string_view title = notes::title(each.state);
    out += line("  {}  {}{}{}\n", notes::fullName(each.name), each.note.target,
                title.empty() ? "" : "  [" + std::string(title) + "]",
                each.note.text.empty() ? std::string("  bookmark") : "  " + each.note.text);
  }
  return out;
}

std::string notesJson(const std::string& file, const std::vector<notes::Placed>& notes) {
  return notesAnswer().text({file, notes});
}
std::string notesSchema() { return notesAnswer().schemaText(); }

}  // namespace fxs::report
