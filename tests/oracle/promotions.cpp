// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers what core/ops says of promotion and shapes, for the comparison with PyTorch: a question a
// line on standard input, an answer a line on standard output, "-" where there is none.
//   promote_types float16 bfloat16
//   result_type tensor:float64 number:complex64 zero_dim:int8
//   computation_type float16
//   integer_to_float int8
//   broadcast 2,1,4 3,1          a shape without dimensions is "."
//   wrap_dim -1 3
//   wrap_index -1 3
//   slice_bound -2 5
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "ops/promotion.h"
#include "ops/shapes.h"

using namespace fxs;

namespace {

DType dtypeOf(const std::string& name) { return dtypeFromName(name).value_or(DType::Unknown); }

ops::TypedOperand operandOf(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  return {dtypeOf(text.substr(colon + 1)), kind == "tensor"     ? ops::OperandKind::Tensor
                                           : kind == "zero_dim" ? ops::OperandKind::ZeroDimTensor
                                                                : ops::OperandKind::Number};
}

std::vector<std::int64_t> shapeOf(const std::string& text) {
  std::vector<std::int64_t> out;
  std::istringstream in(text == "." ? "" : text);
  for (std::string size; std::getline(in, size, ',');) out.push_back(std::atoll(size.c_str()));
  return out;
}

std::string shown(std::optional<DType> dtype) {
  return dtype ? std::string(facts(*dtype).torchName) : "-";
}
std::string shown(std::optional<std::size_t> index) { return index ? std::to_string(*index) : "-"; }
std::string shown(const std::optional<std::vector<std::int64_t>>& shape) {
  if (!shape) return "-";
  std::string out;
  for (const std::int64_t size : *shape) out += (out.empty() ? "" : ",") + std::to_string(size);
  return out.empty() ? "." : out;
}

std::string answer(const std::string& question, const std::vector<std::string>& words) {
  const auto number = [&](std::size_t i) {
    return static_cast<std::int64_t>(std::atoll(words.at(i).c_str()));
  };
  if (question == "promote_types")
    return shown(ops::promoteTypes(dtypeOf(words.at(0)), dtypeOf(words.at(1))));
  if (question == "computation_type") return shown(ops::computationType(dtypeOf(words.at(0))));
  if (question == "integer_to_float") return shown(ops::integerToFloat(dtypeOf(words.at(0))));
  if (question == "broadcast")
    return shown(ops::broadcastShapes(shapeOf(words.at(0)), shapeOf(words.at(1))));
  if (question == "wrap_dim")
    return shown(ops::wrapDim(number(0), static_cast<std::size_t>(number(1))));
  if (question == "wrap_index")
    return shown(ops::wrapIndex(number(0), static_cast<std::size_t>(number(1))));
  if (question == "slice_bound") return std::to_string(ops::sliceBound(number(0), number(1)));
  if (question != "result_type") return "unknown question";
  std::vector<ops::TypedOperand> operands;
  for (const std::string& word : words) operands.push_back(operandOf(word));
  return shown(ops::resultType(operands));
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    std::string question;
    in >> question;
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    std::cout << answer(question, words) << "\n";
  }
}
