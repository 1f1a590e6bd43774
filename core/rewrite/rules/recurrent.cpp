// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent layers and cells, unrolled: one linear for the products with the whole input sequence,
// and one per step for those with the hidden state.
#include <functional>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

constexpr std::int64_t kMaxSteps = 1024;
constexpr std::int64_t kMaxStepsInAll = 8192;

enum class Cell { Lstm, Gru, RnnTanh, RnnRelu };

struct Weights {
  Tensor input, hidden;
  std::optional<Tensor> inputBias, hiddenBias, projection;
};

struct State {
  Tensor hidden;
  std::optional<Tensor> memory;  ///< LSTM's c
};

/// Part `index` of `count` equal parts of the last dimension.
Tensor gate(Emitter& e, const Tensor& gates, std::int64_t index, std::int64_t count) {
  const std::int64_t width = gates.meta.sizes.back().value() / count;
  return e.slice(gates, gates.rank() - 1, index * width, (index + 1) * width);
}

/// One step; `fromInput` is the input's product with its weights and bias.
State step(Emitter& e, Cell cell, const Tensor& fromInput, const State& state, const Weights& w) {
  const Tensor fromHidden = e.linear(state.hidden, w.hidden, w.hiddenBias);
  if (cell == Cell::Gru) {
    const Tensor reset = e.sigmoid(e.add(gate(e, fromInput, 0, 3), gate(e, fromHidden, 0, 3)));
    const Tensor update = e.sigmoid(e.add(gate(e, fromInput, 1, 3), gate(e, fromHidden, 1, 3)));
    const Tensor fresh =
        e.tanh(e.add(gate(e, fromInput, 2, 3), e.mul(reset, gate(e, fromHidden, 2, 3))));
    return {e.add(e.mul(e.sub(state.hidden, fresh), update), fresh), std::nullopt};
  }
  const Tensor gates = e.add(fromInput, fromHidden);
  if (cell == Cell::RnnTanh) return {e.tanh(gates), std::nullopt};
  if (cell == Cell::RnnRelu) return {e.relu(gates), std::nullopt};
  const Tensor in = e.sigmoid(gate(e, gates, 0, 4)), forget = e.sigmoid(gate(e, gates, 1, 4));
  const Tensor fresh = e.tanh(gate(e, gates, 2, 4)), out = e.sigmoid(gate(e, gates, 3, 4));
  const Tensor memory = e.add(e.mul(forget, *state.memory), e.mul(in, fresh));
  Tensor hidden = e.mul(out, e.tanh(memory));
  if (w.projection) hidden = e.linear(hidden, *w.projection, std::nullopt);
  return {hidden, memory};
}

bool wellFormed(const Weights& w, const State& s, Cell cell) {
  std::int64_t gates = 1;
  if (cell == Cell::Lstm) gates = 4;
  else if (cell == Cell::Gru) gates = 3;
  const auto known = [](const Tensor& t, std::size_t rank) {
    return t.rank() == rank && t.meta.isStaticShape();
  };
  return known(w.input, 2) && known(w.hidden, 2) && w.input.meta.sizes[0].value() % gates == 0 &&
         isFloating(w.input.dtype()) && s.memory.has_value() == (cell == Cell::Lstm);
}

template <Cell cell>
Results runCell(Emitter& e) {
  const Tensor x = e.tensor("input");
  State state;
  if (cell == Cell::Lstm) {
    const std::vector<Tensor> hx = e.tensors("hx");
    e.require(hx.size() == 2);
    state = {hx[0], hx[1]};
  } else {
    state = {e.tensor("hx"), std::nullopt};
  }
  const Weights w{e.tensor("w_ih"), e.tensor("w_hh"), e.optionalTensor("b_ih"),
                  e.optionalTensor("b_hh"), std::nullopt};
  e.require(x.rank() > 0 && wellFormed(w, state, cell));
  const State next = step(e, cell, e.linear(x, w.input, w.inputBias), state, w);
  std::vector<fx::Argument> results{next.hidden.value};
  if (next.memory) results.push_back(next.memory->value);
  return results;
}

struct Layer {
  Tensor output;  ///< [T, B, H]
  State last;
};

/// One direction of one layer over x [T, B, I].
Layer runDirection(Emitter& e, Cell cell, const Tensor& x, State state, const Weights& w,
                   std::int64_t steps, bool backwards) {
  const Tensor fromInput = e.linear(x, w.input, w.inputBias);
  std::vector<Tensor> outputs(static_cast<std::size_t>(steps));
  for (std::int64_t i = 0; i < steps; ++i) {
    const std::int64_t t = backwards ? steps - 1 - i : i;
    state = step(e, cell, e.squeeze(e.slice(fromInput, 0, t, t + 1), 0), state, w);
    outputs[static_cast<std::size_t>(t)] = state.hidden;
  }
  return {e.stack(outputs, 0), state};
}

