// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/manifest.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/json_form.h"
#include "base/safe_text.h"

namespace fxs::bundle {
namespace {

constexpr std::size_t kMaxNameBytes = 64;
constexpr std::size_t kSha256Digits = 64;
constexpr std::array<std::string_view, 3> kModes{"lowering", "frozen",
                                                 "program"};  // by import::Mode

tl::unexpected<Error> wrong(const Json& at, std::string message) {
  return tl::unexpected<Error>(at.error(std::move(message)));
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
  FXS_TRY(out.message, textAt(json, "why"));
  FXS_TRY(out.expectedBy, textAt(json, "expected_by"));
  FXS_TRY(out.executors, textsAt(json, "executors"));
  return out;
}

Result<StageProgram> stageProgramIn(const Json& json) {
  StageProgram out;
  FXS_TRY(out.name, textAt(json, "program"));
  if (!lower::runsPasses(out.name))
    return wrong(*json.find("program"), "is not a known program that runs passes");
  FXS_TRY(out.sha256, sha256At(json, "sha256"));
  return out;
}

/// Objects of a list of the options that may be missing, whose members are texts.
template <class T>
Result<std::vector<T>> objectsAt(
    const Json& options, std::string_view key,
    const std::vector<std::pair<std::string_view, std::string T::*>>& members) {
  std::vector<T> out;
  if (!options.find(key)) return out;
  FXS_TRY(const Json list, options.arrayAt(key));
  for (const Json entry : list)
    for (T& made = out.emplace_back(); const auto& [name, member] : members) {
      FXS_TRY(made.*member, textAt(entry, name));
    }
  return out;
}

/// Reads what a user changed of single nodes and stages.
Result<> readChanges(const Json& options, Manifest& m) {
  if (options.find("decompose_nodes")) {
    FXS_TRY(m.decomposeNodes, textsAt(options, "decompose_nodes"));
  }
  if (options.find("keep_nodes")) {
    FXS_TRY(m.keepNodes, textsAt(options, "keep_nodes"));
  }
  if (options.find("edited")) {
    FXS_TRY(m.edited, textAt(options, "edited"));
  }
  using A = SetArgument;
  FXS_TRY(m.arguments,
          objectsAt<A>(options, "arguments",
                       {{"node", &A::node}, {"name", &A::name}, {"value", &A::value}}));
  using P = StagePasses;
  FXS_TRY(m.passes,
          objectsAt<P>(options, "passes", {{"stage", &P::stage}, {"pipeline", &P::pipeline}}));
  return {};
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
  return readChanges(options, m);
}

JsonAnswer<Manifest> manifestAnswer() {
  using M = Manifest;
  using S = FailureSignature;
  using W = WrongResult;
  using P = StageProgram;
  const JsonRule isSha256 = matches("^[0-9a-f]{64}$");
  const JsonForm<S> signature = {
      {"stage", &S::stage},
      {"pass", &S::pass, "the pass that failed; empty when unknown"},
      {"kind", &S::kind},
      {"op", &S::op, "the MLIR operation; empty when unknown"},
      {"target", &S::fxTarget, "of the node; empty when the failure has none"}};
  const JsonForm<W> wrongResult = {
      {"kind", &W::kind,
       JsonNames{"values", "nan", "infinity", "shape", "type", "crash", "contract"}},
      {"why", &W::message},
      {"expected_by", &W::expectedBy, "who computed the expected values"},
      {"executors", &W::executors, "that computed the wrong result"}};
  const JsonForm<P> stageProgram = {{"program", &P::name}, {"sha256", &P::sha256, isSha256}};
  const JsonForm<M> engine = {
      {"version", &M::engineVersion},
      {"sha256", &M::engineSha256, isSha256},
      {"repeats", &M::engineRepeats, "its output was the same when run again"}};
  using A = SetArgument;
  using Passes = StagePasses;
  const JsonForm<A> argument = {{"node", &A::node}, {"name", &A::name}, {"value", &A::value}};
  const JsonForm<Passes> passes = {{"stage", &Passes::stage}, {"pipeline", &Passes::pipeline}};
  const JsonForm<M> options = {
      {"decompose", &M::decompose},
      {"decompose_nodes", &M::decomposeNodes, absentIfEmpty, "single nodes to decompose"},
      {"keep_nodes", &M::keepNodes, absentIfEmpty, "nodes to which no decomposition is applied"},
      {"arguments", &M::arguments, absentIfEmpty, argument, "of nodes, set to other values"},
      {"passes", &M::passes, absentIfEmpty, passes,
       "that stages run, of which some of their own are left out"},
      {"edited", &M::edited, absentIfEmpty, "the stage whose result is edited.mlir"},
      {"mode", [](const M& m) { return kModes[static_cast<std::size_t>(m.mode)]; },
       JsonNames{kModes[0], kModes[1], kModes[2]}},
      {"function", &M::function},
      {"symbolic_shapes", &M::symbolicShapes},
      {"unregistered", &M::unregistered, "operations imported as torch.operator"},
      {"backend_legal_ops", &M::backendLegalOps},
      {"extra_library", &M::extraLibrary, "extra_library.mlir is in the bundle"},
      {"allow_non_finites", &M::allowNonFinites},
      {"timeout_ms", &M::timeoutMs, atLeast(0)},
      {"memory_bytes", &M::memory}};
  const JsonForm<Member> member = {
      {"name", &Member::name, matches("^[A-Za-z0-9_-][A-Za-z0-9._-]*$")},
      {"bytes", &Member::bytes},
      {"sha256", &Member::sha256, isSha256}};
  return {kManifestSchema,
          "manifest.json of a bundle of fxscope-cli bundle",
          {{"tool", &M::tool,
            "version of the fxscope that wrote it: only the same one can write its files again"},
           {"program", &M::program, "what it was called, without folders"},
           {"target", [](const M& m) { return lower::name(m.target); },
            matches("^[a-z][a-z0-9-]{0,39}$"),
            "an output type: resources/output_types.json, or a file of --output-types"},
           {"signature", &M::signature, signature, "what makes two failures the same one"},
           {"wrong", &M::wrong, absentIfEmpty, wrongResult,
            "only of a bundle of a wrong result, whose signature is of the kind wrong-result"},
           {"module", &M::module, absentIfEmpty, stageProgram,
            "only of an MLIR module: what runs its failing stage"},
           {"verified", &M::verified, "replayed after unpacking, it failed in the same way"},
           {"statement", &M::statement},
           {"engine", itself, engine},
           {"torch_version", &M::torchVersion, "of the program's file; empty when it does not say"},
           {"read_as", &M::readAs, "the format of the file that the program comes from"},
           {"system", &M::system},
           {"call_nodes", &M::callNodes, "operations of the program in the bundle"},
           {"original_call_nodes", &M::originalCallNodes},
           {"weights", &M::weights, JsonNames{"none", "used", "all"}},
           {"options", itself, options},
           {"members", &M::members, member,
            "every file but this one; the folder's name ends with the first 12 digits of this "
            "one's SHA-256"}}};
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

std::string manifestJson(const Manifest& m) { return manifestAnswer().text(m); }
std::string manifestSchema() { return manifestAnswer().schemaText(); }

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
  if (const auto module = root.find("module")) {
    FXS_TRY(m.module, stageProgramIn(*module));
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
