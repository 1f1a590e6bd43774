// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lowers a program directly through op registries, as the route kRegistries does: rewrites it to
// functional form, decomposes operators that the chain does not lower if there is a native
// decomposition, lowers it, and verifies the result with the engine. Usage if a registry of the
// chain or a decomposition does not exist, or if no registry writes the output type.
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
  bool ofOutputType = false;        ///< its chain instead, as directOptionsFor()
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

/// The registries that write an output type, with the request's function name and weights; nullopt
/// if there are none.
std::optional<registry::DirectOptions> directOptionsFor(const Request&, const lower::OutputType&);

/// Lowers a functional program, whose origins are in the snapshot's, by the registries that write
/// an output type; operators that they do not lower are decomposed. Not verified. Null if no
/// registry writes the type.
Result<std::shared_ptr<const registry::DirectLowering>> lowerByRegistries(const Snapshot&,
                                                                          const fx::Program&,
                                                                          const lower::OutputType&,
                                                                          const RunContext&);

}  // namespace fxs::session
