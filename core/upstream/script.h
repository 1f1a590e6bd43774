// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Files that a maintainer runs: a script, a test case of torch-mlir's end-to-end suite, and a lit
// test.
#include <optional>
#include <string>

#include "lower/lower.h"
#include "upstream/python_model.h"

namespace fxs::upstream {

/// The last output type on the path to `target` that export_and_import has.
lower::OutputType torchMlirType(const lower::OutputType& target);

/// repro.py: lowers the module with torch_mlir.fx.export_and_import, which fails.
std::string scriptText(const PythonModel&, const lower::LowerOptions&);
/// A module and its test case, named after an operator: "aten.diff.default". "" if an input is a
/// number, which the suite passes as a constant.
std::string e2eTestText(const PythonModel&, const std::string& fxTarget);

struct LitTest {
  std::string program;   ///< "torch-mlir-opt"
  std::string pipeline;  ///< "builtin.module(func.func(convert-torch-to-tosa))"
  std::string input;     ///< without locations
  std::string op;        ///< that may not be left: "torch.aten.erfinv"; "" if it is not known
  std::string error;     ///< that the pipeline ends with today, one line; "" if it is not known
};
/// It passes once the pipeline lowers the operation.
std::string litTestText(const LitTest&);

}  // namespace fxs::upstream
