// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parses diagnostics in the engine's stderr: `fx:12:0: error: ..`, `<unknown>:0: error:
// loc("n"("fx":12:0)): ..`, with notes.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fx/argument.h"
#include "mlir/logs/dump_log.h"

namespace fxs::mlir {

struct EngineDiagnostic {
  std::string severity;  ///< "error", "warning", "note", "remark"
  std::string message;   ///< without location prefix
  fx::NodeId node;       ///< from the location; invalid if it has none
  std::string nodeName;  ///< from the location; "" if it has none
  std::string op;        ///< the operation quoted in the message, "torch.aten.erfinv"
  bool located = false;  ///< whether the location is one of the module: a node, or a line of the
                         ///< engine's input
  std::vector<EngineDiagnostic> notes;
  std::uint32_t line = 0;  ///< 1-based, of the engine's input; 0: it names none
};
struct EngineLog {
  std::vector<EngineDiagnostic> diagnostics;
  std::string failingPass;  ///< "convert-torch-to-tosa" from a dump header with "Failed", else the
                            ///< class that `Pipeline failed while executing [..]` names
  std::vector<DumpedIr> dumps;
  bool crashed = false;  ///< the pipeline aborted, or failed and no pass of it did: a crash that
                         ///< the engine recovered from. Of a run that prints the IR after failures
  /// The engine's abort message: "LLVM ERROR: out of memory", an assertion; "" if there is none.
  std::string fatal;
};
EngineLog parseEngineLog(std::string_view stderrText);

}  // namespace fxs::mlir
