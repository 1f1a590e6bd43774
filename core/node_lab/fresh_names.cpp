// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/fresh_names.h"

#include "mlir/text/token_ends.h"

namespace fxs::node_lab {
namespace {

/// A name that begins with a digit contains digits only. Dashes are removed, because `%a->` would
/// be a name and an arrow.
std::string spelled(std::string_view wanted) {
  std::string out;
  for (const char c : wanted) out += mlir::is(c, mlir::kWord) ? c : '_';
  if (out.empty()) return "v";
  if (mlir::is(out[0], mlir::kDigit) && mlir::afterAll(out, 0, mlir::kDigit) != out.size())
    out.insert(out.begin(), '_');
  return out;
}

}  // namespace

std::string FreshNames::take(std::string_view wanted) {
  const std::string base = spelled(wanted);
  if (taken_.insert(base).second) return "%" + base;
  const bool number = mlir::is(base[0], mlir::kDigit);
  for (std::size_t& next = next_[number ? std::string() : base];; ++next) {
    std::string name = number ? std::to_string(next) : base + "_" + std::to_string(next);
    if (!taken_.insert(name).second) continue;
    ++next;
    return "%" + name;
  }
}

std::string FreshNames::like(std::string_view name, std::string_view stem) {
  name.remove_prefix(!name.empty() && name[0] == '%' ? 1 : 0);
  return take(stem.empty() ? std::string(name) : std::string(stem) + "." + std::string(name));
}

}  // namespace fxs::node_lab
