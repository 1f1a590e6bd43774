// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What became of a program for one output type, in a word.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lower/lower.h"

namespace fxs::sweep {

enum class Status : std::uint8_t {
  Ok,          ///< lowers, and the text keeps the contract of the output type
  Breach,      ///< lowers to a text that does not
  Failed,      ///< a stage refused it
  Crashed,     ///< the engine crashed
  Timeout,     ///< the engine did not end
  Unreadable,  ///< the file cannot be read as a program
  Abandoned  ///< not known: fxscope or the engine exceeded a limit, was killed, or gave no answer;
             ///< `message` says why
};
inline constexpr std::size_t kStatuses = 7;
std::string_view name(Status);  ///< "ok", "breach" ..
/// Whether it says something about the program: not of one that reached a limit, or got no answer.
inline bool isKnown(Status status) {
  return status != Status::Timeout && status != Status::Abandoned;
}

/// The status of a program that does not lower: that of the stage that stopped it, or Breach if
/// none did and not `right`: whether its texts keep their contracts.
Status statusOf(const lower::Lowering&, bool right);

}  // namespace fxs::sweep
