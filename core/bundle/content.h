#pragma once
// The files of a bundle: the program, the modules, the engine's commands and output, a script that runs it again, and text for
// the person who receives it. All but what engine and diagnosis say follow from the manifest and the program, byte for byte: whoever
// receives a bundle writes them again and compares. Nothing private is in them, where nothing private is in what they are made of.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bundle/archive.h"

namespace fxs::bundle {

struct Content {
  Manifest manifest;            ///< without members
  std::string pt2;              ///< the program as a .pt2
  std::string programText;      ///< its dump
  std::string raw;              ///< the RAW module
  std::string minimal;          ///< the RAW module with less in it that fails in the same way; "" for none
  std::string extraLibrary;     ///< declarations that the torch stage was given; where the manifest says so
  std::string input;            ///< what the failing stage read
  std::string failureIr;        ///< the module at the pass that failed; "" where the engine gave none
  std::string engineWords;      ///< of the failing stage
  std::string diagnosticsText;  ///< the findings, for people
  std::string diagnosticsJson;  ///< and for programs; "" for none
};

/// The files that record the behaviour and output of the engine: another engine differs.
inline constexpr std::array<std::string_view, 5> kEngineFiles{kInputFile, kFailureFile, "engine.txt", "diagnostics.txt",
                                                              "diagnostics.json"};

/// In the order of the archive. InvalidInput when the manifest names a target, stage or operation that there is not.
Result<std::vector<File>> filesOf(const Content&);

/// What the manifest says the engine was asked; the extra library is `library`.
lower::LowerOptions lowerOptionsOf(const Manifest&, const std::string& library);
/// The commands that lead to the failure, one a line, with the engine called torch-mlir-opt and files of the bundle.
Result<std::string> commandsText(const Manifest&);
/// POSIX sh: runs the failing stage on input.mlir with the engine named by its argument, by $ENGINE or in PATH, and says whether it fails
/// in the same way. Needs nothing but the shell itself. Ends with 0 for the same failure, 1 for another or none, 4 without an engine.
Result<std::string> runScript(const Manifest&);
std::string readmeText(const Manifest&);
/// Markdown, ready to paste.
Result<std::string> issueText(const Content&);

/// The lowering as it may be told of: the engine is called torch-mlir-opt, the library as in the bundle, and what the engine said names
/// nothing private by its shape.
std::shared_ptr<const lower::Lowering> portable(const lower::Lowering&, const std::string& library);

}  // namespace fxs::bundle
