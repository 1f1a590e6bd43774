// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The files of a bundle: the program, the modules, the engine's commands and output, a script that
// runs it again, and text for the receiver. All files except the output of engine and diagnosis are
// determined by the manifest and the program, so that replay can regenerate and compare them. They
// contain no private data if their sources (see public_program.h) contain none.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/private_text.h"
#include "bundle/archive.h"

namespace fxs::bundle {

struct Content {
  Manifest manifest;            ///< without members
  std::string pt2;              ///< the bytes of the .pt2 file
  std::string module;           ///< in its place, the text of an MLIR module
  std::string programText;      ///< the dump of the program
  std::string raw;              ///< the RAW module
  std::string edited;           ///< a text that lowering continues from, if the manifest says so
  std::string script, e2eTest;  ///< the program as plain PyTorch; "" if Python cannot say it
  std::string minimal;          ///< a reduced RAW module that fails in the same way; "" for none
  std::string
      extraLibrary;   ///< MLIR for extra-library= of the torch stage; used if the manifest says so
  std::string input;  ///< input of the failing stage
  std::string failureIr;   ///< the module at the failing pass; "" if the engine printed none
  std::string engineText;  ///< stderr of the failing stage
  std::string lowered;  ///< the text of the output type, if the manifest has a wrong result; then
                        ///< nothing failed
  std::string inputs, expected, found;  ///< safetensors files of its values; the last two may be
                                        ///< "", and `found` has "EXECUTOR:output#0"
  std::string diagnosticsText;          ///< the findings as text
  std::string diagnosticsJson;          ///< the findings as JSON; "" for none
  std::vector<Removed> removed;         ///< from the engine's messages; not written
};

/// The files that depend on the engine's version.
inline constexpr std::array<std::string_view, 5> kEngineFiles{
    kInputFile, kFailureFile, "engine.txt", "diagnostics.txt", "diagnostics.json"};

/// In archive order. InvalidInput if the manifest names an unknown target, stage or operation.
Result<std::vector<File>> filesOf(const Content&);

/// The lowering options in the manifest; `library`: path of the extra library.
lower::LowerOptions lowerOptionsOf(const Manifest&, const std::string& library);
/// The engine commands up to the failure, one a line, with kEngineName as the program and files of
/// the bundle.
Result<std::string> commandsText(const Manifest&);
/// A POSIX sh script that runs the failing stage on input.mlir with the engine given by its
/// argument, $ENGINE or PATH, and reports whether it fails in the same way. Uses no other programs.
/// Exit status: 0 the same failure, 1 another or none, 4 no engine.
Result<std::string> runScript(const Manifest&);
std::string readmeText(const Manifest&);
/// Markdown to paste into an issue.
Result<std::string> issueText(const Content&);

/// A copy of the lowering for publication: engine and library are named as in the bundle, and the
/// engine's messages contain nothing that looks like private data. `filter`: one that has filtered
/// nothing else, so that each run replaces alike.
std::shared_ptr<const lower::Lowering> portable(const lower::Lowering&, const std::string& library,
                                                PrivateText& filter);
/// What an engine says of its version, likewise.
std::string publicVersion(const std::string& version);

}  // namespace fxs::bundle
