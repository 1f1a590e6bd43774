#pragma once
// What a snapshot's program, or a part of it, is imported with once more: for questions that are put to the engine after the stages.
#include "session/session.h"

namespace fxs::session {

/// The largest weight that is read whole.
inline constexpr std::uint64_t kWeightBytes = std::uint64_t{16} << 30;

/// The capture's program with the values that can be inferred.
fx::ProgramPtr valuedProgram(const Snapshot&, const RunContext&);

/// The request's choices with the snapshot's weights and registered operations; weights are never embedded. Lives as long as the
/// snapshot.
import::ImportOptions importOptionsOf(const Snapshot&, const RunContext&);

/// Which operations the engine registers, of those that `program` wants and of all that a rewrite of it may bring in.
Result<std::set<std::string, std::less<>>> registeredOpsFor(const fx::Program& program, const lower::Engine&, const Environment&,
                                                            const RunContext&);

/// The snapshot's engine, or the environment's, probed. EngineFailed with the way out when there is none.
Result<lower::Engine> engineFor(const Snapshot&, const Environment&, const RunContext&);

}  // namespace fxs::session
