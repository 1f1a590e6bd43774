// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "normalize/tensor_meta_text.h"

#include <vector>

#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

constexpr std::string_view kOpen = "TensorMetadata(";
constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxParts = 1 << 16;

/// `a, b(c, d), (e,)` at its top-level commas.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    std::string_view item = text.substr(begin, end - begin);
    while (item.starts_with(' ')) item.remove_prefix(1);
    if (!item.empty()) out.push_back(item);
    begin = end + 1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == ']') --depth;
    if (text[i] == ',' && depth == 0) add(i);
  }
  add(text.size());
  return out;
}

bool isTuple(std::string_view text) {
  return text.size() >= 2 && text.front() == '(' && text.back() == ')';
}
std::string_view inside(std::string_view text, std::size_t opening) {
  return text.substr(opening, text.size() - opening - 1);
}

void collect(std::string_view text, const std::string& position, int depth, TensorMetaFields& out) {
  if (depth > kMaxDepth || out.size() > kMaxParts) return;
  if (text.starts_with(kOpen) && text.ends_with(')')) {
    auto& fields = out[position];
    for (const std::string_view item : split(inside(text, kOpen.size())))
      if (const auto equals = item.find('='); equals != std::string_view::npos)
        fields.insert_or_assign(std::string(item.substr(0, equals)),
                                std::string(item.substr(equals + 1)));
  } else if (isTuple(text)) {
    std::size_t index = 0;
    for (const std::string_view item : split(inside(text, 1)))
      collect(item, position + "[" + std::to_string(index++) + "]", depth + 1, out);
  }
}

std::optional<std::vector<fx::SymInt>> sizes(
    const std::map<std::string, std::string, std::less<>>& fields, std::string_view name) {
  const auto found = fields.find(name);
  if (found == fields.end() || !isTuple(found->second)) return std::nullopt;
  std::vector<fx::SymInt> out;
  for (const std::string_view item : split(inside(found->second, 1))) {
    auto expr = fx::parseInfix(item);
    if (!expr) return std::nullopt;
    out.push_back((*expr)->kind == fx::SymExpr::Kind::Integer ? fx::SymInt((*expr)->integer)
                                                              : fx::SymInt(*std::move(expr)));
  }
  return out;
}

fx::Value valueOf(std::string_view text, int depth) {
  if (depth > kMaxDepth) return fx::Unknown{};
  if (isTuple(text)) {
    fx::ValueList parts;
    for (const std::string_view item : split(inside(text, 1)))
      parts.push_back(valueOf(item, depth + 1));
    bool anyKnown = false;
    for (const fx::Value& part : parts) anyKnown |= !std::holds_alternative<fx::Unknown>(part);
    return anyKnown ? fx::Value(std::move(parts)) : fx::Value(fx::Unknown{});
  }
  const TensorMetaFields all = tensorMetaFields(text);
  const auto lone = all.find("");
  if (lone == all.end()) return fx::Unknown{};
  const auto shape = sizes(lone->second, "shape");
  const auto dtypeText = lone->second.find("dtype");
  const auto dtype =
      dtypeText == lone->second.end() ? std::nullopt : dtypeFromName(dtypeText->second);
  if (!shape || !dtype) return fx::Unknown{};
  fx::TensorMeta meta;
  meta.dtype = *dtype;
  meta.sizes = *shape;
  meta.strides = sizes(lone->second, "stride").value_or(fx::contiguousStrides(meta.sizes));
  if (meta.strides.size() != meta.sizes.size()) return fx::Unknown{};
  const auto grad = lone->second.find("requires_grad");
  meta.requiresGrad = grad != lone->second.end() && grad->second == "True";
  meta.device.type = "cpu";
  meta.kind = fx::TensorKind::Fake;
  return fx::Value(std::move(meta));
}

}  // namespace

TensorMetaFields tensorMetaFields(std::string_view text) {
  TensorMetaFields out;
  collect(text, "", 0, out);
  return out;
}

fx::Value valueOfTensorMeta(std::string_view text) { return valueOf(text, 0); }

}  // namespace fxs::normalize
