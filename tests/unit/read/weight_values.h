// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Values of weights in tests: bytes of floats, and what a capture's weight reader gives.
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "read/read.h"

namespace fxs::test {

inline std::string floats(const std::vector<float>& values) {
  std::string out(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}
inline std::vector<float> floatsIn(const std::string& bytes) {
  std::vector<float> out(bytes.size() / sizeof(float));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
  return out;
}
/// Eight elements.
inline const std::string kRecord = floats({0, 1, 2, 3, 4, 5, 6, 7});

inline const fx::Weight& weight(const read::Capture& capture, std::string_view fqn) {
  const fx::Weight* found = capture.program->findWeight(fqn);
  if (!found) throw std::runtime_error("no weight " + std::string(fqn));
  return *found;
}
inline std::vector<float> valuesOf(const read::Capture& capture, std::string_view fqn) {
  auto bytes = capture.weights->read(weight(capture, fqn), 1 << 20);
  if (!bytes) throw std::runtime_error(toString(bytes.error()));
  return floatsIn(*bytes);
}

}  // namespace fxs::test
