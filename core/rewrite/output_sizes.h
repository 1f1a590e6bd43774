// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The sizes of tensors that a call writes to, against those of what it returns. PyTorch resizes an
// `out` of other sizes. A tensor of a program has one size, so that this has a functional form only
// where nothing else reads it. The ranges keep the sizes of an `out` that
// has as many elements, also where the file records those of a new tensor.
#include <optional>
#include <vector>

#include "fx/program.h"

namespace fxs::rewrite {

using WrittenTensors = std::vector<std::vector<fx::NodeId>>;  ///< for each mutated argument

enum class OutputSizes : std::uint8_t {
  Same,
  Filled,    ///< a range fills a tensor that has as many elements, and keeps its sizes
  Replaced,  ///< the call alone uses the written tensors, which it resizes
  Unknown,
};

/// What a call returns for the `index`-th tensor that it writes; null if that is not recorded.
const fx::TensorMeta* recordedOutput(const fx::Node&, std::size_t index);

class WrittenSizes {
 public:
  /// Refers to the program.
  explicit WrittenSizes(const fx::Program& program) : program_(program) {}
  OutputSizes of(const fx::Node&, const WrittenTensors&);

 private:
  const std::vector<fx::NodeId>& usersOf(fx::NodeId);
  /// Whether nothing but the writer and the program's results uses the value.
  bool isReturnedOnly(fx::NodeId value, fx::NodeId writer);

  const fx::Program& program_;
  std::optional<std::vector<std::vector<fx::NodeId>>> users_;
};

}  // namespace fxs::rewrite
