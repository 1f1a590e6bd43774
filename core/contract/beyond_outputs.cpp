// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/beyond_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/counted.h"
#include "base/safe_text.h"

namespace fxs::contract {
namespace {

/// Number of names in a message; the rest are counted.
constexpr std::size_t kNames = 4;

/// Packets whose results PyTorch's generators draw.
constexpr std::array<std::string_view, 22> kRandom{
    "aten.rand",         "aten.rand_like",    "aten.randn",       "aten.randn_like",
    "aten.randint",      "aten.randint_like", "aten.randperm",    "aten.bernoulli",
    "aten.bernoulli_",   "aten.normal",       "aten.normal_",     "aten.normal_functional",
    "aten.uniform",      "aten.uniform_",     "aten.multinomial", "aten.exponential",
    "aten.exponential_", "aten.cauchy",       "aten.geometric",   "aten.log_normal",
    "aten.poisson",      "aten.binomial"};
/// On data. aten._assert_tensor_metadata asserts a type, which the text fixes.
constexpr std::array<std::string_view, 4> kAssertions{"aten._assert_scalar", "aten._assert_async",
                                                      "aten._functional_assert_scalar",
                                                      "aten._functional_assert_async"};
/// Operations that draw random numbers when the text runs.
constexpr std::array<std::string_view, 3> kDraws{"ml_program.global_load", "stablehlo.rng",
                                                 "stablehlo.rng_bit_generator"};

std::string_view packetOf(std::string_view target) { return target.substr(0, target.rfind('.')); }

bool isRandom(const fx::Node& node) {
  const std::string_view packet = packetOf(node.target);
  // Of these, only in training.
  if (packet == "aten.dropout" || packet == "aten.dropout_" || packet == "aten.native_dropout")
    return node.isTrue("train");
  if (packet.starts_with("aten.rrelu")) return node.isTrue("training");
  return std::find(kRandom.begin(), kRandom.end(), packet) != kRandom.end();
}
bool isAssertion(const fx::Node& node) {
  return std::find(kAssertions.begin(), kAssertions.end(), packetOf(node.target)) !=
         kAssertions.end();
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kNames); ++i)
    out += (i == 0 ? "" : ", ") + printable(names[i]);
  return names.size() > kNames ? fmt::format("{} and {} more", out, names.size() - kNames) : out;
}

class Notes {
 public:
  Notes(const fx::Program& program, import::Mode mode, const lower::OutputTypeSpec& spec,
        const Text& text)
      : program_(program), mode_(mode), spec_(spec), text_(text) {}

  std::vector<fx::Finding> run() {
    state();
    randomNumbers();
    assertions();
    effects();
    return std::move(out_);
  }

 private:
  void note(const fx::Node& node, std::size_t count, std::string message) {
    fx::Finding& finding = out_.emplace_back(
        fx::findingAt(program_, node, std::string(kBeyondOutputs), std::move(message)));
    finding.severity = fx::Severity::Note;
    finding.stage = spec_.stage.id;
    finding.count = count;
  }

  /// Of Mode::Lowering, which returns new values. Frozen takes buffers as arguments, and Program
  /// says itself what it cannot store.
  void state() {
    if (mode_ != import::Mode::Lowering) return;
    std::vector<std::string> weights, inputs;
    const fx::Node *weight = nullptr, *input = nullptr;
    for (const fx::OutputSpec& spec : program_.outputs) {
      const fx::NodeId* id = spec.value.node();
      if (id == nullptr) continue;
      if (spec.kind == fx::OutputKind::BufferMutation ||
          spec.kind == fx::OutputKind::ParameterMutation) {
        weights.push_back(spec.target);
        if (weight == nullptr) weight = &program_.node(*id);
      } else if (spec.kind == fx::OutputKind::UserInputMutation) {
        inputs.push_back(spec.target);
        if (input == nullptr) input = &program_.node(*id);
      }
    }
    if (weight != nullptr)
      note(*weight, weights.size(),
           fmt::format("the program updates {}; the text returns the new values first, and starts "
                       "every call from the stored ones",
                       listed(weights)));
    if (input != nullptr)
      note(*input, inputs.size(),
           fmt::format(
               "the program writes to its inputs {}; the text returns the new values first instead",
               listed(inputs)));
  }

  void randomNumbers() {
    const auto users = fx::usersOf(program_);
    std::vector<std::string> names;
    const fx::Node* first = nullptr;
    for (const fx::Node& node : program_.nodes) {
      if (node.op != fx::NodeOp::CallFunction || !isRandom(node) || users[node.id.index()].empty())
        continue;
      const std::string name = program_.originOf(node).name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      if (first == nullptr) first = &node;
    }
    if (first == nullptr) return;
    note(*first, names.size(),
         draws() ? fmt::format(
                       "the random numbers of {} are not those of PyTorch: the text draws its own",
                       listed(names))
                 : fmt::format("the random numbers of {} are constants in the text: they are the "
                               "same in every call",
                               listed(names)));
  }
  bool draws() const {
    for (std::uint32_t i = 0; i < text_.module.names.size(); ++i) {
      const std::string_view name = text_.module.names[i];
      if (name.starts_with("torch.") ||
          std::find(kDraws.begin(), kDraws.end(), name) != kDraws.end())
        return true;
    }
    return false;
  }

  void assertions() {
    std::set<fx::NodeId> open;
    for (const fx::Node& node : program_.nodes)
      if (node.op == fx::NodeOp::CallFunction && isAssertion(node)) open.insert(node.origin);
    if (open.empty()) return;
    for (std::size_t i = 0; i < text_.module.ops.size() && !open.empty(); ++i) {
      const mlir::OpId id(static_cast<std::uint32_t>(i));
      const std::string_view name = text_.module.nameOf(id);
      if (name.find("assert") == std::string_view::npos && name != "torch.operator") continue;
      for (const fx::NodeId node : text_.nodesOf(id)) open.erase(node);
    }
    if (open.empty()) return;
    for (const fx::Node& node : program_.nodes)
      if (open.contains(node.origin) && isAssertion(node))
        return note(
            node, open.size(),
            fmt::format(
                "{} on data {} not in the text, which computes on where PyTorch raises an error",
                counted(open.size(), "assertion"), open.size() == 1 ? "is" : "are"));
  }

  void effects() {
    const auto spec =
        std::find_if(program_.outputs.begin(), program_.outputs.end(),
                     [](const fx::OutputSpec& each) { return each.kind == fx::OutputKind::Token; });
    if (spec == program_.outputs.end() || spec->value.node() == nullptr) return;
    note(program_.node(*spec->value.node()), 1,
         "the program orders its side effects by tokens; the text has no tokens, so their order is "
         "not kept");
  }

  const fx::Program& program_;
  const import::Mode mode_;
  const lower::OutputTypeSpec& spec_;
  const Text& text_;
  std::vector<fx::Finding> out_;
};

}  // namespace

std::vector<fx::Finding> beyondOutputs(const fx::Program& program, import::Mode mode,
                                       const lower::OutputTypeSpec& spec, const Text& text) {
  return Notes(program, mode, spec, text).run();
}

}  // namespace fxs::contract
