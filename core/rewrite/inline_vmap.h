#pragma once
// torch.vmap leaves its machinery in an exported program: _add_batch_dim hides a dimension of a tensor, the operators between
// then see one dimension less, and _remove_batch_dim shows it again. Attention masks of language models are built so. Here the
// hidden dimensions stay where they are, in front, outermost vmap first, and the operators between broadcast over them.
// Pointwise operators, indexing by hidden positions and expand are enough for masks; with any other operator between the
// program stays as it is, and that operator is a finding.
#include "rewrite/transcription.h"

namespace fxs::rewrite {

bool hasVmap(const fx::Program&);
/// Nothing when the program cannot be written without vmap; then there is a finding.
Result<std::optional<fx::Program>> inlineVmap(const fx::Program&, Report&, const RunContext&);

}  // namespace fxs::rewrite
