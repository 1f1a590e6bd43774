// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Files of results: lines that are appended whole, so that a sweep can be killed at any moment, and
// read with limits, because a file of results may come from anyone.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/fd.h"
#include "base/result.h"
#include "base/run_context.h"
#include "sweep/line.h"

namespace fxs::sweep {

/// What to do with a last line without its end, which a killed sweep leaves behind.
enum class Torn : std::uint8_t { Refuse, Drop };

/// Reads one line after the other; only one is in memory.
class ResultsReader {
 public:
  /// Errors start with `label` and the number of the line.
  ResultsReader(std::shared_ptr<const ByteSource> bytes, std::string label, Torn torn);
  struct Read {
    Line line;
    std::string text;        ///< as it stands in the file, with its end
    std::uint64_t number{};  ///< from 1
  };
  /// std::nullopt at the end. InvalidInput if a line is not of this schema, is too long or torn.
  Result<std::optional<Read>> next(const RunContext&);

 private:
  std::shared_ptr<const ByteSource> bytes_;
  std::string label_;
  Torn torn_;
  std::uint64_t offset_ = 0;  ///< of the next chunk
  std::uint64_t number_ = 0;
  std::string chunk_;
  std::size_t at_ = 0;  ///< in the chunk
};

/// A file that a sweep appends to. While it is open, no other sweep can open it.
class ResultsFile {
 public:
  /// Creates the file. Usage if it exists and is not empty, or cannot be written; DiskFull.
  static Result<ResultsFile> create(const std::string& path);
  /// Opens a file, which may not exist yet, and removes a torn last line and the lines that `keeps`
  /// refuses; the old file stays whole until the new one is. Usage if it cannot be written,
  /// DiskFull, InvalidInput if it holds something else.
  static Result<ResultsFile> resume(const std::string& path,
                                    const std::function<bool(const Line&)>& keeps,
                                    const RunContext&);
  /// Appends lines with one write. If that fails, for example because the disk is full, nothing of
  /// them stays.
  Result<> append(const std::vector<Line>&);

 private:
  ResultsFile(Fd file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  Fd file_;
  std::string path_;
};

}  // namespace fxs::sweep
