// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/joined.h"
#include "tensor/float_format.h"

namespace fxs::tensor {
namespace {

constexpr std::uint64_t kChunk = 4096;  // parts that are converted at a time
/// Elements up to which it is asked whether they are the same in another order.
constexpr std::uint64_t kMaxSorted = std::uint64_t{1} << 24;
/// A value that several elements share, exactly, and that is so many times all others is a fill,
/// such as that of a mask: no measure of the errors of the others.
constexpr double kFill = 1000;
constexpr std::uint64_t kFreeTerms = 1024;
constexpr std::uint64_t kFreeHalfTerms = 64;
constexpr std::uint64_t kFewDistinct = 3;

bool isHalf(DType dtype) {
  return dtype == DType::Float16 || dtype == DType::BFloat16 || dtype == DType::Complex32;
}
bool isFloat8(DType dtype) { return isFloating(dtype) && facts(dtype).bytes == 1; }
bool isInexact(DType dtype) { return isFloating(dtype) || isComplex(dtype); }

DType lowerOf(DType a, DType b) {
  if (!isInexact(a)) return b;
  return epsilonOf(a) > epsilonOf(b) ? a : b;
}

/// Errors up to this are not looked at.
double noiseOf(DType dtype) {
  if (dtype == DType::Float8E8M0FNU) return 0;
  const FloatFormat format = floatFormat(dtype);
  const double smallestNormal = std::ldexp(1.0, 1 - format.bias);
  return format.bias < 100 ? 4 * std::ldexp(smallestNormal, -format.mantissaBits) : smallestNormal;
}

/// Calls `with(part, found, expected)` for all parts in order.
template <class With>
void forParts(const Tensor& found, const Tensor& expected, With&& with) {
  const std::uint64_t parts = expected.elements() * partsOf(expected.dtype);
  std::array<double, kChunk> a, b;
  for (std::uint64_t first = 0; first < parts; first += kChunk) {
    const auto count = static_cast<std::size_t>(std::min(kChunk, parts - first));
    readParts(found, first, {a.data(), count});
    readParts(expected, first, {b.data(), count});
    for (std::size_t i = 0; i < count; ++i) with(first + i, a[i], b[i]);
  }
}

class Judgement {
 public:
  Judgement(const Tensor& found, const Tensor& expected, const JudgeOptions& options)
      : found_(found),
        expected_(expected),
        options_(options),
        exact_(!isInexact(expected.dtype)),
        lowest_(exact_ ? DType::Unknown : lowerOf(options.lowest, expected.dtype)),
        parts_(partsOf(expected.dtype)),
        noise_(exact_ ? 0 : noiseOf(lowest_)) {
    out_.elements = expected.elements();
    const auto beyond = [&](std::uint64_t free) {
      return static_cast<double>(std::max(options.terms, free)) / static_cast<double>(free);
    };
    double growth = 1;
    if (!exact_ && !isFloat8(lowest_))
      growth = isHalf(lowest_) ? std::sqrt(beyond(kFreeHalfTerms)) : beyond(kFreeTerms);
    tolerance_ = toleranceOf(lowest_) * growth;
    elementTolerance_ = elementToleranceOf(lowest_) * growth;
    eps_ = epsilonOf(lowest_);
  }

  Difference judge() {
    measureSizes();
    measureNorm();
    measureElements();
    decide();
    if (out_.verdict != Verdict::Same) findKind();
    if (isInexact(expected_.dtype) || out_.verdict != Verdict::Same) fillWorst();
    out_.message = message();
    return std::move(out_);
  }

 private:
  struct Worst {
    double error;
    std::uint64_t part;
    double found, expected;
  };

  static bool same(double found, double expected) {
    return found == expected || (std::isnan(found) && std::isnan(expected));
  }

  double errorOf(double found, double expected) const {
    const double error = std::fabs(found - expected);
    return error <= noise_ ? 0 : error;
  }

