// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The programs that a program was split into.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compare/inputs.h"
#include "lower/output_types.h"

namespace fxs::split {

/// What a program computes when it is run by itself, beside what it computed in the whole program.
enum class AloneOutcome : std::uint8_t {
  Equal,       ///< to the last bit
  Same,        ///< within the tolerance of tensor/judge.h
  Suspicious,  ///< as a tensor::Verdict
  Differs,
  NotRun
};
std::string_view name(AloneOutcome);  ///< "equal", "same", "suspicious", "differs", "not-run"

/// An argument or result of a program.
struct SplitValue {
  std::string type;      ///< "f32[2, 10]"
  std::string file;      ///< in the program's folder; "" for a number, which is passed as text
  std::string given;     ///< what stands after `--input=` or `--expected_output=`
  double tolerance = 0;  ///< of the relative l2 error; 0 if elements must be equal
  double elementTolerance = 0;  ///< of one element, relative to the larger of itself and the rms
};
/// Where the whole program has what the program computes.
struct SplitSite {
  std::vector<std::string> nodes;  ///< names of the user's nodes; empty if not known
};
struct SplitProgram {
  std::string name;                    ///< unique: of the dispatch or the node
  std::string folder;                  ///< in SplitOptions::folder
  std::string file;                    ///< the module, in the folder
  std::string function;                ///< that is run
  std::vector<std::string> arguments;  ///< of iree-compile, but for files
  std::vector<SplitSite> sites;        ///< the first one is that whose values were taken
  std::vector<SplitValue> inputs, results;
  AloneOutcome outcome = AloneOutcome::NotRun;
  std::string message;  ///< one line; "" if equal
};
/// What was not written.
struct SplitLeft {
  std::string name;
  std::size_t sites = 0;
  std::string reason;
};

struct SplitResult {
  lower::OutputType to;
  std::string by;        ///< "dispatch" or "node": what each program is
  std::string compiler;  ///< "IREE 3.13.0"
  compare::Inputs inputs;
  std::vector<SplitProgram> programs;
  std::vector<SplitLeft> left;
  std::size_t distinct = 0;  ///< executables of the module after deduplication, or distinct
                             ///< operations
  std::size_t sites = 0;     ///< calls of dispatches, or nodes
  std::string unlowered;     ///< why nothing could be written; "" if the program lowers
  bool isKnown = true;       ///< whether it lowers is known
  std::vector<std::string> notes;
};

}  // namespace fxs::split
