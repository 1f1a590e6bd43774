// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "routes/routes.h"

#include "base/joined.h"
#include "base/nearest.h"
#include "fix/fix.h"
#include "node_lab/node_lab.h"

namespace fxs::routes {

const std::vector<const session::Route*>& all() {
  static const std::vector<const session::Route*> routes{&session::kPipelines, &node_lab::kNodes,
                                                         &session::kRegistries, &fix::kFixed};
  return routes;
}

std::vector<const session::Route*> ofProgram() {
  std::vector<const session::Route*> out = all();
  std::erase(out, &fix::kFixed);
  return out;
}

Result<const session::Route*> named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const session::Route* route : all()) {
    if (route->name == name) return route;
    names.push_back(route->name);
  }
  const std::vector<std::string> near = nearest(name, names, 1);
  return fail(ErrorCode::Usage, "unknown lowering path '" + std::string(name) + "'; " +
                                    (near.empty() ? "expected " + joined(names)
                                                  : "did you mean '" + near.front() + "'?"));
}

}  // namespace fxs::routes
