// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/safe_text.h"
#include "tensor/formats.h"

namespace fxs::tensor {

Result<std::shared_ptr<const TensorFile>> openTensors(std::shared_ptr<const ByteSource> source,
                                                      std::string label,
                                                      const RunContext& context) {
  constexpr std::uint64_t kHead = 9;
  FXS_TRY(const std::string head, source->read(0, std::min(kHead, source->size())));
  if (head.starts_with(kNpyMagic)) return openNpy(std::move(source), std::move(label), context);
  if (head.starts_with("PK\3\4") || head.starts_with("PK\5\6"))
    return openNpz(std::move(source), std::move(label), context);
  // safetensors has no magic number: its header is JSON, after the length in eight bytes.
  if (head.size() == kHead && head[kHead - 1] == '{')
    return openSafetensors(std::move(source), std::move(label), context);
  if (head.starts_with("\x80"))
    return fail(ErrorCode::InvalidInput,
                label +
                    ": is a pickle, which is never loaded, because it can run code; save the "
                    "tensors with numpy.savez or safetensors");
  return fail(ErrorCode::InvalidInput,
              label + ": has no tensors: it is neither .npy, .npz nor safetensors");
}

Result<std::shared_ptr<const TensorFile>> openTensorFile(const std::string& path,
                                                         const RunContext& context) {
  FXS_TRY(std::shared_ptr<const ByteSource> source, openFile(path));
  return openTensors(std::move(source), path, context);
}

Result<> checkSize(std::uint64_t bytes, std::uint64_t maxBytes, const std::string& about) {
  if (bytes <= maxBytes) return {};
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: has {} bytes, more than the limit of {}", about, bytes, maxBytes));
}

Result<> NamedTensors::add(StoredTensor tensor) {
  if (!positions_.emplace(tensor.name, tensors_.size()).second)
    return fail(ErrorCode::InvalidInput,
                label_ + ": has two tensors named " + printableName(tensor.name));
  tensors_.push_back(std::move(tensor));
  return {};
}

Result<std::size_t> NamedTensors::positionOf(const StoredTensor& wanted) const {
  const auto at = positions_.find(wanted.name);
  if (at == positions_.end())
    return fail(ErrorCode::NotFound, label_ + ": has no tensor " + printableName(wanted.name));
  return at->second;
}

void normalizeBools(Tensor& tensor) {
  if (tensor.dtype != DType::Bool) return;
  for (char& byte : tensor.bytes) byte = byte == 0 ? 0 : 1;
}

}  // namespace fxs::tensor
