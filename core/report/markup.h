#pragma once
// Text inside XML and HTML.
#include <string>
#include <string_view>

namespace fxs::report {

/// What has a meaning in elements or in quoted attributes is escaped; control characters but tab and line break are left out.
inline std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

}  // namespace fxs::report
