#include "via.h"

#include <array>

#include "base/nearest.h"

namespace fxs::cli {

Result<Via> viaFrom(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNames{"torch-mlir", "nodes", "registry"};
  constexpr std::array kWays{Via::TorchMlir, Via::Nodes, Via::Registry};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text) return kWays[i];
  const std::vector<std::string> near = nearest(text, kNames, 1);
  return fail(ErrorCode::Usage, "unknown way '" + std::string(text) + "'; " +
                                    (near.empty() ? "it is torch-mlir, nodes or registry" : "did you mean '" + near.front() + "'?"));
}

}  // namespace fxs::cli
