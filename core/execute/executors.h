#pragma once
// The executors, for executorsFor().
#include "execute/executor.h"

namespace fxs::execute {

ExecutorPtr ireeExecutor(const Tools&, std::string directory, CommandRunner&);
ExecutorPtr llvmExecutor(const Tools&, std::string directory, CommandRunner&);

/// The arguments of a call in the order of the compiled function: the call's, then those of weights. Usage if they do not fit.
struct Signature;
Result<std::vector<Argument>> allArguments(const Call&, const Signature&, const std::vector<std::string>& handles);
/// A number as text: of an integer all digits, of a float as many as it has.
std::string numberText(DType, std::string_view bytes);

}  // namespace fxs::execute
