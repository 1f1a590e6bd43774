// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is known in advance about the values of a program's nodes: which are not determined by the
// inputs, and how precise they can be.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fx/program.h"

namespace fxs::compare {

/// By NodeId: whether the value depends on random numbers or on memory that was never written. Such
/// values cannot be compared.
std::vector<bool> undeterminedNodes(const fx::Program&);

/// By NodeId: the floating dtype of lowest precision among the value and all that it was computed
/// from; Unknown if none is floating.
std::vector<DType> lowestPrecisions(const fx::Program&);

/// By NodeId: the number of terms of the longest sum on the way to the value, for these sizes of
/// symbols; at least 1. Of a call that adds along dimensions that it does not name, an upper bound.
std::vector<std::uint64_t> longestSums(const fx::Program&,
                                       const std::map<std::string, std::int64_t>& sizes);

/// By NodeId: whether the value is an index into another value (argmax, the indices of topk ..):
/// ties and rounding may choose another one.
std::vector<bool> chosenIndices(const fx::Program&);

/// By NodeId of the user's program: the node of `program`, a rewritten form of it, that has the
/// same value; invalid if there is none.
std::vector<fx::NodeId> valueNodes(const fx::Program& program);

}  // namespace fxs::compare
