// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/notes.h"

#include "base/json.h"
#include "report/line.h"

namespace fxs::report {
namespace {

/// What JSON calls it.
std::string_view keyOf(notes::Place place) {
  switch (place) {
    case notes::Place::Same: return "same";
    case notes::Place::OtherVersion: return "other_version";
    case notes::Place::OtherTarget: return "other_target";
    case notes::Place::Gone: break;
  }
  return "gone";
}

}  // namespace

std::string notesText(const std::string& file, const std::vector<notes::Placed>& notes) {
  std::string out = line("{}: {}\n", file, notes::summary(notes));
  for (const notes::Placed& each : notes) {
    const std::string_view words = notes::words(each.place);
    out += line("  {}  {}{}{}\n", notes::fullName(each.name), each.note.target,
                words.empty() ? "" : "  [" + std::string(words) + "]",
                each.note.text.empty() ? std::string("  bookmark") : "  " + each.note.text);
  }
  return out;
}

std::string notesJson(const std::string& file, const std::vector<notes::Placed>& notes) {
  JsonWriter json;
  json.beginObject()
      .member("schema", "fxscope-notes-list/1")
      .member("file", file)
      .key("notes")
      .beginArray();
  for (const notes::Placed& each : notes) {
    json.beginObject()
        .member("graph", each.name.graph)
        .member("node", each.name.node)
        .member("target", each.note.target);
    json.member("text", each.note.text).member("time", each.note.time);
    json.member("place", keyOf(each.place)).endObject();
  }
  json.endArray().endObject();
  return json.take();
}

}  // namespace fxs::report
