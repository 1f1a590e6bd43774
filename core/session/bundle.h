#pragma once
// Reproducer bundles for the front ends: export one, which replays it before it is handed over; replay one made anywhere.
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "session/session.h"

namespace fxs::session {

enum class BundleWeights : std::uint8_t { None, Used, All };
std::string_view name(BundleWeights);  ///< "none", "used", "all"
/// Usage with the words that there are.
Result<BundleWeights> bundleWeightsFrom(std::string_view);

/// The findings of a lowered snapshot as text and as JSON, by whoever prints them: the same for the same snapshot.
using Describe = std::function<std::pair<std::string, std::string>(const Snapshot&)>;

struct BundleOptions {
  std::string path;    ///< OUT.zip, or a directory that is there: then the name is made from the content
  fx::NodeId node;     ///< of the user's program: the operation to show; invalid: the first that blocks
  bool reduce = true;  ///< as few operations as fail in the same way; else the whole program
  /// None: but for numbers that an engine folds, at most 64 integers or one value of any type.
  BundleWeights weights = BundleWeights::None;
  Describe describe;
};

struct BundleResult {
  std::string path;  ///< what was written
  std::uint64_t bytes = 0;
  std::string sha256;         ///< of the content, as in its name
  std::size_t callNodes = 0;  ///< of the program in it
  std::size_t originalCallNodes = 0;
  std::string signature;    ///< "illegal-op of torch.aten.diff (aten.diff.default) in torch, pass torch-reduce-op-variants"
  bool reproduces = false;  ///< unpacked elsewhere and replayed, it failed in the same way
  std::string statement;    ///< one sentence: "fails in the same way", or why it is no reproducer
  /// What did not go along, a line each: "2 paths under a home folder (now net.py)", "metadata 'custom' of 3 operations".
  std::vector<std::string> removed;
};

/// Of a program that does not reach the request's target: Usage when it does, or when nothing stops at `options.node`. Unsupported
/// when fxscope itself could not import it: there is nothing for an engine to reproduce. Io when the file cannot be written. Nothing is
/// left at `path` on an Error or a stop.
Result<BundleResult> exportBundle(const SnapshotPtr&, const BundleOptions&, const Environment&, const RunContext&);

enum class ReplayOutcome : std::uint8_t { SameFailure, OtherFailure, Fixed };
std::string_view name(ReplayOutcome);  ///< "same-failure", "other-failure", "fixed"

struct ReplayOptions {
  /// What a run may cost at most. A bundle may ask for less, never for more.
  lower::Limits limits;
  Describe describe;  ///< as the one that wrote the bundle; null: the diagnostics are not checked
};

struct ReplayResult {
  ReplayOutcome outcome = ReplayOutcome::SameFailure;
  std::string bundle;           ///< its name: "fxscope-gpt2-0123456789ab"
  std::string expected, found;  ///< signatures; `found` is "" when fixed
  std::string statement;        ///< one sentence
  lower::Engine engine;         ///< that it was replayed with
  std::string engineVersion;    ///< that the bundle was made with
  bool sameEngine = true;       ///< by checksum
  /// Its files by what is known of them: written again and found the same, or not.
  std::vector<std::string> checked, unchecked;
  std::string whyUnchecked;  ///< "" when all were checked
  /// Every file of it that can be run, or that says what it is, was written again and found the same. False for a bundle of another
  /// version of fxscope: only the failure is vouched for.
  bool vouched = true;
  std::string lowered;  ///< which limits that the bundle asks for were not granted; "" for none
};
/// InvalidInput when the bundle's content is not what its checksums say, when files in it are not those that fxscope writes for its
/// manifest and its program (which are named), when the very engine it was made with gives another failure than it claims, or when it is
/// no bundle. Then nothing is vouched for.
Result<ReplayResult> replayBundle(const std::string& path, const ReplayOptions&, const Environment&, const RunContext&);

}  // namespace fxs::session
