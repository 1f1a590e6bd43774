// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs the MLIR text of a stage on this machine, through native compilers in processes of their
// own: what a stage computes, not what it should compute. An executor that does not support a text
// says so; only a program that was compiled and then crashed, hung or failed a run-time check is an
// observation about the text.
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "execute/native_stages.h"
#include "execute/tools.h"
#include "fx/program.h"
#include "tensor/tensor.h"

namespace fxs::execute {

/// Dense elements in a file, which are mapped or copied as a stream, never held as a whole.
struct StoredBytes {
  std::string file;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};
/// An argument of the function, in the order of the signature.
struct Argument {
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> sizes;
  std::variant<std::string, StoredBytes> elements;  ///< dense, row-major, little-endian
};

/// The data of a `dense_resource<..>` handle of the text: weights that the text names and does not
/// contain.
using Resources = std::function<Result<Argument>(std::string_view handle)>;

struct Limits {
  std::chrono::milliseconds compileTime{300'000};
  std::chrono::milliseconds runTime{120'000};
  std::uint64_t memory = std::uint64_t{24} << 30;  ///< address space of each process, in bytes
  std::uint64_t resultBytes = std::uint64_t{4} << 30;
  bool operator==(const Limits&) const = default;
};

struct Call {
  std::string
      text;  ///< a module with locations, as the engine prints it: torch, linalg, TOSA or StableHLO
  std::string function = "main";
  std::vector<Argument> arguments;
  Resources resources;
  bool checks = false;      ///< with run-time verification of sizes, where the executor has it
  bool dispatches = false;  ///< measure them, where the executor divides programs into dispatches
  Limits limits;
};

enum class Outcome : std::uint8_t {
  Ran,           ///< `results` are complete
  NotSupported,  ///< the executor cannot compile this text: a limit of the executor, nothing about
                 ///< the text
  Crashed,       ///< the compiled program ended by a signal, or a check of it failed
  TimedOut,      ///< compiling or running took longer than the limit
  OutOfMemory,
};
std::string_view name(
    Outcome);  ///< "ran", "not-supported", "crashed", "timed-out", "out-of-memory"

/// A function that a device runs, and how long its calls took.
struct DispatchTime {
  std::string name;         ///< of its function in Dispatches::text
  std::uint64_t calls = 0;  ///< in one run of the program
  std::chrono::duration<double> time{0};
};
struct Dispatches {
  std::string text;  ///< MLIR: the program as it was divided into dispatches, with locations; "" if
                     ///< not known
  std::vector<DispatchTime> times;
};

/// `cf.assert` of the text that did not hold.
struct Assertion {
  std::string message;
  fx::NodeId node;  ///< invalid if several say the same
};

struct Execution {
  Outcome outcome = Outcome::NotSupported;
  std::vector<tensor::Tensor>
      results;          ///< all of the function, in order; scalars have rank 0, integers are signed
  std::string message;  ///< one line unless Ran
  fx::NodeId node;  ///< where it crashed or was refused, in the user's program, if a message has a
                    ///< location
  std::optional<Assertion> failed;               ///< if it crashed for that
  std::chrono::duration<double> compileTime{0};  ///< 0 if it had been compiled before
  std::chrono::duration<double> runTime{0};
  Dispatches dispatches;  ///< empty unless the call asks for them
  Variants variants;      ///< of the output types' stages, in which the text was compiled
  std::vector<std::vector<std::string>> commands;  ///< argument vectors, in order
};

class Executor {
 public:
  virtual ~Executor() = default;
  virtual std::string_view id() const = 0;  ///< "iree", "llvm"
  virtual std::string version() const = 0;  ///< "IREE 3.13.0"
  /// Why it cannot execute texts like this one, in one line: "LLVM 22 does not lower the dialect
  /// chlo"; "" if it can be tried.
  virtual std::string refuses(std::string_view text) const = 0;
  /// Whether Call::checks makes another program, which is not optimized either.
  virtual bool hasChecks() const { return false; }
  /// Whether it fills Execution::dispatches.
  virtual bool measures() const { return false; }
  /// Compiles, unless the same text was compiled before, and runs. Errors: Cancelled, Io, Usage for
  /// arguments that do not fit the signature; everything else is an Execution.
  virtual Result<Execution> execute(const Call&, const RunContext&) = 0;
};
using ExecutorPtr = std::shared_ptr<Executor>;

struct Executors {
  std::vector<ExecutorPtr> all;
  std::string missing;  ///< how to get those that are not there, in one line; "" if all are
};
/// The executors that the tools allow, iree first. `directory` exists and keeps compiled programs;
/// `runner` outlives them.
Executors executorsFor(const Tools&, const std::string& directory, CommandRunner& runner);

}  // namespace fxs::execute
