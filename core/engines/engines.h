// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One program with several engines: side by side, or searched for the first engine with another
// outcome.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/side_by_side.h"
#include "session/session.h"

namespace fxs::engines {

/// Probes the engines in order, each a name or a path as Environment::enginePath. EngineFailed,
/// naming it, if one cannot be run.
Result<std::vector<lower::Engine>> enginesNamed(const std::vector<std::string>& names,
                                                const session::Environment&, const RunContext&);

/// Lowers the program to every output type with every engine; each imports it by its own registered
/// operations. Nothing that was lowered is executed. `start` has run nothing, or any phases before
/// Import.
Result<std::shared_ptr<const SideBySide>> lowerSideBySide(const session::SnapshotPtr& start,
                                                          const std::vector<lower::OutputType>&,
                                                          std::vector<lower::Engine>,
                                                          const session::Environment&,
                                                          const RunContext&);

/// The snapshot's program lowered to its output type with another engine, a name or a path as
/// Environment::enginePath. EngineFailed if it cannot be run.
Result<session::SnapshotPtr> lowerWithEngine(const session::SnapshotPtr&, const std::string& engine,
                                             const session::Environment&, const RunContext&);

struct EngineBisection {
  lower::OutputType type;
  std::vector<lower::Engine> engines;              ///< as given
  std::vector<std::optional<std::size_t>> sameAs;  ///< as in SideBySide
  std::vector<std::optional<Outcome>> outcomes;    ///< by engine; std::nullopt: not run
  std::vector<std::size_t> ran;                    ///< in the order of the runs
  std::optional<std::size_t>
      first;  ///< the first engine with another outcome; std::nullopt: the last one has the same
};
/// Searches the engines, in the order given, for the first with which the program lowers if it does
/// not with the first of all, or the reverse. Engines that are the same program as the one before
/// count as one.
Result<EngineBisection> bisectEngines(const session::SnapshotPtr& start, const lower::OutputType&,
                                      std::vector<lower::Engine>, const session::Environment&,
                                      const RunContext&);

}  // namespace fxs::engines
