// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/elements.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "compare/element_ranges.h"

namespace fxs::compare {
namespace {

using Draw = InputRule::Draw;
using tensor::Tensor;

constexpr std::uint64_t kOneInZero = 32;   // floats that are exactly 0
constexpr std::uint64_t kOneInMasked = 4;  // elements that a mask takes out
constexpr std::uint64_t kOneInNonfinite = 3;
constexpr std::uint64_t kManyNonfinite = 64;
constexpr std::size_t kRun = 4;
constexpr double kFarBelow = -10'000;  // exp() of it is 0, and half types can hold it
constexpr double kLeastDivisor = 0.125;
constexpr std::uint64_t kMostPermuted = std::uint64_t{1} << 22;
constexpr std::uint64_t kMostRounds = 8;
constexpr std::uint64_t kShiftedRounds = 2;
constexpr std::size_t kEvenRounds = 8;  // that move all elements alike
constexpr std::size_t kFewUp = 8;       // rounds that move 1, 2 .. elements up, the others down
constexpr double kShift = 4, kFarShift = 50;
constexpr std::uint64_t kFewIntegers = std::uint64_t{1} << 17;  // ranges that are drawn from evenly
constexpr double kHalves = 8;             // whole numbers up to 4, in steps of a half
constexpr double kSteepFactor = 8;        // of a row, whose products are then beyond 88
constexpr std::size_t kSignedRounds = 4;  // of both signs, and of one
constexpr double kAway = 2;               // from 0, of elements of one sign
constexpr double kSteepSum = 64;          // exp() of all is 0, or infinity
/// Beyond this a double is no longer every integer.
constexpr double kLimit = 9.2233720368547748e18;

std::int64_t rowLength(const std::vector<std::int64_t>& sizes) {
  return sizes.empty() ? 1 : std::max<std::int64_t>(sizes.back(), 1);
}

std::int64_t integerFrom(double value) {
  if (value >= kLimit) return std::numeric_limits<std::int64_t>::max();
  return value <= -kLimit ? std::numeric_limits<std::int64_t>::min()
                          : static_cast<std::int64_t>(value);
}

/// The low bytes of each.
Tensor tensorFromIntegers(DType dtype, std::vector<std::int64_t> sizes,
                          const std::vector<std::int64_t>& values) {
  static_assert(std::endian::native == std::endian::little);
  const auto width = static_cast<std::size_t>(facts(dtype).bytes);
  Tensor out{dtype, std::move(sizes), {}};
  out.bytes.reserve(values.size() * width);
  for (const std::int64_t value : values)
    out.bytes.append(reinterpret_cast<const char*>(&value), width);
  return out;
}

struct FloatLimits {
  double largest, denormal;
};
std::optional<FloatLimits> limitsOf(DType dtype) {
  switch (dtype) {
    case DType::Float16: return FloatLimits{65504, 0x3p-24};
    case DType::BFloat16: return FloatLimits{0x1.fep127, 0x1p-130};
    case DType::Float32: return FloatLimits{0x1.fffffep127, 0x1p-132};
    case DType::Float64: return FloatLimits{std::numeric_limits<double>::max(), 0x1p-1030};
    default: return std::nullopt;
  }
}

bool isAllowed(double value, const InputRule& rule, const ValuePlan& plan) {
  if (value == 0 && rule.isNonzero) return false;
  const bool isWithin = value >= rule.min && value <= rule.max;
  if (isWithin || rule.isBounded) return isWithin;
  if (rule.draw == Draw::Normal) return true;
  if (value == 0) return plan.borne.has(Value::Zero);
  if (value < 0) return plan.borne.has(Value::Negative) && rule.min <= 1;
  return !(value < 88);
}

/// What an input of floats has in a set of edges.
std::vector<double> floatEdges(const InputRule& rule, const ValuePlan& plan, DType dtype) {
  std::vector<double> all{0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 1, -1, 2, -2, 0.25, 3};
  all.insert(all.end(), plan.targets.begin(), plan.targets.end());
  const auto both = [&](std::initializer_list<double> values) {
    for (const double value : values) all.push_back(value), all.push_back(-value);
  };
  // Ties of the conversions to float16, bfloat16 and float32.
  if (plan.wants(Value::Half))
    both({1 + 0x1p-11, 1 + 0x3p-11, 1 + 0x1p-8, 1 + 0x3p-8, 1 + 0x1p-24, 1 + 0x3p-24});
  if (plan.borne.has(Value::Steep)) both({88.5, 89, 104, 200});
  if (plan.borne.has(Value::Large)) both({4096, 1e6});
  const auto limits = limitsOf(dtype);
  if (limits && plan.borne.has(Value::Largest)) both({limits->largest, limits->largest / 2});
  if (limits && plan.borne.has(Value::Denormal)) both({limits->denormal});
  if (limits && plan.wants(Value::Largest)) both({65504, 65520, 0x1.fffffep127, 0x1.ffffffp127});
  std::erase_if(all, [&](double value) {
    return (limits && std::abs(value) > limits->largest) || !isAllowed(value, rule, plan);
  });
  return all;
}

std::vector<double> floatTruths(const ValuePlan& plan) {
  std::vector<double> out{0.0, -0.0, 1, 0.5, -1, 2, 255, 256};
  if (plan.borne.has(Value::Nan)) out.push_back(std::numeric_limits<double>::quiet_NaN());
  return out;
}

std::int64_t leastOf(const InputRule& rule, const ValuePlan& plan, DType dtype) {
  const std::int64_t least = integerFrom(rule.min);
  const bool isTypes = least < 0 && least == integerFrom(integerLimits(dtype).least);
  return isTypes && !plan.borne.has(Value::Least) ? least + 1 : least;
}

std::vector<std::int64_t> integerEdges(const InputRule& rule, const ValuePlan& plan, DType dtype) {
  const std::int64_t least = leastOf(rule, plan, dtype), most = integerFrom(rule.max);
  std::vector<std::int64_t> all{0, 1, -1, 2, -2, 3, -3, 7, -7, least, most};
  if (least < most) all.insert(all.end(), {least + 1, most - 1});
  for (const int bits : {7, 8, 15, 16, 24, 31, 32, 53, 62})
    for (const std::int64_t power = std::int64_t{1} << bits;
         const std::int64_t near : {power - 1, power, -power, -power - 1})
      all.push_back(near);
  for (const double target : plan.targets) all.push_back(integerFrom(std::floor(target)));
  std::erase_if(all, [&](std::int64_t value) {
    return value < least || value > most || (value == 0 && rule.isNonzero);
  });
  std::vector<std::int64_t> out;
  for (const std::int64_t value : all)
    if (std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
  return out;
}

/// Numbers that are true; the low bits of some are 0.
std::vector<std::int64_t> integerTruths(DType dtype) {
  std::vector<std::int64_t> out{0, 1, 2, -1, 4, 64, -128, 0};
  const int bytes = facts(dtype).bytes;
  if (bytes > 1) out.insert(out.end(), {256, -256, 0x7f00});
  if (bytes > 2) out.insert(out.end(), {65536, 1 << 24});
  if (bytes > 4) out.insert(out.end(), {std::int64_t{1} << 32, std::int64_t{1} << 40});
  return out;
}

/// After a round with both signs: so that each input, and each product of two, is once below and
/// once above 0.
int signIn(const Turn& turn) {
  if (turn.set != InputSetKind::Steps || turn.round == 0) return 0;
  const std::size_t below = turn.input % 2 == 0 ? 1 : 3;
  return turn.round == below ? -1 : 1;
}

class Elements {
 public:
  Elements(Turn turn, const InputRule& rule, const ValuePlan& plan, DType dtype,
           const std::vector<std::int64_t>& sizes, std::uint64_t count, Random random)
      : set_(turn.set),
        round_(turn.round),
        sign_(plan.isExponentAsProduct ? 0 : signIn(turn)),
        rule_(rule),
        plan_(plan),
        dtype_(dtype),
        sizes_(sizes),
        count_(count),
        random_(random) {}

  Tensor draw() && {
    if (isFloating(dtype_) || isComplex(dtype_)) {
      reals_.resize(count_ * (isComplex(dtype_) ? 2 : 1));
      drawReals();
      if (rule_.isSorted) sortRows(reals_);
      return tensor::tensorFrom(dtype_, sizes_, reals_);
    }
    integers_.resize(count_);
    drawIntegers();
    if (rule_.isSorted) sortRows(integers_);
    return tensorFromIntegers(dtype_, sizes_, integers_);
  }

 private:
  // ---- Floats.

  void drawReals() {
    switch (rule_.draw) {
      case Draw::Mask: return mask(reals_);
      case Draw::AdditiveMask: return additiveMask();
      case Draw::Normal:
      case Draw::Uniform: return numbers();
      case Draw::Offsets:
      case Draw::Integers: return;  // of integers only
    }
  }

  void numbers() {
    const bool isReal = !isComplex(dtype_);
    switch (set_) {
      case InputSetKind::Steps: return rule_.draw == Draw::Normal ? steps() : ordinary();
      case InputSetKind::Range:
        return rule_.draw == Draw::Normal && isReal ? magnitudes() : ordinary();
      case InputSetKind::Edges: return isReal ? edges() : ordinary();
      case InputSetKind::Nonfinite: ordinary(); return isReal ? nonfinite() : void();
      case InputSetKind::Shifted:
        ordinary();
        return isReal && !rule_.isBounded ? shifted() : void();
      default: return ordinary();
    }
  }

  void ordinary() {
    if (rule_.draw == Draw::Uniform) {
      for (double& value : reals_) value = rule_.min + (rule_.max - rule_.min) * random_.uniform();
      return;
    }
    for (double& value : reals_) {
      value = random_.normal();
      const bool isZero = random_.below(kOneInZero) == 0;
      if (isZero && !rule_.isNonzero) value = 0;
      if (rule_.isNonzero) value += value < 0 ? -kLeastDivisor : kLeastDivisor;
    }
    if (reals_.size() < 4) return;
    // Also a small tensor has a zero and both signs.
    reals_[0] = std::abs(reals_[0]);
    reals_[1] = -std::abs(reals_[1]);
    if (!rule_.isNonzero) reals_[2 + random_.below(reals_.size() - 2)] = 0;
  }

  /// Sums of products of them are exact, so that they can be as steep as one likes.
  void steps() {
    const auto row = static_cast<std::size_t>(rowLength(sizes_));
    for (std::size_t i = 0; i < reals_.size(); ++i) {
      double value =
          static_cast<double>(random_.below(2 * static_cast<std::uint64_t>(kHalves) + 1)) / 2 -
          kHalves / 2;
      if (value == 0 && random_.below(2) == 0) value = -0.0;
      if (value == 0 && rule_.isNonzero) value = 1;
      if (sign_ != 0)
        value = sign_ * (kAway + std::abs(value)) * (plan_.wants(Value::Steep) ? kSteepSum : 1);
      if (plan_.isSteepAsProduct && i < row) value *= kSteepFactor;
      reals_[i] = value;
    }
  }

  /// Of very different sizes.
  void magnitudes() {
    double most = 0.9;
    if (plan_.borne.has(Value::Large)) most = 6;
    else if (plan_.borne.has(Value::Steep)) most = 2.3;
    for (double& value : reals_) {
      value = std::exp2((random_.uniform() * (most + 3) - 3) * 3.3219280948873623);
      if (random_.below(2) == 0) value = -value;
      if (rule_.isBounded) value = std::clamp(value, rule_.min, rule_.max);
    }
  }

  void edges() {
    cycle(reals_, floatEdges(rule_, plan_, dtype_), [this] { ordinary(); });
  }

  void nonfinite() {
    if (rule_.isBounded) return;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    std::vector<double> values;
    if (plan_.borne.has(Value::Nan)) values.push_back(std::numeric_limits<double>::quiet_NaN());
    if (plan_.borne.has(Value::Infinity)) values.insert(values.end(), {infinite, -infinite});
    if (rule_.draw == Draw::Uniform && !plan_.borne.has(Value::Negative))
      std::erase(values, -infinite);
    if (values.empty()) return;
    // One after the other, first at random places that are not far apart.
    std::size_t next = random_.below(values.size()) + round_;
    std::size_t gap = 1;
    for (std::size_t i = round_ % 2; i < reals_.size(); i += gap) {
      reals_[i] = values[next++ % values.size()];
      gap = 1 + random_.below(2 * kOneInNonfinite - 1);
    }
    // Then side by side, so that a window or a row has nothing else.
    std::size_t runs = round_ == 2 ? 0 : reals_.size();
    if (reals_.size() >= kManyNonfinite) runs = reals_.size() / 4 * 3;
    for (std::size_t i = runs; i < reals_.size(); ++i)
      reals_[i] = values[values.size() - 1 - i / kRun % values.size()];
  }

  /// Whether the element of a shifted set is moved up: all or none, then some from one of the ends.
  bool isUp(std::uint64_t i) const {
    if (round_ < kEvenRounds) return round_ % 2 == 0;
    const std::size_t part = (round_ - kEvenRounds) % (kMostShiftedRounds - kEvenRounds);
    constexpr std::size_t kParts = kMostShiftedRounds - kEvenRounds - kFewUp + 1;
    const std::uint64_t up = part < kFewUp ? part + 1 : count_ * (part - kFewUp + 1) / kParts;
    return part % 2 == 0 ? i < up : i + up >= count_;
  }

  void shifted() {
    if (round_ >= kEvenRounds) {
      for (std::uint64_t i = 0; i < reals_.size(); ++i)
        reals_[i] = (isUp(i) ? 1 : -1) * (std::abs(reals_[i]) + kShift);
      return;
    }
    const double sign = round_ % 2 == 0 ? 1 : -1;
    for (double& value : reals_) switch (round_ / 2) {
        case 0: value += sign * kShift; break;
        case 1: value = sign > 0 ? std::abs(value) : -std::abs(value); break;
        case 2: value += sign * kFarShift; break;
        default: value *= round_ % 2 == 0 ? 0 : kFarShift; break;
      }
  }

  void additiveMask() {
    const auto length = static_cast<std::uint64_t>(rowLength(sizes_));
    const bool hasInfinity = set_ == InputSetKind::Nonfinite && plan_.borne.has(Value::Infinity);
    const double below = hasInfinity ? -std::numeric_limits<double>::infinity() : kFarBelow;
    for (std::uint64_t i = 0; i < reals_.size(); ++i) {
      reals_[i] = random_.normal();
      const bool isMasked = random_.below(kOneInMasked) == 0;
      if (isMasked && i % length != 0) reals_[i] = below;
    }
    if (set_ != InputSetKind::Steps || !plan_.borne.has(Value::Masked) || reals_.size() <= length)
      return;
    std::fill(reals_.end() - static_cast<std::ptrdiff_t>(length), reals_.end(), kFarBelow);
  }

  // ---- Integers and bools.

  void drawIntegers() {
    switch (rule_.draw) {
      case Draw::Mask: return mask(integers_);
      case Draw::Offsets: return offsets();
      default: return integers();
    }
  }

  void integers() {
    if (rule_.distinctAlong) return distinct();
    const std::int64_t least = leastOf(rule_, plan_, dtype_), most = integerFrom(rule_.max);
    if (set_ == InputSetKind::Steps) return few(least, most);
    if (set_ == InputSetKind::Edges)
      return cycle(integers_, integerEdges(rule_, plan_, dtype_), [&] { evenly(least, most); });
    if (set_ == InputSetKind::Shifted) return shiftedIntegers(least, most);
    if (static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) < kFewIntegers)
      return evenly(least, most);
    // Of all lengths.
    const auto bits = static_cast<std::uint64_t>(
        std::bit_width(static_cast<std::uint64_t>(std::max(most, -(least + 1)))));
    for (std::int64_t& value : integers_) {
      value = static_cast<std::int64_t>(random_.next() >> (63 - random_.below(bits)));
      if (least < 0 && random_.below(2) == 0) value = -value;
      value = std::clamp(value, least, most);
      if (rule_.isNonzero && value == 0) value = most;
    }
  }

  void evenly(std::int64_t least, std::int64_t most) {
    const auto count = static_cast<std::uint64_t>(most - least) + 1;
    for (std::int64_t& value : integers_) {
      value = least + static_cast<std::int64_t>(random_.below(count));
      if (rule_.isNonzero && value == 0) value = most > 0 ? 1 : -1;
    }
  }

  /// Few values, so that many elements are equal.
  void few(std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> values;
    for (const std::int64_t value :
         {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, least, most})
      if (value >= least && value <= most && value * sign_ >= std::abs(sign_) &&
          (value != 0 || !rule_.isNonzero) && values.size() < 3)
        values.push_back(value);
    if (values.empty()) return evenly(least, most);
    for (std::int64_t& value : integers_) value = values[random_.below(values.size())];
  }

  void shiftedIntegers(std::int64_t least, std::int64_t most) {
    constexpr std::array<std::int64_t, kEvenRounds> kAround{9, -9, 0, 1, 2, 5, 100, -100};
    for (std::uint64_t i = 0; i < count_; ++i) {
      const std::size_t round = round_ < kEvenRounds ? round_ : std::size_t{!isUp(i)};
      integers_[i] = std::clamp(kAround[round], least, most);
    }
    if (rule_.isNonzero)
      for (std::int64_t& value : integers_) value = value == 0 ? 1 : value;
  }

  /// Lines of elements that should differ: all of them, or those along one dimension.
  void distinct() {
    const std::int64_t first = std::max<std::int64_t>(integerFrom(rule_.min), 0);
    const auto count = static_cast<std::uint64_t>(integerFrom(rule_.max) - first) + 1;
    const std::size_t along = *rule_.distinctAlong;
    const bool isEverywhere = along >= sizes_.size() || integers_.size() <= count;
    const std::uint64_t length =
        isEverywhere ? integers_.size() : static_cast<std::uint64_t>(sizes_[along]);
    std::uint64_t stride = 1;
    for (std::size_t i = along + 1; !isEverywhere && i < sizes_.size(); ++i)
      stride *= static_cast<std::uint64_t>(sizes_[i]);
    std::vector<std::uint64_t> positions;
    for (std::uint64_t i = 0; i < integers_.size(); ++i) {
      if ((i / stride) % length != 0) continue;
      permute(positions, count);
      for (std::uint64_t k = 0; k < length; ++k)
        integers_[i + k * stride] =
            first + static_cast<std::int64_t>(positions[k % positions.size()]);
    }
    if (rule_.min >= 0) return;
    // Negative ones are the same places, counted from the end.
    for (std::int64_t& value : integers_)
      if (random_.below(2) == 0) value -= static_cast<std::int64_t>(count);
  }
  /// 0 .. count-1 in random order; of a large `count` only the first.
  void permute(std::vector<std::uint64_t>& positions, std::uint64_t count) {
    positions.resize(std::min(count, kMostPermuted));
    std::iota(positions.begin(), positions.end(), std::uint64_t{0});
    for (std::uint64_t i = positions.size(); i > 1; --i)
      std::swap(positions[i - 1], positions[random_.below(i)]);
  }

  void offsets() {
    const double count = static_cast<double>(integers_.size());
    for (std::size_t i = 0; i < integers_.size(); ++i)
      integers_[i] = integerFrom(std::floor(static_cast<double>(i) * rule_.max / count));
  }

  // ---- Both.

  template <class Number>
  void mask(std::vector<Number>& values) {
    const bool isTruth = rule_.isTruth && dtype_ != DType::Bool &&
                         (set_ == InputSetKind::Range || set_ == InputSetKind::Edges);
    if (isTruth) return truths(values);
    if (sizes_.empty()) {
      values[0] =
          static_cast<Number>(set_ == InputSetKind::Shifted ? 1 - round_ % 2 : random_.below(2));
      return;
    }
    if (set_ != InputSetKind::Shifted) return maskRows(values);
    for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = isUp(i) ? 1 : 0;
  }

  template <class Number>
  void truths(std::vector<Number>& values) {
    if constexpr (std::is_same_v<Number, double>) cycle(values, floatTruths(plan_), [] {});
    else cycle(values, integerTruths(dtype_), [] {});
  }

  template <class Number>
  void maskRows(std::vector<Number>& values) {
    const auto length = static_cast<std::uint64_t>(rowLength(sizes_));
    for (std::uint64_t row = 0; row < values.size(); row += length) {
      // With a causal mask, the first row attends to its first element only.
      values[row] = 1;
      for (std::uint64_t i = 1; i < length; ++i)
        values[row + i] = random_.below(kOneInMasked) == 0 ? 0 : 1;
      if (length > 1) values[row + 1 + random_.below(length - 1)] = 0;
    }
    if (set_ != InputSetKind::Steps || !plan_.borne.has(Value::Masked) ||
        values.size() < 2 * length)
      return;
    const auto end = static_cast<std::ptrdiff_t>(length);
    std::fill(values.begin(), values.begin() + end, 1);
    std::fill(values.end() - end, values.end(), 0);
  }

  /// All of `all` one after the other, in a new order each time; a round goes on where the last one
  /// ended.
  template <class Number, class Otherwise>
  void cycle(std::vector<Number>& values, std::vector<Number> all, Otherwise&& otherwise) {
    if (all.empty()) return otherwise();
    const auto shuffle = [&] {
      for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random_.below(i)]);
    };
    shuffle();
    std::size_t next = round_ * values.size();
    for (Number& value : values) {
      if (next > 0 && next % all.size() == 0 && values.size() > all.size()) shuffle();
      value = all[next++ % all.size()];
    }
  }

