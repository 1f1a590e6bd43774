// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A lit test as data: what its RUN lines would run, and under which conditions. Nothing is run, no
// file is looked at, and no shell is involved; a RUN line that is not fully understood has a
// message instead of commands.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lit/shell.h"

namespace fxs::lit {

struct RunLine {
  std::uint32_t line = 0, lastLine = 0;  ///< 1-based
  std::string text;                      ///< with definitions put in; `%s` and the like are left
  std::vector<Pipeline> pipelines;       ///< each runs if the one before succeeded
  std::string message;  ///< why it is not run: "line 3: has a command in backticks; ..", or ""
};

struct Condition {
  enum class Kind : std::uint8_t { Requires, Unsupported, Xfail };
  Kind kind = Kind::Requires;
  std::uint32_t line = 0;
  std::string text;  ///< "asserts && !windows"
};

struct Test {
  std::vector<RunLine> runs;
  std::vector<Condition> conditions;  ///< facts; what holds here is up to the reader
  std::vector<std::string> messages;  ///< what else is wrong: of a DEFINE line, a bound
};

/// A text without RUN lines is a Test without them. Never fails; linear in the text.
Test parseTest(std::string_view text);

/// A RUN line, by its index, and those before it that may write the files that it reads; ascending.
std::vector<std::size_t> runsFor(const Test&, std::size_t run);

}  // namespace fxs::lit
