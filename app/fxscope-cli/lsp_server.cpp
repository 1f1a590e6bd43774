// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lsp_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/joined.h"
#include "base/json.h"
#include "base/safe_text.h"
#include "json_rpc.h"
#include "lsp_frames.h"
#include "lsp_shown.h"

namespace fxs::cli {
namespace {

constexpr std::size_t kMaxOpenBytes = std::size_t{256} << 20;  ///< of all documents
constexpr std::string_view kOwnIds = "fxscope/";
enum MessageType : int { kErrorMessage = 1, kWarningMessage = 2, kInfoMessage = 3 };

/// A member of members; nullopt if one is missing.
std::optional<Json> memberAt(std::optional<Json> json,
                             std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    if (json) json = json->find(key);
  return json;
}
bool isTrueAt(const std::optional<Json>& json, std::initializer_list<std::string_view> keys) {
  const auto value = memberAt(json, keys);
  return value && value->asBool().value_or(false);
}
bool hasText(const std::optional<Json>& list, std::string_view text) {
  if (!list || !list->isArray()) return false;
  for (const Json each : *list)
    if (each.asString().value_or("") == text) return true;
  return false;
}
/// Texts of an array, or one text.
Result<std::vector<std::string>> textsOf(const Json& json) {
  std::vector<std::string> out;
  if (!json.isArray()) {
    FXS_TRY(const std::string_view text, json.asString());
    out.emplace_back(text);
    return out;
  }
  for (const Json each : json) {
    FXS_TRY(const std::string_view text, each.asString());
    out.emplace_back(text);
  }
  return out;
}

bool isMlirFile(const std::string& path, const std::string& language) {
  return language == "mlir" || path.ends_with(".mlir");
}

class LspSession {
 public:
  LspSession(const LspServer& server, int out)
      : server_(server),
        out_(out),
        programs_(server.programs),
        analyses_(server.program, server.folders, server.passedOn) {
    analyses_.setTypes(server.types);
  }

  int wake() const { return analyses_.descriptor(); }
  bool wasShutDown() const { return state_ == State::ShutDown; }

  /// Whether to go on.
  Result<bool> take(const LspFrames::Frame& frame) {
    if (frame.isFault) FXS_CHECK(send(rpcError({"null", kParseError, frame.text})));
    if (frame.isFault) return true;
    const auto read = rpcMessageFrom(frame.text, LspFrames::kMaxContent);
    if (const auto* fault = std::get_if<RpcFault>(&read)) {
      FXS_CHECK(send(rpcError(*fault)));
      return true;
    }
    const auto& message = std::get<RpcMessage>(read);
    if (message.method == "exit") return false;
    if (message.method.empty()) FXS_CHECK(answered(message));
    else if (message.id.empty()) FXS_CHECK(notified(message.method, message.params));
    else FXS_CHECK(requested(message));
    return true;
  }

  /// Shows what the commands that ended found out.
  Result<> advance() {
    for (const std::string& path : analyses_.advance()) {
      const auto subject = analyses_.subjects().find(path);
      if (subject == analyses_.subjects().end() || subject->second.left > 0) continue;
      for (const std::string& problem : subject->second.shown.problems)
        FXS_CHECK(log(kWarningMessage, printableName(path) + ": not known: " + problem));
      FXS_CHECK(sayUnplaced(subject->second));
    }
    FXS_CHECK(publish());
    return showProgress();
  }

 private:
  enum class State : std::uint8_t { Started, Running, ShutDown };
  /// Of an analysis, in the editor.
  struct Progress {
    std::string path;
    bool isShown = false;
  };

  // -- requests ---------------------------------------------------------------------------------

  Result<> requested(const RpcMessage& message) {
    const auto& [document, id, method, params] = message;
    if (method == "initialize") return initialize(id, params);
    if (state_ == State::Started)
      return send(rpcError({id, kNotInitialized, "the first request is initialize"}));
    if (state_ == State::ShutDown)
      return send(rpcError({id, kInvalidRequest, "the server was shut down"}));
    if (method == "shutdown") {
      state_ = State::ShutDown;
      return send(rpcResult(id, "null"));
    }
    if (method == "textDocument/hover") return hover(id, params);
    if (method == "textDocument/definition") return names(id, params, LspNames::Definitions);
    if (method == "textDocument/references") return names(id, params, LspNames::Uses);
    if (method == "textDocument/codeAction") return codeAction(id, params);
    if (method == "workspace/executeCommand") return executeCommand(id, params);
    return send(rpcError({id, kMethodNotFound, "no method " + printableName(method)}));
  }

