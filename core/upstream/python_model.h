// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A program as a plain PyTorch module: what its graph calls, in order, with weights that have the
// element types and sizes of its own, and their values where they are few integers.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "read/format.h"
#include "tensor/tensor.h"

namespace fxs::upstream {

/// An argument of forward().
struct PythonInput {
  std::string name;
  DType dtype = DType::Unknown;       ///< of a tensor
  std::vector<std::int64_t> sizes;    ///< likewise: an example, of dynamic sizes
  std::vector<std::int64_t> strides;  ///< likewise, in elements; empty: row-major
  std::vector<std::size_t> dynamic;   ///< its dimensions of dynamic size, ascending
  /// Expressions of other sizes among these, by dimension: "2*s39".
  std::map<std::size_t, std::string> derived;
  std::optional<std::int64_t> number;  ///< an integer of dynamic value instead
  std::string value;                   ///< an expression; "" where an example says enough
};

struct PythonModel {
  std::vector<std::string> imports;  ///< besides torch: "operator"
  std::string declarations;          ///< of operators of other libraries, before the class
  std::string constructor;           ///< lines of __init__ after super().__init__(), not indented
  std::string forward;               ///< lines of its body, not indented
  std::vector<PythonInput> inputs;
  /// Of the sizes that derived ones are computed from: `s39 = torch.export.Dim("s39", max=32)`, a
  /// line each.
  std::string sizeDeclarations;
  bool hasRunTimeSizes = false;  ///< some dynamic sizes may have to be equal to others
  bool isDynamic() const;
  /// "self, x, y"
  std::string parameters() const;
  /// Of one input: "torch.ones(2, 3)".
  static std::string example(const PythonInput&);
  /// An argument of torch.export.export: `{"x": {0: dynamic}}`; "" if all is static. With
  /// `asDerived`, of derived sizes these.
  std::string dynamicShapes(bool asDerived = false) const;
};

/// Which values of weights are written: integers, as far as they are few, or all. Lacking: as
/// Integers, and weights that the file has no values of have none here, too.
enum class WrittenWeights : std::uint8_t { Integers, All, Lacking };

/// The program is one that was captured, or a part of `whole`, whose conditions its sizes meet;
/// null for the program itself. Without a reader no values are written. Unsupported, saying what,
/// for a program that has something that Python source cannot say, such as all values of a large
/// weight; errors of reading weights.
Result<PythonModel> pythonModel(const fx::Program&, const read::WeightReader*, const RunContext&,
                                WrittenWeights = WrittenWeights::Integers,
                                const fx::Program* whole = nullptr);

/// "torch.tensor([1.5, -2.0])": with the same elements; "" for one of a type that source cannot
/// say.
std::string tensorText(const tensor::Tensor&);

}  // namespace fxs::upstream
