// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Options and engine to import a snapshot's program, or a part of it, again for further engine
// runs.
#include "session/session.h"

namespace fxs::session {

/// Size limit in bytes for reading a whole weight.
inline constexpr std::uint64_t kWeightBytes = std::uint64_t{16} << 30;

/// The capture's program with the values that can be inferred.
fx::ProgramPtr valuedProgram(const Snapshot&, const RunContext&);

/// The request's choices with the snapshot's weights and registered operations, and without
/// embedded weights. Valid as long as the snapshot.
import::ImportOptions importOptionsOf(const Snapshot&, const RunContext&);

/// The snapshot for an output type, imported, of a program that is rewritten for that type alone.
/// `known`: of the same program, for other types, whose values are kept where it is rewritten to
/// the same program.
Result<SnapshotPtr> importedFor(const lower::OutputType&, const SnapshotPtr&,
                                const std::vector<SnapshotPtr>& known, const Environment&,
                                const RunContext&);
/// For each output type, with the values that they have in common.
Result<std::vector<SnapshotPtr>> importedForEach(const std::vector<lower::OutputType>&,
                                                 const SnapshotPtr&, const Environment&,
                                                 const RunContext&);

/// The operations registered in the engine, among those of `program` and those that rewriting it
/// may introduce.
Result<std::set<std::string, std::less<>>> registeredOpsFor(const fx::Program& program,
                                                            const lower::Engine&,
                                                            const Environment&, const RunContext&);

/// The snapshot's engine, or else the environment's, probed. EngineFailed, with how to get one, if
/// there is none.
Result<lower::Engine> engineFor(const Snapshot&, const Environment&, const RunContext&);

}  // namespace fxs::session
