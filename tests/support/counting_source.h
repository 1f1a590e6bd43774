// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Byte sources for tests: one that remembers what was read, one with a hole of any size in it.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "base/text_range.h"

namespace fxs::test {

/// `bytes`, with `gap` zero bytes before position `gapAt`. Not for several threads.
class SparseSource final : public ByteSource {
 public:
  explicit SparseSource(std::string bytes, std::uint64_t gapAt = 0, std::uint64_t gap = 0)
      : bytes_(std::move(bytes)), gapAt_(gapAt), gap_(gap) {}

  std::uint64_t size() const override { return bytes_.size() + gap_; }
  Result<std::string> read(std::uint64_t offset, std::uint64_t length) const override {
    if (offset > size() || length > size() - offset)
      return fail(ErrorCode::Io, "read past the end");
    reads.push_back({static_cast<std::size_t>(offset), static_cast<std::size_t>(offset + length)});
    std::string out;
    for (std::uint64_t at = offset; at < offset + length; ++at)
      out += at < gapAt_ ? bytes_[at] : at < gapAt_ + gap_ ? '\0' : bytes_[at - gap_];
    return out;
  }
  /// Bytes read from [begin, end).
  std::size_t readFrom(std::size_t begin, std::size_t end) const {
    std::size_t count = 0;
    for (TextRange r : reads)
      count += std::max(std::min(end, r.end), std::max(begin, r.begin)) - std::max(begin, r.begin);
    return count;
  }
  mutable std::vector<TextRange> reads;

 private:
  std::string bytes_;
  std::uint64_t gapAt_;
  std::uint64_t gap_;
};

}  // namespace fxs::test
