// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/fx_json/words.h"

#include "fx/evaluated_text.h"

namespace fxs::read::fx_json {
namespace {

constexpr std::size_t kMaxDeviceBytes = 64, kMaxIndexDigits = 4;

template <class Enum>
std::optional<Enum> fromName(std::string_view text, Enum last) {
  if (text.starts_with("torch.")) text.remove_prefix(6);
  for (int i = 0; i <= static_cast<int>(last); ++i)
    if (name(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace

std::optional<Layout> layoutFromName(std::string_view text) {
  return fromName(text, Layout::Mkldnn);
}
std::optional<MemoryFormat> memoryFormatFromName(std::string_view text) {
  return fromName(text, MemoryFormat::ChannelsLast3d);
}

std::optional<Device> deviceFromText(std::string_view text) {
  Device out;
  const auto colon = text.find(':');
  out.type = text.substr(0, colon);
  if (!fx::isIdentifier(out.type) || text.size() > kMaxDeviceBytes) return std::nullopt;
  if (colon == std::string_view::npos) return out;
  text.remove_prefix(colon + 1);
  if (text.empty() || text.size() > kMaxIndexDigits ||
      text.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  out.index = std::stoi(std::string(text));
  return out;
}

}  // namespace fxs::read::fx_json
