// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bounds on what a test file makes this component keep or run. What exceeds one is left out with a
// message, or not read further.
#include <cstddef>
#include <cstdint>

namespace fxs::lit {

inline constexpr std::size_t kMaxRunLines = 256;
inline constexpr std::size_t kMaxConditions = 256;
inline constexpr std::size_t kMaxDefinitions = 256;            ///< DEFINE and REDEFINE lines
inline constexpr std::size_t kMaxCommandBytes = 1u << 16;      ///< of a RUN line, expanded
inline constexpr std::size_t kMaxCommandsPerLine = 64;         ///< of a RUN line
inline constexpr std::size_t kMaxWords = 4096;                 ///< of a command
inline constexpr std::size_t kMaxStages = 512;                 ///< of a plan
inline constexpr std::size_t kMaxPrefixes = 64;                ///< of FileCheck
inline constexpr std::size_t kMaxChecks = 1u << 20;            ///< CHECK lines of a text
inline constexpr std::size_t kMaxExpectations = 1u << 16;      ///< expected-* of a text
inline constexpr std::size_t kMaxParts = 1u << 16;             ///< of a text with `// -----` lines
inline constexpr std::size_t kMaxMatches = 1u << 20;           ///< of one output of FileCheck
inline constexpr std::uint64_t kMaxFileBytes = 256ull << 20;   ///< of a file that a stage reads
inline constexpr std::size_t kMaxTestOutputBytes = 64u << 20;  ///< of which CHECK lines are made

}  // namespace fxs::lit
