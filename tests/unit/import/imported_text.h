// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the import tests share: a program as text in, the module's text or one function's body out.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/subprocess.h"
#include "fx/text.h"
#include "import/import.h"

namespace fxs::import::test {

inline Imported importText(std::string_view program, ImportOptions options = {}) {
  const auto parsed = fx::graphFrom(program);
  if (!parsed) {
    ADD_FAILURE() << toString(parsed.error());
    return {};
  }
  const auto imported = importProgram(**parsed, options, RunContext{});
  if (!imported) {
    ADD_FAILURE() << toString(imported.error());
    return {};
  }
  return **imported;
}

/// Without ` loc(..)`: what most tests are about is the operations.
inline std::string withoutLocations(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find(" loc(\"", at);
    if (begin == std::string::npos) return out + text.substr(at);
    out += text.substr(at, begin - at);
    at = text.find(":0))", begin) + 4;
  }
  return out;
}

/// The engine of FXSCOPE_ENGINE, where there is one, parses and verifies the text.
inline void verifyWithEngine(const std::string& text) {
  const char* engine = std::getenv("FXSCOPE_ENGINE");
  if (engine == nullptr || *engine == '\0') return;
  PosixCommandRunner runner;
  Command command;
  command.argv = {engine, "--mlir-print-op-generic", "-o", "/dev/null"};
  command.stdinText = text;
  command.timeout = std::chrono::seconds(30);
  const auto exit = runner.run(command, {});
  ASSERT_TRUE(exit) << toString(exit.error());
  EXPECT_TRUE(exit->ok()) << exit->err << "\n" << text;
}

/// The body of the only function, a line each, without indent and locations; verified by the engine
/// where there is one.
inline std::string body(std::string_view program, ImportOptions options = {}) {
  const Imported imported = importText(program, options);
  verifyWithEngine(imported.text);
  const std::string text = withoutLocations(imported.text);
  std::string out;
  std::size_t at = text.find("{\n", text.find("func.func @")) + 2;
  const std::size_t end = text.find("\n  }\n", at);
  while (at < end) {
    const std::size_t line = text.find('\n', at);
    out += text.substr(at + 4, line - at - 4) + "\n";
    at = line + 1;
  }
  return out;
}

inline ImportOptions parity(Mode mode) {
  ImportOptions options;
  options.mode = mode;
  return options;
}

}  // namespace fxs::import::test
