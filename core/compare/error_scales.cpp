// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/error_scales.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "compare/operator_values.h"
#include "compare/values.h"
#include "tensor/judge.h"

namespace fxs::compare {
namespace {

/// Errors of a result beyond its own rounding, in eps, that the tolerance covers without a scale.
constexpr double kOrdinaryError = 4;
/// A value that several elements share and that is so many times all others, as in
/// tensor/judge.cpp.
constexpr double kFillFactor = 1000;

using Function = std::function<long double(long double)>;

/// "softmax" of "aten.softmax.int", and "add" of "aten.add_.Tensor".
std::string_view operatorOf(const fx::Node& node) {
  std::string_view name = node.target;
  name = name.substr(0, name.rfind('.'));
  if (name.starts_with("aten.")) name.remove_prefix(5);
  if (name.ends_with('_')) name.remove_suffix(1);
  return name;
}

struct Rms {
  double all = 0;       ///< of the finite elements; without a fill, unless all others are 0
  double others = 0;    ///< without a fill
  bool filled = false;  ///< `all` is without a fill
};

Rms rmsOf(const tensor::Tensor& tensor) {
  const std::vector<double> elements = tensor::elementsOf(tensor);
  double largest = 0, second = 0;
  std::uint64_t largestCount = 0;
  for (const double element : elements) {
    const double size = std::fabs(element);
    if (!std::isfinite(size) || size < second) continue;
    if (size > largest) {
      second = largest;
      largest = size;
      largestCount = 1;
    } else if (size == largest) {
      ++largestCount;
    } else {
      second = size;
    }
  }
  const auto upTo = [&](double most) {
    if (most == 0) return 0.0;
    double squares = 0;
    std::uint64_t count = 0;
    for (const double element : elements) {
      if (!std::isfinite(element) || std::fabs(element) > most) continue;
      squares += (element / most) * (element / most);
      ++count;
    }
    return std::sqrt(squares / static_cast<double>(count)) * most;
  };
  const bool hasFill = largestCount > 1 && largest / kFillFactor > second;
  Rms out;
  out.others = upTo(hasFill ? second : largest);
  out.filled = hasFill && second > 0;
  out.all = out.filled ? out.others : upTo(largest);
  return out;
}

/// The rms of what an error of an operand's elements does to f of them: `error` of each, and `eps`
/// of its own size.
double errorOfFunction(const Function& f, const tensor::Tensor& operand, double error,
                       double eps = 0) {
  long double squares = 0;
  std::uint64_t count = 0;
  for (const double element : tensor::elementsOf(operand)) {
    const long double x = element, y = f(x), off = error + eps * std::fabs(element);
    if (!std::isfinite(y)) continue;
    long double most = 0;
    for (const long double other : {f(x + off), f(x - off)})
      if (std::isfinite(other)) most = std::max(most, std::fabs(other - y));
    squares += most * most;
    ++count;
  }
  return count == 0 ? 0 : static_cast<double>(std::sqrt(squares / static_cast<long double>(count)));
}

/// Functions whose derivatives are far from 1; others are taken to have at most 1.
const Function* functionOf(std::string_view name) {
  using L = long double;
  static const L kRoot2 = std::sqrt(L{2});
  static const std::map<std::string_view, Function> kFunctions{
      {"exp", [](L x) { return std::exp(x); }},
      {"exp2", [](L x) { return std::exp2(x); }},
      {"expm1", [](L x) { return std::expm1(x); }},
      {"log", [](L x) { return std::log(x); }},
      {"log2", [](L x) { return std::log2(x); }},
      {"log10", [](L x) { return std::log10(x); }},
      {"log1p", [](L x) { return std::log1p(x); }},
      {"sqrt", [](L x) { return std::sqrt(std::max(x, L{0})); }},
      {"rsqrt", [](L x) { return 1 / std::sqrt(x); }},
      {"reciprocal", [](L x) { return 1 / x; }},
      {"square", [](L x) { return x * x; }},
      {"sin", [](L x) { return std::sin(x); }},
      {"cos", [](L x) { return std::cos(x); }},
      {"tan", [](L x) { return std::tan(x); }},
      {"asin", [](L x) { return std::asin(x); }},
      {"acos", [](L x) { return std::acos(x); }},
      {"sinh", [](L x) { return std::sinh(x); }},
      {"cosh", [](L x) { return std::cosh(x); }},
      {"tanh", [](L x) { return std::tanh(x); }},
      {"sigmoid", [](L x) { return 1 / (1 + std::exp(-x)); }},
      {"silu", [](L x) { return x / (1 + std::exp(-x)); }},
      {"relu", [](L x) { return std::max(x, L{0}); }},
      {"gelu", [](L x) { return x * (1 + std::erf(x / kRoot2)) / 2; }},
      {"erf", [](L x) { return std::erf(x); }},
  };
  const auto found = kFunctions.find(name);
  return found == kFunctions.end() ? nullptr : &found->second;
}

double squareRoot(std::uint64_t terms) { return std::sqrt(static_cast<double>(terms)); }

class ErrorsOfNodes {
 public:
  ErrorsOfNodes(const fx::Program& program, const NodeValue& valueOf)
      : program_(program),
        valueOf_(valueOf),
        lowest_(lowestPrecisions(program)),
        known_(program.nodes.size()),
        scales_(program.nodes.size(), 0) {}

