// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Error: fxscope could not do its job. Statements about the user's program are not
// errors but fx::Finding values in a successful result.
#include <string>
#include <string_view>
#include <vector>

namespace fxs {

/// DiskFull: there was no room to write something; see noRoom().
enum class ErrorCode {
  InvalidInput,
  Unsupported,
  NotFound,
  Io,
  EngineFailed,
  Timeout,
  Cancelled,
  Usage,
  Internal,
  DiskFull
};

struct Error {
  ErrorCode code = ErrorCode::Internal;
  /// Names the subject, the problem and a remedy; one line, no trailing period.
  std::string message;
  /// What was being done, innermost first.
  std::vector<std::string> context;

  Error& whileDoing(std::string activity) & {
    context.push_back(std::move(activity));
    return *this;
  }
  Error&& whileDoing(std::string activity) && {
    context.push_back(std::move(activity));
    return std::move(*this);
  }
};

/// Whether the error ends the whole work, whatever part of it was being done: a stop request, or a
/// full disk. It is never an outcome of that part, and is passed on.
inline bool endsAll(const Error& error) {
  return error.code == ErrorCode::Cancelled || error.code == ErrorCode::DiskFull;
}

/// The message, then one indented "while ..." line for each context.
std::string toString(const Error&);

}  // namespace fxs
