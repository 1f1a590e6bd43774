// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic sizes as sympy's srepr.
#include "fuzz_input.h"
#include "fx/sym_expr.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto expr = fx::parseSrepr(fuzz::textOf(data, size));
  if (!expr) return 0;
  fuzz::require(!fx::infix(**expr).empty(), "an expression can be printed");
  fuzz::require(fx::equal(**expr, **expr), "an expression equals itself");
  std::map<std::string, std::int64_t> symbols;
  fx::collectSymbols(**expr, [&](const std::string& name) {
    symbols.emplace(name, static_cast<std::int64_t>(symbols.size()) * 7 - 3);
  });
  (void)fx::evaluate(**expr, symbols);
  const fx::SymInt symInt(*expr);
  (void)(symInt * symInt + symInt - fx::SymInt(3)).text();
  return 0;
}
