// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libFuzzer asks instead of changing bytes: changes that leave most of an input readable, so
// that they reach the steps behind.
#include <algorithm>
#include <cstring>

#include "fuzz_input.h"
#include "mutation/mutations.h"
#include "whole_way.h"

extern "C" {
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                    unsigned seed);
std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t aSize,
                                      const std::uint8_t* b, std::size_t bSize, std::uint8_t* out,
                                      std::size_t maxSize, unsigned seed);
}

using namespace fxs::fuzz;

namespace {

constexpr std::size_t kHeader = 2;  // the form and a line end
constexpr std::size_t kBytesOneIn = 12;

std::string mutated(Form form, const std::string& body, const std::string& other, Chance& chance) {
  if (form == Form::Model) return mutatedMembers(body, other, chance);
  if (form == Form::Capture) return mutatedJson(body, other, chance);
  if (form == Form::Text) return mutatedText(body, chance);
  return body;
}

std::size_t put(Form form, const std::string& body, std::uint8_t* out, std::size_t maxSize) {
  if (maxSize < kHeader || body.size() > maxSize - kHeader) return 0;
  out[0] = static_cast<std::uint8_t>(form);
  out[1] = '\n';
  std::memcpy(out + kHeader, body.data(), body.size());
  return kHeader + body.size();
}

}  // namespace

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                    unsigned seed) {
  Chance chance(seed);
  if (size <= kHeader || maxSize <= kHeader) return LLVMFuzzerMutate(data, size, maxSize);
  const auto form = static_cast<Form>(data[0]);
  const std::string body(textOf(data + kHeader, size - kHeader));
  if (form != Form::File && !chance.oneIn(kBytesOneIn))
    if (const std::string changed = mutated(form, body, "", chance); changed != body)
      if (const std::size_t done = put(form, changed, data, maxSize)) return done;
  return kHeader + LLVMFuzzerMutate(data + kHeader, size - kHeader, maxSize - kHeader);
}

/// Of two programs as text the lines of both; of two trees one with parts of the other.
std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t aSize,
                                      const std::uint8_t* b, std::size_t bSize, std::uint8_t* out,
                                      std::size_t maxSize, unsigned seed) {
  Chance chance(seed);
  if (aSize <= kHeader || bSize <= kHeader || a[0] != b[0]) return 0;
  const auto form = static_cast<Form>(a[0]);
  const std::string first(textOf(a + kHeader, aSize - kHeader)),
      second(textOf(b + kHeader, bSize - kHeader));
  if (form != Form::Text) return put(form, mutated(form, first, second, chance), out, maxSize);
  const std::size_t cut = second.find('\n', chance.below(second.size()));
  std::string both = second.substr(0, cut == std::string::npos ? second.size() : cut + 1);
  const std::size_t from = first.find('\n', chance.below(first.size()));
  both += from == std::string::npos ? first : first.substr(from + 1);
  return put(form, both, out, maxSize);
}
