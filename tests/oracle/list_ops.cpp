// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what the MLIR reader sees in a file, for the comparison with the engine: for each
// operation, in order, a line with its depth, its number of regions, its name and its location with
// all aliases spelt out, separated by tabs.
#include <cstddef>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "mlir/text/module.h"
#include "mlir/text/token_ends.h"

using namespace fxs::mlir;

namespace {

constexpr std::size_t kLongest = 1 << 20;

std::string speltOut(const Module& m, std::string text) {
  for (std::size_t at = 0; at < text.size() && text.size() < kLongest;) {
    if (text[at] == '"') {
      at = afterQuoted(text, at);
    } else if (text[at] == '#') {
      const std::size_t end = afterName(text, at);
      const std::string_view body = m.aliasBody(text.substr(at, end - at));
      if (body.empty()) at = end;
      else text.replace(at, end - at, body);  // and what it holds, next
    } else {
      ++at;
    }
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream in(argv[1], std::ios::binary);
  if (!in) return 3;
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Module m = readModule(text);
  std::vector<std::size_t> depths(m.ops.size());
  for (std::size_t i = 0; i < m.ops.size(); ++i) {
    const Op& op = m.ops[i];
    depths[i] = op.parent.valid() ? depths[op.parent.index()] + 1 : 0;
    std::cout << depths[i] << '\t' << m.regionsOf(OpId::of(i)).size() << '\t'
              << m.nameOf(OpId::of(i)) << '\t' << speltOut(m, std::string(op.location.of(text)))
              << '\n';
  }
}
