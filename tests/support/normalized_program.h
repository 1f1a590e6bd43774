// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A program as it would be exported after normalization.
#include "normalize/normalize.h"

namespace fxs::test {

/// The program with its metadata replaced by the normalized one: fake tensors and inferred values
/// as val, tensor_meta and original_aten as text, and the normalized keys under "normalized".
/// Normalizing the result again changes nothing and gives the same metadata. Nodes, names and ids
/// are unchanged.
fx::ProgramPtr normalizedProgram(const normalize::NormalizedProgram&);

}  // namespace fxs::test
