// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/known_values.h"

#include <algorithm>

#include "numbers/reference.h"

namespace fxs::numbers {

std::optional<tensor::Tensor> KnownValues::find(const std::string& name) const {
  std::size_t input = 0;
  for (const fx::InputSpec& spec : user_.inputs) {
    if (spec.kind != fx::InputKind::UserInput || !spec.constant.isNone()) continue;
    const auto& tensors = inputs().tensors;
    if (user_.node(spec.node).name == name)
      return input < tensors.size() ? std::optional(tensors[input]) : std::nullopt;
    ++input;
  }
  if (inputs_ >= comparison_.nodeValues.size()) return std::nullopt;
  const tensor::TensorFile& values = *comparison_.nodeValues[inputs_];
  const auto& stored = values.tensors();
  const auto found =
      std::find_if(stored.begin(), stored.end(),
                   [&](const tensor::StoredTensor& each) { return each.name == name; });
  if (found == stored.end()) return std::nullopt;
  auto value = values.read(*found, kValueBytes, context_);
  return value ? std::optional(*std::move(value)) : std::nullopt;
}

}  // namespace fxs::numbers
