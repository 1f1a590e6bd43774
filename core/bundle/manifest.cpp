// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/manifest.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/json.h"
#include "base/safe_text.h"

namespace fxs::bundle {
namespace {

constexpr std::size_t kMaxNameBytes = 64;
constexpr std::size_t kSha256Digits = 64;
constexpr std::array<std::string_view, 3> kModes{"lowering", "frozen",
                                                 "program"};  // by import::Mode

tl::unexpected<Error> wrong(const Json& at, std::string what) {
  return tl::unexpected<Error>(at.error(std::move(what)));
}

Result<std::string> textAt(const Json& object, std::string_view key) {
  FXS_TRY(const Json member, object.at(key));
  FXS_TRY(const std::string_view text, member.asString());
  // The text is used in scripts, Markdown and terminal output.
  if (printable(text) != text) return wrong(member, "contains line breaks or invisible characters");
  return std::string(text);
}

Result<std::vector<std::string>> textsAt(const Json& object, std::string_view key) {
  FXS_TRY(const Json list, object.arrayAt(key));
  std::vector<std::string> out;
  for (const Json item : list) {
    FXS_TRY(const std::string_view text, item.asString());
    if (printable(text) != text) return wrong(item, "contains line breaks or invisible characters");
    out.emplace_back(text);
  }
  return out;
}

Result<bool> boolAt(const Json& object, std::string_view key) {
  FXS_TRY(const Json member, object.at(key));
  return member.asBool();
}

Result<std::int64_t> countAt(const Json& object, std::string_view key) {
  FXS_TRY(const Json member, object.at(key));
  FXS_TRY(const std::int64_t value, member.asInt());
  if (value < 0) return wrong(member, "a count cannot be negative");
  return value;
}

Result<std::string> sha256At(const Json& object, std::string_view key) {
  FXS_TRY(std::string text, textAt(object, key));
  const bool isHex = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
  if (text.size() != kSha256Digits || !isHex) return wrong(*object.find(key), "is not a SHA-256");
  return text;
}

Result<FailureSignature> signatureIn(const Json& json) {
  FailureSignature out;
  FXS_TRY(out.stage, textAt(json, "stage"));
  FXS_TRY(out.pass, textAt(json, "pass"));
  FXS_TRY(out.kind, textAt(json, "kind"));
  FXS_TRY(out.op, textAt(json, "op"));
  FXS_TRY(out.fxTarget, textAt(json, "target"));
  return out;
}

Result<WrongResult> wrongIn(const Json& json) {
  WrongResult out;
  FXS_TRY(out.kind, textAt(json, "kind"));
  FXS_TRY(out.why, textAt(json, "why"));
  FXS_TRY(out.expectedBy, textAt(json, "expected_by"));
  FXS_TRY(out.executors, textsAt(json, "executors"));
  return out;
}

Result<std::vector<Member>> membersIn(const Json& list) {
  FXS_CHECK(list.asArray());
  if (list.size() > kMaxMembers)
    return wrong(list, std::to_string(list.size()) + " files, more than the limit of " +
                           std::to_string(kMaxMembers));
  std::vector<Member> out;
  std::set<std::string> names;
  for (const Json entry : list) {
    Member member;
    FXS_TRY(member.name, textAt(entry, "name"));
    if (!isMemberName(member.name)) return wrong(*entry.find("name"), "is not a plain file name");
    if (!names.insert(member.name).second) return wrong(*entry.find("name"), "is listed twice");
    FXS_TRY(const std::int64_t bytes, countAt(entry, "bytes"));
    member.bytes = static_cast<std::uint64_t>(bytes);
    FXS_TRY(member.sha256, sha256At(entry, "sha256"));
    out.push_back(std::move(member));
  }
  return out;
}

/// Reads the members that the second schema added.
Result<> readSecond(const Json& root, const Json& engine, const Json& options, Manifest& m) {
  FXS_TRY(m.tool, textAt(root, "tool"));
  if (plainProgramName(m.program) != m.program)
    return wrong(*root.find("program"), "is not a plain name");
  const bool said =
      m.verified ? m.statement == kHolds
                 : m.statement.starts_with(kDoesNotHold) || m.statement.starts_with(kNotKnown);
  if (!said) return wrong(*root.find("statement"), "contradicts 'verified'");
  FXS_TRY(m.engineRepeats, boolAt(engine, "repeats"));
  FXS_TRY(m.readAs, textAt(root, "read_as"));
  FXS_TRY(m.system, textAt(root, "system"));
  FXS_TRY(const std::string mode, textAt(options, "mode"));
  const auto known = std::find(kModes.begin(), kModes.end(), mode);
  if (known == kModes.end()) return wrong(*options.find("mode"), "is not an import mode");
  m.mode = static_cast<import::Mode>(known - kModes.begin());
  FXS_TRY(m.function, textAt(options, "function"));
  FXS_TRY(m.symbolicShapes, boolAt(options, "symbolic_shapes"));
  FXS_TRY(m.unregistered, textsAt(options, "unregistered"));
  FXS_TRY(m.backendLegalOps, textsAt(options, "backend_legal_ops"));
  return {};
}

}  // namespace

std::string_view toolVersion() { return FXS_VERSION; }

std::string plainProgramName(std::string_view name) {
  std::string out(name.substr(0, kMaxNameBytes));
  for (char& c : out) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("._-+ ").find(c) != std::string_view::npos;
    if (!plain) c = '_';
  }
  return out.empty() ? "program" : out;
}

bool isMemberName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && name[0] != '.' &&
         name != "manifest.json" && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '_' || c == '-';
         });
}

