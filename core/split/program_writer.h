// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes one program of a split one to a folder, and runs what was written.
#include <set>
#include <string>
#include <vector>

#include "execute/iree_module.h"
#include "split/result.h"

namespace fxs::split {

struct TypedTensor {
  tensor::Tensor value;
  execute::ValueType type;
};

class ProgramWriter {
 public:
  /// `scratch` is a folder for compiled modules. Refers to `iree`.
  ProgramWriter(std::string folder, std::string scratch, execute::IreeModules& iree,
                const execute::Limits& limits)
      : folder_(std::move(folder)), scratch_(std::move(scratch)), iree_(iree), limits_(limits) {}

  /// `program` has a name, a function, arguments and sites; the rest is filled in.
  Result<> write(SplitProgram& program, const std::string& text,
                 const std::vector<TypedTensor>& inputs, const std::vector<TypedTensor>& results,
                 const RunContext&);

 private:
  std::string folderNamed(const std::string& name);
  Result<SplitValue> writeValue(const std::string& folder, const std::string& stem,
                                const TypedTensor&, const RunContext&) const;
  Result<> runAlone(SplitProgram&, const std::vector<TypedTensor>& inputs,
                    const std::vector<TypedTensor>& results, const RunContext&);

  const std::string folder_, scratch_;
  execute::IreeModules& iree_;
  const execute::Limits limits_;
  std::set<std::string> names_;
};

}  // namespace fxs::split
