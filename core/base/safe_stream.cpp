// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/safe_stream.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/safe_text.h"

namespace fxs {
namespace {

/// Escaped in pieces, so that a single unprintable character does not cause a copy of megabytes.
constexpr std::size_t kPiece = std::size_t{1} << 16U;

/// The length of the character that begins with this byte; 1 if none does.
std::size_t lengthFrom(unsigned char first) {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc2 ? 2 : 1;
}

/// Bytes at the end that begin a character which more bytes may complete.
std::size_t incompleteEnd(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xc0U) == 0x80U) continue;
    return lengthFrom(byte) > back ? back : 0;
  }
  return 0;
}

}  // namespace

bool SafeStreamBuffer::put(std::string_view text) {
  errno = 0;
  const auto size = static_cast<std::streamsize>(text.size());
  if (to_.sputn(text.data(), size) == size) return true;
  if (error_ == 0) error_ = errno;
  return false;
}

bool SafeStreamBuffer::write(std::string_view text) {
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, kPiece);
    if (kept_.empty() && isPlainLines(piece)) {
      if (!put(piece)) return false;
    } else {
      kept_ += piece;
      const std::size_t complete = kept_.size() - incompleteEnd(kept_);
      if (!put(printableLines(std::string_view(kept_).substr(0, complete)))) return false;
      kept_.erase(0, complete);
    }
    text.remove_prefix(piece.size());
  }
  return true;
}

bool SafeStreamBuffer::finish() { return put(printableLines(std::exchange(kept_, {}))); }

int SafeStreamBuffer::error() const { return error_ == 0 ? EIO : error_; }

int SafeStreamBuffer::sync() {
  errno = 0;
  const int failed = to_.pubsync();
  if (failed != 0 && error_ == 0) error_ = errno;
  return failed;
}

std::streamsize SafeStreamBuffer::xsputn(const char* text, std::streamsize size) {
  return write({text, static_cast<std::size_t>(size)}) ? size : 0;
}

SafeStreamBuffer::int_type SafeStreamBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  return write({&byte, 1}) ? c : traits_type::eof();
}

}  // namespace fxs