  template <class Number>
  void sortRows(std::vector<Number>& values) {
    const auto length = static_cast<std::ptrdiff_t>(rowLength(sizes_));
    for (auto row = values.begin(); row != values.end(); row += length)
      std::sort(row, row + length);
  }

  const InputSetKind set_;
  const std::size_t round_;
  const int sign_;  ///< of all elements; 0 for both
  const InputRule& rule_;
  const ValuePlan& plan_;
  const DType dtype_;
  const std::vector<std::int64_t>& sizes_;
  const std::uint64_t count_;
  Random random_;
  std::vector<double> reals_;
  std::vector<std::int64_t> integers_;
};

}  // namespace

std::size_t roundsOf(InputSetKind set, const InputRule& rule, const ValuePlan& plan, DType dtype,
                     std::uint64_t elements) {
  if (elements == 0) return 1;
  if (set == InputSetKind::Shifted) return kShiftedRounds;
  // Every value beside every other one, and beside finite ones.
  if (set == InputSetKind::Nonfinite) return elements < kManyNonfinite ? 3 : 1;
  if (set == InputSetKind::Steps)
    return plan.wants(Value::Below) || plan.wants(Value::Above) ? kSignedRounds : 1;
  if (set != InputSetKind::Edges) return 1;
  std::size_t all = 3;
  if (rule.draw == Draw::Mask)
    all = rule.isTruth && dtype != DType::Bool ? integerTruths(dtype).size() : 1;
  else if (isFloating(dtype)) all = floatEdges(rule, plan, dtype).size();
  else if (isIntegral(dtype) && rule.draw == Draw::Integers)
    all = integerEdges(rule, plan, dtype).size();
  return static_cast<std::size_t>(
      std::min<std::uint64_t>((all + elements - 1) / elements, kMostRounds));
}

Tensor drawElements(Turn turn, const InputRule& rule, const ValuePlan& plan, DType dtype,
                    const std::vector<std::int64_t>& sizes, std::uint64_t count, Random random) {
  return Elements(turn, rule, plan, dtype, sizes, count, random).draw();
}

}  // namespace fxs::compare
