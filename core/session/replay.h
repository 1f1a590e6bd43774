#pragma once
// Running the content of a bundle again, and writing it again: for replay and for the export that must hold.
#include "bundle/content.h"
#include "session/bundle.h"

namespace fxs::session {

/// What a bundle holds of a program that was lowered: its text, its module, and what the engine and the diagnosis say.
bundle::Content contentOf(bundle::Manifest, const Snapshot& lowered, const Describe&);
/// A program as it is written into a bundle: the same program gives the same bytes.
Result<std::string> writtenProgram(const fx::Program&, const std::function<bool(const fx::Weight&)>& withBytes,
                                   const read::Capture& weights, const RunContext&);
/// Operations of all graphs, the parts of tuples not counted.
std::size_t callNodes(const fx::Program&);
/// Whether a module of the snapshot's program fails in that way, asked as the snapshot's request says.
Result<bool> moduleFails(const std::string& module, const Snapshot&, const bundle::FailureSignature&, const Environment&,
                         const RunContext&);
/// The bundle's program lowered as its manifest says, by that engine. Errors of replayBundle, but that another failure with the engine that
/// it was made with is an outcome.
Result<ReplayResult> replay(const bundle::Bundle&, const std::string& label, const lower::Engine&, const ReplayOptions&, const Environment&,
                            const RunContext&);

}  // namespace fxs::session
