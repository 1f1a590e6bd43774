// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Removes torch.vmap from an exported program, where _add_batch_dim hides a dimension of a tensor
// from the operators that follow and _remove_batch_dim restores it. Attention masks of language
// models are built this way. The rewrite keeps hidden dimensions in front, outermost vmap first,
// and the operators broadcast over them. It supports pointwise operators, indexing by batched
// positions and expand, which is enough for masks; any other operator becomes a finding, and the
// program stays unchanged.
#include "rewrite/transcription.h"

namespace fxs::rewrite {

/// Whether it is a call of the functions that torch.vmap leaves in a program.
bool isPartOfVmap(const fx::Node&);
bool hasVmap(const fx::Program&);
/// std::nullopt, and a finding, if vmap cannot be removed.
Result<std::optional<fx::Program>> inlineVmap(const fx::Program&, Report&, const RunContext&);

}  // namespace fxs::rewrite
