#include "lowering_path.h"

#include <array>

#include "base/nearest.h"

namespace fxs::cli {

Result<LoweringPath> loweringPathFrom(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNames{"torch-mlir", "nodes", "registry"};
  constexpr std::array kPaths{LoweringPath::TorchMlir, LoweringPath::Nodes, LoweringPath::Registry};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text) return kPaths[i];
  const std::vector<std::string> near = nearest(text, kNames, 1);
  return fail(ErrorCode::Usage, "unknown lowering path '" + std::string(text) + "'; " +
                                    (near.empty() ? "expected torch-mlir, nodes or registry" : "did you mean '" + near.front() + "'?"));
}

}  // namespace fxs::cli
