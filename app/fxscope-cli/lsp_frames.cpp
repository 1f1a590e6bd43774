// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lsp_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number_from.h"
#include "base/safe_text.h"

namespace fxs::cli {
namespace {

constexpr std::size_t kMaxHeaderLine = 1024;

bool isFieldName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool isContentLength(std::string_view name) {
  constexpr std::string_view kName = "content-length";
  return std::equal(name.begin(), name.end(), kName.begin(), kName.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

std::string_view withoutBlanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

}  // namespace

std::vector<LspFrames::Frame> LspFrames::after(std::string_view bytes) {
  std::vector<Frame> out;
  while (!bytes.empty()) {
    if (!inContent_) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      isTooLong_ = isTooLong_ || line_.size() + part.size() > kMaxHeaderLine;
      if (!isTooLong_) line_ += part;
      bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
      if (end != std::string_view::npos) endLine(out);
    } else {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(length_, bytes.size()));
      if (!isSkipped_) content_ += bytes.substr(0, part);
      bytes.remove_prefix(part);
      length_ -= part;
    }
    if (!inContent_ || length_ > 0) continue;
    if (!isSkipped_) out.push_back({false, std::move(content_)});
    content_.clear();
    inContent_ = false;
  }
  return out;
}

void LspFrames::endLine(std::vector<Frame>& out) {
  std::string line = std::move(line_);
  line_.clear();
  const bool isTooLong = isTooLong_;
  isTooLong_ = false;
  if (isTooLong) return fault(out, "a header line is too long");
  if (line.ends_with('\r')) line.pop_back();
  if (line.empty()) {
    if (!hasLength_) return;
    hasLength_ = false;
    inContent_ = true;
    isSkipped_ = length_ > kMaxContent;
    if (isSkipped_)
      fault(out,
            fmt::format("a message of {} bytes is too large; at most {}", length_, kMaxContent));
    isWrong_ = false;
    return;
  }
  const std::size_t colon = line.find(':');
  const std::string_view name = std::string_view(line).substr(0, colon);
  if (colon == std::string::npos || !isFieldName(name))
    return fault(out, printableName(line) + " is not a header field");
  if (!isContentLength(name)) return;
  const auto length =
      numberFrom<std::uint64_t>(withoutBlanks(std::string_view(line).substr(colon + 1)));
  if (!length) return fault(out, printableName(line) + " is not the length of a message");
  length_ = *length;
  hasLength_ = true;
}

void LspFrames::fault(std::vector<Frame>& out, std::string message) {
  if (!isWrong_) out.push_back({true, std::move(message)});
  isWrong_ = true;
}

std::string lspFrame(std::string_view content) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", content.size(), content);
}

}  // namespace fxs::cli
