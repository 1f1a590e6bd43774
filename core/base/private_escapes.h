// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Undoes escapes of URLs, JSON and Python in a text, so that paths and addresses in it are
// recognized; see private_text.h.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fxs {

/// A text with its escaped separators written plainly: %2Fhome%2Fada and \/home\/ada as /home/ada.
struct PlainText {
  std::string text;
  std::vector<std::size_t> from;  ///< by character of `text` and at its end: its offset in the
                                  ///< given text; empty if they are equal
};
PlainText plainText(std::string_view);

}  // namespace fxs
