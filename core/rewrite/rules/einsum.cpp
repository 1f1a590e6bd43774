// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// einsum, from left to right: sums of what only one operand has, then a batch of products.
#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>
#include <vector>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// A tensor and the letter of each of its dimensions.
struct Lettered {
  Tensor tensor;
  std::string letters;
};

bool has(const std::string& letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

Lettered ordered(Emitter& e, const Lettered& x, const std::string& letters) {
  std::vector<std::size_t> order;
  for (const char letter : letters) order.push_back(x.letters.find(letter));
  return {e.permute(x.tensor, order), letters};
}

/// Sums the dimensions that neither the result nor another operand has.
Lettered summed(Emitter& e, const Lettered& x, const std::string& kept) {
  std::vector<std::size_t> dims;
  std::string letters;
  for (std::size_t d = 0; d < x.letters.size(); ++d)
    if (has(kept, x.letters[d])) letters += x.letters[d];
    else dims.push_back(d);
  return dims.empty() ? x
                      : Lettered{e.cast(e.sum(x.tensor, dims, false), x.tensor.dtype()), letters};
}

/// Those of `letters` that `kept` has.
std::string selected(std::string letters, const std::string& kept) {
  std::erase_if(letters, [&](char letter) { return !has(kept, letter); });
  return letters;
}

struct Group {
  std::string letters;
  Sizes sizes;
};
/// A tensor with a dimension for each group that has letters, as one with a dimension for each
/// letter.
Lettered split(Emitter& e, const Tensor& x, std::vector<Group> groups) {
  std::erase_if(groups, [](const Group& group) { return group.letters.empty(); });
  const auto splits =
      std::ranges::count_if(groups, [](const Group& group) { return group.letters.size() > 1; });
  if (splits < 2 || e.isStatic(x)) {
    Lettered out{x, ""};
    Sizes shape;
    for (const Group& group : groups) {
      out.letters += group.letters;
      shape.insert(shape.end(), group.sizes.begin(), group.sizes.end());
    }
    if (splits > 0) out.tensor = e.reshape(x, shape);
    return out;
  }
  // The engine takes sizes for others where it splits two dimensions at once, or by two reshapes
  // without another operation between them: the last becomes the first ones.
  Lettered out{x, ""};
  for (std::size_t left = groups.size(); left > 0; --left) {
    const auto& [letters, sizes] = groups[left - 1];
    Sizes shape = e.sizes(out.tensor);
    shape.pop_back();
    shape.insert(shape.end(), sizes.begin(), sizes.end());
    if (letters.size() > 1) out.tensor = e.reshape(out.tensor, shape);
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::rotate(order.begin(), order.end() - static_cast<std::ptrdiff_t>(letters.size()),
                order.end());
    out = {e.permute(out.tensor, order), letters + out.letters};
  }
  return out;
}

Lettered product(Emitter& e, const Lettered& a, const Lettered& b, const std::string& kept) {
  std::string batch, rows, depth, columns;
  for (const char letter : a.letters)
    if (!has(b.letters, letter)) rows += letter;
    else (has(kept, letter) ? batch : depth) += letter;
  for (const char letter : b.letters)
    if (!has(a.letters, letter)) columns += letter;
  const auto sizesOf = [&](const Lettered& x, const std::string& letters) {
    Sizes sizes;
    for (const char letter : letters) sizes.push_back(e.size(x.tensor, x.letters.find(letter)));
    return sizes;
  };
  if (depth.empty() || rows.empty() || columns.empty()) {
    // The terms of the sums are as many as the greater operand has.
    const std::string letters = batch + depth + rows + columns;
    const auto spread = [&](const Lettered& x, const std::string& others, std::size_t at) {
      Tensor out = ordered(e, x, selected(letters, x.letters)).tensor;
      for (std::size_t d = 0; d < others.size(); ++d) out = e.unsqueeze(out, at);
      return out;
    };
    const std::size_t at = batch.size() + depth.size();
    const Tensor terms = e.mul(spread(a, columns, at + rows.size()), spread(b, rows, at));
    return summed(e, {terms, letters}, batch + rows + columns);
  }
  // Without a batch of one, which the engine takes for another dimension where sizes are symbolic.
  const auto matrices = [&](const Lettered& x, const std::string& first,
                            const std::string& second) {
    Sizes sizes;
    if (!batch.empty()) sizes.push_back(e.product(sizesOf(x, batch)));
    sizes.push_back(e.product(sizesOf(x, first)));
    sizes.push_back(e.product(sizesOf(x, second)));
    return e.reshape(ordered(e, x, batch + first + second).tensor, sizes);
  };
  return split(
      e, e.matmul(matrices(a, rows, depth), matrices(b, depth, columns)),
      {{batch, sizesOf(a, batch)}, {rows, sizesOf(a, rows)}, {columns, sizesOf(b, columns)}});
}

constexpr std::string_view kEllipsis = "...", kArrow = "->";
constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

std::vector<std::string> termsOf(std::string_view equation) {
  std::vector<std::string> out;
  for (std::string_view rest = equation.substr(0, equation.find(kArrow));;) {
    const std::size_t end = rest.find(',');
    out.emplace_back(rest.substr(0, end));
    if (end == std::string_view::npos) return out;
    rest.remove_prefix(end + 1);
  }
}

/// The letters that occur once in the terms, in order: what an equation without an arrow gives.
std::string lettersOnce(const std::vector<std::string>& terms) {
  std::string all, out;
  for (const std::string& term : terms) all += term;
  std::sort(all.begin(), all.end());
  for (const char letter : all)
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0 &&
        std::count(all.begin(), all.end(), letter) == 1)
      out += letter;
  return out;
}

