#pragma once
// What blocks a program, for the front ends: the survey of its operations for some output types, and experiments on what is blocked.
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "diagnose/diagnosis.h"
#include "session/session.h"

namespace fxs::session {

struct DiagnoseOptions {
  std::vector<lower::OutputType> targets;  ///< at least one; each once
  bool experiments = true;                 ///< false: the survey only
  /// A Python with PyTorch, for its decomposition tables: a path, "auto" to look for python3, "" for none.
  std::string python;
  std::string withoutPython = "none; pass one with --python";  ///< what Diagnosis::python says where there is none
  std::chrono::milliseconds budget{120'000};                   ///< experiments that do not fit are NotRun
  /// Called whenever there is more to show: after the survey of each target, and after each experiment round.
  std::function<void(const std::shared_ptr<const diagnose::Diagnosis>&)> onPart;
};
using DiagnosisPtr = std::shared_ptr<const diagnose::Diagnosis>;

/// The snapshot must be imported with an engine: Usage otherwise. A stop during the experiments gives what is there, marked incomplete.
Result<DiagnosisPtr> diagnose(const SnapshotPtr&, const DiagnoseOptions&, const Environment&, const RunContext&);

}  // namespace fxs::session
