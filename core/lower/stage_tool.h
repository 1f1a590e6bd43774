// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The programs that run stages, as data: the engine, known programs by name, or one that a user's
// file names by its path. Where the known ones are is up to the front end (Toolbox), so that no
// file can replace one.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lower/parameter.h"

namespace fxs::lower {

inline constexpr std::string_view kEngineTool = "engine";

/// How the program of a stage is called. By default it is the engine, which runs the pass pipeline.
struct StageTool {
  std::string program{kEngineTool};    ///< a name of knownTools(), or an absolute path
  std::vector<std::string> arguments;  ///< with placeholders `${input}` (a file; without it, the
                                       ///< input is on standard input) and `${pipeline}`
  std::string output;  ///< the file that it writes in its working directory, where `*` stands for
                       ///< any characters of several files; "" for standard output
  bool isOpt = false;  ///< a path that is called as the engine is: a user's own `*-opt`
  bool isPath() const { return program.find('/') != std::string::npos; }
  bool isEngine() const { return program == kEngineTool; }
  /// Whether it is called as the engine is: with a pass pipeline, an input on standard input, and
  /// MLIR's options.
  bool runsPasses() const;
  /// For people: "mlir-opt-22", "the engine", or the last part of a path.
  std::string title() const;
  friend bool operator==(const StageTool&, const StageTool&) = default;
};

/// Lists of arguments by name, which a stage's `${name}` stands for.
using ArgumentLists = std::map<std::string, std::vector<std::string>, std::less<>>;
/// What `${name}` may stand for in the texts of a table of output types.
struct Placeholders {
  ArgumentLists lists;    ///< of whole arguments
  Parameters parameters;  ///< of parts of arguments and pipelines
};

/// A change of a stage's input that its tool requires.
enum class Preparation : std::uint8_t {
  ExternalWeights,   ///< globals of the LLVM dialect whose data is not in the text become
                     ///< declarations
  ParameterWeights,  ///< constants whose data is not in the text become named parameters of IREE
  NodeLocations,     ///< locations are reduced to nodes, and debug scopes to the file of nodes, so
                     ///< that debug lines say nodes; functions of a text without scopes get one
};
std::string_view name(Preparation);  ///< "external-weights"

/// The names that a file may use, engine first.
const std::vector<std::string_view>& knownTools();
/// Those that run pass pipelines as the engine does.
bool runsPasses(std::string_view tool);

/// A program that was found.
struct FoundTool {
  std::string path;
  std::vector<std::string> reads;  ///< files and folders besides the system's
  bool startsPrograms = false;
};
/// Provided by the front end.
struct Toolbox {
  /// Of a known name. NotFound, with how to get it, if it is not installed; EngineFailed if it is
  /// not the one that it should be.
  std::function<Result<FoundTool>(std::string_view name)> find;
  std::string temporaryDir;  ///< for working directories
};

}  // namespace fxs::lower
