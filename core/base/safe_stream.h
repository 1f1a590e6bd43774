#pragma once
// A stream buffer for terminals, pipes and logs that escapes, as printableLines() does, whatever a report failed to escape, so that output
// cannot control the terminal. Regular text, MLIR and JSON pass unchanged. Output that must stay byte-exact goes to a file of -o.
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