  void measureSizes() {
    double second = 0;
    std::uint64_t largestCount = 0;
    bool largestEqual = true;
    forParts(found_, expected_, [&](std::uint64_t, double found, double expected) {
      if (!std::isfinite(found) || !std::isfinite(expected)) return;
      out_.maxAbs = std::max(out_.maxAbs, errorOf(found, expected));
      const double size = std::fabs(expected);
      if (size > largest_) {
        second = largest_;
        largest_ = size;
        largestCount = 1;
        largestEqual = found == expected;
      } else if (size == largest_) {
        ++largestCount;
        largestEqual = largestEqual && found == expected;
      } else {
        second = std::max(second, size);
      }
    });
    if (!exact_ && largestCount > 1 && largestEqual && second > 0 && largest_ / kFill > second) {
      fill_ = largest_;
      largest_ = second;
    }
  }

  bool isFill(double expected) const { return fill_ > 0 && std::fabs(expected) == fill_; }

  void measureNorm() {
    // Scaled, so that squares neither overflow nor vanish.
    double expectedSquares = 0, errorSquares = 0;
    std::uint64_t finite = 0;
    forParts(found_, expected_, [&](std::uint64_t, double found, double expected) {
      if (!std::isfinite(found) || !std::isfinite(expected) || isFill(expected)) return;
      ++finite;
      if (largest_ > 0) expectedSquares += (expected / largest_) * (expected / largest_);
      const double error = errorOf(found, expected);
      if (error > 0) errorSquares += (error / out_.maxAbs) * (error / out_.maxAbs);
    });
    const double count = static_cast<double>(std::max<std::uint64_t>(finite, 1));
    rms_ = std::max(std::sqrt(expectedSquares / count) * largest_, options_.scale);
    const double error = std::sqrt(errorSquares / count) * out_.maxAbs;
    out_.l2 = rms_ > 0 ? error / rms_ : error;
    out_.units = eps_ > 0 ? out_.l2 / eps_ : 0;
  }

  void measureElements() {
    forParts(found_, expected_, [&](std::uint64_t part, double found, double expected) {
      if (std::isfinite(found) && std::isfinite(expected)) countFinite(part, found, expected);
      else if (!same(found, expected)) countNonfinite(part, found, expected);
    });
  }
  void countFinite(std::uint64_t part, double found, double expected) {
    const bool different = exact_ && !sameBytes(part);
    const double units = elementUnits(found, expected);
    worstUnits_ = std::max(worstUnits_, units);
    if (different || (!exact_ && units > tolerance_)) countWrong(part);
    if (different || errorOf(found, expected) > 0)
      offer({std::fabs(found - expected), part, found, expected});
  }
  void countNonfinite(std::uint64_t part, double found, double expected) {
    (std::isfinite(expected) ? appeared_ : missed_)++;
    if (std::isnan(found)) ++nanFound_;
    if (std::isnan(expected)) ++nanExpected_;
    if (std::isinf(found)) ++infinityFound_;
    if (std::isinf(expected)) ++infinityExpected_;
    nonfinite_ += part / parts_ != lastNonfinite_ ? 1 : 0;
    lastNonfinite_ = part / parts_;
    countWrong(part);
    offer({std::numeric_limits<double>::infinity(), part, found, expected});
  }
  void countWrong(std::uint64_t part) {
    if (part / parts_ != lastWrong_) ++out_.wrong;
    lastWrong_ = part / parts_;
  }

  /// The error in eps of the larger of the element and the rms.
  double elementUnits(double found, double expected) const {
    const double error = errorOf(found, expected);
    if (error == 0 || exact_) return 0;
    const double size = std::max(rms_, std::fabs(expected));
    return size > 0 ? error / size / eps_ : std::numeric_limits<double>::infinity();
  }

  /// Of integers and bools, whose doubles may be rounded.
  bool sameBytes(std::uint64_t part) const {
    const auto item = static_cast<std::size_t>(facts(expected_.dtype).bytes);
    if (expected_.dtype == DType::Bool)
      return (found_.bytes[part] != 0) == (expected_.bytes[part] != 0);
    return found_.bytes.compare(part * item, item, expected_.bytes, part * item, item) == 0;
  }

