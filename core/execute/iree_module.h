// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Compiles and runs a module in any phase of IREE's compiler by the programs and the files that
// anybody would use: iree-compile and iree-run-module, NumPy's files, and elements as they are for
// dtypes that NumPy lacks.
#include <string>
#include <string_view>
#include <vector>

#include "execute/executor.h"
#include "execute/signature.h"
#include "execute/step.h"

namespace fxs::execute {

/// ".npy", or ".bin" for dtypes that NumPy lacks.
std::string_view fileEnding(DType);
/// The content of such a file.
Result<std::string> fileOf(const tensor::Tensor&);
/// `2x4xbf16`, as iree-run-module is told the type of elements.
std::string ireeShape(const ValueType&, const std::vector<std::int64_t>& sizes);
/// What follows `--input=` or `--expected_output=`: `@x.npy`, `2x4xbf16=@x.bin`, of a number its
/// text, of a tensor without elements its type.
std::string ireeValue(const tensor::Tensor&, const ValueType&, const std::string& file);

/// A result that iree-run-module wrote to a file of that ending.
Result<tensor::Tensor> readIreeResult(const std::string& file, const ValueType&, const Limits&,
                                      const RunContext&);

class IreeModules {
 public:
  /// `folder` is written to. Usage if IREE is not installed, EngineFailed if it is not the pinned
  /// one.
  static Result<IreeModules> make(const Tools&, std::string folder, CommandRunner&, const Limits&);

  struct ModuleCall {
    std::string file;  ///< a compiled module
    std::string function;
    std::string parameters;           ///< `scope=file`; "" for none
    std::vector<std::string> inputs;  ///< as of ireeValue()
    std::vector<ValueType> results;
    std::vector<std::string> reads;  ///< folders of the inputs
  };
  struct ModuleRun {
    StepEnd end;
    std::vector<std::string> files;  ///< by result, in the folder; "" unless it ended well
  };

  /// Compiles the module in `file`; `arguments` are all of iree-compile's but the files.
  Result<StepEnd> compile(const std::string& file, const std::vector<std::string>& arguments,
                          const std::string& compiled, const RunContext&) const;
  Result<ModuleRun> run(const ModuleCall&, const RunContext&);

 private:
  IreeModules(Tools tools, std::string folder, CommandRunner& runner, const Limits& limits)
      : tools_(std::move(tools)), folder_(std::move(folder)), runner_(&runner), limits_(limits) {}

  Tools tools_;
  std::string folder_;
  CommandRunner* runner_;
  Limits limits_;
  std::size_t runs_ = 0;
};

}  // namespace fxs::execute
