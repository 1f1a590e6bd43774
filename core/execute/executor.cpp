// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/byte_source.h"
#include "base/sha256.h"
#include "execute/executors.h"
#include "execute/signature.h"

namespace fxs::execute {

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::Ran: return "ran";
    case Outcome::NotSupported: return "not-supported";
    case Outcome::Crashed: return "crashed";
    case Outcome::TimedOut: return "timed-out";
    case Outcome::OutOfMemory: break;
  }
  return "out-of-memory";
}

Executors executorsFor(const Tools& tools, const std::string& directory, CommandRunner& runner) {
  Executors out;
  const bool iree = !tools.ireeCompile.empty() && !tools.ireeRunModule.empty();
  const bool llvm = !tools.mlirOpt.empty() && !tools.mlirTranslate.empty() &&
                    !tools.clang.empty() && !tools.runnerLibrary.empty();
  if (iree) out.all.push_back(ireeExecutor(tools, directory, runner));
  if (llvm) out.all.push_back(llvmExecutor(tools, directory, runner));
  const std::string remedy =
      "run 'fxscope-cli engine fetch --numbers' to install IREE (a download of 99 MB)";
  if (!iree && !llvm) out.missing = "no executor is installed; " + remedy;
  else if (!iree)
    out.missing = "IREE is not installed, and a single executor proves nothing; " + remedy;
  else if (!llvm)
    out.missing =
        "LLVM 22 is not installed, and a single executor proves nothing; install mlir-22-tools "
        "and clang-22";
  return out;
}

Result<std::vector<Argument>> allArguments(const Call& call, const Signature& signature,
                                           const std::vector<std::string>& handles) {
  if (call.arguments.size() + handles.size() != signature.arguments.size())
    return fail(ErrorCode::Usage,
                fmt::format("the function expects {} arguments, got {}",
                            signature.arguments.size() - handles.size(), call.arguments.size()));
  std::vector<Argument> out = call.arguments;
  for (const std::string& handle : handles) {
    if (!call.resources) return fail(ErrorCode::Usage, "the weight '" + handle + "' has no data");
    FXS_TRY(out.emplace_back(), call.resources(handle));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const ValueType& type = signature.arguments[i];
    const int bytes = facts(type.dtype).bytes;
    const auto count = tensor::elementCount(out[i].sizes);
    const auto* held = std::get_if<std::string>(&out[i].elements);
    const std::uint64_t given =
        held != nullptr ? held->size() : std::get<StoredBytes>(out[i].elements).bytes;
    bool fits = count && given == *count * static_cast<std::uint64_t>(bytes) &&
                (type.number || out[i].sizes.size() == type.sizes.size());
    for (std::size_t d = 0; fits && !type.number && d < type.sizes.size(); ++d)
      fits = type.sizes[d] < 0 || type.sizes[d] == out[i].sizes[d];
    if (!fits)
      return fail(ErrorCode::Usage,
                  fmt::format("argument {}: expected {} of {} dimensions, got {} bytes", i,
                              type.element, type.sizes.size(), given));
  }
  return out;
}

std::string numberText(DType dtype, std::string_view bytes) {
  if (dtype == DType::Int64 && bytes.size() == sizeof(std::int64_t)) {
    std::int64_t value = 0;  // beyond what a double holds
    std::memcpy(&value, bytes.data(), sizeof value);
    return std::to_string(value);
  }
  const double value = tensor::elementAt({dtype, {}, std::string(bytes)}, 0);
  return isFloating(dtype) ? fmt::format("{}", value) : fmt::format("{:.0f}", value);
}

namespace {

/// A result that is an argument has its elements, which no operation changes. IREE 3.13 may give
/// out memory in which it went on computing.
Result<> keepReturned(const Signature& signature, const std::vector<Argument>& arguments,
                      std::uint64_t mostBytes, std::vector<tensor::Tensor>& results) {
  for (std::size_t r = 0; r < std::min(results.size(), signature.returned.size()); ++r) {
    if (!signature.returned[r] || signature.results[r].number) continue;
    const Argument& argument = arguments[*signature.returned[r]];
    results[r].sizes = argument.sizes;
    if (const auto* held = std::get_if<std::string>(&argument.elements)) {
      results[r].bytes = *held;
      continue;
    }
    const StoredBytes& stored = std::get<StoredBytes>(argument.elements);
    if (stored.bytes > mostBytes) continue;
    FXS_TRY(const auto source, openFile(stored.file));
    FXS_TRY(results[r].bytes, source->read(stored.offset, stored.bytes));
  }
  return {};
}

}  // namespace

Result<Execution> CompilingExecutor::execute(const Call& call, const RunContext& context) {
  Execution out;
  const std::string key =
      sha256(call.text + '\0' + call.function + (call.checks && hasChecks() ? "+" : "-") +
             (call.dispatches ? "d" : ""));
  auto known = compiled_.find(key);
  if (known == compiled_.end()) {
    FXS_TRY(CompiledProgram made, compile(call, context));
    known = compiled_.emplace(key, std::move(made)).first;
    out.compileTime = known->second.end.seconds;
  }
  const CompiledProgram& compiled = known->second;
  out.variants = compiled.variants;
  out.commands = compiled.commands;
  if (compiled.end.outcome) {
    out.outcome = *compiled.end.outcome;
    out.message = compiled.end.message;
    out.node = compiled.end.node;
    return out;
  }
  FXS_TRY(const auto arguments, allArguments(call, compiled.signature, compiled.handles));
  FXS_CHECK(run(call, compiled, arguments, out, context));
  FXS_CHECK(keepReturned(compiled.signature, arguments, call.limits.resultBytes, out.results));
  return out;
}

}  // namespace fxs::execute
