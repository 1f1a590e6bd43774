// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tensors in memory, with the interface of a file of them.
#include <functional>
#include <string>
#include <vector>

#include "tensor/files.h"

namespace fxs::tensor {

class HeldTensors final : public TensorFile {
 public:
  void add(std::string name, Tensor tensor) {
    stored_.push_back({std::move(name), tensor.dtype, tensor.sizes});
    held_.push_back(std::move(tensor));
  }
  const std::vector<StoredTensor>& tensors() const override { return stored_; }
  /// NotFound if it is none of tensors().
  Result<Tensor> read(const StoredTensor& stored, std::uint64_t, const RunContext&) const override {
    const std::less<> before;
    if (stored_.empty() || before(&stored, stored_.data()) ||
        !before(&stored, stored_.data() + stored_.size()))
      return fail(ErrorCode::NotFound, "there is no tensor '" + stored.name + "'");
    return held_[static_cast<std::size_t>(&stored - stored_.data())];
  }

 private:
  std::vector<StoredTensor> stored_;
  std::vector<Tensor> held_;
};

}  // namespace fxs::tensor
