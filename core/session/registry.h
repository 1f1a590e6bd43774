#pragma once
// A program straight through op registries, for the front ends: rewritten to functional form, taken apart where the chain lacks an
// operator and a native decomposition is there, lowered, and read by the engine.
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
  std::set<std::string> decompose;  ///< decompositions asked for in any case, beside those of the snapshot's request
  bool decomposeAsNeeded = true;    ///< what the chain does not lower is taken apart, again and again, as far as rules go
  bool verify = true;               ///< the engine reads, verifies and prints the text; not done where there is no engine
};

struct DirectResult {
  std::shared_ptr<const rewrite::Rewritten> rewritten;  ///< what was lowered; its nodes have origins in the user's program
  std::vector<std::string> decomposed;                  ///< operators that were taken apart because the chain does not lower them, sorted
  std::shared_ptr<const registry::DirectLowering> lowering;
  std::optional<lower::StageResult> verified;  ///< stage "registry": the engine's print of a complete text, or what it refused; nothing
                                               ///< when it was not asked
  std::optional<lower::Engine> engine;         ///< that was asked
  std::string notVerified;                     ///< why it was not: "the module is incomplete", "no engine was found"; "" when it was
  std::chrono::duration<double> seconds{0};

  /// Everything is lowered, and the engine did not refuse it.
  bool ok() const;
  /// As the engine prints it, else as it was written.
  const std::string& text() const;
  /// Of the rewriting, the lowering and the engine, errors first, in node order.
  std::vector<fx::Finding> findings() const;
};

/// A user's registry in a file (registry/user_registry.h). NotFound, Io; InvalidInput with the file and the line.
Result<std::shared_ptr<const registry::Registry>> userRegistry(const std::string& path);

/// What a front end shows as stages: one, "registry", with the text, or what stopped it.
std::shared_ptr<const lower::Lowering> asLowering(const DirectResult&, const lower::OutputType& target);

/// The snapshot needs to have been read. Usage when the chain or a decomposition does not exist.
Result<std::shared_ptr<const DirectResult>> lowerByRegistries(const SnapshotPtr&, const DirectRequest&, const Environment&,
                                                              const RunContext&);

}  // namespace fxs::session
