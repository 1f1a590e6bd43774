// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Costs of the parts of a program in Resource::Values: one per about 20 bytes of memory, or for
// processing as many. All code that creates nodes calls spendNode(), so that readers and rewrites
// stay within the caller's budget.
#include <cstdint>
#include <string_view>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::fx {

/// The number of parts n plus n * n / 64, because expanding and comparing expressions takes more
/// than linear time.
std::uint64_t costOf(const SymExpr&);
std::uint64_t costOf(const TensorMeta&);
std::uint64_t costOf(const Value&);
std::uint64_t costOf(const Argument&);
/// The cost of a node with its arguments, value and metadata. A shared metadata string counts
/// partly for each node that refers to it, because it is printed and parsed once per node.
std::uint64_t costOf(const Program&, const Node&);
std::uint64_t costOf(const Program&, const std::vector<MetaString>&);

/// Spends a node of `program`; the error names the node. Throws Abandoned.
void spendNode(const Program& program, const Node&, const RunContext&);
/// Upper bound of the cost of parsing `expression`.
std::uint64_t costOfParsing(std::string_view expression);

}  // namespace fxs::fx
