// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A small shell script that stands in for torch-mlir-opt: it answers --version and --help as the
// real one does, and does what a test says with a module.
#include <string>

namespace fxs::test {

/// A directory of the test's own, removed with everything in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Writes an executable script of that body (after `#!/bin/sh`) and returns its path.
std::string writeScript(const TemporaryDirectory&, const std::string& name,
                        const std::string& body);
/// A script that is an engine as far as probing goes; `onModule` runs otherwise, with the module on
/// its standard input.
std::string fakeEngine(const TemporaryDirectory&, const std::string& onModule);

/// Whether a process of that number is running, after giving a killed one time to end. A zombie is
/// not running.
bool isRunning(const std::string& pid);
/// The content of a file, "" when it cannot be read.
std::string contentOf(const std::string& path);

}  // namespace fxs::test