  Result<> initialize(const std::string& id, const std::optional<Json>& params) {
    if (state_ != State::Started)
      return send(rpcError({id, kInvalidRequest, "initialize was requested before"}));
    const auto client = memberAt(params, {"capabilities"});
    if (hasText(memberAt(client, {"general", "positionEncodings"}), "utf-8"))
      unit_ = PositionUnit::Utf8;
    showsProgress_ = isTrueAt(client, {"window", "workDoneProgress"});
    const auto edits = memberAt(client, {"workspace", "workspaceEdit"});
    createsFiles_ = isTrueAt(edits, {"documentChanges"}) &&
                    hasText(memberAt(edits, {"resourceOperations"}), "create");
    watchesFiles_ = isTrueAt(client, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"});
    state_ = State::Running;
    if (const auto options = memberAt(params, {"initializationOptions"}))
      FXS_CHECK(configure(*options));
    return send(rpcResult(
        id, rpcObject([&](JsonWriter& json) {
          json.key("capabilities").beginObject();
          json.member("positionEncoding", unit_ == PositionUnit::Utf8 ? "utf-8" : "utf-16");
          json.key("textDocumentSync").beginObject();
          json.member("openClose", true).member("change", 1).member("save", true).endObject();
          json.member("hoverProvider", true);
          json.member("definitionProvider", true).member("referencesProvider", true);
          json.key("codeActionProvider").beginObject();
          json.member("codeActionKinds", std::vector<std::string>{"quickfix"}).endObject();
          json.key("executeCommandProvider").beginObject();
          json.member("commands", std::vector<std::string>{kShowFixCommand})
              .endObject()
              .endObject();
          json.key("serverInfo").beginObject();
          json.member("name", "fxscope").member("version", server_.version).endObject();
        })));
  }

  Result<> hover(const std::string& id, const std::optional<Json>& params) {
    const auto path = params ? pathIn(*params) : std::nullopt;
    const auto position = params ? positionIn(*params) : std::nullopt;
    if (!path || !position) return wrongParams(id);
    const auto shown = guarded(
        "hover", [&]() -> Result<std::string> { return lspHover(view(), *path, position->line); });
    if (!shown) return send(rpcError({id, kRequestFailed, shown.error().message}));
    return send(rpcResult(id, *shown));
  }

  /// textDocument/definition and textDocument/references.
  Result<> names(const std::string& id, const std::optional<Json>& params, LspNames wanted) {
    const auto path = params ? pathIn(*params) : std::nullopt;
    const auto position = params ? positionIn(*params) : std::nullopt;
    if (!path || !position) return wrongParams(id);
    if (wanted == LspNames::Uses && isTrueAt(params, {"context", "includeDeclaration"}))
      wanted = LspNames::DefinitionsAndUses;
    const auto found = guarded("names", [&]() -> Result<std::string> {
      return lspNamesAt(view(), *path, *position, wanted);
    });
    if (!found) return send(rpcError({id, kRequestFailed, found.error().message}));
    return send(rpcResult(id, *found));
  }

  Result<> codeAction(const std::string& id, const std::optional<Json>& params) {
    const auto path = params ? pathIn(*params) : std::nullopt;
    const auto range = params ? rangeIn(*params) : std::nullopt;
    if (!path || !range) return wrongParams(id);
    const auto only = memberAt(params, {"context", "only"});
    const bool isAsked =
        !only || !only->isArray() || hasText(only, "quickfix") || hasText(only, "");
    return send(rpcResult(id, isAsked ? lspCodeActions(view(), *path, *range) : "[]"));
  }

  Result<> executeCommand(const std::string& id, const std::optional<Json>& params) {
    const auto arguments = memberAt(params, {"arguments"});
    const bool isKnown = params && params->textOrEmpty("command") == kShowFixCommand;
    if (!isKnown || !arguments || arguments->size() != 1 || !arguments->isArray())
      return wrongParams(id);
    const Json fix = *arguments->begin();
    std::string text = fix.textOrEmpty("python");
    if (text.empty()) text = fix.textOrEmpty("snippet");
    if (text.empty()) return wrongParams(id);
    FXS_CHECK(notify("window/showMessage", [&](JsonWriter& json) {
      json.member("type", kInfoMessage);
      json.member("message", printable(fix.textOrEmpty("change")) + ":\n\n" + printableLines(text));
    }));
    return send(rpcResult(id, "null"));
  }

  Result<> wrongParams(const std::string& id) {
    return send(rpcError({id, kInvalidParams, "the parameters are not those of the method"}));
  }

  // -- notifications ----------------------------------------------------------------------------

  Result<> notified(const std::string& method, const std::optional<Json>& params) {
    if (state_ != State::Running) return {};
    if (method == "initialized") return begin();
    if (!params) return {};
    if (method == "textDocument/didOpen") return opened(*params);
    if (method == "textDocument/didChange") return changed(*params);
    if (method == "textDocument/didSave") return saved(*params);
    if (method == "textDocument/didClose") return closed(*params);
    if (method == "workspace/didChangeConfiguration") {
      if (const auto settings = params->find("settings")) {
        FXS_CHECK(configure(settings->find("fxscope").value_or(*settings)));
        return analyseAll();
      }
    }
    if (method == "workspace/didChangeWatchedFiles") return analyseAll();
    if (method == "window/workDoneProgress/cancel") return cancelled(*params);
    return {};
  }

  Result<> begin() {
    if (watchesFiles_)
      FXS_CHECK(ask("client/registerCapability", [](JsonWriter& json) {
        json.key("registrations").beginArray().beginObject();
        json.member("id", "fxscope").member("method", "workspace/didChangeWatchedFiles");
        json.key("registerOptions").beginObject().key("watchers").beginArray().beginObject();
        json.member("globPattern", "**/*.pt2").endObject().endArray().endObject();
        json.endObject().endArray();
      }));
    isBegun_ = true;
    return analyseAll();
  }

  /// From initializationOptions or settings: programs, and output types as "to".
  Result<> configure(const Json& options) {
    if (const auto to = options.find("to")) {
      const auto types = typesFrom(*to);
      if (!types) return complain("to", types.error().message);
      if (*types != analyses_.types()) {
        analyses_.setTypes(*types);
        isRetargeted_ = true;
      }
    }
    if (const auto programs = options.find("programs")) {
      const auto paths = programsFrom(*programs);
      if (!paths) return complain("programs", paths.error().message);
      for (const std::string& old : programs_)
        if (std::find(paths->begin(), paths->end(), old) == paths->end()) analyses_.forget(old);
      programs_ = *paths;
    }
    return {};
  }

  Result<std::vector<std::string>> typesFrom(const Json& to) const {
    std::vector<std::string> out;
    FXS_TRY(const std::vector<std::string> names, textsOf(to));
    for (const std::string& name : names) {
      FXS_TRY(const lower::OutputType type, server_.outputTypes->from(name));
      out.emplace_back(lower::name(type));
    }
    if (out.empty()) return fail(ErrorCode::Usage, "there is none");
    return out;
  }

  /// With those of the command line.
  Result<std::vector<std::string>> programsFrom(const Json& programs) const {
    std::vector<std::string> out = server_.programs;
    FXS_TRY(const std::vector<std::string> names, textsOf(programs));
    for (const std::string& name : names) {
      FXS_TRY(std::string path, server_.folders.resolved(pathOfUri(name).value_or(name)));
      if (std::find(out.begin(), out.end(), path) == out.end()) out.push_back(std::move(path));
    }
    return out;
  }

  Result<> complain(std::string_view option, const std::string& message) {
    return notify("window/showMessage", [&](JsonWriter& json) {
      json.member("type", kErrorMessage);
      json.member("message", fmt::format("fxscope: option '{}': {}", option, message));
    });
  }

  Result<> analyseAll() {
    if (!isBegun_) return {};
    const bool again = std::exchange(isRetargeted_, false);
    for (const std::string& path : programs_) analyses_.analyseProgram(path, again);
    for (const auto& [path, document] : documents_)
      if (document->isMlir) analyses_.analyseText(path, document->text(), again);
    FXS_CHECK(publish());
    return showProgress();
  }

  Result<> opened(const Json& params) {
    const auto document = params.find("textDocument");
    const auto text = document ? document->find("text") : std::nullopt;
    if (!text || !text->isString()) return {};
    const std::string uri = document->textOrEmpty("uri");
    const auto path = pathOfUri(uri);
    if (!path) return {};
    const auto resolved = server_.folders.resolved(*path);
    if (!resolved) return log(kInfoMessage, resolved.error().message);
    if (!hold(*resolved, uri, std::string(*text->asString())))
      return log(kWarningMessage, printableName(*resolved) + ": the open documents are too large");
    LspDocument& held = *documents_.at(*resolved);
    held.isMlir = isMlirFile(*resolved, document->textOrEmpty("languageId"));
    return look(*resolved);
  }

  Result<> changed(const Json& params) {
    const auto path = pathIn(params);
    const auto changes = params.find("contentChanges");
    if (!path || !changes || !changes->isArray() || !documents_.contains(*path)) return {};
    for (const Json change : *changes) {
      const auto text = change.find("text");
      // Only whole texts were agreed on.
      if (!text || !text->isString() || change.find("range")) continue;
      const LspDocument& old = *documents_.at(*path);
      const bool isMlir = old.isMlir;
      if (!hold(*path, old.uri, std::string(*text->asString()))) return {};
      documents_.at(*path)->isMlir = isMlir;
    }
    return {};
  }

  Result<> saved(const Json& params) {
    const auto path = pathIn(params);
    if (!path || !documents_.contains(*path)) return {};
    return look(*path);
  }

  /// At a document that was opened or saved: programs may be of another time, and so may its text.
  Result<> look(const std::string& path) {
    const std::string& uri = documents_.at(path)->uri;
    published_.erase(uri);
    owed_.insert(uri);
    return analyseAll();
  }

  Result<> closed(const Json& params) {
    const auto path = pathIn(params);
    if (!path || !documents_.contains(*path)) return {};
    if (documents_.at(*path)->isMlir) analyses_.forget(*path);
    owed_.erase(documents_.at(*path)->uri);
    openBytes_ -= documents_.at(*path)->text().size();
    documents_.erase(*path);
    FXS_CHECK(publish());
    return showProgress();
  }

  /// Keeps the text of a document, unless all of them are too large.
  bool hold(const std::string& path, std::string uri, std::string text) {
    const auto old = documents_.find(path);
    const std::size_t before = old == documents_.end() ? 0 : old->second->text().size();
    if (openBytes_ - before + text.size() > kMaxOpenBytes) return false;
    openBytes_ = openBytes_ - before + text.size();
    documents_[path] = std::make_unique<LspDocument>(std::move(uri), std::move(text));
    return true;
  }

  std::optional<std::string> pathIn(const Json& params) const {
    const auto document = params.find("textDocument");
    const auto path = document ? pathOfUri(document->textOrEmpty("uri")) : std::nullopt;
    if (!path) return std::nullopt;
    // One outside the folders is not known: nothing is at its lines.
    return server_.folders.resolved(*path).value_or("");
  }

  // -- what the client is told ------------------------------------------------------------------

  LspView view() const { return {analyses_.subjects(), documents_, unit_, createsFiles_}; }

  Result<> publish() {
    std::map<std::string, std::string> now = lspDiagnostics(view());
    for (const auto& [uri, json] : now) {
      const auto before = published_.find(uri);
      if (before == published_.end() || before->second != json) FXS_CHECK(publishOne(json));
    }
    for (const auto& [uri, json] : published_)
      if (!now.contains(uri)) FXS_CHECK(publishOne(lspNoDiagnostics(uri)));
    for (const std::string& uri : std::exchange(owed_, {})) {
      if (now.contains(uri)) continue;
      if (isAnyBusy()) owed_.insert(uri);
      else FXS_CHECK(publishOne(lspNoDiagnostics(uri)));
    }
    published_ = std::move(now);
    return {};
  }
  Result<> publishOne(std::string_view json) {
    return notifyText("textDocument/publishDiagnostics", json);
  }

  /// Findings that are at no line of a file in the folders.
  Result<> sayUnplaced(const LspSubject& subject) {
    for (const LspFinding& finding : subject.shown.findings)
      if (finding.places.empty())
        FXS_CHECK(log(static_cast<MessageType>(finding.severity),
                      printableName(subject.path) + ": " + finding.message));
    return {};
  }

  Result<> showProgress() {
    if (!showsProgress_) return {};
    for (auto it = progress_.begin(); it != progress_.end();) {
      if (isBusy(it->second.path)) {
        ++it;
        continue;
      }
      if (it->second.isShown) FXS_CHECK(progressed(it->first, "end", ""));
      it = progress_.erase(it);
    }
    for (const auto& [path, subject] : analyses_.subjects()) {
      const bool isKnown = std::any_of(progress_.begin(), progress_.end(),
                                       [&](const auto& each) { return each.second.path == path; });
      if (subject.left == 0 || isKnown) continue;
      const std::string token = nextId();
      progress_[token] = {path, false};
      FXS_CHECK(
          send(rpcRequest(jsonQuote(token), "window/workDoneProgress/create",
                          rpcObject([&](JsonWriter& json) { json.member("token", token); }))));
    }
    return {};
  }

  bool isAnyBusy() const {
    const auto& all = analyses_.subjects();
    return std::any_of(all.begin(), all.end(),
                       [](const auto& each) { return each.second.left > 0; });
  }
  bool isBusy(const std::string& path) const {
    const auto subject = analyses_.subjects().find(path);
    return subject != analyses_.subjects().end() && subject->second.left > 0;
  }

  Result<> progressed(const std::string& token, std::string_view kind, const std::string& title) {
    return notify("$/progress", [&](JsonWriter& json) {
      json.member("token", token).key("value").beginObject().member("kind", kind);
      if (!title.empty()) json.member("title", title).member("cancellable", true);
      json.endObject();
    });
  }

  /// Of the requests of this server only a progress waits for its answer.
  Result<> answered(const RpcMessage& message) {
    const auto progress = progress_.find(message.document->root().textOrEmpty("id"));
    if (progress == progress_.end() || progress->second.isShown) return {};
    if (message.document->root().find("error") || !isBusy(progress->second.path)) return {};
    progress->second.isShown = true;
    const std::string name = std::filesystem::path(progress->second.path).filename().string();
    return progressed(progress->first, "begin",
                      fmt::format("fxscope: {} to {}", printable(name), joined(analyses_.types())));
  }

  Result<> cancelled(const Json& params) {
    const auto progress = progress_.find(params.textOrEmpty("token"));
    if (progress == progress_.end()) return {};
    analyses_.cancel(progress->second.path);
    FXS_CHECK(log(kInfoMessage, printableName(progress->second.path) + ": not known: cancelled"));
    return showProgress();
  }

  Result<> log(MessageType type, const std::string& text) {
    return notify("window/logMessage", [&](JsonWriter& json) {
      json.member("type", int{type}).member("message", "fxscope: " + text);
    });
  }

  template <class Write>
  Result<> notify(std::string_view method, const Write& write) {
    return notifyText(method, rpcObject(write));
  }
  Result<> notifyText(std::string_view method, std::string_view json) {
    return send(rpcNotification(method, json));
  }
  template <class Write>
  Result<> ask(std::string_view method, const Write& write) {
    return send(rpcRequest(jsonQuote(nextId()), method, rpcObject(write)));
  }
  std::string nextId() { return std::string(kOwnIds) + std::to_string(++lastId_); }

  Result<> send(std::string text) {
    if (text.ends_with('\n')) text.pop_back();
    return writeRpc(out_, lspFrame(text));
  }

  const LspServer& server_;
  int out_;
  State state_ = State::Started;
  PositionUnit unit_ = PositionUnit::Utf16;
  bool showsProgress_ = false, createsFiles_ = false, watchesFiles_ = false;
  bool isBegun_ = false;       ///< the client is ready for requests
  bool isRetargeted_ = false;  ///< what is known is of other output types
  std::uint64_t lastId_ = 0;
  std::vector<std::string> programs_;
  LspDocuments documents_;
  std::size_t openBytes_ = 0;
  std::map<std::string, std::string> published_;  // diagnostics by URI
  std::set<std::string> owed_;                    // URIs whose diagnostics are awaited
  std::map<std::string, Progress> progress_;      // by token
  LspAnalyses analyses_;
};

}  // namespace

Result<bool> serveLsp(const LspServer& server, int in, int out, const RunContext& context) {
  LspSession session(server, out);
  LspFrames frames;
  const auto take = [&](std::string_view bytes) -> Result<bool> {
    for (const LspFrames::Frame& frame : frames.after(bytes)) {
      FXS_TRY(const bool more, session.take(frame));
      if (!more) return false;
    }
    return true;
  };
  const auto woken = [&]() -> Result<bool> {
    FXS_CHECK(session.advance());
    return true;
  };
  FXS_CHECK(serveRpc(in, session.wake(), context, take, woken));
  return session.wasShutDown();
}

}  // namespace fxs::cli
