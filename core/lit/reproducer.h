// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A crash reproducer of MLIR: a module with the pass pipeline that failed on it, in
// `{-# external_resources: {mlir_reproducer: {pipeline: ".."}} #-}`, or in the first lines of
// older ones, `// configuration: -pass-pipeline='..'`.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fxs::lit {

struct Reproducer {
  std::string pipeline;  ///< "builtin.module(canonicalize)"
  bool verifyEach = true;
  bool disableThreading = false;
  std::uint32_t line = 0;  ///< of the pipeline, 1-based
};
/// std::nullopt if the text is none. Linear in the text.
std::optional<Reproducer> reproducerOf(std::string_view text);

}  // namespace fxs::lit
