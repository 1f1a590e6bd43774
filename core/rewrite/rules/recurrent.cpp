// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent layers and cells, unrolled: one linear for the products with the whole input sequence,
// and one per step for those with the hidden state.

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

State initialState(Emitter& e, Cell cell) {
  if (cell != Cell::Lstm) return {e.tensor("hx"), std::nullopt};
  const std::vector<Tensor> hx = e.tensors("hx");
  e.require(hx.size() == 2);
  return {hx[0], hx[1]};
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
  const State state = initialState(e, cell);
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

State stateAt(Emitter& e, const State& states, std::size_t index) {
  State out{row(e, states.hidden, index), std::nullopt};
  if (states.memory) out.memory = row(e, *states.memory, index);
  return out;
}

/// Layers as PyTorch calls them: batches second, unless `flipped` or `unbatched`.
struct StackedLayers {
  Tensor x;
  State initial;
  bool unbatched = false, flipped = false;
  std::size_t layers = 0, directions = 1;
  std::int64_t steps = 0;
  std::vector<Weights> weights;  ///< by layer and direction
  double dropout = 0;

  std::size_t runs() const { return layers * directions; }
};

std::vector<Weights> weightsOf(Emitter& e, Cell cell, const StackedLayers& stack) {
  const std::vector<Tensor> params = e.tensors("params");
  const bool biases = e.flag("has_biases");
  const std::size_t each = params.size() / stack.runs(), plain = biases ? 4 : 2;
  e.require(params.size() % stack.runs() == 0 &&
            (each == plain || (cell == Cell::Lstm && each == plain + 1)));
  std::vector<Weights> weights;
  for (std::size_t run = 0; run < stack.runs(); ++run) {
    const Tensor* p = &params[run * each];
    Weights w{p[0], p[1], std::nullopt, std::nullopt, std::nullopt};
    if (biases) {
      w.inputBias = p[2];
      w.hiddenBias = p[3];
    }
    if (each > plain) w.projection = p[plain];
    e.require(wellFormed(w, stack.initial, cell));
    weights.push_back(std::move(w));
  }
  return weights;
}

StackedLayers stackedLayers(Emitter& e, Cell cell) {
  StackedLayers out;
  out.x = e.tensor("input");
  out.initial = initialState(e, cell);
  const std::int64_t layers = e.integer("num_layers");
  e.require(layers > 0 && layers <= 1024 && (out.x.rank() == 2 || out.x.rank() == 3));
  out.layers = static_cast<std::size_t>(layers);
  if (e.flag("bidirectional")) out.directions = 2;
  out.unbatched = out.x.rank() == 2;
  out.flipped = e.flag("batch_first") && !out.unbatched;
  const double dropout = e.number("dropout");
  if (e.flag("train")) out.dropout = dropout;
  out.steps = e.fixed(out.x, out.flipped ? 1 : 0);
  const auto runs = static_cast<std::int64_t>(out.runs());
  e.require(out.steps > 0 && out.steps <= kMaxSteps && out.steps * runs <= kMaxStepsInAll);
  const auto requireRows = [&](const Tensor& states) {
    e.require(states.rank() == out.x.rank() && e.fixed(states, 0) == runs);
  };
  requireRows(out.initial.hidden);
  if (out.initial.memory) requireRows(*out.initial.memory);
  out.weights = weightsOf(e, cell, out);
  return out;
}

/// The outputs of all steps, and the last state of each run.
Results layerResults(Emitter& e, const Tensor& x, const std::vector<State>& last, bool unbatched) {
  std::vector<Tensor> hidden, memory;
  for (const State& state : last) {
    hidden.push_back(state.hidden);
    if (state.memory) memory.push_back(*state.memory);
  }
  std::vector<Tensor> results{x, e.stack(hidden, 0)};
  if (!memory.empty()) results.push_back(e.stack(memory, 0));
  std::vector<fx::Argument> values;
  for (const Tensor& result : results)
    values.push_back((unbatched ? e.squeeze(result, 1) : result).value);
  return values;
}

template <Cell cell>
Results runLayers(Emitter& e) {
  StackedLayers stack = stackedLayers(e, cell);
  Tensor x = stack.x;
  if (stack.unbatched) {
    x = e.unsqueeze(x, 1);
    State& initial = stack.initial;
    initial.hidden = e.unsqueeze(initial.hidden, 1);
    if (initial.memory) initial.memory = e.unsqueeze(*initial.memory, 1);
  }
  if (stack.flipped) x = e.transpose(x, 0, 1);
  std::vector<State> last;
  for (std::size_t layer = 0; layer < stack.layers; ++layer) {
    std::vector<Tensor> sides;
    for (std::size_t side = 0; side < stack.directions; ++side) {
      const std::size_t run = last.size();
      const Layer done = runDirection(e, cell, x, stateAt(e, stack.initial, run),
                                      stack.weights[run], stack.steps, side == 1);
      sides.push_back(done.output);
      last.push_back(done.last);
    }
    x = e.cat(sides, 2);
    if (stack.dropout > 0 && layer + 1 < stack.layers)
      x = e.op("aten.dropout.default", {x.value, stack.dropout, true}, x.meta);
  }
  if (stack.flipped) x = e.transpose(x, 0, 1);
  return layerResults(e, x, last, stack.unbatched);
}

/// runLayers() in Python. `states`: "h, c"; `given`: the tensors that hold the first ones; `step`:
/// lines that compute the next ones from `x`, the step's product with the weights of the input.
std::string layersInPython(const std::string& states, const std::string& given,
                           const std::string& step) {
  return "    inputs, last = input.transpose(0, 1) if batch_first and input.dim() == 3 else input, "
         "[]\n"
         "    sides = 2 if bidirectional else 1\n"
         "    each = len(params) // (num_layers * sides)\n"
         "    for layer in range(num_layers):\n"
         "        outputs = []\n"
         "        for side in range(sides):\n"
         "            weights = params[len(last) * each:][:each]\n"
         "            biases = weights[2:4] if has_biases else (None, None)\n"
         "            " +
         states + " = (state[len(last)] for state in " + given +
         ")\n"
         "            products, steps = aten.linear(inputs, weights[0], biases[0]), []\n"
         "            for i in range(len(products)):\n"
         "                x = products[-1 - i if side else i]\n" +
         step +
         "                steps.append(h)\n"
         "            outputs.append(torch.stack(steps[::-1] if side else steps))\n"
         "            last.append((" +
         states +
         "))\n"
         "        inputs = torch.cat(outputs, -1)\n"
         "        if dropout > 0 and train and layer + 1 < num_layers:\n"
         "            inputs = torch.dropout(inputs, dropout, True)\n"
         "    inputs = inputs.transpose(0, 1) if batch_first and input.dim() == 3 else inputs\n"
         "    return inputs, *map(torch.stack, zip(*last))\n";
}

const std::string& lstmInPython() {
  static const std::string kText = layersInPython(
      "h, c", "hx",
      "                gates = (x + aten.linear(h, weights[1], biases[1])).tensor_split(4, -1)\n"
      "                c = gates[1].sigmoid() * c + gates[0].sigmoid() * gates[2].tanh()\n"
      "                h = gates[3].sigmoid() * c.tanh()\n"
      "                h = aten.linear(h, weights[-1]) if len(weights) % 2 else h  # a "
      "projection\n");
  return kText;
}

const std::string& gruInPython() {
  static const std::string kText = layersInPython(
      "h,", "[hx]",
      "                gates = aten.linear(h, weights[1], biases[1]).tensor_split(3, -1)\n"
      "                gates = list(zip(x.tensor_split(3, -1), gates))\n"
      "                reset, update = ((a + b).sigmoid() for a, b in gates[:2])\n"
      "                fresh = (gates[2][0] + reset * gates[2][1]).tanh()\n"
      "                h = (h - fresh) * update + fresh\n");
  return kText;
}

template <Cell cell>
const std::string& rnnInPython() {
  static const std::string kText = layersInPython(
      "h,", "[hx]",
      std::string("                h = torch.") + (cell == Cell::RnnTanh ? "tanh" : "relu") +
          "(x + aten.linear(h, weights[1], biases[1]))\n");
  return kText;
}

}  // namespace

void registerRecurrent(RewriteRules& rules) {
  const std::string unrolled = "is unrolled step by step", formula = "becomes its formula";
  const auto add = [&](const std::string& packet, auto apply, const std::string& python) {
    rules.add({packet + ".input", unrolled, true, apply, "decompose:" + packet, python});
  };
  add("aten.lstm", runLayers<Cell::Lstm>, lstmInPython());
  add("aten.gru", runLayers<Cell::Gru>, gruInPython());
  add("aten.rnn_tanh", runLayers<Cell::RnnTanh>, rnnInPython<Cell::RnnTanh>());
  add("aten.rnn_relu", runLayers<Cell::RnnRelu>, rnnInPython<Cell::RnnRelu>());
  rules.add({"aten.lstm_cell.default", formula, true, runCell<Cell::Lstm>});
  rules.add({"aten.gru_cell.default", formula, true, runCell<Cell::Gru>});
  rules.add({"aten.rnn_tanh_cell.default", formula, true, runCell<Cell::RnnTanh>});
  rules.add({"aten.rnn_relu_cell.default", formula, true, runCell<Cell::RnnRelu>});
}

}  // namespace fxs::rewrite
