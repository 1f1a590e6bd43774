// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A stream buffer that lays out what is written for a terminal, line by line, and erases what is
// not part of the answer before. What goes elsewhere passes as it is, at once.
#include <functional>
#include <streambuf>
#include <string>
#include <string_view>

#include "base/terminal_text.h"

namespace fxs::cli {

class FitStreamBuffer final : public std::streambuf {
 public:
  /// All must outlive it. `before` is called before anything is written.
  FitStreamBuffer(std::streambuf& to, const TextLayout& layout, const bool& isCode,
                  std::function<void()> before)
      : to_(to), layout_(layout), isCode_(isCode), before_(std::move(before)) {}
  FitStreamBuffer(const FitStreamBuffer&) = delete;
  FitStreamBuffer& operator=(const FitStreamBuffer&) = delete;
  ~FitStreamBuffer() override { finish(); }

  /// Writes a line that has not ended. False if writing fails.
  bool finish();

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int_type overflow(int_type c) override;
  int sync() override { return to_.pubsync(); }

 private:
  bool write(std::string_view text);

  std::streambuf& to_;
  const TextLayout& layout_;
  const bool& isCode_;
  std::function<void()> before_;
  std::string line_;  ///< that has not ended
};

}  // namespace fxs::cli
