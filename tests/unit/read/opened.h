// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Exported programs made in memory, opened.
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "fx/text.h"
#include "pt2_writer.h"
#include "read/read.h"

namespace fxs::test {

/// What relu takes in the program that Pt2 starts from.
inline constexpr std::string_view kReluInput =
    R"("inputs": [{"name": "self", "arg": {"as_tensor": {"name": "add"}}, "kind": 1}],)";
inline constexpr const char* kWeightsConfig = "data/weights/model_weights_config.json";

/// std::runtime_error with the error's text when it does not open.
inline read::Capture opened(const std::string& bytes, std::string model = "") {
  read::ReadOptions options;
  options.model = std::move(model);
  auto capture = read::readCapture(memorySource(bytes), "t.pt2", options, {});
  if (!capture) throw std::runtime_error(toString(capture.error()));
  return *std::move(capture);
}
inline read::Capture opened(const Pt2& file) { return opened(file.bytes()); }

inline std::string dumpOf(const read::Capture& capture, std::string_view node) {
  const fx::Node* found = capture.program->findNode(node);
  if (!found) throw std::runtime_error("no node " + std::string(node));
  return fx::dumpNode(*capture.program, *found,
                      fx::usersOf(*capture.program)[found->id.index()].size());
}

}  // namespace fxs::test
