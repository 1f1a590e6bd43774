// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_engine.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace fxs::test {

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "fxscope-test-XXXXXX").string();
  path_ = ::mkdtemp(pattern.data()) == nullptr ? std::string() : pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::string writeScript(const TemporaryDirectory& directory, const std::string& name,
                        const std::string& body) {
  const std::string path = directory.file(name);
  std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

std::string fakeEngine(const TemporaryDirectory& directory, const std::string& onModule) {
  return writeScript(
      directory, "fake-engine",
      "case \"$1\" in\n"
      "--version) echo 'LLVM (http://llvm.org/):'; echo '  LLVM version 99.0.0fake'; exit 0 ;;\n"
      "--help) for p in torch-match-quantized-custom-ops "
      "torchdynamo-export-to-torch-backend-pipeline "
      "torch-backend-to-linalg-on-tensors-backend-pipeline \\\n"
      "    torch-backend-to-tosa-backend-pipeline torch-backend-to-stablehlo-backend-pipeline; do "
      "echo \"      --$p   -   x\"; done; exit "
      "0 ;;\n"
      "esac\n"
      "case \"$*\" in *--split-input-file*) echo \"x:1:1: error: unregistered operation "
      "'torch.fxscope.no_such_operation' found\" >&2; "
      "exit 1 ;; esac\n" +
          onModule);
}

bool isRunning(const std::string& pid) {
  for (int round = 0; round < 300; ++round) {
    std::ifstream stat("/proc/" + pid + "/stat");
    std::string id, name, state;
    if (pid.empty() || !(stat >> id >> name >> state) || state == "Z" || state == "X") return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

}  // namespace fxs::test
