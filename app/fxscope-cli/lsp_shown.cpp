// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lsp_shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/joined.h"
#include "base/safe_text.h"
#include "mlir/text/module.h"
#include "mlir/text/name_uses.h"
#include "module/own_location.h"
#include "trace/node_changes.h"

namespace fxs::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDiagnostics = 500;  ///< of a file
constexpr std::size_t kMostRelated = 8;
constexpr std::size_t kMostGroups = 12;  ///< of nodes in a hover
constexpr std::size_t kMaxModuleBytes = std::size_t{16} << 20;
constexpr const char* kSource = "fxscope";

std::string fileName(const std::string& path) {
  return printable(fs::path(path).filename().string());
}

const LspDocument* documentAt(const LspView& view, const std::string& path) {
  const auto found = view.documents.find(path);
  return found == view.documents.end() ? nullptr : found->second.get();
}

std::string uriAt(const LspView& view, const std::string& path) {
  const LspDocument* document = documentAt(view, path);
  return document != nullptr ? document->uri : uriOfPath(path);
}

/// Where a recorded line is in the text that is open, else as it was recorded.
std::uint32_t placeNow(const LspView& view, const LspLine& line) {
  const LspDocument* document = documentAt(view, line.file);
  if (document == nullptr) return line.line;
  const auto now = document->placeOf(line.line, line.code);
  return now.value_or(std::min(line.line, static_cast<std::uint32_t>(document->lineCount() - 1)));
}

LspRange rangeNow(const LspView& view, const LspLine& line) {
  const std::uint32_t at = placeNow(view, line);
  const LspDocument* document = documentAt(view, line.file);
  if (document == nullptr) return {at, 0, at + 1, 0};
  LspRange out = document->rangeOf(at, view.unit);
  if (line.column) {
    const std::string_view text = document->line(at);
    out.begin = std::min(unitsOf(text, *line.column, view.unit), out.end);
  }
  return out;
}

/// What is to be said of a line that is no longer in the text.
std::string staleNote(const LspView& view, const LspLine& line) {
  const LspDocument* document = documentAt(view, line.file);
  if (document == nullptr || line.code.empty() || document->placeOf(line.line, line.code))
    return {};
  return "\nThe program was exported when this line was: " + printable(line.code);
}

std::string listOf(const std::vector<std::string>& nodes) {
  constexpr std::size_t kFew = 3;
  if (nodes.size() <= kFew) return joined(nodes);
  return fmt::format("{} and {} more", nodes.front(), nodes.size() - 1);
}

struct Related {
  LspLine line;
  std::string message;
};

std::vector<Related> relatedOf(const LspFinding& finding, const LspFinding::Place& place) {
  std::vector<Related> out;
  for (const LspLine& line : finding.library)
    if (line.file.starts_with('/') && out.size() < kMostRelated)
      out.push_back({line, "in a library"});
  for (const LspFinding::Place& other : finding.places) {
    if (out.size() == kMostRelated) break;
    if (!(other.line == place.line)) out.push_back({other.line, "also " + listOf(other.nodes)});
  }
  return out;
}

void writeDiagnostic(JsonWriter& json, const LspView& view, const LspSubject& subject,
                     const LspFinding& finding, const LspFinding::Place& place) {
  json.beginObject().key("range");
  writeRange(json, rangeNow(view, place.line));
  json.member("severity", static_cast<int>(finding.severity))
      .member("code", finding.kind)
      .member("source", kSource);
  std::string message = finding.message + staleNote(view, place.line);
  if (!subject.isText) message = fileName(subject.path) + ": " + message;
  json.member("message", message).key("relatedInformation").beginArray();
  for (const Related& related : relatedOf(finding, place)) {
    json.beginObject().key("location").beginObject();
    json.member("uri", uriAt(view, related.line.file)).key("range");
    writeRange(json, rangeNow(view, related.line));
    json.endObject().member("message", related.message).endObject();
  }
  json.endArray().endObject();
}

/// Calls `use` with each finding and each of its places.
template <class Use>
void eachPlace(const LspView& view, const Use& use) {
  for (const auto& [path, subject] : view.subjects)
    for (const LspFinding& finding : subject.shown.findings)
      for (const LspFinding::Place& place : finding.places) use(subject, finding, place);
}

/// Nodes of which the same became of the same operator.
struct Group {
  const LspNode* first = nullptr;
  std::size_t count = 0;
};

std::vector<Group> groupsAt(const LspView& view, const LspLowered& lowered, const std::string& path,
                            std::uint32_t line) {
  std::vector<Group> out;
  for (const auto& [index, node] : lowered.nodes) {
    if (!node.line || node.line->file != path || placeNow(view, *node.line) != line) continue;
    const auto same = std::find_if(out.begin(), out.end(), [&](const Group& group) {
      return group.first->target == node.target && group.first->became == node.became;
    });
    if (same == out.end()) out.push_back({&node, 1});
    else ++same->count;
  }
  return out;
}