  std::vector<double> scales() {
    for (const fx::NodeId id : program_.main().nodes) measure(program_.node(id));
    return std::move(scales_);
  }

 private:
  /// What is known of a node's value.
  struct Known {
    bool value = false;
    std::vector<std::int64_t> sizes;
    double rms = 0;
    double rmsOfOthers = 0;  ///< without a fill; see Rms
    bool filled = false;
    double error = 0;        ///< absolute
    bool cancelled = false;  ///< the error is larger than the value's own
    bool rounded = false;    ///< it was computed, and so need not be the same everywhere
    /// An error that all elements along some dimensions have in common: those of a broadcast
    /// operand, such as the mean in x - mean(x).
    double common = 0;
    std::vector<bool> commonAlong;  ///< by dimension
    std::uint64_t elements() const { return tensor::elementCount(sizes).value_or(0); }
  };

  void measure(const fx::Node& node) {
    Known& known = known_[node.id.index()];
    if (node.val.tensor() == nullptr) return;
    const auto value = valueOf_(node.id);
    if (value) {
      known.value = true;
      known.sizes = value->sizes;
      const Rms rms = rmsOf(*value);
      known.rms = rms.all;
      known.rmsOfOthers = rms.others;
      known.filled = rms.filled;
    }
    const double eps = tensor::epsilonOf(lowest_[node.id.index()]);
    const DType dtype = node.val.tensor()->dtype;
    if (eps == 0 || !(isFloating(dtype) || isComplex(dtype))) return;
    eps_ = eps;
    known.error = eps * known.rms;
    if (node.op != fx::NodeOp::CallFunction) return;
    call_ = &node;
    element_ = 0;
    if (node.target == fx::kGetitem && !node.args.empty() && node.args[0].value.node() != nullptr) {
      call_ = &program_.node(*node.args[0].value.node());
      if (const auto* index = node.args.size() > 1 ? node.args[1].value.integer() : nullptr)
        element_ = *index;
    }
    result_ = &known;
    known.rounded = isRounded();
    const double error = value ? errorOfCall() : carried();
    shareErrors();
    if (!(error > kOrdinaryError * known.error) || !std::isfinite(error)) return;
    known.cancelled = true;
    known.error = error;
    scales_[node.id.index()] = error / eps;
  }

  // ---- Arguments of the call. An operand that is not a node, or not known, has no error.

