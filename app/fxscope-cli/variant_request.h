// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Options --from and --skip-pass: a lowering that continues from an edited text, or without some
// passes.
#include "command.h"

namespace fxs::cli {

Option fromOption();
Option skipPassOption();
bool asksForVariant(const Arguments&);
/// Lowers the program as it is, and returns a snapshot whose request is the variant's. Usage, with
/// the names that there are, for a stage or a pass that does not exist.
Result<session::SnapshotPtr> variantOf(session::SnapshotPtr, const Arguments&, Console&);

}  // namespace fxs::cli
