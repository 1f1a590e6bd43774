// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fit_stream.h"

namespace fxs::cli {

bool FitStreamBuffer::write(std::string_view text) {
  const auto size = static_cast<std::streamsize>(text.size());
  return to_.sputn(text.data(), size) == size;
}

bool FitStreamBuffer::finish() {
  if (line_.empty()) return true;
  std::string last = isCode_ ? codeLaidOut(line_, layout_) : textLaidOut(line_, layout_);
  if (last.ends_with('\n')) last.pop_back();
  line_.clear();
  return write(last);
}

std::streamsize FitStreamBuffer::xsputn(const char* text, std::streamsize size) {
  if (size <= 0) return 0;
  if (before_) before_();
  const std::string_view added(text, static_cast<std::size_t>(size));
  if (layout_.columns == 0) return write(added) ? size : 0;
  line_ += added;
  const std::size_t end = line_.rfind('\n');
  if (end == std::string::npos) return size;
  const std::string lines = line_.substr(0, end + 1);
  line_.erase(0, end + 1);
  return write(isCode_ ? codeLaidOut(lines, layout_) : textLaidOut(lines, layout_)) ? size : 0;
}

FitStreamBuffer::int_type FitStreamBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char character = traits_type::to_char_type(c);
  return xsputn(&character, 1) == 1 ? c : traits_type::eof();
}

}  // namespace fxs::cli
