// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The convolutions that modules call, as aten.convolution, and groups that an output type does not
// support as convolutions of their own. torch-mlir supports most directly.
#include <fmt/format.h>

#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// One number for each spatial dimension; a single one is repeated.
std::vector<std::int64_t> spread(std::vector<std::int64_t> values, std::size_t spatial) {
  if (values.size() == 1) values.assign(spatial, values[0]);
  return values;
}

fx::ArgumentList listOf(const std::vector<std::int64_t>& values) {
  return fx::ArgumentList(values.begin(), values.end());
}

struct Form {
  Tensor input, weight;
  std::optional<Tensor> bias;
  std::size_t spatial = 0;
  std::vector<std::int64_t> stride, padding, dilation, outputPadding;
  std::int64_t groups = 1;
};

Form formOf(Emitter& e, std::size_t spatial) {
  Form form{
      e.tensor("input"),  e.tensor("weight"), e.optionalTensor("bias"), spatial, {}, {}, {}, {},
      e.integer("groups")};
  form.stride = spread(e.integers("stride"), spatial);
  form.dilation = spread(e.integers("dilation"), spatial);
  form.outputPadding.assign(spatial, 0);
  const std::size_t rank = form.input.rank();
  e.require((rank == spatial + 2 || rank == spatial + 1) && form.weight.rank() == spatial + 2 &&
            form.stride.size() == spatial && form.dilation.size() == spatial);
  return form;
}

fx::Argument biasOf(const std::optional<Tensor>& bias) {
  return bias ? bias->value : fx::Argument(fx::None{});
}

/// One channel of the input for each group, in two dimensions: every output type supports it.
bool isDepthwise(const Form& form) {
  return form.spatial == 2 && form.input.meta.sizes[1] == fx::SymInt(form.groups);
}

/// Each group's convolution, concatenated.
Tensor byGroups(Emitter& e, const Form& form, const fx::TensorMeta& result) {
  const std::int64_t in = e.fixed(form.input, 1), out = e.fixed(form.weight, 0);
  e.require(in % form.groups == 0 && out % form.groups == 0);
  e.expectNodes(4 * static_cast<std::uint64_t>(form.groups));
  const std::int64_t inputs = in / form.groups, outputs = out / form.groups;
  std::vector<fx::SymInt> sizes = result.sizes;
  sizes[1] = fx::SymInt(outputs);
  std::vector<Tensor> parts;
  for (std::int64_t g = 0; g < form.groups; ++g) {
    const auto own = [&](const Tensor& t) { return e.slice(t, 0, g * outputs, (g + 1) * outputs); };
    std::optional<Tensor> bias;
    if (form.bias) bias = own(*form.bias);
    parts.push_back(
        e.op("aten.convolution.default",
             {e.slice(form.input, 1, g * inputs, (g + 1) * inputs).value, own(form.weight).value,
              biasOf(bias), listOf(form.stride), listOf(form.padding), listOf(form.dilation), false,
              listOf(form.outputPadding), std::int64_t{1}},
             result.dtype, sizes));
  }
  return e.cat(parts, 1);
}