  void offer(const Worst& w) {
    const auto at =
        std::upper_bound(worst_.begin(), worst_.end(), w,
                         [](const Worst& a, const Worst& b) { return a.error > b.error; });
    if (at == worst_.end() && worst_.size() >= kWorst * 2) return;
    worst_.insert(at, w);
    if (worst_.size() > kWorst * 2)
      worst_.pop_back();  // two parts of one complex element become one
  }

  void decide() {
    const auto raise = [&](Verdict verdict) { out_.verdict = std::max(out_.verdict, verdict); };
    if (exact_) {
      if (out_.wrong > 0) raise(Verdict::Differs);
      return;
    }
    const bool zeros = rms_ == 0 && out_.maxAbs > 0;
    const bool isSuspicious = out_.units > tolerance_ / 2 || worstUnits_ > elementTolerance_ / 2;
    finiteVerdict_ = isSuspicious ? Verdict::Suspicious : Verdict::Same;
    if (zeros || out_.units > tolerance_ || worstUnits_ > elementTolerance_)
      finiteVerdict_ = Verdict::Differs;
    raise(finiteVerdict_);
    if (missed_ > 0) raise(Verdict::DiffersAtNonfinite);
    if (appeared_ > 0) raise(Verdict::Differs);
  }

  void findKind() {
    if (appeared_ + missed_ > 0) {
      out_.kind = nanFound_ + nanExpected_ > 0 ? Kind::Nan : Kind::Infinity;
    } else if (otherSign()) {
      out_.kind = Kind::Sign;
    } else if (otherScale()) {
      out_.kind = Kind::Scaled;
    } else if (otherOrder()) {
      out_.kind = Kind::Permuted;
    } else if (exact_ || worstUnits_ * eps_ > kSmallError ||
               (out_.wrong > 0 && 2 * out_.wrong < out_.elements)) {
      out_.kind = Kind::WrongElements;
    } else {
      out_.kind = Kind::Rounding;
    }
  }

  bool isWrong(double found, double expected) const {
    return exact_ ? found != expected : elementUnits(found, expected) > tolerance_;
  }

  bool otherSign() const {
    if (expected_.dtype == DType::Bool) return false;
    bool all = true, any = false;
    forParts(found_, expected_, [&](std::uint64_t, double found, double expected) {
      if (!isWrong(found, expected)) return;
      any = true;
      all = all && !isWrong(-found, expected);
    });
    return any && all;
  }

  bool otherScale() {
    if (out_.elements < 2 || expected_.dtype == DType::Bool || largest_ == 0) return false;
    double products = 0, squares = 0;
    std::uint64_t nonzero = 0;
    forParts(found_, expected_, [&](std::uint64_t, double found, double expected) {
      if (!std::isfinite(expected) || isFill(expected)) return;
      products += (found / largest_) * (expected / largest_);
      squares += (expected / largest_) * (expected / largest_);
      nonzero += expected != 0 ? 1 : 0;
    });
    const double factor = products / squares;
    if (nonzero < 2 || factor == 1 || !std::isfinite(factor)) return false;
    double residual = 0;
    forParts(found_, expected_, [&](std::uint64_t, double found, double expected) {
      if (!std::isfinite(expected) || isFill(expected)) return;
      const double rest = (found - factor * expected) / largest_;
      residual += rest * rest;
    });
    // What the factor does not explain is rounding, and much less than what it does.
    const double explained = std::fabs(factor - 1) * std::sqrt(squares);
    const double tolerated =
        exact_ ? 1e-9 : tolerance_ / 4 * eps_ * std::max(std::fabs(factor), eps_);
    if (std::sqrt(residual) > std::min(tolerated * std::sqrt(squares), explained / kExplains))
      return false;
    out_.scale = factor;
    return true;
  }

