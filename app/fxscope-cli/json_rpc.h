// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// JSON-RPC 2.0 as the servers of fxscope-cli speak it: messages, answers, and the loop that reads
// what a client sends.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"
#include "base/result.h"
#include "base/run_context.h"

namespace fxs::cli {

enum RpcError : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  // Of the Language Server Protocol:
  kNotInitialized = -32002,
  kRequestFailed = -32803
};

/// A request, a notification, which has no id, or an answer to a request, which has no method.
struct RpcMessage {
  std::shared_ptr<const JsonDocument> document;
  std::string id;  ///< as JSON, which answers repeat
  std::string method;
  std::optional<Json> params;
};
/// The answer to what is none.
struct RpcFault {
  std::string id;  ///< "null" if it has none
  int code = 0;
  std::string message;
};
std::variant<RpcMessage, RpcFault> rpcMessageFrom(std::string_view text, std::size_t maxBytes);
/// The id in a member of an object, as JSON; "" if there is none.
std::string rpcIdOf(const Json& message, std::string_view key);

/// Messages on one line each, with its end.
std::string rpcResult(const std::string& id, std::string_view json);
std::string rpcError(const RpcFault&);
std::string rpcNotification(std::string_view method, std::string_view paramsJson);
std::string rpcRequest(const std::string& id, std::string_view method, std::string_view paramsJson);
/// The JSON of an object whose members `write` writes.
template <class Write>
std::string rpcObject(const Write& write) {
  JsonWriter json;
  json.beginObject();
  write(json);
  json.endObject();
  return json.take();
}

/// Whether to go on.
using RpcStep = std::function<Result<bool>()>;
/// Calls `take` with what `in` has, and `woken` when `wake` is readable, until the input ends, a
/// stop is requested or one of them returns false.
Result<> serveRpc(int in, int wake, const RunContext&,
                  const std::function<Result<bool>(std::string_view)>& take, const RpcStep& woken);
/// The error of standard output that cannot be written.
Result<> writeRpc(int out, std::string_view bytes);

}  // namespace fxs::cli
