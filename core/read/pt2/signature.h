#pragma once
// `signature`, `range_constraints` and the other facts besides the graph: which placeholder is what, what is returned and what
// is mutated.
#include <vector>

#include "fx/builder.h"
#include "read/pt2/graph_decoder.h"

namespace fxs::read::pt2 {

/// The kind of each graph input, known before the graph is read. One entry for each input_spec.
Result<std::vector<InputHint>> inputHints(const Json& signature);

/// Fills in Program::inputs and outputs; the specs must pair with the graph's inputs and outputs one by one.
Result<> decodeSignature(const Json& signature, fx::Builder&, GraphDecoder&);

/// Fills in ranges, guards, inputNames, torchVersion and dialect from the top level of the file.
Result<> decodeFacts(const Json& exportedProgram, fx::Program&);

}  // namespace fxs::read::pt2
