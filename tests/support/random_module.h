// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Modules made up from a seed, as trees, printed in several ways: for tests that hold for any
// module.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace fxs::test {

struct RandomOp;
struct RandomBlock {
  std::vector<int> arguments;  ///< values, by number
  std::vector<RandomOp> ops;
};
struct RandomOp {
  std::string name;       ///< "d.op7"
  std::string attribute;  ///< "a = 3 : i32"; "" for none
  std::vector<int> results;
  std::vector<int> operands;
  int successor = -1;  ///< the number of a block of its region, or none
  std::vector<std::vector<RandomBlock>> regions;
};
struct RandomModule {
  RandomOp top;  ///< a builtin.module with one function
  int values = 0;
};

/// About `size` operations. Each value is used only where it is seen; no two operations but
/// constants are alike when `distinct`.
RandomModule randomModule(std::uint32_t seed, int size, bool distinct = false);

/// How a module is printed: the same module whatever it is. Names of values and locations come from
/// `seed`.
struct Printing {
  std::uint32_t seed = 0;
  bool generic = false;
  bool locations = true;
  bool aliases = false;  ///< of attributes, and of locations after the module
};
struct Printed {
  std::string text;
  std::string dump;  ///< what test::dump() must say of a module read from `text`
};
Printed print(const RandomModule&, const Printing&);

}  // namespace fxs::test
