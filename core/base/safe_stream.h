#pragma once
// A stream to a terminal, a pipe or a log that whatever is written to it cannot control: what a report forgot to make printable is
// escaped on its way out as printableLines() does it. Text forms and MLIR of ours and of the engine pass as they are, and so does JSON,
// which escapes the same characters in its own way. Where bytes must stay what they are, they go to a file of -o.
#include <streambuf>
#include <string>
#include <string_view>

namespace fxs {

class SafeStreamBuffer final : public std::streambuf {
 public:
  /// `to` outlives it. Nothing is kept back but the beginning of a character of UTF-8 whose rest has not been written yet.
  explicit SafeStreamBuffer(std::streambuf& to) : to_(to) {}
  SafeStreamBuffer(const SafeStreamBuffer&) = delete;
  SafeStreamBuffer& operator=(const SafeStreamBuffer&) = delete;
  ~SafeStreamBuffer() override { finish(); }

  /// Writes what was held back, as bytes that are not UTF-8. False when `to` accepts no more.
  bool finish();

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int_type overflow(int_type c) override;
  int sync() override { return to_.pubsync(); }

 private:
  bool write(std::string_view text);

  std::streambuf& to_;
  std::string kept_;  ///< less than a character
};

}  // namespace fxs
