#pragma once
// Bytes that are read where they are needed. Opening a file of 30 GB reads nothing.
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace fxs {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  /// Exactly `length` bytes from `offset`; Io when they are not all there. Safe from several threads.
  virtual Result<std::string> read(std::uint64_t offset, std::uint64_t length) const = 0;
};

/// NotFound, Io (a directory, no permission) with the path in the message.
Result<std::shared_ptr<const ByteSource>> openFile(const std::string& path);
std::shared_ptr<const ByteSource> memorySource(std::string bytes);

/// The whole file; InvalidInput when it is larger than `maxBytes`.
Result<std::string> readWholeFile(const std::string& path, std::uint64_t maxBytes);
/// Writes to a temporary file in the same folder and renames it, so that a failure leaves the old file unchanged.
Result<> writeWholeFile(const std::string& path, const std::string& bytes);

}  // namespace fxs
