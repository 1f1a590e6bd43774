// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lowers a program directly through op registries, for the front ends: rewrites it to functional
// form, decomposes operators that the chain does not lower if there is a native decomposition,
// lowers it, and verifies the result with the engine.
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "registry/direct_lowering.h"
#include "session/session.h"

namespace fxs::session {

struct DirectRequest {
  registry::DirectOptions options;  ///< `weights` is filled in from the snapshot
  std::set<std::string>
      decompose;  ///< decompositions to apply in any case, besides those of the snapshot's request
  bool decomposeAsNeeded = true;  ///< repeatedly decompose operators that the chain does not lower
  registry::BlockSizes
      blockSizes;      ///< of a Helion kernel: those to choose; the others are those of its file
  bool verify = true;  ///< let the engine parse, verify and print the text, if there is an engine
};

struct DirectResult {
  std::shared_ptr<const rewrite::Rewritten>
      rewritten;  ///< the lowered program; its nodes have origins in the user's program
  std::vector<std::string>
      decomposed;  ///< operators decomposed because the chain does not lower them, sorted
  std::shared_ptr<const registry::DirectLowering> lowering;
  std::optional<lower::StageResult>
      verified;  ///< stage "registry": the text printed by the engine, or its errors; nullopt if it
                 ///< was not verified
  std::optional<lower::Engine> engine;  ///< used for verification
  std::string notVerified;  ///< why not: "the module is incomplete", "no engine was found"; "" if
                            ///< it was verified
  std::chrono::duration<double> seconds{0};

  /// Everything is lowered, neither the rewriting nor the engine rejected it.
  bool ok() const;
  /// As printed by the engine if it was verified, otherwise as written.
  const std::string& text() const;
  /// Of the rewriting, the lowering and the engine, errors first, in node order.
  std::vector<fx::Finding> findings() const;
};

/// Reads a user's registry (registry/user_registry.h). NotFound, Io; InvalidInput with the file and
/// the line.
Result<std::shared_ptr<const registry::Registry>> userRegistry(const std::string& path);

/// The result as a lowering with one stage, "registry", with the text or the errors.
std::shared_ptr<const lower::Lowering> asLowering(const DirectResult&,
                                                  const lower::OutputType& target);

/// The snapshot must have been read. Usage if a registry of the chain or a decomposition does not
/// exist.
Result<std::shared_ptr<const DirectResult>> lowerByRegistries(const SnapshotPtr&,
                                                              const DirectRequest&,
                                                              const Environment&,
                                                              const RunContext&);
/// The same of a functional program without a snapshot. The text is not verified, and its locations
/// name the nodes of `program`.
Result<std::shared_ptr<const registry::DirectLowering>> lowerByRegistries(
    const fx::ProgramPtr& program, const registry::DirectOptions&, const RunContext&);

}  // namespace fxs::session
