// Fourier transforms and complex numbers by real arithmetic, where the engine has no complex form.
#include <cmath>
#include <numbers>

#include "ops/promotion.h"
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// A tensor of complex numbers in two parts; without an imaginary part it is real.
struct Signal {
  Tensor real;
  std::optional<Tensor> imaginary;
};

Signal signalOf(Emitter& e, const Tensor& x) {
  if (!isComplex(x.dtype())) return {e.cast(x, ops::integerToFloat(x.dtype())), std::nullopt};
  std::vector<fx::SymInt> sizes = x.meta.sizes;
  sizes.emplace_back(2);
  const Tensor pairs = e.op("aten.view_as_real.default", {x.value}, ops::realType(x.dtype()), std::move(sizes));
  return {e.select(pairs, x.rank(), 0), e.select(pairs, x.rank(), 1)};
}

Results absolute(Emitter& e) {
  const Tensor x = e.tensor("self");
  if (!isComplex(x.dtype())) return {};
  const Signal s = signalOf(e, x);
  return one(e.sqrt(e.add(e.square(s.real), e.square(*s.imaginary))));
}

Tensor asComplex(Emitter& e, const Signal& s, DType dtype) {
  const Tensor imaginary = s.imaginary ? *s.imaginary : e.zeros(e.sizes(s.real), s.real.dtype());
  const Tensor pairs = e.stack({s.real, imaginary}, s.real.rank());
  return e.op("aten.view_as_complex.default", {pairs.value}, dtype, s.real.meta.sizes);
}

/// What a transform computes along its last dimension; along the others it is a complex transform of the same direction.
enum class Last { Complex, ToHalf, FromHalf };

/// One dimension, and its length after padding or cutting (of the longer side for a transform from or to half of the bins).
struct Axis {
  std::size_t dim;
  std::int64_t length;
};

Signal conjugate(Emitter& e, Signal s) {
  if (s.imaginary) s.imaginary = e.neg(*s.imaginary);
  return s;
}

class Fourier {
 public:
  explicit Fourier(Emitter& e) : e_(e) {}

  Signal resized(Signal s, std::size_t dim, std::int64_t length) {
    const auto resize = [&](const Tensor& x) {
      const std::int64_t missing = length - e_.fixed(x, dim);
      if (missing <= 0) return e_.slice(x, dim, 0, length);
      std::vector<std::int64_t> pads(2 * (x.rank() - dim), 0);
      pads.back() = missing;
      return e_.pad(x, pads, 0);
    };
    s.real = resize(s.real);
    if (s.imaginary) s.imaginary = resize(*s.imaginary);
    return s;
  }

  /// sum over k of x[k] exp(-+ 2 pi i k t / length), for t < outputs.
  Signal transformed(const Signal& s, std::size_t dim, std::int64_t length, std::int64_t outputs, bool inverse) {
    const auto [cosines, sines] = waves(length, length, outputs, s.real.dtype(), false);
    const std::size_t last = s.real.rank() - 1;
    const auto times = [&, dim = dim](const Tensor& x, const Tensor& waves) { return e_.matmul(e_.transpose(x, dim, last), waves); };
    Tensor real = times(s.real, cosines), imaginary = times(s.real, sines);
    if (!inverse) imaginary = e_.neg(imaginary);
    if (s.imaginary) {
      const Tensor crossed = times(*s.imaginary, sines);
      real = inverse ? e_.sub(real, crossed) : e_.add(real, crossed);
      imaginary = e_.add(imaginary, times(*s.imaginary, cosines));
    }
    return {e_.transpose(real, dim, last), e_.transpose(imaginary, dim, last)};
  }

  /// The real signal of which `s` is the first half of the transform: every bin but the first, and the last of an even length, stands for
  /// its conjugate, too.
  Tensor fromHalf(const Signal& s, std::size_t dim, std::int64_t length) {
    const auto [cosines, sines] = waves(length, length / 2 + 1, length, s.real.dtype(), true);
    const std::size_t last = s.real.rank() - 1;
    Tensor out = e_.matmul(e_.transpose(s.real, dim, last), cosines);
    if (s.imaginary) out = e_.sub(out, e_.matmul(e_.transpose(*s.imaginary, dim, last), sines));
    return e_.transpose(out, dim, last);
  }

 private:
  /// cos and sin of 2 pi k t / length, [inputs, outputs]; with `paired`, twice that where bin k has a conjugate.
  std::pair<Tensor, Tensor> waves(std::int64_t length, std::int64_t inputs, std::int64_t outputs, DType dtype, bool paired) {
    const Tensor bin = e_.unsqueeze(e_.arange(Size::of(inputs)), 1), time = e_.unsqueeze(e_.arange(Size::of(outputs)), 0);
    const Tensor turns = e_.mul(bin, time);
    // Modulo the length, so that the angle keeps its precision.
    const Tensor step = e_.op("aten.remainder.Scalar", {turns.value, length}, DType::Int64, turns.meta.sizes);
    const Tensor angle = e_.mul(e_.cast(step, dtype), 2 * std::numbers::pi / static_cast<double>(length));
    Tensor cosines = e_.unary("cos", angle), sines = e_.unary("sin", angle);
    if (paired) {
      const Tensor isSingle = e_.logicalOr(e_.compare("eq", bin, 0), e_.compare("eq", e_.mul(bin, 2), length));
      const Tensor weight = e_.where(isSingle, e_.full({}, 1.0, dtype), e_.full({}, 2.0, dtype));
      cosines = e_.mul(cosines, weight);
      sines = e_.mul(sines, weight);
    }
    return {cosines, sines};
  }