Tensor row(Emitter& e, const Tensor& states, std::size_t index) {
  const auto i = static_cast<std::int64_t>(index);
  return e.squeeze(e.slice(states, 0, i, i + 1), 0);
}

template <Cell cell>
Results runLayers(Emitter& e) {
  Tensor x = e.tensor("input");
  const std::vector<Tensor> params = e.tensors("params");
  const bool biases = e.flag("has_biases"), train = e.flag("train"), both = e.flag("bidirectional"),
             batchFirst = e.flag("batch_first");
  const std::int64_t layers = e.integer("num_layers");
  const double dropout = e.number("dropout");
  std::vector<Tensor> initial;
  if (cell == Cell::Lstm) initial = e.tensors("hx");
  else initial.push_back(e.tensor("hx"));
  e.require(layers > 0 && layers <= 1024 && initial.size() == (cell == Cell::Lstm ? 2u : 1u) &&
            (x.rank() == 2 || x.rank() == 3));

  const bool unbatched = x.rank() == 2, flipped = batchFirst && !unbatched;
  const std::size_t directions = both ? 2 : 1, runs = static_cast<std::size_t>(layers) * directions;
  const std::int64_t steps = e.fixed(x, flipped ? 1 : 0);
  const std::size_t each = params.size() / runs, plain = biases ? 4 : 2;
  e.require(params.size() % runs == 0 &&
            (each == plain || (cell == Cell::Lstm && each == plain + 1)));
  e.require(steps > 0 && steps <= kMaxSteps &&
            steps * static_cast<std::int64_t>(runs) <= kMaxStepsInAll);
  for (const Tensor& state : initial)
    e.require(state.rank() == x.rank() && e.fixed(state, 0) == static_cast<std::int64_t>(runs));

  std::vector<Weights> weights;
  for (std::size_t run = 0; run < runs; ++run) {
    const Tensor* p = &params[run * each];
    Weights w{p[0], p[1], std::nullopt, std::nullopt, std::nullopt};
    if (biases) {
      w.inputBias = p[2];
      w.hiddenBias = p[3];
    }
    if (each > plain) w.projection = p[plain];
    State probe{initial[0], std::nullopt};
    if (cell == Cell::Lstm) probe.memory = initial[1];
    e.require(wellFormed(w, probe, cell));
    weights.push_back(std::move(w));
  }

  if (unbatched) {
    x = e.unsqueeze(x, 1);
    for (Tensor& state : initial) state = e.unsqueeze(state, 1);
  }
  if (flipped) x = e.transpose(x, 0, 1);
  std::vector<Tensor> hidden, memory;
  for (std::size_t layer = 0; layer < static_cast<std::size_t>(layers); ++layer) {
    std::vector<Tensor> sides;
    for (std::size_t side = 0; side < directions; ++side) {
      const std::size_t run = layer * directions + side;
      State state{row(e, initial[0], run), std::nullopt};
      if (cell == Cell::Lstm) state.memory = row(e, initial[1], run);
      const Layer done = runDirection(e, cell, x, state, weights[run], steps, side == 1);
      sides.push_back(done.output);
      hidden.push_back(done.last.hidden);
      if (done.last.memory) memory.push_back(*done.last.memory);
    }
    x = e.cat(sides, 2);
    if (train && dropout > 0 && layer + 1 < static_cast<std::size_t>(layers))
      x = e.op("aten.dropout.default", {x.value, dropout, true}, x.meta);
  }
  if (flipped) x = e.transpose(x, 0, 1);
  std::vector<Tensor> results{x, e.stack(hidden, 0)};
  if (cell == Cell::Lstm) results.push_back(e.stack(memory, 0));
  std::vector<fx::Argument> values;
  for (const Tensor& result : results)
    values.push_back((unbatched ? e.squeeze(result, 1) : result).value);
  return values;
}

}  // namespace

void registerRecurrent(RewriteRules& rules) {
  const std::string unrolled = "is unrolled step by step", formula = "becomes its formula";
  rules.add({"aten.lstm.input", unrolled, true, runLayers<Cell::Lstm>, "decompose:aten.lstm"});
  rules.add({"aten.gru.input", unrolled, true, runLayers<Cell::Gru>, "decompose:aten.gru"});
  rules.add(
      {"aten.rnn_tanh.input", unrolled, true, runLayers<Cell::RnnTanh>, "decompose:aten.rnn_tanh"});
  rules.add(
      {"aten.rnn_relu.input", unrolled, true, runLayers<Cell::RnnRelu>, "decompose:aten.rnn_relu"});
  rules.add({"aten.lstm_cell.default", formula, true, runCell<Cell::Lstm>});
  rules.add({"aten.gru_cell.default", formula, true, runCell<Cell::Gru>});
  rules.add({"aten.rnn_tanh_cell.default", formula, true, runCell<Cell::RnnTanh>});
  rules.add({"aten.rnn_relu_cell.default", formula, true, runCell<Cell::RnnRelu>});
}

}  // namespace fxs::rewrite