  const fx::Argument* argument(std::string_view name) const {
    const fx::NodeArgument* found = call_->find(name);
    return found == nullptr ? nullptr : &found->value;
  }
  const fx::NodeId* nodeOf(std::string_view name) const {
    const fx::Argument* found = argument(name);
    return found == nullptr ? nullptr : found->node();
  }
  const Known& operand(std::string_view name) const {
    static const Known kNone;
    const fx::NodeId* id = nodeOf(name);
    return id == nullptr ? kNone : known_[id->index()];
  }
  /// The operand by which a product of matrices or vectors multiplies `self`.
  const Known& secondFactor(std::string_view product) const {
    if (product == "mv") return operand("vec");
    if (product == "mm" || product == "bmm") return operand("mat2");
    return operand(nodeOf("tensor") != nullptr ? "tensor" : "other");
  }
  double error(std::string_view name) const {
    const Known& known = operand(name);
    // Beside the fill of a mask, which the result has too, the other elements count.
    return result_->filled && !known.cancelled && known.rms > 0
               ? known.error * (known.rmsOfOthers / known.rms)
               : known.error;
  }
  std::optional<double> number(std::string_view name) const {
    const fx::Argument* found = argument(name);
    if (found == nullptr) return std::nullopt;
    if (const auto* real = std::get_if<double>(found)) return *real;
    if (const auto* integer = found->integer()) return static_cast<double>(*integer);
    return std::nullopt;
  }
  bool isSet(std::string_view name) const {
    const fx::Argument* found = argument(name);
    const bool* value = found == nullptr ? nullptr : std::get_if<bool>(found);
    return value != nullptr && *value;
  }
  double factor(std::string_view name) const { return std::fabs(number(name).value_or(1)); }
  std::optional<tensor::Tensor> valueOf(std::string_view name) const {
    const fx::NodeId* id = nodeOf(name);
    return id == nullptr ? std::nullopt : valueOf_(*id);
  }
  template <class Visit>
  void forOperands(Visit&& visit) const {
    for (const fx::NodeArgument& argument : call_->args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) { visit(known_[id.index()]); });
  }
  bool anyCancelled() const {
    bool any = false;
    forOperands([&](const Known& operand) { any = any || operand.cancelled; });
    return any;
  }

  // ---- Rules.

  /// The absolute error that the operands give the result; 0 for what neither cancels nor takes
  /// over an error.
  double errorOfCall() const {
    const std::string_view name = operatorOf(*call_);
    if (const auto cancelling = ofCancelling(name)) return *cancelling;
    return anyCancelled() ? ofOther(name) : ofSteep(name);
  }

  /// Elements that are moved, or chosen, are those of the operands.
  bool isRounded() const {
    static const std::set<std::string_view> kExact{
        "neg",     "abs",  "relu", "clamp", "clamp_min", "clamp_max", "maximum",
        "minimum", "amax", "amin", "max",   "min",       "sort",      "topk"};
    const OperatorValues* values = operatorValues(*call_);
    const bool isExact = (values != nullptr && values->passing == Passing::Moved) ||
                         kExact.contains(operatorOf(*call_));
    bool any = !isExact;
    forOperands([&](const Known& operand) { any = any || operand.rounded; });
    return any;
  }

  /// Of operators that make the rounding of an operand, or of what they compute on the way, a
  /// larger error: the sine of a million, the softmax of scores over 88.
  double ofSteep(std::string_view name) const {
    if (name == "scaled_dot_product_attention") {
      const Known &q = operand("query"), &k = operand("key");
      const double size = squareRoot(lastSize(q)), mask = operand("attn_mask").rmsOfOthers;
      const double scores =
          std::hypot(size * number("scale").value_or(1 / size) * q.rms * k.rms, mask);
      return operand("value").rms * std::min(1.0, 2 * eps_ * scores);
    }
    if (name.starts_with("grid_sampler") || name.starts_with("upsample_") ||
        name.starts_with("_upsample_")) {
      const Known& image = operand(nodeOf("input") != nullptr ? "input" : "self");
      return eps_ * image.rms * static_cast<double>(longestSize(image));
    }
    if (!operand("self").rounded) return 0;
    if (name == "frac" || name == "fmod" || name == "remainder")
      return eps_ * operand("self").rmsOfOthers;
    if (name == "softmax" || name == "_softmax")
      return result_->rms * std::min(1.0, 2 * eps_ * operand("self").rmsOfOthers);
    const auto value = valueOf("self");
    if (!value) return 0;
    if (const Function* function = functionOf(name))
      return errorOfFunction(*function, *value, 0, eps_);
    if (name != "pow" || !number("exponent")) return 0;
    const long double exponent = *number("exponent");
    return errorOfFunction([exponent](long double x) { return std::pow(x, exponent); }, *value, 0,
                           eps_);
  }

