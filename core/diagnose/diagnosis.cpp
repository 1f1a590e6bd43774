#include "diagnose/diagnosis.h"

#include <array>

namespace fxs::diagnose {
namespace {

struct KindWords {
  std::string_view name, title;
};
constexpr std::array<KindWords, 13> kKinds{{
    {"not-functionalized", "its write could not be made functional"},
    {"not-imported", "it cannot be said in the torch dialect"},
    {"not-registered", "the engine's torch dialect has no such operation"},
    {"no-pattern", "this output type has no pattern for it"},
    {"pattern-refused", "a pattern looked at it and refused this form of it"},
    {"types-lost", "its element type or rank got lost on the way"},
    {"numeric-type", "this output type does not take these element types"},
    {"verifier", "what it became is not valid IR"},
    {"contract", "the torch backend contract does not hold at it"},
    {"crash", "the engine crashes on it"},
    {"timeout", "the engine does not end on it"},
    {"memory", "the engine runs out of memory on it"},
    {"unknown", "the engine stopped and gave no reason"},
}};
const KindWords& wordsOf(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view name(Kind kind) { return wordsOf(kind).name; }
std::string_view title(Kind kind) { return wordsOf(kind).title; }

std::string_view name(Outcome outcome) {
  constexpr std::array<std::string_view, 3> names{"passed", "failed", "not-run"};
  return names[static_cast<std::size_t>(outcome)];
}

std::string_view name(Proof proof) {
  constexpr std::array<std::string_view, 3> names{"not-tried", "proved", "disproved"};
  return names[static_cast<std::size_t>(proof)];
}

std::string_view name(Agreement agreement) {
  constexpr std::array<std::string_view, 4> names{"confirmed", "alone-only", "whole-only", "not-checked"};
  return names[static_cast<std::size_t>(agreement)];
}

std::vector<const Blocked*> Diagnosis::of(const lower::OutputType& target) const {
  std::vector<const Blocked*> out;
  for (const Blocked& entry : blocked)
    if (entry.target == target) out.push_back(&entry);
  return out;
}

}  // namespace fxs::diagnose
