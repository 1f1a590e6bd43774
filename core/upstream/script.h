// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Files that a maintainer runs: a script, a test case of torch-mlir's end-to-end suite, and a lit
// test.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lower/lower.h"
#include "upstream/python_model.h"

namespace fxs::upstream {

/// The last output type on the path to `target` that export_and_import has.
lower::OutputType torchMlirType(const lower::OutputType& target);

/// What export_and_import is given: the module, or its program as torch.export.load gives it.
enum class Given : std::uint8_t { Module, Loaded };
/// repro.py: lowers it with torch_mlir.fx.export_and_import, which fails.
std::string scriptText(const PythonModel&, const lower::LowerOptions&, Given = Given::Module);

/// Of a program that lowers and computes wrong.
struct ValueCheck {
  std::vector<std::string> passes;  ///< that execute what it is lowered to (executionPasses())
  double rtol = 0, atol = 0;        ///< of torch.testing.assert_close
  std::size_t results = 1;
};
/// repro.py: lowers the module, executes what it is lowered to, and compares the results, which
/// fails. With static sizes.
std::string valueScriptText(const PythonModel&, const lower::LowerOptions&, const ValueCheck&);
/// The passes after which torch-mlir's Python executes `text`, which is of that output type; none
/// for a type that it cannot execute.
std::vector<std::string> executionPasses(const lower::OutputType&, std::string_view text);

/// A module and its test case, named after an operator: "aten.diff.default". "" if an input is a
/// number, which the suite passes as a constant, or has strides that no permutation gives.
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
