#pragma once
// Runs the content of a bundle again and regenerates its files; shared by replay and export.
#include "bundle/content.h"
#include "session/bundle.h"

namespace fxs::session {

/// The content of a bundle from a lowered program: its text, its modules, and the output of engine and diagnosis.
bundle::Content contentOf(bundle::Manifest, const Snapshot& lowered, const Describe&);
/// The bytes of program.pt2; equal programs give equal bytes.
Result<std::string> writtenProgram(const fx::Program&, const std::function<bool(const fx::Weight&)>& withBytes,
                                   const read::Capture& weights, const RunContext&);
/// Number of operations in all graphs, without getitem.
std::size_t callNodes(const fx::Program&);
/// Whether a module of the snapshot's program fails with this signature, with the options of the snapshot's request.
Result<bool> moduleFails(const std::string& module, const Snapshot&, const bundle::FailureSignature&, const Environment&,
                         const RunContext&);
/// Lowers the bundle's program with the options of its manifest. Errors as for replayBundle(), except that another failure with the
/// original engine is an outcome.
Result<ReplayResult> replay(const bundle::Bundle&, const std::string& label, const lower::Engine&, const ReplayOptions&, const Environment&,
                            const RunContext&);

}  // namespace fxs::session
