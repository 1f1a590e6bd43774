// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/layout_problem.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/number_from.h"

namespace fxs::layout {
namespace {

constexpr std::string_view kRequest = "fxscope-layout-request 1",
                           kAnswer = "fxscope-layout-answer 1";
constexpr std::size_t kMaxItems = 4'000'000;  // boxes, links, points
constexpr double kMaxCoordinate = 1e9;

/// Splits a text into words, and counts lines for messages.
class Tokens {
 public:
  Tokens(std::string_view text, std::string_view subject) : text_(text), subject_(subject) {}

  Error error(std::string_view wrong) const {
    return {ErrorCode::InvalidInput, fmt::format("{} line {}: {}", subject_, line_, wrong), {}};
  }
  Result<> header(std::string_view expected) {
    if (!text_.starts_with(expected) || text_.substr(expected.size(), 1) != "\n")
      return tl::unexpected(error(fmt::format("expected '{}'", expected)));
    text_.remove_prefix(expected.size());
    return {};
  }
  std::string_view word() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) {
      if (text_.front() == '\n') ++line_;
      text_.remove_prefix(1);
    }
    const std::string_view taken = text_.substr(0, text_.find_first_of(" \n"));
    text_.remove_prefix(taken.size());
    return taken;
  }
  Result<double> number() {
    const std::string_view taken = word();
    const auto value = numberFrom<double>(taken);
    if (!value || !(std::abs(*value) <= kMaxCoordinate))
      return tl::unexpected(error(fmt::format("expected a number, got '{}'", taken.substr(0, 40))));
    return *value;
  }
  /// A whole number below `limit`; "-" is kNoFrame where that is allowed.
  Result<std::size_t> index(std::size_t limit, bool mayBeNone = false) {
    const std::string_view taken = word();
    if (mayBeNone && taken == "-") return kNoFrame;
    const auto value = numberFrom<std::size_t>(taken);
    if (!value || *value >= limit)
      return tl::unexpected(
          error(fmt::format("expected a number below {}, got '{}'", limit, taken.substr(0, 40))));
    return *value;
  }
  Result<std::size_t> count(std::string_view section) {
    if (word() != section) return tl::unexpected(error(fmt::format("expected '{}'", section)));
    return index(kMaxItems);
  }
  Result<> end() {
    if (!word().empty()) return tl::unexpected(error("expected the end"));
    return {};
  }

 private:
  std::string_view text_, subject_;
  std::size_t line_ = 1;
};

std::string frameText(std::size_t frame) { return frame == kNoFrame ? "-" : std::to_string(frame); }

}  // namespace

std::string requestText(const LayoutProblem& problem) {
  std::string out = fmt::format("{}\nframes {}\n", kRequest, problem.frames.size());
  auto to = std::back_inserter(out);
  for (const auto& frame : problem.frames)
    fmt::format_to(to, "{} {:.1f}\n", frameText(frame.parent), frame.captionWidth);
  fmt::format_to(to, "boxes {}\n", problem.boxes.size());
  for (const auto& box : problem.boxes)
    fmt::format_to(to, "{} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\n", frameText(box.frame), box.width,
                   box.height, box.left, box.right, box.tall);
  fmt::format_to(to, "links {}\n", problem.links.size());
  for (const auto& link : problem.links)
    fmt::format_to(to, "{} {} {}\n", link.from, link.to, link.drawn ? 1 : 0);
  return out;
}

