// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/given_sizes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fxs::contract {
namespace {

constexpr std::array<std::string_view, 4> kViews{"aten.view.default", "aten.reshape.default",
                                                 "aten._unsafe_view.default",
                                                 "aten._reshape_alias.default"};

}  // namespace

GivenSizes::GivenSizes(const fx::Program& user) {
  for (const fx::Node& node : user.nodes) {
    const bool isView = std::ranges::find(kViews, node.target) != kViews.end();
    const fx::TensorMeta* meta = node.val.tensor();
    const fx::ArgumentList* shape =
        isView && node.args.size() > 1 ? node.args[1].value.list() : nullptr;
    if (meta == nullptr || shape == nullptr || shape->size() != meta->rank()) continue;
    for (std::size_t d = 0; d < meta->rank(); ++d)
      if (const std::int64_t* size = (*shape)[d].integer();
          size != nullptr && *size >= 0 && !meta->sizes[d].isStatic())
        sizes_.emplace(meta->sizes[d].text(), *size);
  }
}

std::optional<std::int64_t> GivenSizes::of(const fx::SymInt& size) const {
  if (size.isStatic() || sizes_.empty()) return std::nullopt;
  const auto found = sizes_.find(size.text());
  return found == sizes_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fxs::contract
