// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a sweep says in all: programs by output type, operators that block, and what changed since
// an earlier sweep. A summary depends on the set of lines only, not on their order or on how they
// are spread over files; times are not in it.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sweep/line.h"
#include "sweep/results.h"

namespace fxs::sweep {

/// The lines of one sweep, each program and output type once.
struct Merged {
  using Lines = std::map<std::string, Line>;  ///< by output type
  std::map<std::string, Lines> programs;
  std::set<std::string> types;
  std::set<std::string> fxscope;                          ///< versions
  std::set<std::pair<std::string, std::string>> engines;  ///< version and checksum
  std::set<std::string> options;
  const Line* find(const std::string& program, const std::string& type) const;  ///< null if none
};

/// Merges files of results. InvalidInput if two lines say different things of a program and an
/// output type, naming both, or if there are too many output types.
class Merger {
 public:
  Result<> add(Line line, const std::string& file, std::uint64_t number);
  /// All lines of a file.
  Result<> add(const std::string& path, const RunContext&);
  Merged take() { return std::move(merged_); }

 private:
  struct Position {
    std::size_t file;
    std::uint64_t number;
  };
  Merged merged_;
  std::vector<std::string> files_;
  std::map<std::pair<std::string, std::string>, Position> positions_;
};

struct TypeTotals {
  std::string type;
  std::array<std::size_t, kStatuses> programs{};  ///< by Status
  std::size_t fixed = 0;  ///< programs that do not lower, and do with their verified fixes
  std::size_t all() const;
};

/// One operator that blocks programs.
struct OperatorRow {
  struct Cell {
    std::size_t blocked = 0;  ///< programs that it blocks
    std::size_t frees = 0;    ///< programs among them that nothing else blocks
  };
  std::string fxTarget;
  std::vector<std::string> kinds;  ///< sorted
  std::vector<Cell> cells;         ///< parallel to Summary::types
  std::size_t programs = 0;        ///< distinct programs blocked, for any output type
  std::size_t frees = 0;  ///< distinct programs that supporting it for every output type would free
                          ///< for at least one
  std::string fix;        ///< the change that is verified in most programs; "" if there is none
  std::size_t fixes = 0;  ///< programs in which some fix is verified
};

/// A program whose outcome for an output type changed.
struct Changed {
  std::string program, type;
  std::string from, to;  ///< statuses; "missing" for a program that is no longer swept
};
struct NewBlocker {
  std::string fxTarget, type;
  std::size_t programs = 0;
};
struct Drift {
  std::vector<Changed> gained, lost;  ///< by name
  std::vector<Changed> unknown;  ///< by name: whether anything changed is not known, as the outcome
                                 ///< of one sweep is not
  std::vector<NewBlocker> blockers;     ///< operators that block an output type which they did not
                                        ///< block before, as far as known
  std::vector<std::string> added;       ///< programs that were not swept before
  std::vector<std::string> uncompared;  ///< output types that only one of the sweeps has
};

struct Summary {
  Merged merged;
  std::vector<TypeTotals> types;       ///< by name
  std::vector<OperatorRow> operators;  ///< most programs freed first, then most blocked
  std::optional<Drift> drift;
};
Summary summaryOf(Merged);
/// Of two sweeps, for the output types that both have.
Drift driftOf(const Merged& now, const Merged& before);

}  // namespace fxs::sweep
