// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mcp_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "base/joined.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/new_file.h"
#include "base/safe_text.h"

namespace fxs::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kRevisions{"2025-06-18", "2025-03-26", "2024-11-05"};
constexpr std::array<std::string_view, 19> kTools{
    "inspect", "normalize", "import",  "lower",   "diagnose",    "fix",  "report",
    "trace",   "node",      "run",     "compare", "bundle",      "diff", "render",
    "passes",  "registry",  "explain", "sweep",   "sweep report"};
/// They choose a program, and take the name of a known one only, or for fix the script to write.
constexpr std::array<std::string_view, 3> kProgramOptions{"--engine", "--tool", "--python"};
/// Files of output types name programs by their paths; the others are for a terminal.
constexpr std::array<std::string_view, 6> kHiddenOptions{
    "--output-types", "--full-paths", "--color", "--wide", "--timings", "--help"};

constexpr std::size_t kMaxLine = std::size_t{4} << 20;
constexpr std::uint64_t kMaxAnswer = std::uint64_t{1} << 20;
constexpr std::size_t kMostCalls = 4;
constexpr int kPollMilliseconds = 100;

enum RpcError : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602
};

template <std::size_t N>
bool isIn(const std::array<std::string_view, N>& all, std::string_view name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

/// "sweep_report" for "sweep report": names of tools have no blanks.
std::string toolName(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}
/// The member of a tool's arguments: "decompose_node" for "--decompose-node", "file" for "FILE".
std::string memberName(std::string name) {
  name.erase(0, name.find_first_not_of('-'));
  std::replace(name.begin(), name.end(), '-', '_');
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

/// The text of a request's id in the member `key`, which the answer repeats; "" if there is none.
std::string idOf(const Json& message, std::string_view key) {
  const auto id = message.find(key);
  if (!id) return {};
  JsonWriter json;
  if (id->isString()) json.value(*id->asString());
  else if (const auto number = id->asInt()) json.value(*number);
  else return {};
  return json.take();
}

/// Whether a word of an argument stays in the folders when it is taken for a path: links are
/// followed, and "NAME=PATH" and lists are taken apart.
class Folders {
 public:
  explicit Folders(const std::vector<std::string>& folders) : folders_(folders) {}

  Result<> check(const std::string& argument) const {
    std::string piece;
    for (const char c : argument + ",") {
      if (c != ',' && c != '=') {
        piece += c;
        continue;
      }
      FXS_CHECK(checkPath(piece));
      piece.clear();
    }
    return {};
  }

 private:
  Result<> checkPath(const std::string& path) const {
    if (path.empty() || path == "-") return {};
    std::error_code error;
    const fs::path resolved = fs::weakly_canonical(fs::path(folders_.front()) / path, error);
    if (!error && path.find('\0') == std::string::npos)
      for (const std::string& folder : folders_)
        if (isBelow(resolved.string(), folder)) return {};
    return fail(ErrorCode::Usage, printableName(path) + " is not below " +
                                      joined(folders_, " or ") + ", the folders of this server");
  }
  static bool isBelow(const std::string& path, const std::string& folder) {
    if (!path.starts_with(folder)) return false;
    return path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/';
  }

  const std::vector<std::string>& folders_;
};

/// The command line of a call.
class ToolCall {
 public:
  ToolCall(const Command& command, const Folders& folders) : folders_(folders), command_(command) {}

  Result<std::vector<std::string>> wordsOf(const std::optional<Json>& arguments) {
    words_ = {};
    for (std::size_t at = 0; at < command_.name.size();) {
      const std::size_t end = std::min(command_.name.find(' ', at), command_.name.size());
      words_.push_back(command_.name.substr(at, end - at));
      at = end + 1;
    }
    if (arguments) {
      FXS_TRY(const Json object, arguments->asObject());
      for (const Json member : object) FXS_CHECK(add(member));
    }
    for (const Positional& positional : command_.positionals) {
      const auto given = positionals_.find(positional.name);
      if (given != positionals_.end())
        words_.insert(words_.end(), given->second.begin(), given->second.end());
      else if (positional.required)
        return fail(ErrorCode::Usage,
                    memberName(positional.name) + " is missing: " + positional.help);
      else break;
    }
    return std::move(words_);
  }

 private:
  Result<> add(const Json& member) {
    const std::string key(member.key());
    for (const Positional& positional : command_.positionals)
      if (memberName(positional.name) == key) {
        FXS_TRY(positionals_[positional.name], valuesOf(member));
        for (const std::string& value : positionals_[positional.name])
          if (value.starts_with('-') && value != "-")
            return fail(ErrorCode::Usage, key + ": " + printableName(value) + " is an option");
        return {};
      }
    for (const Option& option : optionsOf(command_))
      if (memberName(option.name) == key && !isIn(kHiddenOptions, option.name))
        return addOption(option, member);
    std::vector<std::string> names = namesOfMembers();
    const std::vector<std::string> near =
        nearest(key, std::vector<std::string_view>(names.begin(), names.end()), 1);
    return fail(ErrorCode::Usage,
                printableName(key) + " is not an argument of " + toolName(command_.name) +
                    (near.empty() ? std::string() : "; did you mean '" + near.front() + "'?"));
  }

  Result<> addOption(const Option& option, const Json& member) {
    if (option.value.empty()) {
      FXS_TRY(const bool isOn, member.asBool());
      if (isOn) words_.push_back(option.name);
      return {};
    }
    FXS_TRY(const std::vector<std::string> values, valuesOf(member));
    for (const std::string& value : values) {
      FXS_CHECK(checkProgram(option, value));
      // A short option has its value as a word of its own, which must not be an option then.
      const bool isLong = option.name.starts_with("--");
      if (!isLong && value.starts_with('-') && value != "-")
        return fail(ErrorCode::Usage, option.name + ": " + printableName(value) + " is an option");
      words_.push_back(isLong ? option.name + "=" + value : option.name);
      if (!isLong) words_.push_back(value);
    }
    return {};
  }

  Result<> checkProgram(const Option& option, const std::string& value) const {
    if (!isIn(kProgramOptions, option.name)) return {};
    const bool isScript = option.name == "--python" && value.ends_with(".py");
    const bool isName = option.name != "--python" && value.find('/') == std::string::npos;
    if (isScript || isName) return {};
    return fail(ErrorCode::Usage, option.name +
                                      ": a server runs known programs only, by their "
                                      "names, and no Python");
  }

  Result<std::vector<std::string>> valuesOf(const Json& member) const {
    std::vector<std::string> out;
    if (!member.isArray()) {
      FXS_TRY(std::string value, valueOf(member));
      out.push_back(std::move(value));
    } else {
      for (const Json each : member) {
        FXS_TRY(std::string value, valueOf(each));
        out.push_back(std::move(value));
      }
    }
    for (const std::string& value : out) FXS_CHECK(folders_.check(value));
    return out;
  }
  static Result<std::string> valueOf(const Json& value) {
    if (const auto number = value.asInt()) return std::to_string(*number);
    FXS_TRY(const std::string_view text, value.asString());
    return std::string(text);
  }

  std::vector<std::string> namesOfMembers() const {
    std::vector<std::string> out;
    for (const Positional& each : command_.positionals) out.push_back(memberName(each.name));
    for (const Option& each : optionsOf(command_))
      if (!isIn(kHiddenOptions, each.name)) out.push_back(memberName(each.name));
    return out;
  }

  const Folders& folders_;
  const Command& command_;
  std::vector<std::string> words_;
  std::map<std::string, std::vector<std::string>> positionals_;
};

/// The JSON Schema of a tool's arguments.
void writeInputSchema(JsonWriter& json, const Command& command) {
  json.beginObject().member("type", "object").key("properties").beginObject();
  const auto text = [&](const std::vector<std::string>& choices) {
    json.member("type", "string");
    if (!choices.empty()) json.member("enum", choices);
  };
  const auto property = [&](const std::string& name, const std::string& help, bool isList,
                            const std::vector<std::string>& choices) {
    json.key(memberName(name)).beginObject().member("description", help);
    if (isList) {
      json.member("type", "array").key("items").beginObject();
      text(choices);
      json.endObject();
    } else {
      text(choices);
    }
    json.endObject();
  };
  for (const Positional& each : command.positionals)
    property(each.name, each.help, each.repeated, each.choices);
  const lower::OutputTypes& types = lower::OutputTypes::builtin();
  for (const Option& each : optionsOf(command)) {
    if (isIn(kHiddenOptions, each.name)) continue;
    const std::string help = filledIn(each.help, types);
    if (!each.value.empty()) property(each.name, help, each.repeated, each.choices);
    else
      json.key(memberName(each.name))
          .beginObject()
          .member("description", help)
          .member("type", "boolean")
          .endObject();
  }
  json.endObject().key("required").beginArray();
  for (const Positional& each : command.positionals)
    if (each.required) json.value(memberName(each.name));
  json.endArray().member("additionalProperties", false).endObject();
}

class McpSession {
 public:
  McpSession(const McpServer& server, int out, const RunContext& context)
      : server_(server), out_(out), context_(context), folders_(server.folders) {}
  ~McpSession() {
    for (Call& call : calls_) call.thread.request_stop();
  }
  McpSession(const McpSession&) = delete;
  McpSession& operator=(const McpSession&) = delete;

  Result<> answer(const std::string& line) {
    const auto document = JsonDocument::parse(line, "request", {kMaxLine, 64}, RunContext());
    if (!document) return error("null", kParseError, document.error().message);
    const Json message = (*document)->root();
    const std::string id = idOf(message, "id");
    const std::string method = message.isObject() ? message.textOrEmpty("method") : "";
    if (method.empty()) {
      // An answer to a request, of which this server makes none.
      if (message.isObject() && (message.find("result") || message.find("error"))) return {};
      return error(id.empty() ? "null" : id, kInvalidRequest, "not a JSON-RPC 2.0 request");
    }
    const auto params = message.find("params");
    if (id.empty()) return notified(method, params);
    if (method == "initialize") return initialize(id, params);
    if (method == "ping") return result(id, [](JsonWriter&) {});
    if (method == "tools/list") return listTools(id);
    if (method == "tools/call") return call(id, params);
    return error(id, kMethodNotFound, "no method " + printableName(method));
  }

  Result<> failed() {
    const std::lock_guard lock(mutex_);
    return writing_;
  }

 private:
  struct Call {
    std::string id;
    std::atomic<bool> done = false;
    std::jthread thread;
  };

  Result<> notified(const std::string& method, const std::optional<Json>& params) {
    if (method != "notifications/cancelled" || !params) return {};
    const std::string id = idOf(*params, "requestId");
    for (Call& call : calls_)
      if (call.id == id) call.thread.request_stop();
    return {};
  }

  Result<> initialize(const std::string& id, const std::optional<Json>& params) {
    const std::string asked = params ? params->textOrEmpty("protocolVersion") : "";
    const std::string_view revision = isIn(kRevisions, asked) ? asked : kRevisions.front();
    return result(id, [&](JsonWriter& json) {
      json.member("protocolVersion", revision)
          .key("capabilities")
          .beginObject()
          .key("tools")
          .beginObject()
          .endObject()
          .endObject()
          .key("serverInfo")
          .beginObject()
          .member("name", "fxscope")
          .member("version", server_.version)
          .endObject();
      json.member("instructions",
                  "Why a PyTorch program (.pt2) does not lower with torch-mlir, and what makes it "
                  "lower: diagnose names every cause with verified fixes, fix writes the program "
                  "that lowers, and the Python for it. Paths are relative to " +
                      server_.folders.front() + ".");
    });
  }

  const Command* commandOf(std::string_view tool) const {
    for (const Command& command : server_.commands->commands())
      if (isIn(kTools, command.name) && toolName(command.name) == tool) return &command;
    return nullptr;
  }

  Result<> listTools(const std::string& id) {
    return result(id, [&](JsonWriter& json) {
      json.key("tools").beginArray();
      for (const Command& command : server_.commands->commands()) {
        if (!isIn(kTools, command.name)) continue;
        json.beginObject()
            .member("name", toolName(command.name))
            .member("description", command.summary)
            .key("inputSchema");
        writeInputSchema(json, command);
        json.endObject();
      }
      json.endArray();
    });
  }

  Result<> call(const std::string& id, const std::optional<Json>& params) {
    calls_.remove_if([](const Call& call) { return call.done.load(); });
    const std::string tool = params ? params->textOrEmpty("name") : "";
    const Command* command = commandOf(tool);
    if (command == nullptr) return error(id, kInvalidParams, "no tool " + printableName(tool));
    auto words = ToolCall(*command, folders_).wordsOf(params->find("arguments"));
    if (!words) return toolAnswer(id, "", words.error().message, true);
    if (calls_.size() >= kMostCalls)
      return toolAnswer(id, "", fmt::format("{} calls are running already", kMostCalls), true);
    Call& started = calls_.emplace_back();
    started.id = id;
    started.thread = std::jthread([this, &started, words = *std::move(words)](
                                      const std::stop_token& stop) { run(started, words, stop); });
    return {};
  }

  /// On the thread of the call.
  void run(Call& call, const std::vector<std::string>& words, const std::stop_token& stop) {
    fxs::Command command;
    command.argv = {server_.program};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.environment = server_.environment;
    command.directory = server_.folders.front();
    command.outputLimit = kMaxAnswer;
    const auto exit = server_.runner->run(command, stop);
    // What was cancelled is not answered.
    if (!stop.stop_requested()) {
      const Result<> written =
          exit ? ended(call.id, *exit) : toolAnswer(call.id, "", exit.error().message, true);
      if (!written) {
        const std::lock_guard lock(mutex_);
        writing_ = written;
      }
    }
    call.done = true;
  }

  Result<> ended(const std::string& id, const Exit& exit) {
    if (exit.reason == ExitReason::OutputLimit)
      return toolAnswer(id, exit.out,
                        fmt::format("the answer has more than {} bytes and is cut; write it to a "
                                    "file with 'o', or ask for less",
                                    kMaxAnswer),
                        true);
    if (exit.reason != ExitReason::Exited)
      return toolAnswer(id, exit.out, "fxscope-cli " + killMessage(exit) + "\n" + exit.err, true);
    std::string note;
    for (const auto& [code, meaning] : kExitCodes)
      if (code == exit.status && code != kDone)
        note = fmt::format("exit code {}: {}", static_cast<int>(code), meaning);
    if (!exit.err.empty()) note += (note.empty() ? "" : "\n") + exit.err;
    return toolAnswer(id, exit.out, note, exit.status > kFindings);
  }

  Result<> toolAnswer(const std::string& id, const std::string& text, const std::string& note,
                      bool isError) {
    return result(id, [&](JsonWriter& json) {
      json.key("content").beginArray();
      for (const std::string& each : {text, note})
        if (!each.empty() || (text.empty() && note.empty() && &each != &note))
          json.beginObject().member("type", "text").member("text", each).endObject();
      json.endArray().member("isError", isError);
    });
  }

  template <class Write>
  Result<> result(const std::string& id, const Write& write) {
    JsonWriter json;
    json.beginObject();
    write(json);
    json.endObject();
    return send(id, "result", json.take());
  }
  Result<> error(const std::string& id, int code, const std::string& message) {
    JsonWriter json;
    json.beginObject().member("code", code).member("message", message).endObject();
    return send(id, "error", json.take());
  }

  Result<> send(const std::string& id, std::string_view kind, const std::string& value) {
    const std::string line =
        onOneLine(fmt::format(R"({{"jsonrpc": "2.0", "id": {}, "{}": {}}})", id, kind, value));
    const std::lock_guard lock(mutex_);
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t written = ::write(out_, line.data() + at, line.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return tl::unexpected<Error>(ofOption(writeError("standard output", errno)));
      at += static_cast<std::size_t>(written);
    }
    return {};
  }

  const McpServer& server_;
  int out_;
  const RunContext& context_;
  const Folders folders_;
  std::mutex mutex_;  // of out_ and writing_
  Result<> writing_;
  std::list<Call> calls_;
};

/// Takes a stream apart into lines, without blank ones.
class Lines {
 public:
  /// Those that end in `bytes`; "", which is not JSON, for one that is too long.
  std::vector<std::string> after(std::string_view bytes) {
    std::vector<std::string> out;
    for (const char c : bytes) {
      if (c == '\n') end(out);
      else if (line_.size() < kMaxLine) line_ += c;
      else isTooLong_ = true;
    }
    return out;
  }

 private:
  void end(std::vector<std::string>& out) {
    if (isTooLong_) out.emplace_back();
    else if (line_.find_first_not_of(" \t\r") != std::string::npos) out.push_back(std::move(line_));
    line_.clear();
    isTooLong_ = false;
  }

  std::string line_;
  bool isTooLong_ = false;
};

}  // namespace

Result<> serveMcp(const McpServer& server, int in, int out, const RunContext& context) {
  McpSession session(server, out, context);
  Lines lines;
  std::array<char, 65536> bytes;
  while (!context.stop.stop_requested()) {
    FXS_CHECK(session.failed());
    pollfd ready{in, POLLIN, 0};
    const int polled = ::poll(&ready, 1, kPollMilliseconds);
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    const ssize_t count = ::read(in, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    for (const std::string& line : lines.after({bytes.data(), static_cast<std::size_t>(count)}))
      FXS_CHECK(session.answer(line));
  }
  return {};
}

}  // namespace fxs::cli
