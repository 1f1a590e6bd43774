// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/pt2/node_names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace fxs::read::pt2 {
namespace {

/// The names that torch.fx would give, found by walking.
class Walking {
 public:
  std::set<std::string> taken;
  std::string next(const std::string& base, int from) {
    int number = from;
    std::string name;
    do name = base + "_" + std::to_string(++number);
    while (!taken.insert(name).second);
    return name;
  }
};

TEST(NodeNames, NamesThatAreTakenArePassedToTheSameNameAsByWalking) {
  std::vector<std::string> reserved;
  for (int i = 3; i < 40; ++i) reserved.push_back("f_" + std::to_string(i));
  for (int i = 50; i < 60; ++i) reserved.push_back("f_" + std::to_string(i));
  NodeNames names;
  Walking walking;
  for (const std::string& name : reserved) {
    names.reserve(name);
    walking.taken.insert(name);
  }
  for (const int wanted : {5, 3, 50, 5, 39, 3, 52, 50, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 51})
    EXPECT_EQ(names.create("f_" + std::to_string(wanted)), walking.next("f", wanted)) << wanted;
}

}  // namespace
}  // namespace fxs::read::pt2
