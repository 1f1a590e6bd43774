// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What `lower --nodes --json` and `diagnose --json` answer, as an editor needs it: by lines of
// files. Texts are printable.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs::cli {

struct LspLine {
  std::string file;                          ///< path without links; of a library as recorded
  std::uint32_t line = 0;                    ///< 0-based
  std::string code;                          ///< "" if it is not known
  std::optional<std::uint32_t> column = {};  ///< 0-based bytes; nullopt: the whole line
  friend bool operator==(const LspLine& a, const LspLine& b) {
    return a.file == b.file && a.line == b.line && a.column == b.column;
  }
};

struct LspNode {
  std::string name, target, module;
  std::optional<LspLine> line;   ///< the innermost in a file of the folders
  std::vector<LspLine> library;  ///< those within it, the innermost first
  std::vector<std::string> became;
};

/// A change that a run has shown to make the whole program lower.
struct LspFix {
  std::string id, to, change, verified, cost;
  std::string python;  ///< "" if it has none
  std::string snippet, language;
  bool isBest = false;
};

/// By their numbers in the protocol.
enum class LspSeverity : std::uint8_t { Error = 1, Warning = 2, Information = 3 };

struct LspFinding {
  /// The nodes at one line.
  struct Place {
    LspLine line;
    std::vector<std::string> nodes;
  };
  LspSeverity severity = LspSeverity::Error;
  std::string kind, message;
  std::vector<Place> places;
  std::vector<LspLine> library;
  std::vector<LspFix> fixes;
};

struct LspLowered {
  std::string to, stage;
  bool failed = false;  ///< the text is that at the failure of the stage
  std::map<std::int64_t, LspNode> nodes;
  std::vector<LspFinding> findings;
};

struct LspDiagnosis {
  bool isComplete = true;
  std::vector<LspFinding> findings;
};

/// The path of a recorded file that an editor may show; nullopt for others.
using LspFileOf = std::function<std::optional<std::string>(const std::string& recorded)>;

Result<LspLowered> lspLoweredFrom(std::string_view json, const LspFileOf&);
/// `lowered` has the lines of the nodes; it may be null.
Result<LspDiagnosis> lspDiagnosisFrom(std::string_view json, const LspLowered* lowered,
                                      const LspFileOf&);
/// The place and the message of "fxscope-cli: LABEL:3:5: message"; nullopt if it names no place of
/// `label`.
struct LspRefusal {
  LspLine line;
  std::string message;
};
std::optional<LspRefusal> lspRefusalFrom(std::string_view err, std::string_view label);

}  // namespace fxs::cli
