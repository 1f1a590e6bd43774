// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Resolves the locations of one printed MLIR text to lines of known files, including those nested
// in name, fused and callsite locations and in `#loc12` aliases. Line N of the file `fx` is FX node
// N. Hostile aliases (cycles, huge numbers) resolve to nothing.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fx/argument.h"
#include "mlir/text/module.h"

namespace fxs::mlir {

inline constexpr std::string_view kFxFile = "fx";
/// Limit of node indices; larger line numbers in the file `fx` are not nodes.
inline constexpr std::uint32_t kMaxNodeIndex = 1u << 22;
/// Maximum number of places per location.
inline constexpr std::size_t kMaxPositionsOfLocation = 64;

/// A line of a known file, by the file's number. The line is as printed: a node index for `fx`,
/// else 1-based.
struct FilePosition {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  friend bool operator==(const FilePosition&, const FilePosition&) = default;
};

class LocationTable {
 public:
  /// For texts without aliases.
  LocationTable() = default;
  /// Uses the aliases of `module`, which must outlive the table. `files` are known files other than
  /// `fx`: their numbers are 1, 2, .., and `fx` is 0. Of equal names, the first counts.
  explicit LocationTable(const Module& module, const std::vector<std::string>& files = {});
  /// The places in a location's body (`"relu"("fx":12:0)` or `#loc3`), each once, in order of
  /// appearance. For a callsite, those of the callee, or of the caller if the callee has none.
  std::vector<FilePosition> positions(std::string_view body) const;
  /// The places in the file `fx`, as nodes.
  std::vector<fx::NodeId> nodes(std::string_view body) const;

 private:
  /// A range of aliasPlaces_.
  struct Alias {
    std::uint32_t begin = 0, end = 0;
    enum class State : std::uint8_t { New, Open, Done } state = State::New;
  };
  void resolve(std::uint32_t number);

  const Module* module_ = nullptr;
  std::map<std::string, std::uint32_t, std::less<>> files_;  // without fx
  std::vector<Alias> aliases_;                               // by number of Module::aliases
  std::vector<FilePosition> aliasPositions_;
};

}  // namespace fxs::mlir
