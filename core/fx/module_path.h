// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parsers for a node's metadata strings nn_module_stack and stack_trace.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fx/program.h"

namespace fxs::fx {

struct ModuleFrame {
  std::string key;   ///< "L__self___layers_0"
  std::string path;  ///< FQN, "layers.0"; "" for the root
  std::string type;  ///< "torch.nn.modules.linear.Linear"
  friend bool operator==(const ModuleFrame&, const ModuleFrame&) = default;
};
/// Parses `key,path,type;key,path,type`, outermost first; commas inside brackets do not separate.
std::vector<ModuleFrame> parseModuleStack(std::string_view text);
/// How many frames both stacks begin with.
std::size_t commonLength(const std::vector<ModuleFrame>&, const std::vector<ModuleFrame>&);

struct StackFrame {
  std::string file;
  int line = 0;  ///< 1-based
  std::string function;
  std::string code;  ///< the source line, trimmed; "" if the trace has none
  friend bool operator==(const StackFrame&, const StackFrame&) = default;
};
/// Outermost first, as in a Python traceback.
std::vector<StackFrame> parseStackTrace(std::string_view text);
/// The innermost frame outside PyTorch, which may be in another library; null if there is none.
const StackFrame* userFrame(const std::vector<StackFrame>&);
/// A file of a frame relative to `root`, the absolute folder of a project: what lies below it, and
/// what is relative; not of installed packages. nullopt for other files, or for no root.
std::optional<std::string> projectFile(std::string_view file, std::string_view root);
/// The innermost frame with a projectFile(); null if there is none.
const StackFrame* projectFrame(const std::vector<StackFrame>&, std::string_view root);

/// Without the marker of torch.export for nodes that no module made.
std::vector<ModuleFrame> modulesOf(const Program&, const Node&);
std::vector<StackFrame> stackOf(const Program&, const Node&);

}  // namespace fxs::fx
