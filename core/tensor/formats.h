// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The formats of files.h, one file each.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/byte_source.h"
#include "base/run_context.h"
#include "tensor/files.h"

namespace fxs::tensor {

using TensorFilePtr = std::shared_ptr<const TensorFile>;

Result<TensorFilePtr> openNpy(std::shared_ptr<const ByteSource>, std::string label,
                              const RunContext&);
Result<TensorFilePtr> openNpz(std::shared_ptr<const ByteSource>, std::string label,
                              const RunContext&);
Result<TensorFilePtr> openSafetensors(std::shared_ptr<const ByteSource>, std::string label,
                                      const RunContext&);

/// The names of a file's tensors.
class NamedTensors : public TensorFile {
 public:
  explicit NamedTensors(std::string label) : label_(std::move(label)) {}
  const std::vector<StoredTensor>& tensors() const final { return tensors_; }

 protected:
  Result<> add(StoredTensor);  ///< InvalidInput if there is one of that name
  Result<std::size_t> positionOf(const StoredTensor&) const;  ///< NotFound
  const std::string& label() const { return label_; }

 private:
  std::string label_;
  std::vector<StoredTensor> tensors_;
  std::unordered_map<std::string, std::size_t> positions_;
};

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
inline constexpr std::size_t kMaxRank = 64;  ///< of NumPy and PyTorch

/// What the header of an .npy says of the elements after it.
struct NpyHeader {
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> sizes;
  bool bigEndian = false;
  bool fortranOrder = false;
  std::uint64_t bytes = 0;  ///< of the elements
};
/// The length of the header with everything before it, from the first kNpyPrefix bytes of a file of
/// `fileBytes`. `about` starts messages.
Result<std::uint64_t> npyHeaderBytes(std::string_view prefix, std::uint64_t fileBytes,
                                     const std::string& about);
inline constexpr std::uint64_t kNpyPrefix = 12;
/// `head` has npyHeaderBytes(). InvalidInput also if the file has fewer or more bytes than the
/// elements.
Result<NpyHeader> readNpyHeader(std::string_view head, std::uint64_t fileBytes,
                                const std::string& about);
/// Dense, row-major and little-endian, from the elements as the file has them.
Tensor tensorOf(const NpyHeader&, std::string elements, const RunContext&);

/// InvalidInput if `bytes` is more than `maxBytes`.
Result<> checkSize(std::uint64_t bytes, std::uint64_t maxBytes, const std::string& about);
/// Bytes other than 0 become 1, as NumPy and PyTorch treat them.
void normalizeBools(Tensor&);

}  // namespace fxs::tensor
