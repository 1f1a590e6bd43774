// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The commands of a RUN line, by the quoting rules of a shell and without one: pipelines joined by
// `&&`, redirections, `not`, `!`, `env` and assignments. Whatever only a shell could do (`$(..)`,
// backticks, variables, patterns for file names, `;`, `||`, `&`, here-documents, `cd`) is refused
// with a message, never half understood. As in lit's own shell, parentheses and braces inside of a
// word stand for themselves.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::lit {

/// Where a stream of a command is written to.
struct Sink {
  enum class Kind : std::uint8_t {
    Output,  ///< the next command of the pipeline; what is shown, after the last one
    Errors,  ///< what is shown as errors
    File,
    Append
  };
  Kind kind = Kind::Output;
  std::string file;
  friend bool operator==(const Sink&, const Sink&) = default;
};

enum class Expect : std::uint8_t { Success, Failure, Crash };

struct ShellCommand {
  std::vector<std::string> argv;         ///< without `not` and `env`; `%s` and the like are left
  std::vector<std::string> environment;  ///< "NAME=value"
  Expect expect = Expect::Success;       ///< Failure after `not`, Crash after `not --crash`
  std::optional<std::string> stdinFile;
  Sink out{Sink::Kind::Output, {}};
  Sink err{Sink::Kind::Errors, {}};
};
using Pipeline = std::vector<ShellCommand>;

struct ShellLine {
  std::vector<Pipeline> pipelines;  ///< each runs if the one before succeeded; empty if refused
  std::string message;              ///< why the line is not run: "has a `$(..)`, .."; "" if it is
};
ShellLine parseShellLine(std::string_view line);

}  // namespace fxs::lit
