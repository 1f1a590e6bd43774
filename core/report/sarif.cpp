// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sarif.h"

#include <fmt/format.h>

#include <array>

namespace fxs::report {
namespace {

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

std::string percentEncoded(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string out;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) out += c;
    else out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

/// Escapes brackets, because viewers turn `[text](target)` in a message into a link (3.11.6).
std::string withoutLinks(std::string_view message) {
  if (message.find("](") == std::string_view::npos) return std::string(message);
  std::string out;
  for (const char c : message) {
    if (c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string_view name(SarifLevel level) {
  constexpr std::array<std::string_view, 3> names{"error", "warning", "note"};
  return names[static_cast<std::size_t>(level)];
}

class SarifWriter {
 public:
  explicit SarifWriter(const SarifLog& log) : log_(log) {}

  std::string write() {
    json_.beginObject()
        .member("version", "2.1.0")
        .member("$schema", kSchema)
        .key("runs")
        .beginArray()
        .beginObject();
    tool();
    invocation();
    json_.key("originalUriBaseIds").beginObject().key(kSourceRoot).beginObject();
    // Without a URI, the reader resolves it (3.14.14).
    if (log_.root.empty()) text("description", "the folder in which fxscope was run");
    else json_.member("uri", sarifUri(log_.root));
    json_.endObject().endObject().key("artifacts").beginArray();
    for (const std::string& uri : log_.artifacts) {
      json_.beginObject().key("location").beginObject().member("uri", uri).endObject();
      json_.key("roles").beginArray().value("analysisTarget").endArray().endObject();
    }
    json_.endArray().key("results").beginArray();
    for (const SarifResult& each : log_.results) result(each);
    json_.endArray();
    properties(log_.properties);
    json_.endObject().endArray().endObject();
    return json_.take();
  }

 private:
  void text(std::string_view key, std::string_view message) {
    json_.key(key).beginObject().member("text", message).endObject();
  }
  void properties(const std::function<void(JsonWriter&)>& write) {
    if (!write) return;
    json_.key("properties").beginObject();
    write(json_);
    json_.endObject();
  }

  void rule(const SarifRule& each) {
    json_.beginObject().member("id", each.id);
    text("shortDescription", each.title);
    json_.key("help")
        .beginObject()
        .member("text", each.help)
        .member("markdown", each.markdown)
        .endObject();
    json_.key("defaultConfiguration").beginObject().member("level", "error").endObject();
    json_.endObject();
  }

  void tool() {
    json_.key("tool").beginObject().key("driver").beginObject().member("name", "fxscope");
    if (!log_.version.empty()) json_.member("version", log_.version);
    json_.key("rules").beginArray();
    for (const SarifRule& each : log_.rules) rule(each);
    json_.endArray().endObject().key("extensions").beginArray();
    for (const SarifEngine& engine : log_.engines) {
      json_.beginObject().member("name", "engine").member("fullName", "torch-mlir-opt");
      if (!engine.version.empty()) json_.member("version", engine.version);
      json_.key("properties").beginObject();
      if (!engine.path.empty()) json_.member("path", engine.path);
      json_.member("sha256", engine.sha256).endObject().endObject();
    }
    json_.endArray().endObject();
  }

  void invocation() {
    json_.key("invocations")
        .beginArray()
        .beginObject()
        .member("executionSuccessful", true)
        .key("toolExecutionNotifications")
        .beginArray();
    for (const auto& [level, message] : log_.notifications) {
      json_.beginObject().member("level", name(level));
      text("message", withoutLinks(message));
      json_.endObject();
    }
    json_.endArray().endObject().endArray();
  }

  void place(const SarifPlace& each) {
    json_.beginObject().key("physicalLocation").beginObject().key("artifactLocation");
    json_.beginObject().member("uri", each.uri);
    if (!each.base.empty()) json_.member("uriBaseId", each.base);
    if (each.artifact) json_.member("index", *each.artifact);
    json_.endObject();
    if (each.line > 0) {
      json_.key("region").beginObject().member("startLine", each.line);
      if (!each.code.empty()) text("snippet", each.code);
      json_.endObject();
    }
    json_.endObject();
    if (!each.logical.empty()) json_.key("logicalLocations").beginArray();
    for (const SarifLogical& logical : each.logical) {
      json_.beginObject();
      if (!logical.name.empty()) json_.member("name", logical.name);
      json_.member("fullyQualifiedName", logical.fullName).member("kind", logical.kind).endObject();
    }
    if (!each.logical.empty()) json_.endArray();
    if (!each.message.empty()) text("message", withoutLinks(each.message));
    json_.endObject();
  }
  void places(std::string_view key, const std::vector<SarifPlace>& all) {
    json_.key(key).beginArray();
    for (const SarifPlace& each : all) place(each);
    json_.endArray();
  }

  void result(const SarifResult& each) {
    json_.beginObject()
        .member("ruleId", log_.rules[each.rule].id)
        .member("ruleIndex", each.rule)
        .member("level", name(each.level));
    text("message", withoutLinks(each.message));
    places("locations", each.places);
    if (!each.related.empty()) places("relatedLocations", each.related);
    if (each.occurrences > 0) json_.member("occurrenceCount", each.occurrences);
    const auto& [kind, value] = each.fingerprint;
    json_.key("partialFingerprints").beginObject().member(kind, value).endObject();
    properties(each.properties);
    json_.endObject();
  }

  const SarifLog& log_;
  JsonWriter json_;
};

}  // namespace

std::string sarifText(const SarifLog& log) { return SarifWriter(log).write(); }

std::string sarifUri(std::string_view path) {
  return (path.starts_with('/') ? "file://" : "") + percentEncoded(path);
}

}  // namespace fxs::report