  /// Of operators whose results can be much smaller than their operands.
  std::optional<double> ofCancelling(std::string_view name) const {
    static const std::set<std::string_view> kProducts{"mm",  "bmm",  "matmul", "mv",
                                                      "dot", "vdot", "inner"};
    static const std::set<std::string_view> kDifferences{"l1_loss", "smooth_l1_loss", "huber_loss"};
    // Computed from terms of about 1, whose sum is 0 at some argument other than 0.
    static const std::set<std::string_view> kCrossZero{
        "log",     "log2",      "log10", "logit",         "lgamma",       "mvlgamma",
        "digamma", "polygamma", "sinc",  "special_ndtri", "special_entr", "special_bessel_j0"};
    if (name == "add" || name == "sub")
      return std::hypot(error("self"), factor("alpha") * error("other"));
    if (name == "rsub") return std::hypot(factor("alpha") * error("self"), error("other"));
    if (name == "lerp") return std::hypot(error("self"), error("end"));
    if (name == "addcmul")
      return std::hypot(error("self"),
                        factor("value") * ofProduct(operand("tensor1"), operand("tensor2"), 1));
    if (name == "addcdiv")
      return std::hypot(error("self"), factor("value") * ofQuotient("tensor1", "tensor2"));
    if (name == "sum") return ofSum();
    if (name == "mean") return ofSum() / static_cast<double>(terms());
    if (name == "cumsum") return squareRoot(longestSize(operand("self"))) * error("self");
    if (name == "var" || (name == "var_mean" && element_ == 0))
      return error("self") * (2 * std::sqrt(result_->rms) + error("self"));
    if (name == "std" || (name == "std_mean" && element_ == 0)) return error("self");
    if (kProducts.contains(name))
      return ofProduct(operand("self"), secondFactor(name), lastSize(operand("self")));
    if (name == "linear")
      return std::hypot(error("bias"),
                        ofProduct(operand("input"), operand("weight"), lastSize(operand("input"))));
    if (name == "addmm") return ofAdded("mat1", "mat2");
    if (name == "baddbmm" || name == "addbmm") return ofAdded("batch1", "batch2");
    if (name == "addmv") return ofAdded("mat", "vec");
    if (name == "einsum") return ofEinsum();
    if (name.find("conv") != std::string_view::npos && nodeOf("input") != nullptr) {
      const Known& weight = operand("weight");
      const std::uint64_t filters =
          weight.sizes.empty()
              ? 1
              : static_cast<std::uint64_t>(std::max<std::int64_t>(weight.sizes[0], 1));
      return std::hypot(error("bias"),
                        ofProduct(operand("input"), weight, weight.elements() / filters));
    }
    if (kCrossZero.contains(name))
      return std::hypot(eps_, operand("self").cancelled ? ofOther(name) : 0);
    if (name == "logsumexp" || name == "cross_entropy_loss") return std::hypot(eps_, error("self"));
    if (name == "log_softmax" || name == "_log_softmax") return std::hypot(eps_, 2 * error("self"));
    if (kDifferences.contains(name)) return std::hypot(error("self"), error("target"));
    if (name == "mse_loss") {
      const double of = std::hypot(error("self"), error("target"));
      return of * (2 * std::sqrt(result_->rms) + of);
    }
    if (name == "cdist" || name == "pairwise_distance") return std::hypot(error("x1"), error("x2"));
    if (name == "dist") return std::hypot(error("self"), error("other"));
    if (name == "diff") return std::hypot(error("self"), error("self"));
    if (name == "trace") return squareRoot(longestSize(operand("self"))) * error("self");
    if (name == "cross" || name == "linalg_cross")
      return ofProduct(operand("self"), operand("other"), 2);
    if (name == "logaddexp" || name == "logaddexp2")
      return std::hypot(eps_, std::hypot(error("self"), error("other")));
    if (name == "logcumsumexp" || name.starts_with("binary_cross_entropy"))
      return std::hypot(eps_, error("self"));
    if (name == "cosine_similarity")
      return std::hypot(eps_, std::hypot(relativeError("x1"), relativeError("x2")));
    if (name == "cosine_embedding_loss")
      return std::hypot(eps_, std::hypot(relativeError("input1"), relativeError("input2")));
    if (name == "kl_div") return ofDivergence();
    if (name.ends_with("_norm") && name.find("weight") == std::string_view::npos)
      return ofNormalization(name);
    return std::nullopt;
  }

