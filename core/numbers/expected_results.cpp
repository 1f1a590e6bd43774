// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/expected_results.h"

#include <algorithm>
#include <tuple>

#include "base/joined.h"
#include "compare/chosen.h"

namespace fxs::numbers {
namespace {

/// So many times as far from the others is not in the middle.
constexpr double kClearly = 1.25;
constexpr const char* kShared = ", which share the torch stage";

}  // namespace

std::string ExpectedResults::title() const {
  if (!references_.empty()) return references_.front().versions;
  std::vector<const LoweredText*> texts;
  for (const LoweredForm& form : forms_)
    if (!form.lowered.text.empty()) texts.push_back(&form.lowered);
  std::sort(texts.begin(), texts.end(), [](const LoweredText* a, const LoweredText* b) {
    return std::tuple(a->to, b->route->name) < std::tuple(b->to, a->route->name);
  });
  std::vector<std::string> labels;
  for (const LoweredText* text : texts) labels.push_back(text->label());
  const bool isOneVoice = std::all_of(texts.begin(), texts.end(), [&](const LoweredText* text) {
    return text->isByEngine() == texts.front()->isByEngine();
  });
  if (labels.size() < 2) return "none";
  return "agreement of " + joined(labels) +
         (isOneVoice && texts.front()->isByEngine() ? kShared : "");
}

std::optional<tensor::Tensor> ExpectedResults::read(std::size_t inputs,
                                                    const std::string& name) const {
  const tensor::StoredTensor* stored = references_[inputs].find(name);
  if (stored == nullptr) return std::nullopt;
  auto value = references_[inputs].values->read(*stored, kValueBytes, context_);
  return value ? std::optional(*std::move(value)) : std::nullopt;
}

std::optional<tensor::Tensor> ExpectedResults::ofNode(std::size_t inputs, fx::NodeId node) const {
  if (references_.empty()) return std::nullopt;
  const fx::NodeId user = c_.userNode(node);
  if (!user.valid() || c_.valueOf[user.index()] != node) return std::nullopt;
  return read(inputs, c_.nameOf(user));
}

std::optional<tensor::Tensor> ExpectedResults::ofUserNode(std::size_t inputs,
                                                          fx::NodeId userNode) const {
  if (references_.empty()) return std::nullopt;
  if (auto value = read(inputs, c_.nameOf(userNode))) return value;
  // Of a bundle's program, only the values of the results are known.
  for (std::size_t r = 0; r < c_.results.size(); ++r)
    if (c_.specs[r]->kind == fx::OutputKind::UserOutput && c_.results[r].valid() &&
        c_.userNode(c_.results[r]) == userNode)
      return read(inputs, c_.resultName(r));
  return std::nullopt;
}

std::string ExpectedResults::raised(std::size_t inputs) const {
  if (references_.empty()) return {};
  const Reference& reference = references_[inputs];
  return reference.stopped.empty() ? reference.undefined : "PyTorch raises at " + reference.stopped;
}

tensor::Difference ExpectedResults::judged(std::size_t inputs, const tensor::Tensor& found,
                                           const tensor::Tensor& expected, fx::NodeId node) const {
  tensor::Difference out = c_.judged(found, expected, node);
  if (out.verdict == tensor::Verdict::Same || !node.valid()) return out;
  judgeChosen(inputs, found, expected, node, out);
  if (out.verdict == tensor::Verdict::Same || out.units == 0) return out;
  const double scale = scaleOf_(inputs, node);
  return scale > 0 ? c_.judged(found, expected, node, scale) : out;
}

/// Whether the value is the second result of a call with two, such as topk, or that of a call with
/// one.
bool ExpectedResults::isIndices(std::size_t inputs, const tensor::Tensor& value,
                                fx::NodeId userNode) const {
  const std::string& name = c_.nameOf(userNode);
  const auto values = read(inputs, name + "#0"), indices = read(inputs, name + "#1");
  return values ? indices == value && values != value
                : c_.user.node(userNode).val.tensor() != nullptr;
}

void ExpectedResults::judgeChosen(std::size_t inputs, const tensor::Tensor& found,
                                  const tensor::Tensor& expected, fx::NodeId node,
                                  tensor::Difference& out) const {
  if (references_.empty() || out.kind == tensor::Kind::Shape) return;
  compare::Chosen chosen = compare::chosenElements(
      *c_.program, node, found, expected, [&](fx::NodeId operand) -> std::optional<tensor::Tensor> {
        const fx::NodeId user = c_.userNode(operand);
        const bool isInput = user.valid() && c_.user.node(user).op == fx::NodeOp::Placeholder;
        if (!user.valid() || (!isInput && c_.valueOf[user.index()] != operand)) return std::nullopt;
        return valueOf_(inputs, user);
      });
  // An operator that chooses may have been taken apart.
  const fx::NodeId user = c_.userNode(node);
  if (chosen.choice == compare::Choice::Unknown && user.valid() &&
      isIndices(inputs, expected, user))
    chosen = compare::chosenElements(c_.user, user, found, expected,
                                     [&](fx::NodeId operand) { return valueOf_(inputs, operand); });
  if (chosen.choice == compare::Choice::Other) {
    out.verdict = tensor::Verdict::Differs;
    out.message = out.message.substr(0, out.message.find("; ties and rounding"));
  }
  if (chosen.choice != compare::Choice::Equal) return;
  out.verdict = chosen.isFree ? tensor::Verdict::Same : tensor::Verdict::Suspicious;
  out.message = chosen.isFree ? "other elements that are equal"
                              : "other elements that are equal, of which PyTorch chooses the first";
}

Expected ExpectedResults::of(std::size_t f, std::size_t inputs, std::size_t result) {
  const fx::NodeId node = c_.results[result];
  Expected out;
  if (node.valid() && c_.undetermined[node.index()]) {
    out.reason = "it depends on random numbers or uninitialized memory";
    return out;
  }
  if (!references_.empty()) {
    if (out.reason = raised(inputs); !out.reason.empty()) return out;
    out.value = read(inputs, c_.resultName(result));
    if (!out.value && node.valid()) out.value = ofNode(inputs, node);
    if (!out.value) out.reason = "PyTorch did not compute it";
    return out;
  }
  return agreement(f, inputs, result);
}

const std::vector<ExpectedResults::Candidate>& ExpectedResults::candidatesFor(std::size_t inputs,
                                                                              std::size_t result) {
  const auto [known, isNew] = candidates_.try_emplace({inputs, result});
  std::vector<Candidate>& out = known->second;
  if (!isNew) return out;
  for (std::size_t i = 0; i < forms_.size(); ++i) {
    if (inputs >= forms_[i].executed.size()) continue;
    for (const Executed& e : forms_[i].executed[inputs])
      if (e.run.outcome == execute::Outcome::Ran) out.push_back({i, &e.values[result], {i}});
  }
  for (std::size_t a = 0; a < out.size(); ++a)
    for (std::size_t b = a + 1; b < out.size(); ++b) {
      const tensor::Difference difference =
          judged(inputs, *out[a].value, *out[b].value, c_.results[result]);
      if (difference.verdict > tensor::Verdict::Suspicious) continue;
      out[a].distance += difference.units;
      out[b].distance += difference.units;
      out[a].agrees.insert(out[b].form);
      out[b].agrees.insert(out[a].form);
    }
  return out;
}

/// Paths by the engine share the torch stage: what it does wrong, all of them do. So they are one
/// voice, as those by registries are.
std::size_t ExpectedResults::voicesOf(const Candidate& candidate) const {
  std::set<bool> out;
  for (const std::size_t form : candidate.agrees) out.insert(forms_[form].lowered.isByEngine());
  return out.size();
}

std::string ExpectedResults::labelsOf(const Candidate& candidate) const {
  std::vector<std::string> out;
  for (const std::size_t form : candidate.agrees) out.push_back(forms_[form].lowered.label());
  return joined(out, " and ");
}

/// Of equally supported values the one in the middle, else one of another path than `f`, which is
/// the better witness.
const ExpectedResults::Candidate* ExpectedResults::bestSupported(const std::vector<Candidate>& all,
                                                                 std::size_t f) const {
  const auto supportOf = [&](const Candidate& c) {
    return std::pair(voicesOf(c), c.agrees.size());
  };
  const auto isBetter = [&](const Candidate& c, const Candidate& best) {
    const auto support = supportOf(c), bestSupport = supportOf(best);
    if (support != bestSupport) return support > bestSupport;
    if (kClearly * c.distance < best.distance) return true;
    const bool isFarther = c.distance > kClearly * best.distance;
    return !isFarther && best.form == f && c.form != f && c.agrees.contains(f);
  };
  const Candidate* best = nullptr;
  for (const Candidate& c : all)
    if (best == nullptr || isBetter(c, *best)) best = &c;
  return best;
}

/// The value on which most voices agree, and of those most lowering paths.
Expected ExpectedResults::agreement(std::size_t f, std::size_t inputs, std::size_t result) {
  Expected out;
  const std::vector<Candidate>& all = candidatesFor(inputs, result);
  const auto other =
      std::find_if(all.begin(), all.end(), [&](const Candidate& c) { return c.form != f; });
  if (other == all.end()) {
    out.reason = "no other lowering path computes it; " +
                 (noReference_.empty() ? "give a Python with PyTorch to compare with"
                                       : "not compared with PyTorch: " + noReference_);
    return out;
  }
  const Candidate* best = bestSupported(all, f);
  const auto decline = [&](const Candidate& against, std::string doubt) {
    out.value = *against.value;
    out.certain = false;
    out.doubt = std::move(doubt);
    return out;
  };
  if (best->agrees.size() < 2) return decline(*other, "not decided: no two lowering paths agree");
  const auto rival = std::find_if(all.begin(), all.end(), [&](const Candidate& c) {
    return !best->agrees.contains(c.form) && voicesOf(c) == voicesOf(*best) &&
           forms_[c.form].lowered.isByEngine() != forms_[best->form].lowered.isByEngine();
  });
  if (rival != all.end() && voicesOf(*best) == 1)
    return decline(best->agrees.contains(f) ? *rival : *best,
                   "not decided: " + labelsOf(*best) +
                       (forms_[best->form].lowered.isByEngine() ? kShared : "") +
                       ", compute one value, and " + labelsOf(*rival) + " another");
  out.value = *best->value;
  out.certain = best->agrees.contains(f) || best->agrees.size() >= 3;
  if (!out.certain) out.doubt = labelsOf(*best) + " agree on another value";
  return out;
}

}  // namespace fxs::numbers
