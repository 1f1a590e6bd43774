// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Determines what a call's results share memory with. Mostly given by the schema, but some
// operators return a view or a copy depending on their operands (reshape, contiguous, to), and some
// return their operand although the schema has no alias (dropout when not training). Decided as in
// PyTorch from the recorded sizes and strides; from hints for symbolic ones, because the exporter
// guards on such decisions.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fx/program.h"

namespace fxs::rewrite {

enum class Sharing : std::uint8_t {
  Fresh,    ///< no sharing
  View,     ///< a view of `of`
  Same,     ///< `of` itself, or a view of all of it with the same shape
  Perhaps,  ///< unknown; may share memory with any tensor operand
};

struct Shares {
  Sharing sharing = Sharing::Fresh;
  fx::NodeId of;             ///< the operand; valid for View and Same
  std::size_t argument = 0;  ///< its position in Node::args
};

/// For calls that do not mutate. For tuples of views (split, unbind), the answer is for all
/// elements.
Shares sharesOf(const fx::Program&, const fx::Node&);

/// Whether a row of resources/ops/operators.txt may say "shares=NAME".
bool isSharesRule(std::string_view name);

/// Whether Tensor.view(`shape`) works without a copy; std::nullopt if unknown.
std::optional<bool> viewable(const fx::TensorMeta&, const std::vector<fx::SymInt>& shape);
/// Tensor.is_contiguous; std::nullopt if unknown.
std::optional<bool> isContiguous(const fx::TensorMeta&, MemoryFormat = MemoryFormat::Contiguous);
/// `meta` for a newly allocated result: no offset, and row-major strides unless its strides are
/// dense.
fx::TensorMeta freshMeta(fx::TensorMeta meta);

}  // namespace fxs::rewrite
