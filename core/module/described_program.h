// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The program of a module with what is known of the program that it was made from.
#include "fx/program.h"
#include "read/format.h"

namespace fxs::module {

/// Whether locations of the module's own text name nodes or lines.
bool hasOwnLocations(const read::SourceModule&);

/// The program of the module with the modules and lines of Python of those nodes of `source` that
/// the module's own locations name. Locations that have no more than lines, as torch-mlir's
/// importer writes them, give modules if all nodes of `source` with these lines are in the same
/// ones. Null if they name nothing of `source`.
fx::ProgramPtr describedBy(const fx::Program& source, const fx::Program& program,
                           const read::SourceModule&);

}  // namespace fxs::module
