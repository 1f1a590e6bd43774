// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The executors, for executorsFor().
#include <map>
#include <string>
#include <vector>

#include "execute/executor.h"
#include "execute/signature.h"
#include "execute/step.h"

namespace fxs::execute {

ExecutorPtr ireeExecutor(const Tools&, std::string directory, CommandRunner&);
ExecutorPtr llvmExecutor(const Tools&, std::string directory, CommandRunner&);

/// A text as an executor compiled it.
struct CompiledProgram {
  std::string file;  ///< "" if `end` says why there is none
  Signature signature;
  std::vector<std::string> handles;
  std::string dispatches;  ///< as Dispatches::text
  Variants variants;
  StepEnd end;
  std::vector<std::vector<std::string>> commands;
};

/// An executor that compiles a text once and runs it with any arguments.
class CompilingExecutor : public Executor {
 public:
  Result<Execution> execute(const Call&, const RunContext&) final;

 private:
  virtual Result<CompiledProgram> compile(const Call&, const RunContext&) = 0;
  /// `arguments`: the call's, then those of weights.
  virtual Result<> run(const Call&, const CompiledProgram&, const std::vector<Argument>& arguments,
                       Execution& out, const RunContext&) = 0;

  std::map<std::string, CompiledProgram>
      compiled_;  ///< by the checksum of text, function and checks
};

/// The arguments of a call in the order of the compiled function: the call's, then those of
/// weights. Usage if they do not fit.
Result<std::vector<Argument>> allArguments(const Call&, const Signature&,
                                           const std::vector<std::string>& handles);
/// A number as text: of an integer all digits, of a float as many as it has.
std::string numberText(DType, std::string_view bytes);

}  // namespace fxs::execute