  Emitter& e_;
};

/// The dimensions and lengths of the matched node: `n` and `dim`, or the lists `s` and `dim`.
std::vector<Axis> axesOf(Emitter& e, const Tensor& x, Last last) {
  std::vector<Axis> axes;
  std::vector<std::int64_t> lengths;
  if (e.matched().target.ends_with("2.default") || e.matched().target.ends_with("n.default")) {
    const auto sizes = e.optionalIntegers("s");
    auto dims = e.optionalIntegers("dim");
    if (!dims) {
      dims.emplace();
      const std::size_t count = sizes ? sizes->size() : x.rank();
      for (std::size_t i = 0; i < count; ++i) dims->push_back(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(count));
    }
    for (const std::int64_t d : *dims) axes.push_back({e.dim(d, x), -1});
    if (sizes) lengths = *sizes;
    e.require(lengths.empty() || lengths.size() == axes.size());
  } else {
    axes.push_back({e.dim(e.integer("dim"), x), -1});
    if (const auto n = e.optionalInteger("n")) lengths.push_back(*n);
  }
  e.require(!axes.empty());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool halved = i + 1 == axes.size() && last == Last::FromHalf;
    const std::int64_t present = e.fixed(x, axes[i].dim);
    e.require(present <= kMaxNumber);
    axes[i].length = i < lengths.size() && lengths[i] != -1 ? lengths[i] : halved ? 2 * (present - 1) : present;
    e.require(axes[i].length > 0 && axes[i].length <= kMaxNumber);
  }
  return axes;
}

template <bool inverse, Last last>
Results fourier(Emitter& e) {
  const Tensor self = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(self.rank() > 0);
  const std::vector<Axis> axes = axesOf(e, self, last);
  Signal s = signalOf(e, self);
  e.require(s.real.dtype() == DType::Float32 || s.real.dtype() == DType::Float64);
  double count = 1;
  for (const Axis& axis : axes) count *= static_cast<double>(axis.length);
  const std::string norm = e.argument("norm").isNone() ? "backward" : e.text("norm");
  const bool scaled = norm == "ortho" || norm == (inverse ? "backward" : "forward");
  const double scale = norm == "ortho" ? 1 / std::sqrt(count) : scaled ? 1 / count : 1;

  Fourier f(e);
  const Axis& final = axes.back();
  const auto others = [&](Signal x) {
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
      x = f.resized(std::move(x), axes[i].dim, axes[i].length);
      x = f.transformed(x, axes[i].dim, axes[i].length, axes[i].length, inverse);
    }
    return x;
  };
  if (last == Last::FromHalf) {
    s = others(f.resized(std::move(s), final.dim, final.length / 2 + 1));
    // The transform back from half of the bins is the inverse one: the other direction takes the conjugate.
    if (!inverse) s = conjugate(e, std::move(s));
    return one(e.mul(f.fromHalf(s, final.dim, final.length), scale));
  }
  s = f.resized(std::move(s), final.dim, final.length);
  const std::int64_t outputs = last == Last::ToHalf ? final.length / 2 + 1 : final.length;
  s = others(f.transformed(s, final.dim, final.length, outputs, inverse));
  s.real = e.mul(s.real, scale);
  s.imaginary = e.mul(*s.imaginary, scale);
  return one(asComplex(e, s, result.dtype));
}

}  // namespace

void registerFourier(RewriteRules& rules) {
  rules.add({"aten.abs.default", "becomes the root of the squares of both parts, if it is complex", false, absolute});
  const auto add = [&](std::string_view name, bool essential, const decltype(Rule::apply)& apply) {
    rules.add({"aten.fft_" + std::string(name) + ".default", "becomes products with cosines and sines", essential, apply});
  };
  for (const std::string_view form : {"", "2", "n"}) {
    const bool essential = !form.empty();  // the engine has patterns for some forms of one dimension
    add("fft" + std::string(form), essential, fourier<false, Last::Complex>);
    add("rfft" + std::string(form), essential, fourier<false, Last::ToHalf>);
    add("ifft" + std::string(form), essential, fourier<true, Last::Complex>);
    add("irfft" + std::string(form), true, fourier<true, Last::FromHalf>);
    add("hfft" + std::string(form), true, fourier<false, Last::FromHalf>);
    add("ihfft" + std::string(form), true, fourier<true, Last::ToHalf>);
  }
}

}  // namespace fxs::rewrite
