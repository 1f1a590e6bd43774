// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/registry.h"

#include <algorithm>
#include <cassert>

#include "base/nearest.h"

namespace fxs::registry {
namespace {

std::string titleOf(std::string_view name) {
  if (name == "tosa") return "TOSA, with tensor and arith operations where TOSA has none";
  if (name == "linalg") return "linalg on tensors";
  if (name == "math") return "math operations on whole tensors";
  if (name == "func") return "calls of functions";
  return std::string(name);
}

}  // namespace

Registries::Registries() {
  for (const std::string_view name : {"tosa", "linalg", "math", "func"})
    all_.push_back({std::string(name), titleOf(name), {}, {}});
}

void Registries::anySizes(std::string_view registry,
                          std::initializer_list<std::string_view> opClasses) {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Registry& r) { return r.name == registry; });
  for (const std::string_view opClass : opClasses) {
    assert(found->handlers.contains(opClass) && "its handler is added first");
    found->anySizes.emplace(opClass);
  }
}

void Registries::add(std::string_view registry, std::initializer_list<std::string_view> opClasses,
                     const Handler& handler) {
  auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Registry& r) { return r.name == registry; });
  assert(found != all_.end() && "files add to the built-in registries");
  for (const std::string_view opClass : opClasses) {
    [[maybe_unused]] const bool isNew = found->handlers.emplace(opClass, handler).second;
    assert(isNew && "an op class stands once in a registry");
  }
}

const Registry* Registries::find(std::string_view name) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Registry& r) { return r.name == name; });
  return found == all_.end() ? nullptr : &*found;
}

std::vector<std::string> Registries::didYouMean(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const Registry& registry : all_) names.push_back(registry.name);
  return nearest(name, names, 3);
}

const Registries& builtinRegistries() {
  static const Registries registries = [] {
    Registries out;
    registerAllRegistries(out);
    return out;
  }();
  return registries;
}

}  // namespace fxs::registry
