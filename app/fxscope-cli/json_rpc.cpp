// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json_rpc.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/fd.h"
#include "base/new_file.h"
#include "command.h"

namespace fxs::cli {
namespace {

constexpr std::uint32_t kMaxRequestDepth = 64;
constexpr int kPollMilliseconds = 100;

}  // namespace

std::string rpcIdOf(const Json& message, std::string_view key) {
  const auto id = message.find(key);
  if (!id) return {};
  JsonWriter json;
  if (id->isString()) json.value(*id->asString());
  else if (const auto number = id->asInt()) json.value(*number);
  else return {};
  std::string out = json.take();
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

std::variant<RpcMessage, RpcFault> rpcMessageFrom(std::string_view text, std::size_t maxBytes) {
  const auto document = guarded("request", [&] {
    return JsonDocument::parse(text, "request", {maxBytes, kMaxRequestDepth}, RunContext());
  });
  if (!document) return RpcFault{"null", kParseError, document.error().message};
  const Json message = (*document)->root();
  RpcMessage out{*document, rpcIdOf(message, "id"), "", std::nullopt};
  if (message.isObject()) out.method = message.textOrEmpty("method");
  out.params = message.find("params");
  const bool isAnswer = message.isObject() && (message.find("result") || message.find("error"));
  if (out.method.empty() && !isAnswer)
    return RpcFault{out.id.empty() ? "null" : out.id, kInvalidRequest,
                    "not a JSON-RPC 2.0 request"};
  return out;
}

std::string rpcResult(const std::string& id, std::string_view json) {
  return onOneLine(fmt::format(R"({{"jsonrpc": "2.0", "id": {}, "result": {}}})", id, json));
}
std::string rpcError(const RpcFault& fault) {
  const std::string error = rpcObject(
      [&](JsonWriter& json) { json.member("code", fault.code).member("message", fault.message); });
  return onOneLine(fmt::format(R"({{"jsonrpc": "2.0", "id": {}, "error": {}}})", fault.id, error));
}
std::string rpcNotification(std::string_view method, std::string_view params) {
  return onOneLine(
      fmt::format(R"({{"jsonrpc": "2.0", "method": "{}", "params": {}}})", method, params));
}
std::string rpcRequest(const std::string& id, std::string_view method, std::string_view params) {
  return onOneLine(fmt::format(R"({{"jsonrpc": "2.0", "id": {}, "method": "{}", "params": {}}})",
                               id, method, params));
}

Result<> serveRpc(int in, int wake, const RunContext& context,
                  const std::function<Result<bool>(std::string_view)>& take, const RpcStep& woken) {
  std::array<char, 65536> bytes;
  while (!context.stop.stop_requested()) {
    std::array<pollfd, 2> ready{{{in, POLLIN, 0}, {wake, POLLIN, 0}}};
    const int polled = ::poll(ready.data(), ready.size(), kPollMilliseconds);
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    if (ready[1].revents != 0) {
      FXS_TRY(const bool more, woken());
      if (!more) return {};
    }
    if (ready[0].revents == 0) continue;
    const ssize_t count = ::read(in, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {};
    FXS_TRY(const bool more, take({bytes.data(), static_cast<std::size_t>(count)}));
    if (!more) return {};
  }
  return {};
}

Result<> writeRpc(int out, std::string_view bytes) {
  const int code = writeAll(out, bytes);
  if (code == 0) return {};
  return tl::unexpected<Error>(ofOption(writeError("standard output", code)));
}

}  // namespace fxs::cli
