// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Python source that does what the nodes of a graph do. It assumes `import torch` and
// `aten = torch.ops.aten`, and uses `math` and `operator` where nodes call their functions.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fx/program.h"

namespace fxs::fx {

/// How long a line of source is at most, where it can be broken.
inline constexpr std::size_t kPythonColumns = 110;
/// As an expression: "0.5", "float('inf')".
std::string pythonNumber(double);
/// "aten.diff.default", or "torch.ops.prims.sum.default".
std::string pythonTarget(std::string_view target);
/// A name that Python source can have for a value: "lambda_" for "lambda".
std::string pythonName(std::string_view wanted);
/// Whether the node is a size of a tensor, which Python has as `x.shape[0]`.
bool isSizeOf(const Node&);
/// `head`, the texts and `tail`, in one line or as many as are needed, ending with a line break.
/// `hanging`: what further lines are indented by.
std::string pythonLines(const std::string& head, const std::vector<std::string>& texts,
                        std::string_view separator, const std::string& tail,
                        const std::string& indent, std::size_t hanging = 8);

/// Names the nodes and prints their calls. The first thing that Python source cannot say is kept,
/// and what is printed is then of no use.
class PythonSource {
 public:
  const std::string& problem() const { return problem_; }  ///< "a dict as an argument"; "" for none
  std::string fail(std::string problem);                   ///< gives ""
  /// A name that no value has yet.
  std::string taken(std::string_view wanted);
  void keep(std::string name) { taken_.insert(std::move(name)); }  ///< is given to no value
  void setText(NodeId id, std::string expression) { named_[id] = std::move(expression); }
  /// An expression.
  std::string text(const Argument&);
  /// A call, in one line: "aten.add.Tensor(x, y)".
  std::string expression(const Node&);
  /// `name = aten.add.Tensor(x, y)`, and the name becomes the node's; of a getitem and of a size an
  /// expression becomes it, and there is no statement.
  std::string statement(const Node&, const std::string& indent);
  /// The arguments of a call, by position up to the first one that is left out, then by name.
  std::vector<std::string> arguments(const Node&);

 private:
  std::string calledText(const Node&);
  std::map<NodeId, std::string> named_;
  std::set<std::string> taken_;
  std::string problem_;
};

}  // namespace fxs::fx
