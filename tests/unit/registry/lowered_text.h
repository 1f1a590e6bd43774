// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the registry tests share: a program as text in, the module's text or one function's body
// out, verified by the real engine.
#include <gtest/gtest.h>

#include <string>

#include "base/subprocess.h"
#include "fx/text.h"
#include "real_engine.h"
#include "registry/direct_lowering.h"

namespace fxs::registry::test {

inline DirectLowering lowered(std::string_view program, const DirectOptions& options = {}) {
  const auto parsed = fx::graphFrom(program);
  if (!parsed) {
    ADD_FAILURE() << toString(parsed.error());
    return {};
  }
  fx::Program readable = **parsed;  // a text has no bytes: those that a test gives
  for (fx::Weight& weight : readable.weights) weight.readable = true;
  const auto lowering = lowerByRegistries(readable, options, RunContext{});
  if (!lowering) {
    ADD_FAILURE() << toString(lowering.error());
    return {};
  }
  return **lowering;
}

/// The engine parses and verifies the text, where there is one.
inline void verify(const std::string& text) {
  static const std::optional<lower::Engine> engine = fxs::test::realEngine();
  if (!engine) return;
  PosixCommandRunner runner;
  Command command;
  command.argv = {engine->path, "--allow-unregistered-dialect", "-o", "/dev/null"};
  command.stdinText = text;
  command.timeout = std::chrono::seconds(30);
  const auto exit = runner.run(command, {});
  ASSERT_TRUE(exit) << toString(exit.error());
  EXPECT_TRUE(exit->ok()) << exit->err << "\n" << text;
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

/// The body of the function, a line each, without indent and locations.
inline std::string body(std::string_view program, const DirectOptions& options = {}) {
  const DirectLowering lowering = lowered(program, options);
  verify(lowering.text);
  const std::string text = withoutLocations(lowering.text);
  std::string out;
  std::size_t at = text.find("):\n", text.find("  ^bb0(")) + 3;
  const std::size_t end = text.find("\n  }) : () -> ()", at);
  while (at < end) {
    const std::size_t line = text.find('\n', at);
    out += text.substr(at + 4, line - at - 4) + "\n";
    at = line + 1;
  }
  return out;
}

/// "add: lowered tosa AddOp 1", a line for each node that is not structural, with its refusals.
inline std::string coverage(std::string_view program, const DirectOptions& options = {}) {
  const auto parsed = fx::graphFrom(program);
  const DirectLowering lowering = lowered(program, options);
  verify(lowering.text);
  std::string out;
  for (const NodeCoverage& node : lowering.coverage) {
    if (node.status == CoverageStatus::Structural) continue;
    out += (*parsed)->node(node.node).name + ": " + std::string(name(node.status)) +
           (node.registry.empty() ? "" : " " + node.registry) +
           (node.opClass.empty() ? "" : " " + node.opClass) + " " + std::to_string(node.ops) + "\n";
    for (const std::string& refusal : node.refusals) out += "  " + refusal + "\n";
  }
  return out;
}

}  // namespace fxs::registry::test
