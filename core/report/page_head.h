// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The head of a self-contained HTML page, with the palette and type that all pages have in common.
// Its Content-Security-Policy allows no requests, and only this style and script, by hash.
#include <string>
#include <string_view>

namespace fxs::report {

/// From the doctype to </head>. The title is escaped; ownStyle and script are fixed texts of
/// fxscope, "" for no script, which the caller writes at the end of the body.
std::string pageHead(std::string_view title, std::string_view ownStyle, std::string_view script);

}  // namespace fxs::report
