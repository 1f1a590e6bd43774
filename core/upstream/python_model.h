// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A program as a plain PyTorch module: what its graph calls, in order, with weights that have the
// element types and sizes of its own, and their values where they are few integers.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "read/format.h"

namespace fxs::upstream {

/// An argument of forward().
struct PythonInput {
  std::string name;
  DType dtype = DType::Unknown;        ///< of a tensor
  std::vector<std::int64_t> sizes;     ///< likewise: an example, of dynamic sizes
  std::vector<std::int64_t> strides;   ///< likewise, in elements; empty: row-major
  std::vector<std::size_t> dynamic;    ///< its dimensions of dynamic size, ascending
  std::optional<std::int64_t> number;  ///< an integer of dynamic value instead
};

struct PythonModel {
  std::vector<std::string> imports;  ///< besides torch: "operator"
  std::string declarations;          ///< of operators of other libraries, before the class
  std::string constructor;           ///< lines of __init__ after super().__init__(), not indented
  std::string forward;               ///< lines of its body, not indented
  std::vector<PythonInput> inputs;
  bool hasRunTimeSizes = false;  ///< some dynamic sizes may have to be equal to others
  bool isDynamic() const;
  /// "self, x, y"
  std::string parameters() const;
  /// Of one input: "torch.ones(2, 3)".
  static std::string example(const PythonInput&);
  /// An argument of torch.export.export: `{"x": {0: dynamic}}`; "" if all is static.
  std::string dynamicShapes() const;
};

/// The program is one that was captured. Without a reader no values are written. Unsupported,
/// saying what, for a program that has something that Python source cannot say; errors of reading
/// weights.
Result<PythonModel> pythonModel(const fx::Program&, const read::WeightReader*, const RunContext&);

}  // namespace fxs::upstream
