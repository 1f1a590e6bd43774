// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Infers which pattern applications succeeded from the engine's action log and the operations
// before and after each pass, because the log does not record it. Each verdict names the rule that
// it is based on:
//   - the engine tries the patterns for an operation in a fixed order and stops at the first that
//   succeeds: an attempt followed by
//     another on the same operation was refused; one that ends the list early took effect;
//   - in the last iteration of a greedy driver no pattern succeeds;
//   - an operation that is tried again in the next iteration still exists; one that is gone after
//   the pass was replaced;
//   - the effect of a conversion shows in the operations after the pass; a pass that fails is
//   rolled back.
// If no rule applies, the verdict is Unknown.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lower/pattern_log.h"

namespace fxs::lower {

enum class Effect : std::uint8_t { TookEffect, Refused, Undone, Unknown };
std::string_view name(Effect);  ///< "took effect", "refused", "undone", "unknown"

struct Verdict {
  Effect effect = Effect::Unknown;
  std::string_view message;  ///< one phrase: the rule; points to static storage
};

/// How often each operation of the node occurs in the module, by operation name.
using OpCounts = std::map<std::string, int, std::less<>>;

/// The node's operations before and after a pass, and whether it failed.
struct PassSurroundings {
  bool known = false;  ///< whether `before` and `after` are known
  OpCounts before, after;
  bool failed = false;
  std::string failedOp;  ///< the operation of the node named in the engine's error; "" if the error
                         ///< names none
};

/// Whether a TookEffect verdict was inferred from the operation's absence after the pass: weaker
/// evidence, which a measurement may correct.
bool isInferredFromAbsence(std::string_view reason);

/// One verdict per attempt in `mine`: ascending indices into PatternLog::attempts, all on one
/// node's operations. `surroundings` by pass.
std::vector<Verdict> effectsOf(const PatternLog&, const std::vector<int>& mine,
                               const std::vector<PassSurroundings>& surroundings);

}  // namespace fxs::lower