Result<LayoutProblem> parseRequest(std::string_view text) {
  Tokens tokens(text, "layout request");
  FXS_CHECK(tokens.header(kRequest));
  LayoutProblem problem;
  FXS_TRY(const std::size_t frames, tokens.count("frames"));
  for (std::size_t i = 0; i < frames; ++i) {
    FXS_TRY(const std::size_t parent, tokens.index(i, true));
    FXS_TRY(const double caption, tokens.number());
    problem.frames.push_back({parent, caption});
  }
  FXS_TRY(const std::size_t boxes, tokens.count("boxes"));
  for (std::size_t i = 0; i < boxes; ++i) {
    LayoutProblem::Box box;
    FXS_TRY(box.frame, tokens.index(frames, true));
    for (double* size : {&box.width, &box.height, &box.left, &box.right, &box.tall}) {
      FXS_TRY(*size, tokens.number());
    }
    problem.boxes.push_back(box);
  }
  FXS_TRY(const std::size_t links, tokens.count("links"));
  for (std::size_t i = 0; i < links; ++i) {
    LayoutProblem::Link link;
    FXS_TRY(link.to, tokens.index(boxes));
    std::swap(link.from, link.to);
    FXS_TRY(link.to, tokens.index(boxes));
    FXS_TRY(const std::size_t drawn, tokens.index(2));
    if (link.from >= link.to) return tl::unexpected(tokens.error("a link goes to a later box"));
    link.drawn = drawn == 1;
    problem.links.push_back(link);
  }
  FXS_CHECK(tokens.end());
  return problem;
}

std::string answerText(const LayoutAnswer& answer) {
  std::string out = fmt::format("{}\nsize {:.2f} {:.2f}\nframes {}\n", kAnswer, answer.width,
                                answer.height, answer.frames.size());
  auto to = std::back_inserter(out);
  for (const Rect& frame : answer.frames)
    fmt::format_to(to, "{:.2f} {:.2f} {:.2f} {:.2f}\n", frame.x, frame.y, frame.width,
                   frame.height);
  fmt::format_to(to, "boxes {}\n", answer.boxes.size());
  for (const Point& box : answer.boxes) fmt::format_to(to, "{:.2f} {:.2f}\n", box.x, box.y);
  fmt::format_to(to, "links {}\n", answer.links.size());
  for (const std::vector<Point>& link : answer.links) {
    fmt::format_to(to, "{}", link.size());
    for (const Point& point : link) fmt::format_to(to, " {:.2f} {:.2f}", point.x, point.y);
    out += '\n';
  }
  return out;
}

Result<LayoutAnswer> parseAnswer(std::string_view text, const LayoutProblem& problem) {
  Tokens tokens(text, "layout answer");
  FXS_CHECK(tokens.header(kAnswer));
  LayoutAnswer answer;
  if (tokens.word() != "size") return tl::unexpected(tokens.error("expected 'size'"));
  FXS_TRY(answer.width, tokens.number());
  FXS_TRY(answer.height, tokens.number());
  const auto expect = [&](std::string_view section, std::size_t wanted) -> Result<> {
    FXS_TRY(const std::size_t found, tokens.count(section));
    if (found != wanted)
      return tl::unexpected(
          tokens.error(fmt::format("expected {} {}, got {}", wanted, section, found)));
    return {};
  };
  FXS_CHECK(expect("frames", problem.frames.size()));
  for (std::size_t i = 0; i < problem.frames.size(); ++i) {
    Rect frame;
    for (double* part : {&frame.x, &frame.y, &frame.width, &frame.height}) {
      FXS_TRY(*part, tokens.number());
    }
    answer.frames.push_back(frame);
  }
  const auto point = [&]() -> Result<Point> {
    FXS_TRY(const double x, tokens.number());
    FXS_TRY(const double y, tokens.number());
    return Point{x, y};
  };
  FXS_CHECK(expect("boxes", problem.boxes.size()));
  for (std::size_t i = 0; i < problem.boxes.size(); ++i) {
    FXS_TRY(const Point corner, point());
    answer.boxes.push_back(corner);
  }
  FXS_CHECK(expect("links", problem.links.size()));
  for (std::size_t i = 0; i < problem.links.size(); ++i) {
    FXS_TRY(const std::size_t points, tokens.index(kMaxItems));
    if (points % 3 != (problem.links[i].drawn ? 1u : 0u) ||
        (!problem.links[i].drawn && points != 0))
      return tl::unexpected(tokens.error(fmt::format("a curve of {} points", points)));
    std::vector<Point> curve;
    for (std::size_t p = 0; p < points; ++p) {
      FXS_TRY(const Point at, point());
      curve.push_back(at);
    }
    if (curve.size() == 1) return tl::unexpected(tokens.error("a curve of 1 points"));
    answer.links.push_back(std::move(curve));
  }
  FXS_CHECK(tokens.end());
  return answer;
}

}  // namespace fxs::layout
