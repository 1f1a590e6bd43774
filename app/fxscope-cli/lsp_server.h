// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A server of the Language Server Protocol
// (https://microsoft.github.io/language-server-protocol, 3.17) on two file descriptors: at the
// lines of Python of a program what blocks it, what became of its nodes and verified fixes, and
// what an engine says of MLIR texts.
#include <string>
#include <vector>

#include "base/result.h"
#include "base/run_context.h"
#include "lower/output_types.h"
#include "served_calls.h"
#include "served_folders.h"

namespace fxs::cli {

struct LspServer {
  ServedProgram program;
  ServedFolders folders;
  std::string version;                ///< of fxscope
  std::vector<std::string> programs;  ///< paths without links
  std::vector<std::string> types;     ///< names of output types
  std::vector<std::string> passedOn;  ///< options of the commands
  const lower::OutputTypes* outputTypes = nullptr;
};

/// Answers requests until `in` ends, the client says exit, or a stop is requested; then commands
/// that still run are cancelled. Whether the client asked for a shutdown. Io if `out` cannot be
/// written.
Result<bool> serveLsp(const LspServer&, int in, int out, const RunContext&);

}  // namespace fxs::cli