  /// Of other operators, of whose operands at least one has an error larger than its own.
  double ofOther(std::string_view name) const {
    static const std::set<std::string_view> kFills{"fill",       "zero",      "full_like",
                                                   "zeros_like", "ones_like", "new_full",
                                                   "new_zeros",  "new_ones"};
    if (kFills.contains(name)) return 0;
    if (name == "copy") return error("src");
    if (name == "mul") {
      if (const auto scalar = number("other")) return std::fabs(*scalar) * error("self");
      return ofProduct(operand("self"), operand("other"), 1);
    }
    if (name == "div" || name == "true_divide") return ofQuotient("self", "other");
    if (name == "pow" && number("exponent")) {
      const long double exponent = *number("exponent");
      return ofFunction([exponent](long double x) { return std::pow(x, exponent); });
    }
    if (name == "prod" || name == "cumprod" || name == "pow") return ofRatio();
    if (name == "softmax" || name == "_softmax")
      return result_->rms * std::min(1.0, 2 * error("self"));
    if (name == "scaled_dot_product_attention") {
      const Known &q = operand("query"), &k = operand("key"), &v = operand("value");
      const double scores = squareRoot(lastSize(q)) *
                            number("scale").value_or(1 / squareRoot(lastSize(q))) *
                            std::hypot(k.rms * q.error, q.rms * k.error);
      return std::hypot(v.error, v.rms * std::min(1.0, scores));
    }
    if (const Function* function = functionOf(name)) return ofFunction(*function);
    return carried();
  }

  /// Of an operator whose derivatives are at most 1.
  double carried() const {
    if (!anyCancelled()) return 0;
    double out = 0;
    forOperands([&](const Known& operand) { out = std::hypot(out, operand.error); });
    return out;
  }

  double relativeError(std::string_view name) const {
    const Known& known = operand(name);
    return known.rms > 0 ? known.error / known.rms : 0;
  }

  /// Of target * (log(target) - self), which is left as it is, averaged (1) or added up (2).
  double ofDivergence() const {
    const Known& target = operand("target");
    const double of = std::hypot(target.rms * error("self"), target.error),
                 reduction = number("reduction").value_or(1);
    const double root = squareRoot(std::max<std::uint64_t>(operand("self").elements(), 1));
    if (reduction == 1) return of / root;
    return reduction == 2 ? of * root : of;
  }

  /// How many elements of the operand each element of the result was computed from.
  std::uint64_t terms() const {
    return std::max<std::uint64_t>(
        operand("self").elements() / std::max<std::uint64_t>(result_->elements(), 1), 1);
  }
  static std::uint64_t lastSize(const Known& known) {
    return known.sizes.empty()
               ? 1
               : static_cast<std::uint64_t>(std::max<std::int64_t>(known.sizes.back(), 1));
  }
  static std::uint64_t longestSize(const Known& known) {
    std::int64_t out = 1;
    for (const std::int64_t size : known.sizes) out = std::max(out, size);
    return static_cast<std::uint64_t>(out);
  }

