// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/type_text.h"

#include <algorithm>

#include "base/joined.h"
#include "mlir/text/token_ends.h"

namespace fxs::node_lab {
namespace {

constexpr std::string_view kBuiltin = "tensor<";
constexpr std::string_view kTorch = "!torch.vtensor";

bool isSize(std::string_view text) {
  return text == "?" || (!text.empty() && mlir::afterAll(text, 0, mlir::kDigit) == text.size());
}

std::optional<TensorType> builtinTensor(std::string_view inside) {
  TensorType out;
  if (inside.starts_with("*x")) {
    inside.remove_prefix(2);
  } else {
    out.ranked = true;
    for (std::size_t x = inside.find('x');
         x != std::string_view::npos && isSize(inside.substr(0, x)); x = inside.find('x')) {
      out.sizes.emplace_back(inside.substr(0, x));
      inside.remove_prefix(x + 1);
    }
  }
  const std::vector<std::string> parts = splitAtCommas(inside);
  if (parts.empty() || parts.size() > 2) return std::nullopt;
  out.element = parts[0];
  if (parts.size() == 2) out.encoding = ", " + parts[1];
  return out;
}

std::optional<TensorType> torchTensor(std::string_view inside) {
  TensorType out;
  out.torch = true;
  const std::vector<std::string> parts = splitAtCommas(inside);
  if (parts.size() != 2) return std::nullopt;
  if (parts[1] != "unk") out.element = parts[1];
  if (parts[0] == "*") return out;
  if (!parts[0].starts_with('[') || !parts[0].ends_with(']')) return std::nullopt;
  out.ranked = true;
  out.sizes = splitAtCommas(std::string_view(parts[0]).substr(1, parts[0].size() - 2));
  return std::all_of(out.sizes.begin(), out.sizes.end(), isSize) ? std::optional(out)
                                                                 : std::nullopt;
}

}  // namespace

std::vector<std::string> splitAtCommas(std::string_view list) {
  std::vector<std::string> out;
  if (trimmed(list).empty()) return out;
  std::size_t begin = 0;
  mlir::walkTopLevel(list, 0, list.size(), [&](std::size_t at) {
    if (list[at] != ',') return false;
    out.emplace_back(trimmed(list.substr(begin, at - begin)));
    begin = at + 1;
    return false;
  });
  out.emplace_back(trimmed(list.substr(begin)));
  return out;
}

std::string withoutBlanks(std::string_view type) {
  std::string out;
  for (const char c : type)
    if (!mlir::is(c, mlir::kBlank) && c != '\n') out += c;
  return out;
}

std::string TensorType::text() const {
  if (torch)
    return std::string(kTorch) + "<" + (ranked ? "[" + joined(sizes, ",") + "]" : "*") + "," +
           (element.empty() ? "unk" : element) + ">";
  std::string shape = ranked ? joined(sizes, "x") : "*";
  if (!ranked || !sizes.empty()) shape += "x";
  return std::string(kBuiltin) + shape + element + encoding + ">";
}

bool TensorType::mayEqual(const TensorType& other) const {
  if (!ranked || !other.ranked) return true;
  if (sizes.size() != other.sizes.size()) return false;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != other.sizes[i] && sizes[i] != "?" && other.sizes[i] != "?") return false;
  return true;
}

std::optional<TensorType> tensorType(std::string_view type) {
  const std::string text = withoutBlanks(type);
  if (text == kTorch) {
    TensorType out;
    out.torch = true;
    return out;
  }
  const auto inside = [&](std::size_t open) {
    return std::string_view(text).substr(open, text.size() - open - 1);
  };
  if (!text.ends_with('>')) return std::nullopt;
  if (text.starts_with(kBuiltin)) return builtinTensor(inside(kBuiltin.size()));
  if (text.starts_with(std::string(kTorch) + "<")) return torchTensor(inside(kTorch.size() + 1));
  return std::nullopt;
}

std::string builtinElement(std::string_view torchElement) {
  if ((torchElement.starts_with("si") || torchElement.starts_with("ui")) &&
      isSize(torchElement.substr(2)))
    return "i" + std::string(torchElement.substr(2));
  return std::string(torchElement);
}

}  // namespace fxs::node_lab
