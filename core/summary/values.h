// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The memory of a program's tensors, in bytes of their elements: those that are stored with it, and
// the values that it computes. A view has no memory of its own. Alignment and what kernels need
// besides is not known.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fx/program.h"

namespace fxs::summary {

struct DtypeTotal {
  DType dtype = DType::Unknown;
  std::size_t tensors = 0;
  std::uint64_t elements = 0, bytes = 0;
};

struct TensorTotal {
  std::size_t tensors = 0;
  std::uint64_t elements = 0, bytes = 0;  ///< saturate
  std::vector<DtypeTotal> dtypes;         ///< most bytes first, once sorted
  void add(DType dtype, std::uint64_t ofElements);
  void sort();
};

/// What is stored with the program. A tensor that has several names counts once.
struct Stored {
  TensorTotal parameters, buffers, constants;
  std::size_t otherNames = 0;  ///< of tensors that are counted under another name
};
Stored storedOf(const fx::Program&);

/// The inputs of the user and the results of calls.
struct Activations {
  TensorTotal values;
  std::size_t views = 0;    ///< share the memory of another value, and are not among `values`
  std::size_t unknown = 0;  ///< values with a size that is known only at run time, or not recorded
  /// The largest sum of what lives at a time in the main graph, in the order of its nodes: an input
  /// from start to end, a result until its last use. nullopt if a size in that graph is unknown,
  /// and of an MLIR module, whose operations share memory by rules of their dialects.
  std::optional<std::uint64_t> peakBytes;
  std::string peak;  ///< the node at which that is; "" without values
};
Activations activationsOf(const fx::Program&);

/// Of the tensors in a value; nullopt if a size is symbolic.
std::optional<std::uint64_t> bytesOf(const fx::Value& value);
/// Elements of static sizes, which saturate; nullopt if one is symbolic or negative.
std::optional<std::uint64_t> elementsOf(const std::vector<fx::SymInt>& sizes);

}  // namespace fxs::summary
