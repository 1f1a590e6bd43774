// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reproducer bundles for the front ends: exports a bundle of a failure or of a wrong result, after
// replaying it as a check, and replays existing bundles.
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "numbers/compare.h"

namespace fxs::bundle {

enum class BundleWeights : std::uint8_t { None, Used, All };
std::string_view name(BundleWeights);  ///< "none", "used", "all"
/// Usage, listing the valid names, for any other text.
Result<BundleWeights> bundleWeightsFrom(std::string_view);

/// Formats the findings of a lowered snapshot as text and as JSON; must be deterministic.
using Describe = std::function<std::pair<std::string, std::string>(const session::Snapshot&)>;

struct BundleOptions {
  std::string
      path;  ///< OUT.zip, or an existing directory, in which the file is named by its content
  fx::NodeId
      node;  ///< of the user's program: the operation that fails; invalid: the first one that does
  bool reduce = true;  ///< reduce the program to few operations that fail in the same way
  /// None still includes constants that the engine may fold: at most 64 integers, or one value of
  /// any type.
  BundleWeights weights = BundleWeights::None;
  Describe describe;
  /// Bundle the wrong result that this comparison finds at the request's target, instead of a
  /// failure: the smallest part found that still computes it, with its inputs, the expected values
  /// and those of the executors. `node` and `reduce` and the targets are ignored then.
  std::optional<numbers::CompareOptions> wrong;
};

struct BundleResult {
  std::string path;  ///< the file written
  std::uint64_t bytes = 0;
  std::string sha256;         ///< of the manifest; its prefix is part of the name
  std::size_t callNodes = 0;  ///< of the program in the bundle
  std::size_t originalCallNodes = 0;
  std::string signature;    ///< "illegal-op of torch.aten.diff (aten.diff.default) in torch, pass
                            ///< torch-reduce-op-variants"
  bool reproduces = false;  ///< the replay of the bundle failed in the same way
  bool isKnown = true;      ///< false: whether it does is not known, as a limit was reached
  std::string statement;  ///< one sentence: "fails in the same way", or why it is no reproducer, or
                          ///< is not known to be one
  /// Removed data, a line each: "2 paths under a home folder (now net.py)", "metadata 'custom' of 3
  /// operations".
  std::vector<std::string> removed;
};

/// Bundles a program that does not lower to the request's target. Usage if it does, if nothing
/// fails at `options.node`, or for another route than kPipelines. Unsupported if the program fails
/// before an engine runs, such as in the import. Io if the file cannot be written. On an Error or a
/// stop request nothing is left at `path`. Of a wrong result: Usage if nothing is wrong, if that is
/// not certain, for BundleWeights::None, or without an executor.
Result<BundleResult> exportBundle(const session::SnapshotPtr&, const BundleOptions&,
                                  const session::Environment&, const RunContext&);

/// Unknown: the result of a bundle with a wrong result could not be judged here.
enum class ReplayOutcome : std::uint8_t { SameFailure, OtherFailure, Fixed, Unknown };
std::string_view name(ReplayOutcome);  ///< "same-failure", "other-failure", "fixed", "unknown"

struct ReplayOptions {
  /// Upper limits for a run; the bundle may lower them.
  lower::Limits limits;
  Describe describe;  ///< the same as for the export; null: the diagnostics are not checked
};

struct ReplayResult {
  ReplayOutcome outcome = ReplayOutcome::SameFailure;
  std::string bundle;           ///< name of the bundle: "fxscope-gpt2-0123456789ab"
  std::string expected, found;  ///< signatures; `found` is "" if fixed or unknown
  std::string statement;        ///< one sentence
  lower::Engine engine;         ///< used for the replay
  std::string engineVersion;    ///< version of the engine that the bundle was made with
  bool sameEngine = true;       ///< both engines have the same checksum
  /// Files of the bundle that were regenerated and found equal, and the other files.
  std::vector<std::string> checked, unchecked;
  std::string uncheckedReason;  ///< "" if all were checked
  /// All files that can be run or that describe the bundle were regenerated and found equal. False
  /// for a bundle of another version of fxscope, for which only the failure was verified.
  bool vouched = true;
  std::string lowered;  ///< limits requested by the bundle that were reduced; "" for none
};
/// InvalidInput if the file is not a bundle, if its content does not match its checksums, if files
/// differ from those that fxscope writes for its manifest and program (the message names them), or
/// if the engine it was made with fails in another way than recorded. The content cannot be trusted
/// then.
Result<ReplayResult> replayBundle(const std::string& path, const ReplayOptions&,
                                  const session::Environment&, const RunContext&);

}  // namespace fxs::bundle
