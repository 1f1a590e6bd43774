// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of notes: its form, and reading, merging and replacing it.
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>

#include <filesystem>

#include "base/ascii.h"
#include "base/byte_source.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/known_members.h"
#include "base/safe_text.h"
#include "notes/notes.h"

namespace fxs::notes {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTimeForm = "0000-00-00T00:00:00Z";
constexpr std::size_t kVersionDigits = 64;
constexpr int kLockTries = 100, kLockPauseMs = 10;

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

/// Until it is closed, others wait. On a file system without locks they do not.
Result<Fd> locked(const std::string& program) {
  Fd fd(::open(program.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  for (int i = 0; fd.open() && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
       ++i) {
    if (i == kLockTries)
      return fail(ErrorCode::Io,
                  program + ": another program has locked it, or is changing its notes");
    ::poll(nullptr, 0, kLockPauseMs);
  }
  return fd;
}

}  // namespace

std::string fileBeside(std::string program) {
  while (program.size() > 1 && program.back() == '/') program.pop_back();
  return program + ".fxscope.json";
}

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

Result<Notes> readBeside(const std::string& program) {
  const std::string file = fileBeside(program);
  const auto text = readWholeFile(file, kMaxNotesBytes);
  if (!text && text.error().code == ErrorCode::NotFound) return Notes();
  if (!text) return tl::unexpected<Error>(text.error());
  return parse(*text, file);
}

Result<Notes> changeBeside(const std::string& program, const std::vector<Change>& changes) {
  const std::string file = fileBeside(program);
  FXS_TRY(const Fd lock, locked(program));
  FXS_TRY(Notes notes, readBeside(program));
  const Notes before = notes;
  for (const Change& change : changes) apply(change, notes);
  if (notes == before) return notes;
  if (notes.empty()) {
    std::error_code error;
    if (!fs::remove(file, error))
      return fail(ErrorCode::Io, file + ": cannot be removed: " + error.message());
    return notes;
  }
  for (const auto& [name, note] : notes)
    if (note.text.size() > kMaxTextBytes)
      return fail(ErrorCode::InvalidInput, file + ": the note on " + printableName(fullName(name)) +
                                               " " + tooLong(note.text));
  const std::string text = print(notes);
  if (text.size() > kMaxNotesBytes)
    return fail(ErrorCode::InvalidInput, file + ": would have " + std::to_string(text.size()) +
                                             " bytes, more than the limit of " +
                                             std::to_string(kMaxNotesBytes));
  FXS_CHECK(writeWholeFile(file, text));
  return notes;
}

}  // namespace fxs::notes
