#pragma once
// The files of a bundle, from a lowering that fails: the program, the modules, what was asked of the engine and what it said, a
// script that asks again, and words for the person who receives it. Paths of this machine are in none of them.
#include <string>
#include <vector>

#include "bundle/archive.h"

namespace fxs::bundle {

struct Content {
  Manifest manifest;                          ///< without members
  std::string pt2;                            ///< the program as a .pt2
  std::string programText;                    ///< its dump
  std::string raw;                            ///< the RAW module
  const lower::Lowering* lowering = nullptr;  ///< of `raw`; it fails
  std::string minimal;                        ///< the RAW module with less in it that fails in the same way; "" for none
  std::string extraLibraryPath;               ///< as it stands in the lowering's command lines; "" for none
  std::string extraLibrary;                   ///< that file
  std::string diagnosticsText;                ///< the findings, for people; "" for those of the failing stage, a line each
  std::string diagnosticsJson;                ///< and for programs; "" for none
  std::string environment;                    ///< what the failure was seen with, a line each
};

/// In the order of the archive.
std::vector<File> filesOf(const Content&);

/// The commands that lead to the failure, one a line, with the engine called torch-mlir-opt and files of the bundle.
std::string commandsText(const Content&);
/// POSIX sh: runs the failing stage on input.mlir with the engine named by its argument, by $ENGINE or in PATH, and says whether it fails
/// in the same way. Needs nothing but the shell itself. Ends with 0 for the same failure, 1 for another or none, 4 without an engine.
std::string runScript(const Content&);
std::string readmeText(const Content&);
/// Markdown, ready to paste.
std::string issueText(const Content&);

}  // namespace fxs::bundle
