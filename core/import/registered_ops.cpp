// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/import.h"

namespace fxs::resource {
std::string_view registeredOps();
}

namespace fxs::import {

const std::set<std::string, std::less<>>& pinnedRegisteredOps() {
  static const std::set<std::string, std::less<>> kNames = [] {
    std::set<std::string, std::less<>> names;
    std::string_view text = resource::registeredOps();
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      if (!line.empty() && line[0] != '#') names.emplace_hint(names.end(), line);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return names;
  }();
  return kNames;
}

}  // namespace fxs::import
