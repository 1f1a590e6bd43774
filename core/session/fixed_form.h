#pragma once
// The form in which a fixed program is written: the same computation, for what PyTorch and torch-mlir demand of a file.
#include <vector>

#include "fx/program.h"

namespace fxs::session {

/// Every buffer that the program does not mutate becomes a constant: torch-mlir imports buffers as arguments, constants as literals, and
/// some patterns take only literals. `changed` receives the user's nodes.
fx::ProgramPtr withConstantBuffers(const fx::Program&, std::vector<fx::NodeId>& changed);
/// One name for each tensor: PyTorch does not decompose a program that writes a buffer and reads it as a constant, too.
fx::ProgramPtr withOneNamePerTensor(const fx::ProgramPtr&);
/// aten.squeeze in place of prims.squeeze: PyTorch does not make views of other namespaces functional.
fx::ProgramPtr withAtenViews(const fx::ProgramPtr&);
/// All tensors on the CPU, where torch.export.load places the weights of a file that has none for their devices.
fx::ProgramPtr onCpu(const fx::ProgramPtr&);
struct WeightsWithoutValues {
  std::vector<fx::NodeId> nodes;  ///< the user's placeholders
  std::string whyNot;             ///< of the first
};
/// Weights of which the file has no values that can be read.
WeightsWithoutValues weightsWithoutValues(const fx::Program&);

}  // namespace fxs::session
