// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The base protocol of the Language Server Protocol: header fields, a blank line, and as many bytes
// as Content-Length says.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::cli {

/// Takes a stream apart. After bytes that are not a header, it goes on with the next
/// Content-Length.
class LspFrames {
 public:
  static constexpr std::uint64_t kMaxContent = std::uint64_t{64} << 20;

  /// The content of a message, or what is wrong, once for all that is wrong in a row.
  struct Frame {
    bool isFault = false;
    std::string text;
  };
  std::vector<Frame> after(std::string_view bytes);

 private:
  void endLine(std::vector<Frame>&);
  void fault(std::vector<Frame>&, std::string message);

  std::string line_;
  bool isTooLong_ = false;  ///< the line
  bool isWrong_ = false;    ///< not a header, which was said
  bool hasLength_ = false;
  std::uint64_t length_ = 0;
  bool inContent_ = false;
  bool isSkipped_ = false;  ///< the content
  std::string content_;
};

/// A message with its header.
std::string lspFrame(std::string_view content);

}  // namespace fxs::cli
