#pragma once
// What went wrong when fxscope could not do its job. A finding about the user's
// program is not an Error: it is a fx::Finding in a successful result.
#include <string>
#include <string_view>
#include <vector>

namespace fxs {

enum class ErrorCode { InvalidInput, Unsupported, NotFound, Io, EngineFailed, Timeout, Cancelled, Usage, Internal };

struct Error {
  ErrorCode code = ErrorCode::Internal;
  /// Names the thing, what is wrong, and what to do about it; one line, no trailing dot.
  std::string message;
  /// What was being done, innermost first.
  std::vector<std::string> context;

  Error& whileDoing(std::string what) & {
    context.push_back(std::move(what));
    return *this;
  }
  Error&& whileDoing(std::string what) && {
    context.push_back(std::move(what));
    return std::move(*this);
  }
};

/// The message, then one indented "while ..." line for each context.
std::string toString(const Error&);

}  // namespace fxs
