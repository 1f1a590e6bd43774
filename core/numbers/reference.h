// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// PyTorch's own values of every node of the user's program, computed by a script in a Python with
// PyTorch (resources/python/node_values.py), in the cage. The script is shown with the values,
// since it decides what is called right.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/scratch_directory.h"
#include "compare/error_scales.h"
#include "compare/inputs.h"
#include "session/session.h"
#include "tensor/files.h"

namespace fxs::numbers {

/// The largest value that is read from a file of values, in bytes.
inline constexpr std::uint64_t kValueBytes = std::uint64_t{4} << 30;

struct Reference {
  std::string versions;  ///< "Python 3.11.2 with PyTorch 2.13.0"
  /// By node of the user's program: its name, and "name#0", "name#1" .. for elements of a tuple;
  /// "output#0" .. for the outputs, in order of Program::outputs; "name#after" for an input, buffer
  /// or parameter that was changed in place. Nodes of subgraphs are left out.
  std::shared_ptr<const tensor::TensorFile> values;
  std::string stopped;  ///< where PyTorch failed and why; values before that are there. "" if it
                        ///< did not fail
  bool raised =
      false;  ///< a node of the program raised an exception; false if the process ended, too
  /// By call: the branch of a condition that ran ("true"), or the number of trips of a loop ("0",
  /// "1", "several").
  std::map<std::string, std::string> taken;
  std::string undefined;  ///< why PyTorch defines no result for these inputs; "" if it does
  std::vector<std::string> notes;                     ///< values that were skipped, one line each
  Command command;                                    ///< as run; its input is the script
  std::shared_ptr<const ScratchDirectory> directory;  ///< of the files

  std::map<std::string, const tensor::StoredTensor*, std::less<>> byName;

  /// Null if PyTorch computed no such value.
  const tensor::StoredTensor* find(std::string_view name) const;
};

/// Runs the program once on each of some inputs, in one process, beside the caller's work.
class PythonReferences {
 public:
  /// The first `required` inputs are computed though the process ends at one of them, the others as
  /// far as it comes. PyTorch's random numbers are seeded by `seed` each time. Python gets a
  /// program that fxscope wrote from checked values, with its weights: nothing of the user's file,
  /// which may hold pickles. `python`: a path, or "auto" for python3. NotFound without that Python;
  /// Unsupported for a program that is not a .pt2, or that uses what only a pickle holds. The
  /// snapshot and the environment outlive it.
  static Result<PythonReferences> start(const std::string& python, const session::Snapshot&,
                                        std::vector<compare::Inputs> inputs, std::size_t required,
                                        std::uint64_t seed, const session::Environment&,
                                        const RunContext&);
  PythonReferences(PythonReferences&&) noexcept;
  ~PythonReferences();

  /// By inputs; once. Unsupported, with what it said, if Python has no PyTorch or if PyTorch cannot
  /// open the program; Timeout; Cancelled on a stop request.
  Result<std::vector<Reference>> wait();

 private:
  struct State;
  explicit PythonReferences(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

/// The inputs, and PyTorch's values for them. Refers to its arguments.
compare::NodeValue nodeValues(const fx::Program& user, const Reference&, const compare::Inputs&,
                              const RunContext&);

/// Takes the values of nodes that PyTorch does not define out of `byName`, and says so if they
/// reach results.
void leaveOutUndefined(Reference&, const fx::Program& user, const compare::Inputs&,
                       const RunContext&);

/// Values of a file, named in the same way. `whose`: who computed them.
Reference storedReference(std::string whose, std::shared_ptr<const tensor::TensorFile>);

/// The script, to show it.
std::string_view nodeValuesScript();

}  // namespace fxs::numbers
