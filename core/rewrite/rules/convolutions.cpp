// The convolutions that modules call, as aten.convolution. torch-mlir supports them directly.
#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// One number for each spatial dimension; a single one is repeated.
std::vector<std::int64_t> spread(std::vector<std::int64_t> values, std::size_t spatial) {
  if (values.size() == 1) values.assign(spatial, values[0]);
  return values;
}

fx::ArgumentList listOf(const std::vector<std::int64_t>& values) { return fx::ArgumentList(values.begin(), values.end()); }

struct Form {
  Tensor input, weight;
  std::optional<Tensor> bias;
  std::size_t spatial = 0;
  std::vector<std::int64_t> stride, padding, dilation, outputPadding;
  std::int64_t groups = 1;
};

Form formOf(Emitter& e, std::size_t spatial) {
  Form form{e.tensor("input"), e.tensor("weight"), e.optionalTensor("bias"), spatial, {}, {}, {}, {}, e.integer("groups")};
  form.stride = spread(e.integers("stride"), spatial);
  form.dilation = spread(e.integers("dilation"), spatial);
  form.outputPadding.assign(spatial, 0);
  const std::size_t rank = form.input.rank();
  e.require((rank == spatial + 2 || rank == spatial + 1) && form.weight.rank() == spatial + 2 && form.stride.size() == spatial &&
            form.dilation.size() == spatial);
  return form;
}

/// An input without a batch temporarily gets a batch of 1.
Results convolution(Emitter& e, const Form& form, bool transposed) {
  e.require(form.padding.size() == form.spatial && form.outputPadding.size() == form.spatial);
  const bool single = form.input.rank() == form.spatial + 1;
  const Tensor x = single ? e.unsqueeze(form.input, 0) : form.input;
  const fx::TensorMeta result = e.result();
  std::vector<fx::SymInt> sizes = result.sizes;
  if (single) sizes.insert(sizes.begin(), fx::SymInt(1));
  const fx::Argument bias = form.bias ? form.bias->value : fx::Argument(fx::None{});
  const Tensor out = e.op("aten.convolution.default",
                          {x.value, form.weight.value, bias, listOf(form.stride), listOf(form.padding), listOf(form.dilation), transposed,
                           listOf(form.outputPadding), form.groups},
                          result.dtype, std::move(sizes));
  return one(single ? e.squeeze(out, 0) : out);
}

template <std::size_t spatial>
Results forward(Emitter& e) {
  Form form = formOf(e, spatial);
  form.padding = spread(e.integers("padding"), spatial);
  return convolution(e, form, false);
}

/// "same" pads to keep the size; an odd amount requires one more at the end, which the convolution cannot express.
template <std::size_t spatial>
Results forwardWords(Emitter& e) {
  Form form = formOf(e, spatial);
  const std::string words = e.text("padding");
  e.require(words == "valid" || words == "same");
  for (std::size_t i = 0; i < spatial; ++i) {
    const std::int64_t total = words == "same" ? saturated(form.dilation[i], e.fixed(form.weight, i + 2) - 1) : 0;
    e.require(total % 2 == 0);
    form.padding.push_back(total / 2);
  }
  return convolution(e, form, false);
}

template <std::size_t spatial>
Results backward(Emitter& e) {
  Form form = formOf(e, spatial);
  form.padding = spread(e.integers("padding"), spatial);
  form.outputPadding = spread(e.integers("output_padding"), spatial);
  return convolution(e, form, true);
}

}  // namespace

void registerConvolutions(RewriteRules& rules) {
  const auto add = [&](std::string target, auto apply) {
    const std::string id = "decompose:" + target.substr(0, target.rfind('.'));
    rules.add({std::move(target), "becomes aten.convolution", false, apply, id});
  };
  add("aten.conv1d.default", forward<1>);
  add("aten.conv2d.default", forward<2>);
  add("aten.conv3d.default", forward<3>);
  add("aten.conv1d.padding", forwardWords<1>);
  add("aten.conv2d.padding", forwardWords<2>);
  add("aten.conv3d.padding", forwardWords<3>);
  add("aten.conv_transpose1d.default", backward<1>);
  add("aten.conv_transpose2d.input", backward<2>);
  add("aten.conv_transpose3d.input", backward<3>);
}

}  // namespace fxs::rewrite
