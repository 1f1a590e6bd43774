#pragma once
// The metadata strings of a node, parsed: nn_module_stack and stack_trace.
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
/// Outermost first: `key,path,type;key,path,type`, commas inside brackets are part of the item.
std::vector<ModuleFrame> parseModuleStack(std::string_view text);

struct StackFrame {
  std::string file;
  int line = 0;
  std::string function;
  std::string code;  ///< the source line, trimmed; "" when the trace has none
  friend bool operator==(const StackFrame&, const StackFrame&) = default;
};
/// Outermost first, as in a Python traceback.
std::vector<StackFrame> parseStackTrace(std::string_view text);
/// The frame a user would call theirs: the innermost one outside PyTorch itself (a model may come from a library), else the innermost.
const StackFrame* userFrame(const std::vector<StackFrame>&);

std::vector<ModuleFrame> modulesOf(const Program&, const Node&);
std::vector<StackFrame> stackOf(const Program&, const Node&);

}  // namespace fxs::fx