  bool otherOrder() const {
    if (out_.elements < 2 || out_.elements > kMaxSorted || expected_.dtype == DType::Bool ||
        parts_ != 1)
      return false;
    std::vector<double> found = elementsOf(found_), expected = elementsOf(expected_);
    // Nonfinite ones are in the same places.
    std::erase_if(found, [](double value) { return !std::isfinite(value); });
    std::erase_if(expected, [](double value) { return !std::isfinite(value); });
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    std::uint64_t distinct = 1;
    double squares = 0, size = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (isWrong(found[i], expected[i])) return false;
      if (i > 0 && expected[i] != expected[i - 1]) ++distinct;
      const double error = errorOf(found[i], expected[i]) / out_.maxAbs;
      squares += error * error;
      size += isFill(expected[i]) ? 0 : 1;
    }
    // The order must explain the difference: rounding is the same in every order.
    if (!exact_ && std::sqrt(squares / std::max(size, 1.0)) * out_.maxAbs * kExplains >
                       out_.l2 * (rms_ > 0 ? rms_ : 1))
      return false;
    // Of two values, equal numbers of each are a coincidence.
    return distinct >= std::min<std::uint64_t>(kFewDistinct, out_.elements);
  }

  void fillWorst() {
    std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> seen;
    for (const Worst& w : worst_) {
      last = w.part / parts_;
      if (std::find(seen.begin(), seen.end(), last) != seen.end() || seen.size() == kWorst)
        continue;
      seen.push_back(last);
      Element element{std::vector<std::int64_t>(expected_.sizes.size()), w.found, w.expected};
      for (std::size_t d = expected_.sizes.size(); d-- > 0;) {
        element.index[d] =
            static_cast<std::int64_t>(last % static_cast<std::uint64_t>(expected_.sizes[d]));
        last /= static_cast<std::uint64_t>(expected_.sizes[d]);
      }
      out_.worst.push_back(std::move(element));
    }
  }

  std::string someElements(std::uint64_t count) const {
    if (out_.elements == 1) return "the element";
    return count == out_.elements ? fmt::format("all {} elements", count)
                                  : fmt::format("{} of {} elements", count, out_.elements);
  }
  std::string_view verb(std::uint64_t count, std::string_view one, std::string_view many) const {
    return count == 1 && out_.elements == 1 ? one : many;
  }

  std::string errorText() const {
    if (exact_) return fmt::format("largest error {:g}", out_.maxAbs);
    if (rms_ == 0) return fmt::format("error {:.2g} where 0 is expected", out_.maxAbs);
    return fmt::format("relative error {:.2g}, {:.2g} eps of {}", out_.l2, out_.units,
                       facts(lowest_).shortName);
  }

  std::string worstText() const {
    if (out_.worst.empty()) return {};
    const Element& w = out_.worst.front();
    const auto plain = [](double value) {
      return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
    };  // no "-nan"
    return fmt::format("{}{:.6g} instead of {:.6g}",
                       w.index.empty() ? "" : "[" + joinedNumbers(w.index) + "] is ",
                       plain(w.found), plain(w.expected));
  }

  std::string nonfiniteMessage() const {
    const bool nan = out_.kind == Kind::Nan;
    const bool inFound = nan ? nanFound_ > 0 : infinityFound_ > 0;
    const bool inExpected = nan ? nanExpected_ > 0 : infinityExpected_ > 0;
    const std::string_view value = nan ? "NaN" : "infinity";
    std::string difference = fmt::format("where {} is expected", value);
    if (inFound && inExpected) difference = fmt::format("in {}", value);
    else if (inFound) difference = fmt::format("by {} where another value is expected", value);
    const std::string out =
        fmt::format("{} {} {}, {}", someElements(nonfinite_), verb(nonfinite_, "differs", "differ"),
                    difference, worstText());
    return finiteVerdict_ == Verdict::Differs
               ? fmt::format("{}; among finite elements {}", out, errorText())
               : out;
  }

  std::string message() const {
    switch (out_.kind) {
      case Kind::Nan:
      case Kind::Infinity: return nonfiniteMessage();
      case Kind::Sign:
        return fmt::format("{} {} the other sign, {}",
                           someElements(std::max<std::uint64_t>(out_.wrong, 1)),
                           verb(out_.wrong, "has", "have"), errorText());
      case Kind::Scaled:
        if (out_.scale == 0) return fmt::format("every element is 0, {}", worstText());
        return fmt::format("every element is {:.6g} times the expected one, {}", out_.scale,
                           errorText());
      case Kind::Permuted:
        return fmt::format("the elements are in another order, {}, {}", worstText(), errorText());
      case Kind::WrongElements:
        return fmt::format("{} {}, {}, {}", someElements(out_.wrong),
                           verb(out_.wrong, "differs", "differ"), worstText(), errorText());
      case Kind::Rounding:
        return fmt::format("small errors, {}; wrong is above {:.0f} eps", errorText(), tolerance_);
      case Kind::None:
      case Kind::Shape:
      case Kind::Type: break;
    }
    if (out_.elements == 0) return "equal, without elements";
    return out_.maxAbs == 0 ? "equal" : "equal but for rounding, " + errorText();
  }

