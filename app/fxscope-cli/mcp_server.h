// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A server of the Model Context Protocol (https://modelcontextprotocol.io, revisions 2024-11-05 to
// 2025-06-18) on two file descriptors, one JSON-RPC message a line. Its tools are commands of
// fxscope-cli; a call runs the command in a process of its own, so that nothing of a call stays in
// the server. Paths outside the given folders are refused, and so are options that choose a program
// to run.
#include <string>

#include "base/result.h"
#include "base/run_context.h"
#include "command.h"
#include "served_calls.h"
#include "served_folders.h"

namespace fxs::cli {

struct McpServer {
  ServedProgram program;
  ServedFolders folders;
  std::string version;  ///< of fxscope
  const Commands* commands = nullptr;
};

/// Answers requests until `in` ends or a stop is requested; then calls that still run are
/// cancelled. Io if `out` cannot be written.
Result<> serveMcp(const McpServer&, int in, int out, const RunContext&);

}  // namespace fxs::cli
