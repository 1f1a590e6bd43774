// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mcp_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/json.h"
#include "base/nearest.h"
#include "base/safe_text.h"
#include "json_rpc.h"

namespace fxs::cli {
namespace {

constexpr std::array<std::string_view, 3> kRevisions{"2025-06-18", "2025-03-26", "2024-11-05"};
constexpr std::array<std::string_view, 19> kTools{
    "inspect", "normalize", "import",  "lower",   "diagnose",    "fix",  "report",
    "trace",   "node",      "run",     "compare", "bundle",      "diff", "render",
    "passes",  "registry",  "explain", "sweep",   "sweep report"};
/// They choose a program, and take the name of a known one only, or for fix the script to write.
constexpr std::array<std::string_view, 3> kProgramOptions{"--engine", "--tool", "--python"};
/// Files of output types name programs by their paths; the others are for a terminal.
constexpr std::array<std::string_view, 7> kHiddenOptions{
    "--output-types", "--full-paths", "--color", "--wide", "--timings", "--yes", "--help"};

constexpr std::size_t kMaxLine = std::size_t{4} << 20;
constexpr std::uint64_t kMaxAnswer = std::uint64_t{1} << 20;
constexpr std::size_t kMostCalls = 4;

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

/// The command line of a call.
class ToolCall {
 public:
  ToolCall(const Command& command, const ServedFolders& folders)
      : folders_(folders), command_(command) {}

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

  const ServedFolders& folders_;
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
    std::string help = filledIn(each.help, types);
    if (isIn(kProgramOptions, each.name))
      help += each.name == "--python" ? "; a server takes FILE.py only"
                                      : "; a server takes a name only";
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
  McpSession(const McpServer& server, int out)
      : server_(server), out_(out), folders_(server.folders), calls_(server.program) {}

  int wake() const { return calls_.descriptor(); }

  Result<> answer(const std::string& line) {
    const auto read = rpcMessageFrom(line, kMaxLine);
    if (const auto* fault = std::get_if<RpcFault>(&read)) return writeRpc(out_, rpcError(*fault));
    const auto& message = std::get<RpcMessage>(read);
    const auto& [document, id, method, params] = message;
    // This server makes no requests that could be answered.
    if (method.empty()) return {};
    if (id.empty()) return notified(method, params);
    if (method == "initialize") return initialize(id, params);
    if (method == "ping") return result(id, [](JsonWriter&) {});
    if (method == "tools/list") return listTools(id);
    if (method == "tools/call") return call(id, params);
    return error(id, kMethodNotFound, "no method " + printableName(method));
  }

  Result<> answerEnded() {
    for (const ServedCalls::Ended& call : calls_.takeEnded()) {
      const std::string id = ids_.at(call.call);
      ids_.erase(call.call);
      FXS_CHECK(call.exit ? ended(id, *call.exit)
                          : toolAnswer(id, "", call.exit.error().message, true));
    }
    return {};
  }

 private:
  Result<> notified(const std::string& method, const std::optional<Json>& params) {
    if (method != "notifications/cancelled" || !params) return {};
    const std::string id = rpcIdOf(*params, "requestId");
    // What was cancelled is not answered.
    std::erase_if(ids_, [&](const auto& call) {
      if (call.second == id) calls_.cancel(call.first);
      return call.second == id;
    });
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
                      folders_.first() + ".");
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
    const std::string tool = params ? params->textOrEmpty("name") : "";
    const Command* command = commandOf(tool);
    if (command == nullptr) return error(id, kInvalidParams, "no tool " + printableName(tool));
    auto words = ToolCall(*command, folders_).wordsOf(params->find("arguments"));
    if (!words) return toolAnswer(id, "", words.error().message, true);
    if (calls_.running() >= kMostCalls)
      return toolAnswer(id, "", fmt::format("{} calls are running already", kMostCalls), true);
    ids_[calls_.start(*std::move(words), "", kMaxAnswer)] = id;
    return {};
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
    return writeRpc(out_, rpcResult(id, rpcObject(write)));
  }
  Result<> error(const std::string& id, int code, const std::string& message) {
    return writeRpc(out_, rpcError({id, code, message}));
  }

  const McpServer& server_;
  int out_;
  const ServedFolders& folders_;
  ServedCalls calls_;
  std::map<ServedCalls::Number, std::string> ids_;  // of those that are to be answered
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
  McpSession session(server, out);
  Lines lines;
  const auto take = [&](std::string_view bytes) -> Result<bool> {
    for (const std::string& line : lines.after(bytes)) FXS_CHECK(session.answer(line));
    return true;
  };
  const auto woken = [&]() -> Result<bool> {
    FXS_CHECK(session.answerEnded());
    return true;
  };
  return serveRpc(in, session.wake(), context, take, woken);
}

}  // namespace fxs::cli
