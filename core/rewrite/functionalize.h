// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Replaces mutations by functional operations. Every tensor is the root of a storage, or a view
// reached from a root by view steps. A write computes a new value with the functional variant of
// the operator, propagates it up to the root by the inverse steps (slice -> slice_scatter, permute
// -> the inverse permute), and marks all other views of that storage as stale; a stale view is
// recomputed at its next use. The final values of mutated inputs become leading outputs. A write
// that cannot be made functional becomes a finding "not-functionalized" at its node, which is left
// unchanged.
#include "rewrite/transcription.h"

namespace fxs::rewrite {

/// Whether any node mutates, is an alias that only matters for mutation (detach_, lift_fresh_copy),
/// or reads a storage (as_strided).
bool needsFunctionalization(const fx::Program&);
/// Whether any node mutates a tensor.
bool writesToTensors(const fx::Program&);
/// aten.alias and aten.detach, which PyTorch keeps in a program that writes to no tensor.
bool isKeptRename(std::string_view target);
/// `asPyTorch`: in PyTorch's forms, where they are others.
Result<fx::Program> functionalize(const fx::Program&, bool asPyTorch, Report&, const RunContext&);

}  // namespace fxs::rewrite
