// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The form in which a fixed program is written: the same computation, for what PyTorch and
// torch-mlir demand of a file.
#include <vector>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::fix {

/// Every buffer that the program does not mutate becomes a constant: torch-mlir imports buffers as
/// arguments, constants as literals, and some patterns take only literals. `changed` receives the
/// user's nodes.
fx::ProgramPtr withConstantBuffers(const fx::Program&, std::vector<fx::NodeId>& changed);
/// aten.full of 8-bit integers as a conversion of int64.
Result<fx::ProgramPtr> withConvertedFills(const fx::ProgramPtr&, std::vector<fx::NodeId>& changed,
                                          const RunContext&);
/// aten.native_group_norm in other operations.
Result<fx::ProgramPtr> withGroupStatistics(const fx::ProgramPtr&, std::vector<fx::NodeId>& changed,
                                           const RunContext&);
/// Reshapes to one dynamic size as views of contiguous copies, in which -1 stands for that size: of
/// other operands PyTorch computes it.
Result<fx::ProgramPtr> withInferredSizes(const fx::ProgramPtr&, std::vector<fx::NodeId>& changed,
                                         const RunContext&);
/// The program without results that are None, numbers or texts, which no output type returns, and
/// torch.export.load opens no file with a text among them. `results` receives those of the user's
/// forward() in Python: "" for a value, which stays. Unchanged if there is no value.
fx::ProgramPtr withoutConstantResults(const fx::ProgramPtr&, std::vector<std::string>& results);
/// The program as torch.export.load opens it: the user's own, not made from another.
fx::ProgramPtr asLoaded(const fx::Program&);
/// One name for each tensor: PyTorch does not decompose a program that writes a buffer and reads it
/// as a constant, too.
fx::ProgramPtr withOneNamePerTensor(const fx::ProgramPtr&);
/// Other names for mutated inputs that PyTorch does not find by theirs; calls do not use the names.
fx::ProgramPtr withFoundMutations(const fx::ProgramPtr&);
/// The program without unused calls if a number is among them, which torch.export.load does not
/// read.
Result<fx::ProgramPtr> withoutUnusedNumbers(const fx::ProgramPtr&, const RunContext&);
/// aten.squeeze and aten.alias in place of prims.squeeze and prims.view_of: PyTorch does not make
/// views of other namespaces functional.
fx::ProgramPtr withAtenViews(const fx::ProgramPtr&);
/// The program in a form that torch-mlir's importer takes where it refuses another: weights are
/// cloned before lists of tensors, and scalars computed by the functions that it has. Results of
/// these calls are what they were.
Result<fx::ProgramPtr> withImportableForm(const fx::ProgramPtr&, const RunContext&);
/// All tensors on the CPU, where torch.export.load places the weights of a file that has none for
/// their devices.
fx::ProgramPtr onCpu(const fx::ProgramPtr&);
/// Names of weights that Python can say as attributes: PyTorch makes source from them, and none
/// that has `lambda.weight` runs. `changed` receives the user's nodes.
fx::ProgramPtr withAttributeNames(const fx::ProgramPtr&, std::vector<fx::NodeId>& changed);
struct WeightsWithoutValues {
  std::vector<fx::NodeId> nodes;  ///< the user's placeholders
  std::string reason;             ///< of the first
};
/// Weights of which the file has no values that can be read.
WeightsWithoutValues weightsWithoutValues(const fx::Program&);

}  // namespace fxs::fix
