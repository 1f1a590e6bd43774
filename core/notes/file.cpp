// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of notes: its form, and reading, merging and replacing it.
#include "base/ascii.h"
#include "base/file_beside.h"
#include "base/json.h"
#include "base/known_members.h"
#include "base/safe_text.h"
#include "notes/notes.h"

namespace fxs::notes {
namespace {

constexpr std::string_view kTimeForm = "0000-00-00T00:00:00Z";
constexpr std::size_t kVersionDigits = 64;

bool isTime(std::string_view text) {
  if (text.size() != kTimeForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (kTimeForm[i] == '0' ? !isDigit(text[i]) : text[i] != kTimeForm[i]) return false;
  return true;
}

std::string tooLong(const std::string& text) {
  return "has " + std::to_string(text.size()) + " bytes, more than the limit of " +
         std::to_string(kMaxTextBytes);
}

Result<std::pair<NodeName, Note>> noteFrom(const Json& entry) {
  FXS_CHECK(checkKeptMembers(entry, {"graph", "node", "target", "text", "time", "program"}));
  NodeName name;
  Note note;
  if (entry.find("graph")) {
    FXS_TRY(name.graph, entry.stringAt("graph"));
  }
  FXS_TRY(name.node, entry.stringAt("node"));
  if (name.node.empty())
    return tl::unexpected<Error>(entry.at("node")->error("expected the name of a node, got ''"));
  FXS_TRY(note.target, entry.stringAt("target"));
  FXS_TRY(note.text, entry.stringAt("text"));
  if (note.text.size() > kMaxTextBytes)
    return tl::unexpected<Error>(entry.at("text")->error(tooLong(note.text)));
  FXS_TRY(note.time, entry.stringAt("time"));
  if (!isTime(note.time))
    return tl::unexpected<Error>(entry.at("time")->error(
        "expected a time in UTC such as 2026-11-25T15:00:12Z, got " + printableName(note.time)));
  FXS_TRY(note.program, entry.stringAt("program"));
  if (note.program.size() != kVersionDigits ||
      note.program.find_first_not_of("0123456789abcdef") != std::string::npos)
    return tl::unexpected<Error>(entry.at("program")->error("expected 64 hexadecimal digits"));
  return std::pair(std::move(name), std::move(note));
}

constexpr FileBeside<Notes> kFile{".fxscope.json", "notes", kMaxNotesBytes, parse, print};

}  // namespace

std::string fileBeside(const std::string& program) { return kFile.pathOf(program); }

std::string print(const Notes& notes) {
  JsonWriter json;
  json.beginObject().member("schema", kNotesSchema).key("notes").beginArray();
  for (const auto& [name, note] : notes) {
    json.beginObject();
    if (!name.graph.empty()) json.member("graph", name.graph);
    json.member("node", name.node)
        .member("target", note.target)
        .member("text", note.text)
        .member("time", note.time);
    json.member("program", note.program).endObject();
  }
  json.endArray().endObject();
  return json.take();
}

Result<Notes> parse(std::string_view text, const std::string& label) {
  FXS_TRY(const auto document, JsonDocument::parse(text, label, {kMaxNotesBytes, 8}));
  const Json root = document->root();
  FXS_TRY(const std::string_view schema, root.stringAt("schema"));
  if (schema != kNotesSchema)
    return tl::unexpected<Error>(root.at("schema")->error("expected " + std::string(kNotesSchema) +
                                                          ", got " + printableName(schema)));
  FXS_CHECK(checkKeptMembers(root, {"schema", "notes"}));
  FXS_TRY(const Json entries, root.arrayAt("notes"));
  Notes out;
  for (const Json entry : entries) {
    FXS_TRY(auto note, noteFrom(entry));
    apply({std::move(note.first), std::nullopt, std::move(note.second)}, out);
  }
  return out;
}

Result<Notes> readBeside(const std::string& program) { return kFile.read(program); }

Result<Notes> changeBeside(const std::string& program, const std::vector<Change>& changes) {
  return kFile.change(program, [&](Notes& notes) -> Result<> {
    for (const Change& change : changes) apply(change, notes);
    for (const auto& [name, note] : notes)
      if (note.text.size() > kMaxTextBytes)
        return fail(ErrorCode::InvalidInput, fileBeside(program) + ": the note on " +
                                                 printableName(fullName(name)) + " " +
                                                 tooLong(note.text));
    return {};
  });
}

}  // namespace fxs::notes
