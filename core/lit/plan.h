// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The programs that a test runs, in order, as argument vectors: only programs that the settings
// know, and files only in a temporary folder, which is their working directory. There the test
// is a file of its own name, `%s`, and `%t` is a name beside it, so that a plan does not depend on
// the folder. A RUN line that would need anything else is skipped with a message.
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lit/shell.h"
#include "lit/test.h"
#include "lit/tools.h"

namespace fxs::lit {

/// Of each program.
struct StageLimits {
  std::chrono::milliseconds timeout{60'000};
  std::uint64_t memory = std::uint64_t{16} << 30;  ///< address space in bytes
  std::uint64_t output = std::uint64_t{64} << 20;  ///< bytes of stdout and of stderr each
};

struct Settings {
  /// Programs by the names that tests use: "mlir-opt" -> "/usr/bin/mlir-opt-22".
  std::map<std::string, std::string, std::less<>> programs;
  /// Of programs that were not found: how to get one.
  std::map<std::string, std::string, std::less<>> missing;
  /// What else a `%` names: "shlibext" -> ".so". A value is a part of a word, never several words.
  std::map<std::string, std::string, std::less<>> substitutions;
  /// Files and folders that programs may read beside the system's: libraries, data of other tests.
  std::vector<std::string> reads;
  std::string file;          ///< the path of the test; "" for a text without a file
  std::string temporaryDir;  ///< in which folders for files are made
  StageLimits limits;
  bool explainsMatches = true;  ///< FileCheck is called with kExplainOptions where its errors are
                                ///< shown
};

struct Stage {
  std::size_t run = 0;       ///< index in Test::runs
  std::size_t pipeline = 0;  ///< of the RUN line; its stages follow each other
  ProgramKind kind = ProgramKind::Other;
  std::vector<std::string> argv;  ///< argv[0] is a path
  std::vector<std::string> environment;
  Expect expect = Expect::Success;
  enum class Input : std::uint8_t { None, Previous, File };
  Input input = Input::None;
  std::string inputFile;
  Sink out{Sink::Kind::Output, {}};
  Sink err{Sink::Kind::Errors, {}};
  bool endsPipeline = true;
};

struct SkippedRun {
  std::size_t run = 0;
  std::string message;
};

struct Plan {
  std::vector<Stage> stages;
  std::vector<SkippedRun> skipped;
  std::string testFile;            ///< the name of the test in the folder
  std::vector<std::string> reads;  ///< beside it: those of the settings, and if a RUN line names
                                   ///< the folder of the test, the suite around it with a
                                   ///< lit.cfg.py, or the folder
  std::string temporaryDir;
  StageLimits limits;
};

Plan plan(const Test&, const Settings&);
/// The plan without the stages of RUN lines that are not among these, ascending.
Plan withRuns(Plan, const std::vector<std::size_t>& runs);

}  // namespace fxs::lit
