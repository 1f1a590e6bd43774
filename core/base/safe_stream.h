// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A stream buffer for terminals, pipes and logs that escapes what reports left unescaped, like
// printableLines(), so that output cannot control the terminal. Ordinary text, MLIR and JSON pass
// unchanged. Output that must be byte-exact is written to a file with -o.
#include <streambuf>
#include <string>
#include <string_view>

namespace fxs {

class SafeStreamBuffer final : public std::streambuf {
 public:
  /// `to` must outlive it. Only an incomplete UTF-8 character is buffered.
  explicit SafeStreamBuffer(std::streambuf& to) : to_(to) {}
  SafeStreamBuffer(const SafeStreamBuffer&) = delete;
  SafeStreamBuffer& operator=(const SafeStreamBuffer&) = delete;
  ~SafeStreamBuffer() override { finish(); }

  /// Writes the buffered bytes, escaped as invalid UTF-8. False if writing to `to` fails.
  bool finish();
  /// The errno of the first write that failed; EIO if there was none, or none that is known.
  int error() const;

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  bool write(std::string_view text);
  bool put(std::string_view text);

  std::streambuf& to_;
  std::string kept_;  ///< the bytes of an incomplete character
  int error_ = 0;
};

}  // namespace fxs
