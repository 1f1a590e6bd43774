// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What torch.export.default_decompositions() makes of steps of recurrent networks, checked against
// PyTorch operation by operation.
#include "rewrite/default_parts.h"

namespace fxs::rewrite {
namespace {

/// x @ weight.T, with the bias if there is one.
Tensor projected(Emitter& e, const Tensor& x, const char* weightName, const char* biasName) {
  const Tensor weight = e.tensor(weightName);
  const std::optional<Tensor> bias = e.optionalTensor(biasName);
  e.require(isWide(x) && x.rank() == 2 && weight.rank() == 2 && weight.dtype() == x.dtype());
  const Tensor columns = permuted(e, weight, 0, 1);
  const std::vector<fx::SymInt> sizes{x.meta.sizes[0], weight.meta.sizes[0]};
  if (!bias) return e.op("aten.mm.default", {x.value, columns.value}, x.dtype(), sizes);
  return e.op("aten.addmm.default", {bias->value, x.value, columns.value}, x.dtype(), sizes);
}
Tensor ofInput(Emitter& e) { return projected(e, e.tensor("input"), "w_ih", "b_ih"); }
Tensor ofState(Emitter& e, const Tensor& state) { return projected(e, state, "w_hh", "b_hh"); }

std::vector<Tensor> gatesOf(Emitter& e, const Tensor& x, std::int64_t count) {
  const std::int64_t size = e.fixed(x, 1) / count;
  e.require(size * count == e.fixed(x, 1));
  const fx::TensorMeta part = e.meta(x.dtype(), {x.meta.sizes[0], fx::SymInt(size)});
  const auto parts = static_cast<std::size_t>(count);
  const std::vector<fx::Argument> values =
      e.call("aten.split_with_sizes.default",
             {{"self", x.value, false},
              {"split_sizes", fx::ArgumentList(parts, size), false},
              {"dim", std::int64_t{1}, false}},
             fx::ValueList(parts, part));
  std::vector<Tensor> out;
  for (const fx::Argument& value : values) out.push_back({value, part});
  return out;
}

Results gru(Emitter& e) {
  const Tensor state = e.tensor("hx");
  const std::vector<Tensor> x = gatesOf(e, ofInput(e), 3), h = gatesOf(e, ofState(e, state), 3);
  const Tensor reset = e.sigmoid(e.add(h[0], x[0])), update = e.sigmoid(e.add(h[1], x[1]));
  const Tensor next = e.tanh(e.add(x[2], e.mul(h[2], reset)));
  return one(e.add(e.mul(e.sub(state, next), update), next));
}

Results lstm(Emitter& e) {
  const std::vector<Tensor> state = e.tensors("hx");
  e.require(state.size() == 2);
  const Tensor ofHidden = ofState(e, state[0]);
  const std::vector<Tensor> gates = gatesOf(e, e.add(ofHidden, ofInput(e)), 4);
  const Tensor input = e.sigmoid(gates[0]), kept = e.sigmoid(gates[1]), next = e.tanh(gates[2]),
               output = e.sigmoid(gates[3]);
  const Tensor cell = e.add(e.mul(kept, state[1]), e.mul(input, next));
  return std::vector<fx::Argument>{e.mul(output, e.tanh(cell)).value, cell.value};
}

Results simple(Emitter& e) {
  const Tensor ofHidden = ofState(e, e.tensor("hx"));
  const bool isTanh = e.matched().target == "aten.rnn_tanh_cell.default";
  return one(e.unary(isTanh ? "tanh" : "relu", e.add(ofHidden, ofInput(e))));
}

}  // namespace

void addDefaultCells(RewriteRules& forms) {
  addDefault(forms, {"aten.gru_cell.default"}, gru);
  addDefault(forms, {"aten.lstm_cell.default"}, lstm);
  addDefault(forms, {"aten.rnn_tanh_cell.default", "aten.rnn_relu_cell.default"}, simple);
}

}  // namespace fxs::rewrite