  double ofSum() const {
    const Known& terms = operand("self");
    const fx::Argument* dims = argument("dim");
    const auto isReduced = [&](std::size_t d) {
      const auto is = [&](const fx::Argument& dim) {
        const std::int64_t* index = dim.integer();
        const auto rank = static_cast<std::int64_t>(terms.sizes.size());
        return index != nullptr &&
               (*index < 0 ? *index + rank : *index) == static_cast<std::int64_t>(d);
      };
      if (dims == nullptr || dims->isNone()) return true;
      const fx::ArgumentList* list = dims->list();
      return list == nullptr ? is(*dims)
                             : list->empty() || std::any_of(list->begin(), list->end(), is);
    };
    std::uint64_t equal = 1;  // terms with the same error
    for (std::size_t d = 0; d < terms.commonAlong.size(); ++d)
      if (terms.commonAlong[d] && isReduced(d))
        equal *= static_cast<std::uint64_t>(std::max<std::int64_t>(terms.sizes[d], 1));
    return squareRoot(this->terms()) * std::hypot(terms.error, squareRoot(equal) * terms.common);
  }

  /// Notes which error of the result its elements have in common.
  void shareErrors() const {
    const std::string_view name = operatorOf(*call_);
    if (name != "add" && name != "sub" && name != "rsub" && name != "expand") return;
    Known& out = *result_;
    forOperands([&](const Known& operand) {
      const std::size_t rank = out.sizes.size();
      if (!operand.value || operand.sizes.size() > rank) return;
      const std::size_t missing = rank - operand.sizes.size();
      std::vector<bool> along(rank, false);
      bool any = false;
      for (std::size_t d = 0; d < rank; ++d) {
        along[d] = out.sizes[d] > 1 && (d < missing || operand.sizes[d - missing] == 1);
        any = any || along[d];
      }
      const double common = any ? operand.error : operand.common;
      if (common <= out.common) return;
      if (!any)
        std::copy_backward(operand.commonAlong.begin(), operand.commonAlong.end(), along.end());
      out.common = common;
      out.commonAlong = std::move(along);
    });
  }

  double ofProduct(const Known& a, const Known& b, std::uint64_t terms) const {
    if (!a.value || !b.value) return ofRatio();
    return squareRoot(std::max<std::uint64_t>(terms, 1)) *
           std::hypot(a.rms * b.error, b.rms * a.error);
  }
  double ofAdded(std::string_view a, std::string_view b) const {
    return std::hypot(factor("beta") * error("self"),
                      factor("alpha") * ofProduct(operand(a), operand(b), lastSize(operand(a))));
  }
  double ofEinsum() const {
    const fx::Argument* tensors = argument("tensors");
    const fx::ArgumentList* list = tensors == nullptr ? nullptr : tensors->list();
    if (list == nullptr || list->size() != 2 || list->front().node() == nullptr ||
        list->back().node() == nullptr)
      return carried();
    const Known &a = known_[list->front().node()->index()],
                &b = known_[list->back().node()->index()];
    const double products = static_cast<double>(a.elements()) * static_cast<double>(b.elements());
    return std::pow(products / static_cast<double>(std::max<std::uint64_t>(result_->elements(), 1)),
                    0.25) *
           ofProduct(a, b, 1);
  }
  /// Relative errors are kept.
  double ofRatio() const {
    double most = 0;
    forOperands([&](const Known& operand) {
      if (operand.cancelled && operand.rms > 0) most = std::max(most, operand.error / operand.rms);
    });
    return result_->rms * most;
  }
  double ofQuotient(std::string_view above, std::string_view below) const {
    if (const auto scalar = number(below))
      return *scalar == 0 ? 0 : error(above) / std::fabs(*scalar);
    const auto divisor = valueOf(below);
    if (!divisor) return ofRatio();
    const double inverse = rmsOfInverse(*divisor, 0, false);
    return std::hypot(error(above) * inverse, result_->rms * error(below) * inverse);
  }
  double ofFunction(const Function& function) const {
    const auto value = valueOf("self");
    return value ? errorOfFunction(function, *value, error("self")) : ofRatio();
  }
  /// Of 1 / x, or of 1 / sqrt(x + eps).
  static double rmsOfInverse(const tensor::Tensor& tensor, double eps, bool root) {
    double squares = 0;
    std::uint64_t count = 0;
    for (const double element : tensor::elementsOf(tensor)) {
      const double square = root ? 1 / (element + eps) : 1 / (element * element);
      if (!std::isfinite(square)) continue;
      squares += square;
      ++count;
    }
    return count == 0 ? 0 : std::sqrt(squares / static_cast<double>(count));
  }

