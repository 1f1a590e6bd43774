#include "mode.h"

#include <array>

#include "base/nearest.h"

namespace fxs::cli {

Result<import::Mode> modeFrom(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNames{"lowering", "frozen", "program"};
  constexpr std::array kModes{import::Mode::Lowering, import::Mode::Frozen, import::Mode::Program};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text) return kModes[i];
  const std::vector<std::string> near = nearest(text, kNames, 1);
  return fail(ErrorCode::Usage, "unknown mode '" + std::string(text) + "'; " +
                                    (near.empty() ? "expected lowering, frozen or program" : "did you mean '" + near.front() + "'?"));
}

}  // namespace fxs::cli