std::string manifestJson(const Manifest& m) {
  JsonWriter json;
  json.beginObject()
      .member("schema", kManifestSchema)
      .member("tool", m.tool)
      .member("program", m.program)
      .member("target", lower::name(m.target));
  json.key("signature").beginObject();
  json.member("stage", m.signature.stage)
      .member("pass", m.signature.pass)
      .member("kind", m.signature.kind);
  json.member("op", m.signature.op).member("target", m.signature.fxTarget).endObject();
  const auto texts = [&json](std::string_view key, const std::vector<std::string>& all) {
    json.member(key, all);
  };
  if (m.wrong) {
    json.key("wrong")
        .beginObject()
        .member("kind", m.wrong->kind)
        .member("why", m.wrong->why)
        .member("expected_by", m.wrong->expectedBy);
    texts("executors", m.wrong->executors);
    json.endObject();
  }
  json.member("verified", m.verified).member("statement", m.statement);
  json.key("engine")
      .beginObject()
      .member("version", m.engineVersion)
      .member("sha256", m.engineSha256);
  json.member("repeats", m.engineRepeats).endObject();
  json.member("torch_version", m.torchVersion)
      .member("read_as", m.readAs)
      .member("system", m.system);
  json.member("call_nodes", m.callNodes).member("original_call_nodes", m.originalCallNodes);
  json.member("weights", m.weights).key("options").beginObject();
  texts("decompose", m.decompose);
  json.member("mode", kModes[static_cast<std::size_t>(m.mode)])
      .member("function", m.function)
      .member("symbolic_shapes", m.symbolicShapes);
  texts("unregistered", m.unregistered);
  texts("backend_legal_ops", m.backendLegalOps);
  json.member("extra_library", m.extraLibrary).member("allow_non_finites", m.allowNonFinites);
  json.member("timeout_ms", m.timeoutMs)
      .member("memory_bytes", m.memory)
      .endObject()
      .key("members")
      .beginArray();
  for (const Member& member : m.members)
    json.beginObject()
        .member("name", member.name)
        .member("bytes", member.bytes)
        .member("sha256", member.sha256)
        .endObject();
  json.endArray().endObject();
  return json.take();
}

Result<Manifest> parseManifest(std::string_view text, const std::string& label,
                               const lower::OutputTypes& types) {
  FXS_TRY(const auto document, JsonDocument::parse(text, label, {kMaxManifestBytes, 16}));
  const Json root = document->root();
  FXS_CHECK(root.asObject());
  FXS_TRY(const std::string schema, textAt(root, "schema"));
  const bool first = schema == kFirstManifestSchema;
  if (schema != kManifestSchema && !first)
    return wrong(*root.find("schema"), "is '" + schema.substr(0, 40) + "', not '" +
                                           std::string(kManifestSchema) +
                                           "': this is not a reproducer bundle of fxscope");
  Manifest m;
  FXS_TRY(m.program, textAt(root, "program"));
  FXS_TRY(const std::string target, textAt(root, "target"));
  const auto type = types.from(target);
  if (!type)
    return wrong(*root.find("target"), type.error().message + "; one that the bundle has in " +
                                           std::string(kOutputTypesFile) +
                                           " is named with --output-types, once you have read it");
  m.target = *type;
  m.targetDefinition = lower::userDefinitionsFor(m.target);
  FXS_TRY(const Json signature, root.at("signature"));
  FXS_TRY(m.signature, signatureIn(signature));
  const auto wrongResult = root.find("wrong");
  if (wrongResult.has_value() != (m.signature.kind == kWrongResult))
    return wrong(signature,
                 "'wrong' belongs to the kind '" + std::string(kWrongResult) + "', and no other");
  if (wrongResult) {
    FXS_TRY(m.wrong, wrongIn(*wrongResult));
  }
  FXS_TRY(m.verified, boolAt(root, "verified"));
  FXS_TRY(m.statement, textAt(root, "statement"));
  FXS_TRY(const Json engine, root.at("engine"));
  FXS_TRY(m.engineVersion, textAt(engine, "version"));
  FXS_TRY(m.engineSha256, sha256At(engine, "sha256"));
  FXS_TRY(m.torchVersion, textAt(root, "torch_version"));
  FXS_TRY(const std::int64_t calls, countAt(root, "call_nodes"));
  m.callNodes = static_cast<std::size_t>(calls);
  FXS_TRY(const std::int64_t originalCalls, countAt(root, "original_call_nodes"));
  m.originalCallNodes = static_cast<std::size_t>(originalCalls);
  FXS_TRY(m.weights, textAt(root, "weights"));
  FXS_TRY(const Json options, root.at("options"));
  FXS_TRY(m.decompose, textsAt(options, "decompose"));
  if (first) {  // that schema did not restrict these texts
    m.program = plainProgramName(m.program);
    m.statement =
        m.verified ? std::string(kHolds) : std::string(kDoesNotHold) + "the manifest says so";
  } else {
    FXS_CHECK(readSecond(root, engine, options, m));
  }
  FXS_TRY(m.extraLibrary, boolAt(options, "extra_library"));
  FXS_TRY(m.allowNonFinites, boolAt(options, "allow_non_finites"));
  FXS_TRY(m.timeoutMs, countAt(options, "timeout_ms"));
  FXS_TRY(const std::int64_t memory, countAt(options, "memory_bytes"));
  m.memory = static_cast<std::uint64_t>(memory);
  FXS_TRY(const Json members, root.at("members"));
  FXS_TRY(m.members, membersIn(members));
  return m;
}

}  // namespace fxs::bundle