  static constexpr double kSmallError = 0.01;  ///< of the larger of an element and the rms
  static constexpr double kExplains =
      8;  ///< what is left of the difference is so many times smaller

  const Tensor& found_;
  const Tensor& expected_;
  const JudgeOptions& options_;
  Difference out_;
  bool exact_;
  DType lowest_;
  std::uint64_t parts_;
  double noise_;
  double eps_ = 0, tolerance_ = 0, elementTolerance_ = 0;
  double largest_ = 0, fill_ = 0, rms_ = 0, worstUnits_ = 0;
  std::uint64_t appeared_ = 0, missed_ = 0;  ///< parts
  std::uint64_t nonfinite_ = 0;              ///< elements
  /// An element with two wrong parts counts once.
  std::uint64_t lastWrong_ = std::numeric_limits<std::uint64_t>::max(), lastNonfinite_ = lastWrong_;
  std::uint64_t nanFound_ = 0, nanExpected_ = 0, infinityFound_ = 0, infinityExpected_ = 0;
  Verdict finiteVerdict_ = Verdict::Same;
  std::vector<Worst> worst_;
};

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::Same: return "same";
    case Verdict::Suspicious: return "suspicious";
    case Verdict::DiffersAtNonfinite: return "differs-at-nonfinite";
    case Verdict::Differs: return "differs";
  }
  return "";
}

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::None: return "none";
    case Kind::Shape: return "shape";
    case Kind::Type: return "type";
    case Kind::Nan: return "nan";
    case Kind::Infinity: return "infinity";
    case Kind::Sign: return "sign";
    case Kind::Permuted: return "permuted";
    case Kind::WrongElements: return "wrong-elements";
    case Kind::Scaled: return "scaled";
    case Kind::Rounding: return "rounding";
  }
  return "";
}

double epsilonOf(DType dtype) {
  if (!isInexact(dtype)) return 0;
  return dtype == DType::Float8E8M0FNU ? 1 : std::ldexp(1.0, -floatFormat(dtype).mantissaBits);
}

double toleranceOf(DType lowest) {
  if (!isInexact(lowest)) return 0;
  if (isFloat8(lowest)) return 1;
  return isHalf(lowest) ? 4 : 40;
}

double elementToleranceOf(DType lowest) {
  if (!isInexact(lowest)) return 0;
  if (isFloat8(lowest)) return 4;
  return isHalf(lowest) ? 32 : 2000;
}

Difference judge(const Tensor& found, const Tensor& expected, const JudgeOptions& options) {
  const auto isComplete = [](const Tensor& tensor) {
    const auto count = elementCount(tensor.sizes);
    return count &&
           *count * static_cast<std::uint64_t>(facts(tensor.dtype).bytes) == tensor.bytes.size();
  };
  Difference out;
  out.verdict = Verdict::Differs;
  out.elements = expected.elements();
  out.wrong = out.elements;
  if (found.sizes != expected.sizes) {
    out.kind = Kind::Shape;
    out.message = fmt::format("{}, expected {}", typeText(found), typeText(expected));
    return out;
  }
  if (found.dtype != expected.dtype) {
    out.kind = Kind::Type;
    out.message = fmt::format("{}, expected {}", typeText(found), typeText(expected));
    return out;
  }
  if (!isComplete(found) || !isComplete(expected)) {
    out.kind = Kind::Shape;
    out.message = fmt::format("{} bytes found and {} expected are not both those of {}",
                              found.bytes.size(), expected.bytes.size(), typeText(expected));
    return out;
  }
  return Judgement(found, expected, options).judge();
}

}  // namespace fxs::tensor
