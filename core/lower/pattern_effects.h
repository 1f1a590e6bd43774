#pragma once
// Which attempts of a pattern took effect, as far as the engine's log and the operations before and after each pass tell. The
// log does not say it; these rules do, and each verdict names the one that it rests on:
//   - the engine tries the patterns for an operation in a fixed order and stops at the first that applies: an attempt that is
//     followed by another on the same operation was refused, one that ends the list early took effect;
//   - the last iteration of a greedy driver is the one in which nothing applies;
//   - an operation that is tried again in the next iteration is still there, one that is gone after the pass was replaced;
//   - what a conversion did is what its operations are after the pass; a pass that fails is undone.
// Where none of them decides, the verdict is Unknown.
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
  std::string_view why;  ///< one phrase, static
};

/// The number of occurrences of each operation of the node in the module, by name.
using OpCounts = std::map<std::string, int, std::less<>>;

/// What is known around a pass besides its attempts.
struct PassSurroundings {
  bool known = false;  ///< `before` and `after` are
  OpCounts before, after;
  bool failed = false;
  std::string failedOp;  ///< the operation of the node that the engine's error names; "" when it has none of it
};

/// Whether a verdict took effect rests on the operation's absence after the pass: a weaker ground, which a measurement may correct.
bool isInferredFromAbsence(std::string_view why);

/// Verdicts for the attempts `mine` (indices of the log, ascending), which are those on one node's operations. `surroundings` by pass.
std::vector<Verdict> effectsOf(const PatternLog&, const std::vector<int>& mine, const std::vector<PassSurroundings>& surroundings);

}  // namespace fxs::lower
