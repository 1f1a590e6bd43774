// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/input_sets.h"

#include <algorithm>

#include "compare/guards.h"
#include "session/importing.h"
#include "tensor/held_tensors.h"

namespace fxs::numbers {
namespace {

using compare::Inputs;
using compare::InputSetKind;
using tensor::Tensor;

/// A leaf of the file's arguments as the value of an input.
Result<Tensor> valueOf(const read::Example& leaf, const fx::Node& node,
                       const read::Capture& capture, const RunContext& context) {
  if (const fx::SymValue* symbol = node.val.symbol()) {
    if (!leaf.number) return fail(ErrorCode::Unsupported, "is not a number that can be read");
    const DType dtype = symbol->kind == fx::SymKind::Bool ? DType::Bool : DType::Int64;
    return tensor::tensorFrom(dtype, {}, {static_cast<double>(*leaf.number)});
  }
  if (!leaf.tensor.readable) return fail(ErrorCode::Unsupported, leaf.tensor.reason);
  FXS_TRY(std::string bytes, capture.weights->read(leaf.tensor, session::kWeightBytes, context));
  return Tensor{leaf.tensor.dtype, leaf.tensor.sizes, std::move(bytes)};
}

bool endsReading(const Error& error) { return endsAll(error) || error.code == ErrorCode::Io; }

Result<Inputs> readExamples(const read::Capture& capture, const RunContext& context) {
  const fx::Program& program = *capture.program;
  std::vector<const fx::Node*> leaves;
  std::vector<bool> isGiven;
  const auto given = compare::givenInputs(program);
  for (const fx::InputSpec& spec : program.inputs)
    if (spec.kind == fx::InputKind::UserInput) {
      leaves.push_back(&program.node(spec.node));
      isGiven.push_back(std::find(given.begin(), given.end(), leaves.back()) != given.end());
    }
  if (leaves.size() != capture.examples.size())
    return fail(ErrorCode::Unsupported, std::to_string(capture.examples.size()) + " values for " +
                                            std::to_string(leaves.size()) + " inputs");
  tensor::HeldTensors held;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!isGiven[i]) continue;
    auto value = valueOf(capture.examples[i], *leaves[i], capture, context);
    if (!value)
      return fail(value.error().code, "input '" + leaves[i]->name + "': " + value.error().message);
    held.add(leaves[i]->name, *std::move(value));
  }
  return compare::inputsFrom(program, held, "the example inputs", context);
}

bool fits(const compare::Sizes& sizes, const compare::Sizes& given) {
  return std::all_of(given.begin(), given.end(), [&](const auto& each) {
    const auto found = sizes.find(each.first);
    return found != sizes.end() && found->second == each.second;
  });
}

}  // namespace

std::optional<Inputs> exampleInputs(const session::Snapshot& s, std::vector<std::string>& notes,
                                    const RunContext& context) {
  if (s.capture->examples.empty() || !s.capture->weights) return std::nullopt;
  auto read = readExamples(*s.capture, context);
  if (!read && endsReading(read.error())) throw Abandoned(read.error());
  if (!read) {
    notes.push_back("the example inputs of the file were not used: " + read.error().message);
    return std::nullopt;
  }
  read->set = InputSetKind::Example;
  return *std::move(read);
}

Result<Inputs> inputsFor(const session::Snapshot& s, const RunOptions& options,
                         const RunContext& context) {
  const fx::Program& program = *s.capture->program;
  if (!options.inputsFile.empty()) {
    FXS_TRY(const auto file, tensor::openTensorFile(options.inputsFile, context));
    FXS_TRY(Inputs inputs, compare::inputsFrom(program, *file, options.inputsFile, context));
    inputs.set = InputSetKind::Given;
    return inputs;
  }
  if (options.set == InputSetKind::Example) {
    std::vector<std::string> notes;
    if (auto example = exampleInputs(s, notes, context)) return *std::move(example);
    return fail(ErrorCode::Usage, notes.empty() ? "the file has no example inputs" : notes.front());
  }
  return compare::drawInputs(program, options.sizes, options.seed,
                             options.set.value_or(InputSetKind::Ordinary), options.round, context);
}

Result<std::vector<Inputs>> inputSetsFor(const session::Snapshot& s, const RunOptions& options,
                                         std::size_t choices, std::vector<std::string>& notes,
                                         const RunContext& context) {
  std::vector<Inputs> out;
  if (!options.inputsFile.empty() || options.set == InputSetKind::Example) {
    FXS_TRY(out.emplace_back(), inputsFor(s, options, context));
    return out;
  }
  const fx::Program& program = *s.capture->program;
  const auto isAsked = [&](InputSetKind set) {
    if (options.set) return set == *options.set;
    // For which other values the operations of a module are right is not known.
    return !s.capture->module || set == InputSetKind::Ordinary || set == InputSetKind::Steps;
  };
  const auto add = [&](std::vector<Inputs> sets) {
    for (Inputs& inputs : sets)
      if (isAsked(inputs.set)) out.push_back(std::move(inputs));
  };
  FXS_TRY(std::vector<compare::Sizes> sizes, compare::sizesToTry(program, options.sizes, context));
  if (sizes.size() > choices) sizes.resize(choices);
  // Large sizes are vectorized, and their rests are not.
  const auto least = [](const compare::Sizes& of) {
    std::int64_t smallest = INT64_MAX;
    for (const auto& [symbol, size] : of) smallest = std::min(smallest, size);
    return smallest;
  };
  const auto large =
      std::max_element(sizes.begin(), sizes.end(),
                       [&](const auto& a, const auto& b) { return least(a) < least(b); });
  for (auto each = sizes.begin(); each != sizes.end(); ++each) {
    if (each == sizes.begin() || each == large) {
      FXS_TRY(std::vector<Inputs> sets,
              compare::drawInputSets(program, *each, options.seed, context));
      add(std::move(sets));
    } else {
      FXS_TRY(Inputs ordinary, compare::drawInputs(program, *each, options.seed, context));
      add({std::move(ordinary)});
    }
  }
  if (out.empty()) {
    FXS_TRY(out.emplace_back(), inputsFor(s, options, context));
  }
  if (options.set) return out;
  // The ordinary set stays the first: where several differ alike, it is the one that is shown.
  auto example = exampleInputs(s, notes, context);
  if (example && fits(example->sizes, options.sizes))
    out.insert(out.begin() + 1, *std::move(example));
  return out;
}

}  // namespace fxs::numbers
