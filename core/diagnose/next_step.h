// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The one thing to do next with a program, from what is known of it: the command line prints it as
// a command, the window as a button. Only values that exist are looked at; nothing is run.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/diagnosis.h"
#include "session/session.h"

namespace fxs::diagnose {

struct NextStep {
  enum class Kind : std::uint8_t {
    Fix,        ///< a change was verified, or is likely to help
    Registry,   ///< registries lower it: a Helion kernel, or operators that they know
    Compare,    ///< it lowers: compare what it computes
    Bundle,     ///< no change that was tried helps, or it computes a wrong result: share it
    OtherType,  ///< the whole program lowers to another output type, or gets further
    Diagnose    ///< it was lowered only, and no change is evident
  };
  Kind kind = Kind::Diagnose;
  std::string message;  ///< "a verified fix makes the whole program lower to tosa"
  /// Of fxscope-cli, with file and output types; the caller adds further options of the user's:
  /// {"fix", "model.pt2", "--to", "tosa", "-o", "model.fixed.pt2"}.
  std::vector<std::string> arguments;
};
std::string_view name(NextStep::Kind);  ///< "fix", "registry", "other-type" ..

inline constexpr const char* kKernelMessage = "registries lower Helion kernels; pipelines do not";

/// After a lowering that was not diagnosed. nullopt if there is nothing to do, if it reached a
/// limit or was cancelled, if a text or the passes were edited, and for standard input.
std::optional<NextStep> nextStep(const session::Snapshot& lowered);
/// After a diagnosis of the snapshot's program. nullopt as above, and if all output types compute
/// what is expected.
std::optional<NextStep> nextStep(const session::Snapshot&, const Diagnosis&);
/// After a program was fixed and written to `file`: compares it for the output types to which it
/// lowers; nullopt without one.
std::optional<NextStep> nextStepOfFixed(const std::string& file,
                                        const std::vector<lower::OutputType>& lowersTo);

}  // namespace fxs::diagnose
