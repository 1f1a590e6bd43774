// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Decodes `signature`, `range_constraints` and the rest of an exported program other than its
// graph: kinds of inputs and outputs, mutations.
#include <vector>

#include "fx/builder.h"
#include "fx/call_structure.h"
#include "read/pt2/graph_decoder.h"

namespace fxs::read::pt2 {

/// One hint per input_spec, for decoding the graph.
Result<std::vector<InputHint>> inputHints(const Json& signature);

/// Fills in Program::inputs and outputs; InvalidInput unless the specs match the graph's inputs and
/// outputs.
Result<> decodeSignature(const Json& signature, fx::Builder&, GraphDecoder&);

/// How the program is called, as far as the file says it.
fx::CallStructure callStructure(const Json& graphModule);

/// Fills in ranges, guards, inputNames, torchVersion and dialect from the top level of the file.
Result<> decodeFacts(const Json& exportedProgram, fx::Program&);

}  // namespace fxs::read::pt2
