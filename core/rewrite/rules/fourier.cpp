// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms and complex numbers by real arithmetic, where the engine has no complex form.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "ops/promotion.h"
#include "rewrite/complex_parts.h"

namespace fxs::rewrite {
namespace {

Results absolute(Emitter& e) {
  const Tensor x = e.tensor("self");
  if (!isComplex(x.dtype())) return {};
  return one(e.sqrt(squaredAbs(e, partsOf(e, x))));
}

/// One part, as PyTorch reads it.
template <int part>
Results partOf(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  if (!isComplex(x.dtype())) return {};
  std::vector<fx::SymInt> sizes = x.meta.sizes;
  sizes.emplace_back(2);
  const Tensor parts = e.op("aten.view_as_real.default", {x.value}, result.dtype, std::move(sizes));
  return one(e.select(parts, x.rank(), part));
}

/// What a transform computes along its last dimension; along the others it is a complex transform
/// of the same direction.
enum class Last { Complex, ToHalf, FromHalf };

/// One dimension, and its length after padding or cutting (of the longer side for a transform from
/// or to half of the bins).
struct TransformAxis {
  std::size_t dim;
  std::int64_t length;
};

ComplexParts conjugate(Emitter& e, ComplexParts s) {
  if (s.imaginary) s.imaginary = e.neg(*s.imaginary);
  return s;
}

class Fourier {
 public:
  explicit Fourier(Emitter& e) : e_(e) {}