std::string lineOf(const Group& group) {
  const LspNode& node = *group.first;
  std::string out = node.name;
  if (group.count > 1) out += fmt::format(" and {} more", group.count - 1);
  if (node.target != node.name) out += " (" + node.target + ")";
  if (!node.module.empty()) out += " in " + node.module;
  return out + (node.became.empty() ? ": no operation of its own"
                                    : " became " + trace::shownNames(node.became));
}

std::string hoverOf(const LspView& view, const LspSubject& subject, const LspLowered& lowered,
                    const std::string& path, std::uint32_t line) {
  const std::vector<Group> groups = groupsAt(view, lowered, path, line);
  if (groups.empty() || lowered.stage.empty()) return {};
  std::string out = subject.isText ? lowered.to : fileName(subject.path) + " to " + lowered.to;
  // Whether it can get there is what the diagnostics say.
  if (lowered.failed) out += ", at the failure of " + lowered.stage;
  else if (lowered.stage != lowered.to) out += ", at the last text, of " + lowered.stage;
  out += ":\n";
  for (std::size_t i = 0; i < std::min(groups.size(), kMostGroups); ++i)
    out += lineOf(groups[i]) + "\n";
  if (groups.size() > kMostGroups)
    out += fmt::format(".. and {} more\n", groups.size() - kMostGroups);
  return out;
}

bool isReadable(const LspDocument& document) {
  return document.isMlir && document.text().size() <= kMaxModuleBytes;
}

/// Of the name at the offset, or that ends there.
mlir::NameUses nameUsesAt(const LspDocument& document, std::size_t offset) {
  const mlir::Module module(document.text());
  auto out = mlir::nameUsesAt(module, offset);
  if (!out && offset > 0) out = mlir::nameUsesAt(module, offset - 1);
  return out.value_or(mlir::NameUses());
}

/// What the location of an operation in a module's own text says: its node, and its line of Python.
std::string ownNodeAt(const LspDocument& document, std::uint32_t line) {
  if (!isReadable(document)) return {};
  const mlir::Module module(document.text());
  if (line >= module.lineStarts.size()) return {};
  const mlir::OpId id = module.opOfLine(line);
  if (!id.valid() || module.op(id).firstLine != line) return {};
  const std::string_view body = module.op(id).location.of(module.text);
  if (body.empty()) return {};
  const read::OwnLocation own = module::ownLocation(module, body);
  std::string out;
  if (!own.name.empty())
    out = fmt::format("{}: node {}\n", printable(module.nameOf(id)), printable(own.name));
  return out + printableLines(own.stack);
}

struct Offer {
  const LspSubject& subject;
  const LspFinding& finding;
  const LspFinding::Place& place;
  const LspFix& fix;
};

/// A name for the Python of a fix, beside the program, that no file has.
std::string freeFile(const LspSubject& subject, const LspFix& fix) {
  std::string name = fs::path(subject.path).stem().string() + "_";
  for (const char c : fix.id) {
    const bool isPlain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    name += isPlain ? c : '_';
  }
  constexpr std::size_t kMaxName = 100;
  name = std::string(utf8Prefix(name, kMaxName));
  const fs::path folder = fs::path(subject.path).parent_path();
  constexpr int kMostTries = 100;
  for (int i = 1; i < kMostTries; ++i) {
    fs::path path = folder / (name + (i == 1 ? "" : fmt::format("_{}", i)) + ".py");
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return path.string();
  }
  return {};
}

void writeFixData(JsonWriter& json, const Offer& offer) {
  json.beginObject()
      .member("program", offer.subject.path)
      .member("to", offer.fix.to)
      .member("id", offer.fix.id)
      .member("change", offer.fix.change)
      .member("verified", offer.fix.verified);
  json.textOrNull("cost", offer.fix.cost).textOrNull("python", offer.fix.python);
  json.textOrNull("snippet", offer.fix.snippet).textOrNull("language", offer.fix.language);
  json.endObject();
}

/// An edit that creates the file of the Python.
void writeCreation(JsonWriter& json, const std::string& uri, const std::string& text) {
  json.key("edit").beginObject().key("documentChanges").beginArray();
  json.beginObject().member("kind", "create").member("uri", uri).key("options").beginObject();
  json.member("overwrite", false).member("ignoreIfExists", false).endObject().endObject();
  json.beginObject().key("textDocument").beginObject().member("uri", uri).key("version").null();
  json.endObject().key("edits").beginArray().beginObject().key("range");
  writeRange(json, {});
  json.member("newText", text).endObject().endArray().endObject().endArray().endObject();
}

