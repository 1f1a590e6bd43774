// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/page_head.h"

#include <fmt/format.h>

#include "base/safe_text.h"
#include "base/sha256.h"

namespace fxs::resource {
std::string_view pageStyle();
}  // namespace fxs::resource

namespace fxs::report {
namespace {

std::string base64(const std::string& hex) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes, out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group =
          (group << 8U) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? kDigits[(group >> (18U - 6U * k)) & 63U] : '=';
  }
  return out;
}

}  // namespace

std::string pageHead(std::string_view title, std::string_view ownStyle, std::string_view script) {
  const std::string style = std::string(resource::pageStyle()) + std::string(ownStyle);
  const std::string scripts = script.empty() ? "'none'" : "'sha256-" + base64(sha256(script)) + "'";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'sha256-{}'; script-src {}; base-uri 'none'; "
      "form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n</head>\n",
      base64(sha256(style)), scripts, richText(title), style);
}

}  // namespace fxs::report