/// A transposed convolution as one of the input with zeros between its elements, by the flipped
/// weight.
Form straight(Emitter& e, const Form& form) {
  Form out = form;
  const std::int64_t in = e.fixed(form.weight, 0), each = e.fixed(form.weight, 1);
  e.require(in % form.groups == 0);
  std::vector<std::int64_t> pads;
  Sizes kernel;
  for (std::size_t i = 0; i < form.spatial; ++i) {
    const std::size_t dim = i + 2;
    const std::int64_t size = e.fixed(out.input, dim), stride = form.stride[i],
                       taps = e.fixed(form.weight, dim);
    e.require(size > 0 && stride > 0 && taps > 0);
    e.require(size <= kMaxNumber && stride <= kMaxNumber && saturated(size, stride) <= kMaxNumber);
    if (stride > 1) {
      Sizes full = e.sizes(out.input);
      full[dim] = Size::of(size * stride);
      std::vector<std::int64_t> after(2 * (out.input.rank() - dim), 0);
      after.back() = stride - 1;
      const Tensor spaced = e.pad(e.unsqueeze(out.input, dim + 1), after, 0);
      out.input = e.slice(e.reshape(spaced, full), dim, 0, (size - 1) * stride + 1);
    }
    const std::int64_t reach = saturated(form.dilation[i], taps - 1);
    e.require(reach <= kMaxNumber && form.padding[i] >= 0 && form.padding[i] <= reach &&
              form.outputPadding[i] >= 0);
    out.padding[i] = reach - form.padding[i];
    pads.insert(pads.begin(), {0, form.outputPadding[i]});
    kernel.push_back(Size::of(taps));
  }
  if (std::any_of(pads.begin(), pads.end(), [](std::int64_t p) { return p > 0; }))
    out.input = e.pad(out.input, pads, 0);
  const auto shaped = [&](const std::vector<std::int64_t>& lead) {
    Sizes sizes = sizesOf(lead);
    sizes.insert(sizes.end(), kernel.begin(), kernel.end());
    return sizes;
  };
  const Tensor grouped =
      e.transpose(e.reshape(form.weight, shaped({form.groups, in / form.groups, each})), 1, 2);
  out.weight = e.reshape(grouped, shaped({saturated(form.groups, each), in / form.groups}));
  for (std::size_t i = 0; i < form.spatial; ++i) out.weight = e.flip(out.weight, i + 2);
  out.stride.assign(form.spatial, 1);
  out.outputPadding.assign(form.spatial, 0);
  return out;
}

Tensor grouped(Emitter& e, const Form& form, const fx::TensorMeta& result, bool transposed) {
  const Form f = transposed ? straight(e, form) : form;
  if (!isDepthwise(f)) return byGroups(e, f, result);
  return e.op("aten.convolution.default",
              {f.input.value, f.weight.value, biasOf(f.bias), listOf(f.stride), listOf(f.padding),
               listOf(f.dilation), false, listOf(f.outputPadding), f.groups},
              result);
}

/// An input without a batch temporarily gets a batch of 1.
Results convolution(Emitter& e, Form form, bool transposed) {
  e.require(form.padding.size() == form.spatial && form.outputPadding.size() == form.spatial &&
            form.groups > 0);
  const bool single = form.input.rank() == form.spatial + 1;
  if (single) form.input = e.unsqueeze(form.input, 0);
  const fx::TensorMeta result = e.result();
  std::vector<fx::SymInt> sizes = result.sizes;
  if (single) sizes.insert(sizes.begin(), fx::SymInt(1));
  e.require(sizes.size() == form.spatial + 2);
  const fx::TensorMeta full = e.meta(result.dtype, std::move(sizes));
  const Tensor out = form.groups > 1 && (transposed || !isDepthwise(form))
                         ? grouped(e, form, full, transposed)
                         : e.op("aten.convolution.default",
                                {form.input.value, form.weight.value, biasOf(form.bias),
                                 listOf(form.stride), listOf(form.padding), listOf(form.dilation),
                                 transposed, listOf(form.outputPadding), form.groups},
                                full);
  return one(single ? e.squeeze(out, 0) : out);
}

/// aten.convolution itself, if it has groups.
template <bool transposed>
Results general(Emitter& e) {
  const Tensor weight = e.tensor("weight");
  e.require(weight.rank() >= 3 && weight.rank() <= 5 &&
            (transposed || e.tensor("input").rank() == weight.rank()));
  Form form = formOf(e, weight.rank() - 2);
  e.require(e.flag("transposed") == transposed);
  form.padding = spread(e.integers("padding"), form.spatial);
  if (transposed) form.outputPadding = spread(e.integers("output_padding"), form.spatial);
  if (form.groups <= 1 ||
      (!transposed && form.input.rank() == form.spatial + 2 && isDepthwise(form)))
    return {};
  return convolution(e, form, transposed);
}