  /// Of group_norm.
  std::uint64_t groups() const {
    for (const std::string_view name : {"num_groups", "group"})
      if (const fx::Argument* given = argument(name);
          given != nullptr && given->integer() != nullptr)
        return static_cast<std::uint64_t>(
            std::clamp<std::int64_t>(*given->integer(), 1, std::int64_t{1} << 31));
    return 1;
  }

  /// Of layer_norm and its relatives, which divide what is left of x - mean(x) by its standard
  /// deviation.
  double ofNormalization(std::string_view name) const {
    if (name == "rms_norm") return anyCancelled() ? ofRatio() : 0;
    const std::string_view given = nodeOf("input") != nullptr ? "input" : "self";
    const auto x = valueOf(given);
    if (!x || element_ != 0 || x->sizes.empty() || x->elements() == 0) return carried();
    const double eps = number("eps").value_or(1e-5);
    const bool batch = name.find("batch_norm") != std::string_view::npos,
               group = name.find("group_norm") != std::string_view::npos;
    const bool layer = name.ends_with("layer_norm"), instance = name.ends_with("instance_norm");
    if (!batch && !group && !layer && !instance) return carried();
    double gain = 1;
    for (const std::string_view weight : {"weight", "gamma"})
      if (operand(weight).value) gain = operand(weight).rms;
    const auto variance = valueOf("running_var");
    const bool training = isSet("training") || isSet("train") || isSet("use_input_stats");
    if ((batch || instance) && !training && variance)
      return error(given) * rmsOfInverse(*variance, eps, true) * gain;

    // Element i belongs to the set (i / inner) % sets of those that are normalized together.
    const std::uint64_t elements = x->elements();
    const auto size = [&](std::size_t d) {
      return d < x->sizes.size() ? static_cast<std::uint64_t>(x->sizes[d]) : 1;
    };
    std::uint64_t sets = 1, inner = 1;
    if (batch) {
      sets = size(1);
      inner = elements / std::max<std::uint64_t>(size(0) * size(1), 1);
    } else {
      if (group) sets = size(0) * groups();
      if (instance) sets = size(0) * size(1);
      if (layer) {
        const fx::Argument* shape = argument("normalized_shape");
        const std::size_t dims =
            shape != nullptr && shape->list() != nullptr ? shape->list()->size() : 1;
        for (std::size_t d = 0; d + dims < x->sizes.size(); ++d) sets *= size(d);
      }
      inner = elements / std::max<std::uint64_t>(sets, 1);
    }
    if (sets == 0 || inner == 0) return carried();
    std::vector<double> sums(sets, 0), squares(sets, 0);
    const std::vector<double> values = tensor::elementsOf(*x);
    const double each = static_cast<double>(elements) / static_cast<double>(sets);
    for (std::size_t i = 0; i < values.size(); ++i) sums[(i / inner) % sets] += values[i];
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double deviation = values[i] - sums[(i / inner) % sets] / each;
      squares[(i / inner) % sets] += deviation * deviation;
    }
    double errors = 0;  // squares; what is normalized has an rms of at most 1
    for (const double of : squares)
      errors += std::min(1.0, error(given) * error(given) / (of / each + eps));
    return std::sqrt(errors / static_cast<double>(sets)) * gain;
  }

  const fx::Program& program_;
  const NodeValue& valueOf_;
  const std::vector<DType> lowest_;
  std::vector<Known> known_;
  std::vector<double> scales_;
  const fx::Node* call_ = nullptr;  ///< whose result is measured
  std::int64_t element_ = 0;        ///< of the call's tuple
  double eps_ = 0;                  ///< of the result
  Known* result_ = nullptr;
};

}  // namespace

std::vector<double> errorScales(const fx::Program& program, const NodeValue& valueOf) {
  return ErrorsOfNodes(program, valueOf).scales();
}

}  // namespace fxs::compare
