// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Random access to the bytes of a file or of memory. Opening a file reads nothing.
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace fxs {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  /// Exactly `length` bytes from `offset`; Io if there are fewer. Thread-safe.
  virtual Result<std::string> read(std::uint64_t offset, std::uint64_t length) const = 0;
};

/// NotFound if there is no such file; Io if it is not a regular file or cannot be opened.
Result<std::shared_ptr<const ByteSource>> openFile(const std::string& path);
std::shared_ptr<const ByteSource> memorySource(std::string bytes);

/// The whole file; InvalidInput if it is larger than `maxBytes`, else the errors of openFile.
Result<std::string> readWholeFile(const std::string& path, std::uint64_t maxBytes);
/// Writes a NewFile, so that a failure leaves the old file unchanged; what is no regular file is
/// written to. Errors of writeError().
Result<> writeWholeFile(const std::string& path, const std::string& bytes);
/// Writes a file that only saves time, in a folder that is created if it is missing; errors are
/// ignored.
void writeCache(const std::string& file, const std::string& bytes);
/// writeWholeFile() of a program that everyone may start.
Result<> writeProgram(const std::string& path, const std::string& bytes);

}  // namespace fxs
