// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bounds of the elements of a program's values, by interval arithmetic from bounds of its inputs,
// and what operations demand of these elements: indices lie within a dimension, asserted conditions
// hold, arguments are in a function's domain. Only what is commonly done with indices, masks and
// sizes is followed; other values have no bounds.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "compare/inputs.h"
#include "fx/program.h"
#include "ops/operators.h"

namespace fxs::compare {

/// The packet of a PyTorch operator without the underscore of in-place variants: "index_put" of
/// "aten.index_put_.default"; "" for other targets.
std::string_view packetOf(const fx::Node&);
/// What is known of the operator that the node calls.
const ops::Operator& operatorOf(const fx::Node&);

/// The least and the largest value of an integer type, as doubles.
struct IntegerLimits {
  double least = 0, most = 0;
};
IntegerLimits integerLimits(DType);

struct ElementRange {
  double min = 0, max = 0;
  std::vector<fx::NodeId> inputs;  ///< placeholders that the elements are computed from, sorted
};

struct ElementDemand {
  fx::NodeId of;  ///< the value whose elements must lie between `min` and `max`
  double min = 0, max = 0;
  bool isRequired = true;  ///< whether the program fails otherwise; else results are only less
                           ///< useful, such as NaN
  std::string purpose;     ///< "as indices at embedding"
  bool isDivisor = false;  ///< all but 0 is allowed
};

class ElementRanges {
 public:
  /// `canWrap`: indices may be negative where PyTorch counts them from the end.
  ElementRanges(const fx::Program&, const Sizes&, bool canWrap, const RunContext&);

  /// Sets the bounds of an input; the others are updated by propagate().
  void set(fx::NodeId placeholder, double min, double max);
  void propagate();
  /// std::nullopt if nothing is known.
  const std::optional<ElementRange>& of(fx::NodeId id) const { return ranges_[id.index()]; }

  /// What operations demand of values that are computed from inputs, after propagate(), which from
  /// now on updates only these values.
  std::vector<ElementDemand> demands();
  bool holds(const ElementDemand&) const;

 private:
  void enterSubgraphs(const fx::Node&);
  void forgetOthers(const std::vector<ElementDemand>&);

  const fx::Program& program_;
  const Sizes& sizes_;
  const bool canWrap_;
  const RunContext& context_;
  std::vector<std::optional<ElementRange>> ranges_;  // by node
  std::vector<fx::NodeId> depending_;  // calls whose results depend on inputs, in order
  bool isFirst_ = true;
};

}  // namespace fxs::compare
