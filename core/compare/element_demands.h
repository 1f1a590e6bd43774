// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What one call demands of the elements of its operands. Operators name their rules in
// resources/ops/operators.txt: "demands=divisor", "domain=(0,inf)", "index=index/self/dim".
#include <optional>
#include <string_view>
#include <vector>

#include "compare/element_operands.h"

namespace fxs::compare {

/// Appends to `out`. `canWrap`: see ElementRanges.
void collectDemands(const RangedOperands&, bool canWrap, std::vector<ElementDemand>& out);

class Demands;
using DemandRule = void (Demands::*)();
/// Null if there is no such rule.
DemandRule demandRule(std::string_view name);

struct Domain {
  double min = 0, max = 0;
};
/// Of an interval: an end beside a round bracket is left out.
std::optional<Domain> readDomain(std::string_view interval);

/// An operand of positions in a dimension of another one.
struct Indexing {
  std::string_view index, table;
  std::optional<std::int64_t> dimension;  ///< std::nullopt: that of the argument `dim`
};
std::optional<Indexing> readIndexing(std::string_view text);

}  // namespace fxs::compare