template <std::size_t spatial>
Results forward(Emitter& e) {
  Form form = formOf(e, spatial);
  form.padding = spread(e.integers("padding"), spatial);
  return convolution(e, form, false);
}

/// With a batch, for which the rule has a form in Python.
template <std::size_t spatial>
Results forwardOfBatch(Emitter& e) {
  e.require(e.tensor("input").rank() == spatial + 2);
  return forward<spatial>(e);
}

/// "same" pads to keep the size; an odd amount requires one more at the end, which the convolution
/// cannot express.
template <std::size_t spatial>
Results forwardByName(Emitter& e) {
  Form form = formOf(e, spatial);
  const std::string mode = e.text("padding");
  e.require(mode == "valid" || mode == "same");
  for (std::size_t i = 0; i < spatial; ++i) {
    const std::int64_t total =
        mode == "same" ? saturated(form.dilation[i], e.fixed(form.weight, i + 2) - 1) : 0;
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

/// Rule::python of a convolution for each group, by a call with these arguments behind its tensors.
/// `stays`: for which calls there is none. What PyTorch makes of a single group by itself is
/// aten.convolution, too.
std::string byGroups(std::string_view stays, std::string_view called,
                     std::string_view arguments = "stride, padding, dilation",
                     std::string_view before = "") {
  return fmt::format(
      "    if {}:\n"
      "        return NotImplemented\n"
      "    biases = [None] * groups if bias is None else bias.tensor_split(groups)\n"
      "    parts = zip(input.tensor_split(groups, 1), weight.tensor_split(groups), biases)\n"
      "{}"
      "    return torch.cat([aten.{}(*part, {}) for part in parts], 1)\n",
      stays, before, called, arguments);
}

/// byGroups() of an input that may have no batch. `before`: what sets what the operator has not.
std::string byGroupsOfAny(std::string_view called, std::string_view before = "") {
  return fmt::format(
      "{1}"
      "    x = input if input.dim() == weight.dim() else input.unsqueeze(0)\n"
      "    if groups == 1 or x.dim() == 4 and groups == x.shape[1]:\n"
      "        if x is input:\n"
      "            return NotImplemented\n"
      "        return aten.{0}(x, weight, bias, stride, padding, dilation, groups).squeeze(0)\n"
      "    biases = [None] * groups if bias is None else bias.tensor_split(groups)\n"
      "    parts = zip(x.tensor_split(groups, 1), weight.tensor_split(groups), biases)\n"
      "    out = torch.cat([aten.{0}(*part, stride, padding, dilation) for part in parts], 1)\n"
      "    return out if x is input else out.squeeze(0)\n",
      called, before);
}

/// Rule::python of a transposed one: straight(), and a convolution for each group. `first`: for
/// which calls there is none, or another one. `x` has a batch.
std::string transposedInPython(std::string_view first) {
  return fmt::format(
      "    n = weight.dim() - 2\n"
      "    x, edges, pads = input if input.dim() > n + 1 else input.unsqueeze(0), [], []\n"
      "{}"
      "    each = (list(x) * (n // len(x)) for x in (stride, padding, output_padding, dilation))\n"
      "    for d, (step, pad, more, gap) in enumerate(zip(*each), 2):\n"
      "        if step > 1:  # with zeros between the elements\n"
      "            spaced = [0] * (2 * (n + 1 - d)) + [0, step - 1]\n"
      "            x = aten.constant_pad_nd(x.unsqueeze(d + 1), spaced).flatten(d, d + 1)\n"
      "            x = x.narrow(d, 0, x.shape[d] - step + 1)\n"
      "        edges.append(gap * (weight.shape[d] - 1) - pad)\n"
      "        pads = [0, more] + pads\n"
      "    if min(edges) < 0:\n"
      "        return NotImplemented\n"
      "    x = aten.constant_pad_nd(x, pads) if any(pads) else x\n"
      "    w = weight.unflatten(0, [groups, -1]).transpose(1, 2).flatten(0, 1)\n"
      "    w = w.flip(list(range(2, n + 2)))\n"
      "    sizes = ([1] * n, edges, list(dilation), False, [0] * n)\n"
      "    if n == 2 and groups == x.shape[1]:\n"
      "        x = aten.convolution(x, w, bias, *sizes, groups)\n"
      "    else:\n"
      "        biases = [None] * groups if bias is None else bias.tensor_split(groups)\n"
      "        parts = zip(x.tensor_split(groups, 1), w.tensor_split(groups), biases)\n"
      "        x = torch.cat([aten.convolution(*part, *sizes, 1) for part in parts], 1)\n"
      "    return x if input.dim() > n + 1 else x.squeeze(0)\n",
      first);
}

}  // namespace

void registerConvolutions(RewriteRules& rules) {
  // The rules refer to them.
  static const std::string by1d = byGroups("groups == 1", "conv1d"),
                           by2d = byGroups("groups in (1, input.shape[1])", "conv2d"),
                           by3d = byGroups("groups == 1", "conv3d"),
                           any1d = byGroupsOfAny("conv1d"), any2d = byGroupsOfAny("conv2d"),
                           any3d = byGroupsOfAny("conv3d"),
                           ofAny = byGroups(
                               "transposed or groups == 1 or weight.dim() == 4 and groups == "
                               "input.shape[1]",
                               "convolution", "*sizes",
                               "    sizes = (stride, padding, dilation, False, output_padding, "
                               "1)\n"),
                           transposed = transposedInPython(
                               "    if groups == 1 and input.dim() > n + 1:\n"
                               "        return NotImplemented\n"
                               "    if groups == 1:\n"
                               "        sizes = (stride, padding, dilation, True, output_padding, "
                               "1)\n"
                               "        return aten.convolution(x, weight, bias, *sizes).squeeze(0)"
                               "\n"),
                           ofAnyTransposed = transposedInPython(
                               "    if groups == 1 or not transposed:\n"
                               "        return NotImplemented\n");
  constexpr std::string_view kByName =
      "    spans = zip(weight.shape[2:], list(dilation) * (weight.dim() - 2))\n"
      "    totals = [gap * (k - 1) if padding == \"same\" else 0 for k, gap in spans]\n"
      "    if any(total % 2 for total in totals):\n"
      "        return NotImplemented\n"
      "    padding = [total // 2 for total in totals]\n";
  static const std::string byName1d = byGroupsOfAny("conv1d", kByName),
                           byName2d = byGroupsOfAny("conv2d", kByName),
                           byName3d = byGroupsOfAny("conv3d", kByName);
  const auto add = [&](std::string target, auto apply, std::string_view python = {},
                       int level = 0) {
    const std::string id = "decompose:" + target.substr(0, target.rfind('.'));
    rules.add({std::move(target),
               "becomes aten.convolution, one for each group where they have several channels",
               false, apply, id, python, false, level});
  };
  const std::string ofGroups = "becomes a convolution for each group",
                    id = "decompose:aten.convolution";
  rules.add({"aten.convolution.default", ofGroups, false, general<false>, id, ofAny});
  rules.add({"aten.convolution.default", ofGroups, false, general<true>, id, ofAnyTransposed});
  add("aten.conv1d.default", forwardOfBatch<1>, by1d);
  add("aten.conv1d.default", forward<1>, any1d, 1);
  add("aten.conv2d.default", forwardOfBatch<2>, by2d);
  add("aten.conv2d.default", forward<2>, any2d, 1);
  add("aten.conv3d.default", forwardOfBatch<3>, by3d);
  add("aten.conv3d.default", forward<3>, any3d, 1);
  add("aten.conv1d.padding", forwardByName<1>, byName1d);
  add("aten.conv2d.padding", forwardByName<2>, byName2d);
  add("aten.conv3d.padding", forwardByName<3>, byName3d);
  add("aten.conv_transpose1d.default", backward<1>, transposed);
  add("aten.conv_transpose2d.input", backward<2>, transposed);
  add("aten.conv_transpose3d.input", backward<3>, transposed);
}

}  // namespace fxs::rewrite
