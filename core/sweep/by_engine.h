// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sweeps of the same programs with several engines, side by side: whose outcomes differ between an
// engine and the next one.
#include <string>
#include <vector>

#include "sweep/summary.h"

namespace fxs::sweep {

/// The lines of one engine.
struct EngineLines {
  std::string version, sha256;
  Merged merged;
};

/// Merges files of results by the checksum of the engine, in the order in which the engines occur
/// first. InvalidInput as for Merger, or if there are too many engines.
class EngineMerger {
 public:
  /// All lines of a file.
  Result<> add(const std::string& path, const RunContext&);
  std::vector<EngineLines> take();

 private:
  struct Part {
    std::string version, sha256;
    Merger merger;
  };
  std::vector<Part> parts_;
};

/// The change between outcomes of which one is not known.
inline constexpr std::string_view kNotKnown = "not known";

/// What became of a program and an output type, by engine.
struct EngineRow {
  std::string program, type;
  std::vector<std::string> outcomes;  ///< "ok", "failed at tosa", "missing"
  std::vector<std::string> changes;  ///< from each engine to the next: "gained", "lost", kNotKnown,
                                     ///< "aten.a no longer blocks (no-pattern)"; "": none
};

struct EngineColumn {
  std::string version, sha256;
  std::vector<std::size_t> lower;  ///< programs that lower, by type of EngineDrift::types
  /// Outcomes that differ from the engine before; `otherwise`: another status, stage, blocker.
  std::size_t gained = 0, lost = 0, otherwise = 0;
  std::size_t unknown = 0;  ///< outcomes of which it is not known whether they differ
};

struct EngineDrift {
  std::vector<std::string> types;  ///< those that any engine has, by name
  std::vector<EngineColumn> engines;
  std::vector<EngineRow> rows;  ///< those with an outcome that differs, by program and type
  std::size_t compared = 0;     ///< programs and output types in all
};
EngineDrift engineDriftOf(const std::vector<EngineLines>&);

}  // namespace fxs::sweep
