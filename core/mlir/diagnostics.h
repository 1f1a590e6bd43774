#pragma once
// The engine's stderr as diagnostics: `fx:12:0: error: ..`, `<unknown>:0: error: loc("n"("fx":12:0)): ..`, notes attached.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fx/argument.h"

namespace fxs::mlir {

struct EngineDiagnostic {
  std::string severity;              ///< "error", "warning", "note", "remark"
  std::string message;               ///< without location prefix
  fx::NodeId node;                   ///< from the location; invalid when it has none
  std::string nodeName;              ///< where the location carries it
  std::string op;                    ///< the operation quoted in the message, "torch.aten.erfinv"
  std::vector<EngineDiagnostic> notes;
};
struct EngineLog {
  std::vector<EngineDiagnostic> diagnostics;
  std::string failingPass;           ///< from `Pipeline failed while executing [..]` or a dump header with "Failed"
  std::vector<std::string> crashStack;   ///< frames of a stack dump
};
EngineLog parseEngineLog(std::string_view stderrText);

}  // namespace fxs::mlir
