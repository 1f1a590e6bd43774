// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Opens an MLIR module as a program: its operations are the nodes, and each operation of the text
// that is lowered is located at its node. An engine parses, verifies and prints the module, so that
// every dialect that it registers can be read, in custom or generic form or as bytecode. A file
// that `// -----` divides is opened one part at a time.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/run_context.h"
#include "lower/lower.h"
#include "read/format.h"

namespace fxs::module {

/// Whether a file whose first bytes are `head` is MLIR text or bytecode. A log of modules is not.
bool isModule(std::string_view head);

/// A part of a text that lines of `// -----` divide.
struct Part {
  std::string_view text;
  std::uint32_t firstLine = 0;  ///< 0-based line of the file
};
/// lit::partsOf(); bytecode is one part.
std::vector<Part> partsOf(std::string_view text);

/// `options.model` is the number of a part, from 1; "" is 1. InvalidInput, with the engine's error
/// and the line, if it does not read the module; EngineFailed if it gave no answer.
Result<read::Capture> openModule(std::string_view text, const std::string& label,
                                 const read::ReadOptions& options, const lower::Engine&,
                                 const lower::Limits&, CommandRunner&, const RunContext&);

/// The output types whose stage can start from the module's dialects, by rank.
std::vector<lower::OutputType> startingTypes(const read::SourceModule&,
                                             const lower::OutputTypes& all);
/// The output type, reached from the module instead of from the importer: the stages before the
/// first one that can start from its dialects are left out. Usage, with the types that can, if none
/// on the path does. A type that this returned is returned as it is.
Result<lower::OutputType> startingFrom(const read::SourceModule&, const lower::OutputType&,
                                       const lower::OutputTypes& all);

}  // namespace fxs::module