/// The equation with an arrow, and with letters for the dimensions that "..." stands for, which are
/// counted from the last.
std::string spelledOut(Emitter& e, std::string equation, const std::vector<Tensor>& operands) {
  std::vector<std::string> terms = termsOf(equation);
  e.require(terms.size() == operands.size());
  if (equation.find(kArrow) == std::string::npos) {
    const bool hasMore = equation.find(kEllipsis) != std::string::npos;
    equation += std::string(kArrow) + (hasMore ? std::string(kEllipsis) : "") + lettersOnce(terms);
  }
  std::string free;
  for (const char letter : kAlphabet)
    if (!has(equation, letter)) free += letter;
  std::size_t most = 0;
  const auto covered = [&](std::size_t i) {
    const bool hasMore = terms[i].find(kEllipsis) != std::string::npos;
    const std::size_t letters = terms[i].size() - (hasMore ? kEllipsis.size() : 0);
    e.require(!hasMore || operands[i].rank() >= letters);
    return hasMore ? operands[i].rank() - letters : 0;
  };
  for (std::size_t i = 0; i < terms.size(); ++i) most = std::max(most, covered(i));
  e.require(most <= free.size());
  const auto replace = [&](std::string& term, std::size_t dims) {
    const std::size_t at = term.find(kEllipsis);
    if (at != std::string::npos) term.replace(at, kEllipsis.size(), free.substr(most - dims, dims));
  };
  std::string out;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    replace(terms[i], covered(i));
    out += (i > 0 ? "," : "") + terms[i];
  }
  std::string result = equation.substr(equation.find(kArrow) + kArrow.size());
  replace(result, most);
  return out + std::string(kArrow) + result;
}

Results einsum(Emitter& e) {
  std::string equation = e.text("equation");
  std::erase(equation, ' ');
  const std::vector<Tensor> operands = e.tensors("tensors");
  e.require(!operands.empty());
  equation = spelledOut(e, equation, operands);
  const std::size_t arrow = equation.find(kArrow);
  const std::string result = equation.substr(arrow + 2);
  std::vector<Lettered> terms;
  for (std::size_t begin = 0; begin <= arrow;) {
    const std::size_t end = std::min(equation.find(',', begin), arrow);
    e.require(terms.size() < operands.size());
    const Tensor& x = operands[terms.size()];
    terms.push_back({x, equation.substr(begin, end - begin)});
    std::string letters = terms.back().letters;
    e.require(letters.size() == x.rank() && x.dtype() == operands[0].dtype() &&
              std::all_of(letters.begin(), letters.end(),
                          [](unsigned char c) { return std::isalpha(c) != 0; }));
    std::sort(letters.begin(), letters.end());
    e.require(std::adjacent_find(letters.begin(), letters.end()) == letters.end());  // no diagonal
    begin = end + 1;
  }
  e.require(terms.size() == operands.size());
  // Sizes of 1 broadcast against others.
  for (const Lettered& a : terms)
    for (const Lettered& b : terms)
      for (std::size_t d = 0; d < a.letters.size(); ++d)
        if (has(b.letters, a.letters[d]))
          e.require(a.tensor.meta.sizes[d] == b.tensor.meta.sizes[b.letters.find(a.letters[d])]);
  const auto kept = [&](std::size_t from) {
    std::string letters = result;
    for (std::size_t i = from; i < terms.size(); ++i) letters += terms[i].letters;
    return letters;
  };
  Lettered out = summed(e, terms[0], kept(1));
  for (std::size_t i = 1; i < terms.size(); ++i)
    out = product(e, out, summed(e, terms[i], kept(i + 1) + out.letters), kept(i + 1));
  std::string sorted = out.letters, wanted = result;
  std::sort(sorted.begin(), sorted.end());
  std::sort(wanted.begin(), wanted.end());
  e.require(sorted == wanted);
  return one(ordered(e, out, result).tensor);
}

}  // namespace

void registerEinsum(RewriteRules& rules) {
  rules.add({"aten.einsum.default", "becomes sums and aten.matmul", false, einsum});
}

}  // namespace fxs::rewrite
