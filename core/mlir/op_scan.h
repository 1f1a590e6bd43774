#pragma once
// Printed MLIR line by line: which operation each line begins or ends, and the nodes of its location. The operations are those
// of module.h; a line that belongs to none of them stays text.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fx/argument.h"
#include "mlir/location_table.h"
#include "mlir/module.h"

namespace fxs::mlir {

struct ScannedOp {
  static constexpr std::uint32_t kNone = 0xffffffff;
  std::string_view name;          ///< "torch.aten.relu", "builtin.module", "func.return"
  std::string_view line;          ///< its first line, as printed
  std::uint32_t firstLine = 0;    ///< of the scanned text, 0-based
  std::uint32_t lastLine = 0;     ///< differs from firstLine when it has regions on lines of their own
  std::uint32_t parent = kNone;   ///< the operation around it, an index
  std::vector<fx::NodeId> nodes;  ///< of its location; empty when it has none that leads to a node
  bool hasLocation = false;
};

enum class LineKind : std::uint8_t { Operation, Closing, Alias, Resource, Other };
struct ScannedLine {
  std::string_view text;
  LineKind kind = LineKind::Other;
  std::uint32_t op = ScannedOp::kNone;  ///< the operation that begins or ends here
};

struct ScannedText {
  std::shared_ptr<const Module> module;  ///< keeps the names of `ops`
  std::vector<ScannedLine> lines;
  std::vector<ScannedOp> ops;
};

/// Linear in the text, which must outlive the result.
ScannedText scanOps(std::string_view text);

/// Names of the values that an operation's line defines: "%0", "%5:2" gives "%5".
std::vector<std::string_view> resultsOf(std::string_view line);
/// The name of the operation that a line begins, or "".
std::string_view opNameOf(std::string_view line);
/// The operation that a `torch.operator` line stands for ("torch.aten.diff"), or "".
std::string_view operatorNameOf(std::string_view line);

}  // namespace fxs::mlir
