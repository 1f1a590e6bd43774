// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "png.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/number_from.h"
#include "base/worker.h"

namespace fxs::cli {
namespace {

constexpr double kMostSide = 32'767;  // of cairo
constexpr double kMostPixels = 268'435'456;
constexpr std::chrono::seconds kTimeout{120};
constexpr const char* kRemedy = "collapse modules with --expand, or write an .svg";

}  // namespace

Result<std::optional<double>> pngScale(const Arguments& arguments) {
  const auto word = arguments.get("--scale");
  if (!arguments.get("-o").value_or("").ends_with(".png")) {
    if (word) return fail(ErrorCode::Usage, "--scale is for a PNG; add -o OUT.png");
    return std::nullopt;
  }
  if (!word) return 1;
  const auto scale = numberFrom<double>(*word);
  if (!scale || !std::isfinite(*scale) || *scale <= 0)
    return fail(ErrorCode::Usage,
                "--scale: expected a positive number such as 2 or 0.5, got '" + *word + "'");
  return scale;
}

Result<std::string> pngFrom(std::string svg, double width, double height, double scale,
                            Console& console) {
  const std::string size = fmt::format("{:.0f} x {:.0f} pixels", width * scale, height * scale);
  const double most =
      std::min({kMostSide / width, kMostSide / height, std::sqrt(kMostPixels / width / height)});
  if (scale > most)
    return fail(ErrorCode::Usage,
                fmt::format("a PNG of {} is too large (at most {:.0f} a side, {:.0f} in all); use "
                            "--scale {} or less, {}",
                            size, kMostSide, kMostPixels, std::floor(most * 1000) / 1000, kRemedy));
  if (width * scale < 1 || height * scale < 1)
    return fail(ErrorCode::Usage, "a PNG of " + size + " shows nothing; use a larger --scale");
  console.context.report({"drawing " + size, -1});
  auto out =
      runWorker({{console.rasterWorker, fmt::format("{}", scale)},
                 std::move(svg),
                 {"/var/cache/fontconfig"},
                 kTimeout,
                 kWorkerMemory,
                 fmt::format("the raster worker {} could not draw {}", console.rasterWorker, size),
                 std::string("use a smaller --scale, ") + kRemedy},
                *console.environment.runner, console.context.stop);
  if (!out && out.error().code == ErrorCode::NotFound)
    return fail(ErrorCode::Unsupported, "this build draws no PNG: " + console.rasterWorker +
                                            " is missing, which is built where librsvg is "
                                            "installed (Debian's librsvg2-dev); write an .svg");
  return out;
}

}  // namespace fxs::cli
