// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs the content of a bundle again and regenerates its files; shared by replay and export.
#include "bundle/bundle.h"
#include "bundle/content.h"

namespace fxs::bundle {

/// The content of a bundle from a lowered program: its text, its modules, and the output of engine
/// and diagnosis. Cancelled.
Result<Content> contentOf(Manifest, const session::Snapshot& lowered, const Describe&,
                          const RunContext&);
/// The program that runs the last of a bundle's stages. NotFound, with how to get it.
Result<StageProgram> stageProgramOf(const lower::StageSpec&, const lower::Engine&);
/// Number of operations in all graphs, without getitem.
std::size_t callNodes(const fx::Program&);
/// Whether a module of the snapshot's program fails with this signature, with the options of the
/// snapshot's request.
Result<bool> moduleFails(const std::string& module, const session::Snapshot&,
                         const FailureSignature&, const session::Environment&, const RunContext&);
/// Lowers the bundle's program with the options of its manifest. Errors as for replayBundle(),
/// except that another failure with the original engine is an outcome.
Result<ReplayResult> replay(const Bundle&, const std::string& label, const lower::Engine&,
                            const ReplayOptions&, const session::Environment&, const RunContext&);

}  // namespace fxs::bundle