void writeAction(JsonWriter& json, const LspView& view, const Offer& offer) {
  const LspFix& fix = offer.fix;
  const std::string file =
      view.createsFiles && !fix.python.empty() ? freeFile(offer.subject, fix) : std::string();
  std::string title =
      fmt::format("{} to {}: {} ({}{})", fileName(offer.subject.path), fix.to, fix.change,
                  fix.verified, fix.cost.empty() ? "" : "; " + fix.cost);
  if (!file.empty()) title = fmt::format("Write {}: {}", fileName(file), title);
  json.beginObject().member("title", title).member("kind", "quickfix").key("diagnostics");
  json.beginArray();
  writeDiagnostic(json, view, offer.subject, offer.finding, offer.place);
  json.endArray().member("isPreferred", fix.isBest);
  if (!file.empty()) {
    writeCreation(json, uriOfPath(file), fix.python);
  } else {
    json.key("command").beginObject().member("title", "Show the fix");
    json.member("command", kShowFixCommand).key("arguments").beginArray();
    writeFixData(json, offer);
    json.endArray().endObject();
  }
  json.key("data");
  writeFixData(json, offer);
  json.endObject();
}

}  // namespace

std::map<std::string, std::string> lspDiagnostics(const LspView& view) {
  struct Writing {
    JsonWriter json;
    std::size_t count = 0;
  };
  std::map<std::string, Writing> files;
  eachPlace(view, [&](const LspSubject& subject, const LspFinding& finding,
                      const LspFinding::Place& place) {
    const std::string uri = uriAt(view, place.line.file);
    const auto [at, isNew] = files.try_emplace(uri);
    Writing& file = at->second;
    if (isNew) file.json.beginObject().member("uri", uri).key("diagnostics").beginArray();
    if (++file.count <= kMostDiagnostics) writeDiagnostic(file.json, view, subject, finding, place);
  });
  std::map<std::string, std::string> out;
  for (auto& [uri, file] : files) {
    file.json.endArray().endObject();
    out.emplace(uri, file.json.take());
  }
  return out;
}

std::string lspNoDiagnostics(const std::string& uri) {
  JsonWriter json;
  json.beginObject().member("uri", uri).key("diagnostics").beginArray().endArray();
  json.endObject();
  return json.take();
}

std::string lspHover(const LspView& view, const std::string& path, std::uint32_t line) {
  std::string text;
  const LspDocument* document = documentAt(view, path);
  if (document != nullptr && line < document->lineCount()) text = ownNodeAt(*document, line);
  for (const auto& [file, subject] : view.subjects)
    for (const auto& [index, lowered] : subject.lowered())
      text += hoverOf(view, subject, lowered, path, line);
  if (text.empty()) return "null";
  if (text.ends_with('\n')) text.pop_back();
  JsonWriter json;
  json.beginObject().key("contents").beginObject();
  json.member("kind", "plaintext").member("value", text).endObject().endObject();
  return json.take();
}

std::string lspNamesAt(const LspView& view, const std::string& path, const LspPosition& position,
                       LspNames wanted) {
  JsonWriter json;
  json.beginArray();
  const LspDocument* document = documentAt(view, path);
  if (document != nullptr && isReadable(*document)) {
    const auto add = [&](const std::vector<TextRange>& ranges) {
      for (const TextRange range : ranges) {
        json.beginObject().member("uri", document->uri).key("range");
        writeRange(json, document->rangeOf(range, view.unit));
        json.endObject();
      }
    };
    const mlir::NameUses found = nameUsesAt(*document, document->offsetOf(position, view.unit));
    if (wanted != LspNames::Uses) add(found.definitions);
    if (wanted != LspNames::Definitions) add(found.uses);
  }
  json.endArray();
  return json.take();
}

std::string lspCodeActions(const LspView& view, const std::string& path, const LspRange& range) {
  JsonWriter json;
  json.beginArray();
  std::vector<std::tuple<std::string, std::string, std::string>> offered;
  eachPlace(view, [&](const LspSubject& subject, const LspFinding& finding,
                      const LspFinding::Place& place) {
    if (place.line.file != path) return;
    const std::uint32_t line = placeNow(view, place.line);
    if (line < range.line || line > range.endLine) return;
    for (const LspFix& fix : finding.fixes) {
      std::tuple key(subject.path, fix.to, fix.id);
      if (std::find(offered.begin(), offered.end(), key) != offered.end()) continue;
      offered.push_back(std::move(key));
      writeAction(json, view, {subject, finding, place, fix});
    }
  });
  json.endArray();
  return json.take();
}

}  // namespace fxs::cli
