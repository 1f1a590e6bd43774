// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npz: a zip archive of .npy files.
#include <algorithm>

#include "base/safe_text.h"
#include "base/zip.h"
#include "tensor/formats.h"

namespace fxs::tensor {
namespace {

constexpr std::string_view kMemberEnd = ".npy";
/// Most headers have 128 bytes with everything before them; a longer one is read again.
constexpr std::uint64_t kFirstRead = 512;
constexpr std::uint64_t kCostOfMember = 16;

std::string aboutMember(const std::string& label, const std::string& name) {
  return label + ": member " + printableName(name);
}

class Npz final : public NamedTensors {
 public:
  Npz(std::shared_ptr<const ZipReader> zip, std::string label)
      : NamedTensors(std::move(label)), zip_(std::move(zip)) {}

  Result<> readHeaders(const RunContext& context) {
    if (zip_->entries().empty())
      return fail(ErrorCode::InvalidInput, label() + ": is an .npz without arrays");
    for (const ZipEntry& entry : zip_->entries()) {
      context.spend(Resource::Values, kCostOfMember, label());
      const std::string about = aboutMember(label(), entry.name);
      if (!entry.name.ends_with(kMemberEnd))
        return fail(ErrorCode::InvalidInput,
                    about + " is not an array; an .npz has only .npy files");
      FXS_TRY(std::string head,
              zip_->readRange(entry, 0, std::min(kFirstRead, entry.size), context));
      FXS_TRY(const std::uint64_t headerBytes,
              npyHeaderBytes(std::string_view(head).substr(0, kNpyPrefix), entry.size, about));
      if (headerBytes > head.size()) {
        FXS_TRY(head, zip_->readRange(entry, 0, headerBytes, context));
      }
      FXS_TRY(NpyHeader header,
              readNpyHeader(std::string_view(head).substr(0, headerBytes), entry.size, about));
      FXS_CHECK(add({entry.name.substr(0, entry.name.size() - kMemberEnd.size()), header.dtype,
                     header.sizes}));
      headers_.push_back(std::move(header));
    }
    return {};
  }

  Result<Tensor> read(const StoredTensor& wanted, std::uint64_t maxBytes,
                      const RunContext& context) const override {
    FXS_TRY(const std::size_t at, positionOf(wanted));
    const ZipEntry& entry = zip_->entries()[at];
    FXS_CHECK(checkSize(headers_[at].bytes, maxBytes, aboutMember(label(), entry.name)));
    FXS_TRY(std::string bytes, zip_->read(entry, entry.size, context));
    bytes.erase(0, bytes.size() - static_cast<std::size_t>(headers_[at].bytes));
    return tensorOf(headers_[at], std::move(bytes), context);
  }

 private:
  std::shared_ptr<const ZipReader> zip_;
  std::vector<NpyHeader> headers_;
};

}  // namespace

Result<TensorFilePtr> openNpz(std::shared_ptr<const ByteSource> source, std::string label,
                              const RunContext& context) {
  FXS_TRY(std::shared_ptr<const ZipReader> zip, ZipReader::open(std::move(source), label));
  auto file = std::make_shared<Npz>(std::move(zip), std::move(label));
  FXS_CHECK(file->readHeaders(context));
  return TensorFilePtr(std::move(file));
}

}  // namespace fxs::tensor