  ComplexParts resized(ComplexParts s, std::size_t dim, std::int64_t length) {
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
  ComplexParts transformed(const ComplexParts& s, std::size_t dim, std::int64_t length,
                           std::int64_t outputs, bool inverse) {
    const auto [cosines, sines] = waves(length, length, outputs, s.real.dtype(), false);
    const std::size_t last = s.real.rank() - 1;
    const auto times = [&, dim = dim](const Tensor& x, const Tensor& waves) {
      return e_.matmul(e_.transpose(x, dim, last), waves);
    };
    Tensor real = times(s.real, cosines), imaginary = times(s.real, sines);
    if (!inverse) imaginary = e_.neg(imaginary);
    if (s.imaginary) {
      const Tensor crossed = times(*s.imaginary, sines);
      real = inverse ? e_.sub(real, crossed) : e_.add(real, crossed);
      imaginary = e_.add(imaginary, times(*s.imaginary, cosines));
    }
    return {e_.transpose(real, dim, last), e_.transpose(imaginary, dim, last)};
  }

  /// The real signal of which `s` is the first half of the transform: every bin but the first, and
  /// the last of an even length, stands for its conjugate, too.
  Tensor fromHalf(const ComplexParts& s, std::size_t dim, std::int64_t length) {
    const auto [cosines, sines] = waves(length, length / 2 + 1, length, s.real.dtype(), true);
    const std::size_t last = s.real.rank() - 1;
    Tensor out = e_.matmul(e_.transpose(s.real, dim, last), cosines);
    if (s.imaginary) out = e_.sub(out, e_.matmul(e_.transpose(*s.imaginary, dim, last), sines));
    return e_.transpose(out, dim, last);
  }

 private:
  /// cos and sin of 2 pi k t / length, [inputs, outputs]; with `paired`, twice that where bin k has
  /// a conjugate.
  std::pair<Tensor, Tensor> waves(std::int64_t length, std::int64_t inputs, std::int64_t outputs,
                                  DType dtype, bool paired) {
    const Tensor bin = e_.unsqueeze(e_.arange(Size::of(inputs)), 1),
                 time = e_.unsqueeze(e_.arange(Size::of(outputs)), 0);
    const Tensor turns = e_.mul(bin, time);
    // Modulo the length, so that the angle keeps its precision.
    const Tensor step =
        e_.op("aten.remainder.Scalar", {turns.value, length}, DType::Int64, turns.meta.sizes);
    const Tensor angle =
        e_.mul(e_.cast(step, dtype), 2 * std::numbers::pi / static_cast<double>(length));
    Tensor cosines = e_.unary("cos", angle), sines = e_.unary("sin", angle);
    if (paired) {
      const Tensor isSingle =
          e_.logicalOr(e_.compare("eq", bin, 0), e_.compare("eq", e_.mul(bin, 2), length));
      const Tensor weight = e_.where(isSingle, e_.full({}, 1.0, dtype), e_.full({}, 2.0, dtype));
      cosines = e_.mul(cosines, weight);
      sines = e_.mul(sines, weight);
    }
    return {cosines, sines};
  }

  Emitter& e_;
};

/// The dimensions of a transform of several: by default the last ones, one for each length.
std::vector<std::int64_t> givenDims(Emitter& e, const Tensor& x,
                                    const std::optional<std::vector<std::int64_t>>& lengths) {
  if (auto dims = e.optionalIntegers("dim")) return *std::move(dims);
  std::vector<std::int64_t> last(lengths ? lengths->size() : x.rank());
  std::iota(last.begin(), last.end(), -static_cast<std::int64_t>(last.size()));
  return last;
}

/// The dimensions and lengths of the matched node: `n` and `dim`, or the lists `s` and `dim`.
std::vector<TransformAxis> axesOf(Emitter& e, const Tensor& x, Last last) {
  std::vector<TransformAxis> axes;
  std::vector<std::int64_t> lengths;
  if (e.matched().target.ends_with("2.default") || e.matched().target.ends_with("n.default")) {
    const auto sizes = e.optionalIntegers("s");
    for (const std::int64_t d : givenDims(e, x, sizes)) axes.push_back({e.dim(d, x), -1});
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
    if (i < lengths.size() && lengths[i] != -1) axes[i].length = lengths[i];
    else axes[i].length = halved ? 2 * (present - 1) : present;
    e.require(axes[i].length > 0 && axes[i].length <= kMaxNumber);
  }
  return axes;
}

template <bool inverse, Last last>
Results fourier(Emitter& e) {
  const Tensor self = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(self.rank() > 0);
  const std::vector<TransformAxis> axes = axesOf(e, self, last);
  ComplexParts s = partsOf(e, self);
  e.require(s.real.dtype() == DType::Float32 || s.real.dtype() == DType::Float64);
  double count = 1;
  for (const TransformAxis& axis : axes) count *= static_cast<double>(axis.length);
  const std::string norm = e.argument("norm").isNone() ? "backward" : e.text("norm");
  const bool scaled = norm == "ortho" || norm == (inverse ? "backward" : "forward");
  const double divisor = norm == "ortho" ? std::sqrt(count) : count;
  const double scale = scaled ? 1 / divisor : 1;

  Fourier f(e);
  const TransformAxis& final = axes.back();
  const auto others = [&](ComplexParts x) {
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
      x = f.resized(std::move(x), axes[i].dim, axes[i].length);
      x = f.transformed(x, axes[i].dim, axes[i].length, axes[i].length, inverse);
    }
    return x;
  };
  if (last == Last::FromHalf) {
    s = others(f.resized(std::move(s), final.dim, final.length / 2 + 1));
    // The transform back from half of the bins is the inverse one: the other direction takes the
    // conjugate.
    if (!inverse) s = conjugate(e, std::move(s));
    return one(e.mul(f.fromHalf(s, final.dim, final.length), scale));
  }
  s = f.resized(std::move(s), final.dim, final.length);
  const std::int64_t outputs = last == Last::ToHalf ? final.length / 2 + 1 : final.length;
  s = others(f.transformed(s, final.dim, final.length, outputs, inverse));
  s.real = e.mul(s.real, scale);
  s.imaginary = e.mul(*s.imaginary, scale);
  return one(complexOf(e, s, result.dtype));
}

/// fourier() in Python. `form`: "" for one dimension, "2" or "n" for those of a list.
std::string fourierInPython(std::string_view form, bool inverse, Last last) {
  std::string out = form.empty() ? "    dims, lengths = [dim], [n]\n"
                                 : "    lengths = None if s is None else list(s)\n";
  if (form == "n")
    out +=
        "    if dim is None:\n"
        "        dim = range(-(self.dim() if s is None else len(s)), 0)\n";
  if (!form.empty()) out += "    dims = list(dim)\n    lengths = lengths or [None] * len(dims)\n";
  out +=
      "    dims = [d if d < 0 else d - self.dim() for d in dims]\n"
      "    lengths = [{0} if n in (None, -1) else n for n, d in zip(lengths, dims)]\n"
      "    if self.is_complex():\n"
      "        parts = [torch.view_as_real(self).select(-1, i) for i in (0, 1)]\n"
      "    else:\n"
      "        parts = [self if self.is_floating_point() else self.to(torch.float32)]\n";
  if (last == Last::FromHalf)
    out.replace(out.find("{0}"), 3, "(self.shape[d] * 2 - 2 if d == dims[-1] else self.shape[d])");
  else out.replace(out.find("{0}"), 3, "self.shape[d]");
  out += last == Last::FromHalf ? "    for d, n in zip(dims, lengths):\n"
                                : "    for d, n in reversed(list(zip(dims, lengths))):\n";
  const std::string half = "n // 2 + 1 if d == dims[-1] else n";
  if (last == Last::Complex) out += "        size = count = n\n";
  if (last == Last::ToHalf) out += "        size, count = n, " + half + "\n";
  if (last == Last::FromHalf) out += "        size, count = " + half + ", n\n";
  out +=
      "        missing = size - parts[0].shape[d]\n"
      "        if missing > 0:\n"
      "            pads = [0, 0] * (-1 - d) + [0, missing]\n"
      "            parts = [aten.constant_pad_nd(x, pads) for x in parts]\n"
      "        parts = [x.narrow(d, 0, size).transpose(d, -1) for x in parts]\n"
      "        bin = torch.arange(size).unsqueeze(1)\n"
      "        angle = (bin * torch.arange(count) % n).to(parts[0].dtype) * (2 * math.pi / n)\n";
  out += inverse ? "        cos, sin = angle.cos(), angle.sin()\n"
                 : "        cos, sin = angle.cos(), -angle.sin()\n";
  if (last == Last::FromHalf)
    out +=
        "        if d == dims[-1]:  # a bin stands for its conjugate, too\n"
        "            twice = torch.logical_and(bin > 0, bin * 2 != n).to(cos.dtype) + 1\n"
        "            cos, sin = cos * twice, sin * twice\n";
  out +=
      "        (real, imag), *more = [(x @ cos, x @ sin) for x in parts]\n"
      "        for other, own in more:\n"
      "            real, imag = real - own, imag + other\n"
      "        parts = [real.transpose(d, -1), imag.transpose(d, -1)]\n"
      "    count = math.prod(lengths)\n";
  out += fmt::format(
      "    scales = {{\"ortho\": count**-0.5, \"{}\": 1 / count}}\n"
      "    scale = scales.get(norm or \"backward\", 1)\n",
      inverse ? "backward" : "forward");
  out += last == Last::FromHalf ? "    return parts[0] * scale\n"
                                : "    parts = [x * scale for x in parts]\n"
                                  "    return torch.view_as_complex(torch.stack(parts, -1))\n";
  return out;
}

/// Windows of n_fft elements, multiplied by the one that is given.
Tensor signalWindows(Emitter& e, const Tensor& signal) {
  const std::optional<Tensor> window = e.optionalTensor("window");
  const std::int64_t length = e.integer("n_fft"),
                     hop = e.optionalInteger("hop_length").value_or(length / 4);
  const std::int64_t own = e.optionalInteger("win_length").value_or(length);
  const std::size_t time = signal.rank() - 1;
  const std::int64_t size = e.fixed(signal, time);
  e.require(length > 0 && hop > 0 && own > 0 && own <= length && length <= size &&
            hop <= kMaxNumber && size <= kMaxNumber);
  const std::int64_t frames = (size - length) / hop + 1;
  const Tensor start = e.mul(e.arange(Size::of(frames)), hop);
  Tensor x = e.indexAt(signal, time, e.add(e.unsqueeze(start, 1), e.arange(Size::of(length))));
  if (!window && own == length) return x;
  const Tensor taper = window ? *window : e.full({Size::of(own)}, 1.0, signal.dtype());
  e.require(taper.rank() == 1 && isFloating(taper.dtype()) && e.fixed(taper, 0) == own);
  const std::int64_t before = (length - own) / 2;
  return e.mul(x, own == length ? taper : e.pad(taper, {before, length - own - before}, 0));
}

/// The windows, each transformed; the caller has padded the signal.
Results shortTime(Emitter& e) {
  const Tensor self = e.tensor("self");
  const std::int64_t length = e.integer("n_fft");
  const bool isCentred = e.matched().target.ends_with(".center") && e.flag("center"),
             normalized = e.flag("normalized");
  const bool oneSided = e.argument("onesided").isNone() || e.flag("onesided");
  const fx::TensorMeta result = e.result();
  e.require(!isCentred && isComplex(result.dtype) && isFloating(self.dtype()) &&
            (self.rank() == 1 || self.rank() == 2));
  const Tensor x = signalWindows(e, self);
  std::vector<fx::SymInt> sizes = x.meta.sizes;
  sizes.back() = fx::SymInt(oneSided ? length / 2 + 1 : length);
  const std::string target = oneSided ? "aten.fft_rfft.default" : "aten.fft_fft.default";
  const fx::Argument norm =
      normalized ? fx::Argument(std::string("ortho")) : fx::Argument(fx::None{});
  const Tensor bins =
      e.op(target, {x.value, fx::None{}, std::int64_t{-1}, norm}, result.dtype, std::move(sizes));
  return one(e.transpose(bins, bins.rank() - 2, bins.rank() - 1));
}

}  // namespace

void registerFourier(RewriteRules& rules) {
  rules.add({"aten.abs.default", "becomes the root of the squares of both parts, if it is complex",
             false, absolute});
  rules.add({"aten.real.default", "becomes the first part of aten.view_as_real", false, partOf<0>});
  rules.add(
      {"aten.imag.default", "becomes the second part of aten.view_as_real", false, partOf<1>});
  rules.addEach({"aten.stft.default", "aten.stft.center"}, "becomes the transforms of its windows",
                false, shortTime);
  struct Transform {
    std::string_view name;
    bool inverse;
    Last last;
    decltype(Rule::apply) apply;
    bool hasPatterns;  ///< the engine's are for some forms of one dimension
  };
  const Transform transforms[] = {
      {"fft", false, Last::Complex, fourier<false, Last::Complex>, true},
      {"rfft", false, Last::ToHalf, fourier<false, Last::ToHalf>, true},
      {"ifft", true, Last::Complex, fourier<true, Last::Complex>, true},
      {"irfft", true, Last::FromHalf, fourier<true, Last::FromHalf>, false},
      {"hfft", false, Last::FromHalf, fourier<false, Last::FromHalf>, false},
      {"ihfft", true, Last::ToHalf, fourier<true, Last::ToHalf>, false}};
  static std::map<std::string, std::string> bodies;  // the rules refer to them
  for (const std::string_view form : {"", "2", "n"})
    for (const Transform& t : transforms) {
      const std::string target = fmt::format("aten.fft_{}{}.default", t.name, form);
      const std::string& body = bodies[target] = fourierInPython(form, t.inverse, t.last);
      rules.add({target,
                 "becomes products with cosines and sines",
                 !(t.hasPatterns && form.empty()),
                 t.apply,
                 {},
                 body});
    }
}

}  // namespace fxs::rewrite
