// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tensors in files: NumPy's .npy and .npz, and safetensors. The format is detected from the
// content. Opening reads headers only; elements are read on demand and come out dense, row-major
// and little-endian, whatever the file has. Pickled (object) arrays are refused.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "base/run_context.h"
#include "tensor/tensor.h"

namespace fxs::tensor {

struct StoredTensor {
  std::string name;  ///< "" in an .npy
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> sizes;
};

class TensorFile {
 public:
  virtual ~TensorFile() = default;
  virtual const std::vector<StoredTensor>& tensors() const = 0;  ///< in the order of the file
  /// InvalidInput if the file is damaged or the tensor is larger than `maxBytes`.
  virtual Result<Tensor> read(const StoredTensor&, std::uint64_t maxBytes,
                              const RunContext&) const = 0;
};

/// InvalidInput, naming `label` and the member, if the bytes are none of the formats or are
/// damaged.
Result<std::shared_ptr<const TensorFile>> openTensors(std::shared_ptr<const ByteSource>,
                                                      std::string label, const RunContext&);
Result<std::shared_ptr<const TensorFile>> openTensorFile(const std::string& path,
                                                         const RunContext&);

/// An .npy (version 1.0). Unsupported for dtypes that NumPy lacks, such as bfloat16.
Result<std::string> npyBytes(const Tensor&);

/// A safetensors file of the tensors, in the given order; names are unique. Unsupported for a dtype
/// that safetensors lacks.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};
Result<std::string> safetensorsBytes(const std::vector<NamedTensor>&);

}  // namespace fxs::tensor
