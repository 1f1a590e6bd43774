#pragma once
// Holds a program to the grammars of fx/evaluated_text.h before it is written, wherever it came from: who loads the file with PyTorch
// runs what is in these texts.
#include "base/result.h"
#include "fx/program.h"

namespace fxs::write {

/// Unsupported, naming the node or weight and the text, for a name, target, symbolic size or device that is not of its grammar. Guards
/// and the names of forward()'s arguments are not looked at: they are left out where they are not of theirs.
Result<> checkEvaluated(const fx::Program&);

}  // namespace fxs::write
