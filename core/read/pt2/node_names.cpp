// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/pt2/node_names.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/number_from.h"
#include "fx/shadowed_names.h"

namespace fxs::read::pt2 {

namespace {

struct Split {
  std::string_view base;
  bool hasNumber = false;
  std::uint64_t number = 0;
};

/// Splits "relu_12" into "relu" and 12; keeps names that are only a number.
Split splitNumber(std::string_view name) {
  std::size_t digits = name.size();
  while (digits > 0 && isDigit(name[digits - 1])) --digits;
  if (digits == name.size() || digits < 2 || name[digits - 1] != '_') return {name};
  const auto number = numberFrom<std::uint64_t>(name.substr(digits));
  return number ? Split{name.substr(0, digits - 1), true, *number} : Split{name};
}

/// Each run of other characters becomes one underscore.
std::string asIdentifier(std::string_view candidate) {
  std::string out;
  bool inRun = false;
  for (char c : candidate) {
    if (isWordChar(c)) out += c;
    else if (!inRun) out += '_';
    inRun = !isWordChar(c);
  }
  if (out.empty()) out = "_unnamed";
  if (isDigit(out[0])) out.insert(out.begin(), '_');
  return out;
}

}  // namespace

std::string NodeNames::create(std::string_view wanted) {
  catchUp();
  std::string candidate = asIdentifier(wanted);
  Split split = splitNumber(candidate);
  const std::string base(split.base);
  std::uint64_t number = split.number;
  if (!split.hasNumber || used_.contains(candidate)) {
    auto last = lastNumber_.find(base);
    number = last == lastNumber_.end() ? 0 : last->second;
    if (fx::isShadowedName(candidate)) candidate = base + "_" + std::to_string(++number);
  }
  if (taken(candidate)) {
    // Names are never freed, so each run of used suffixes is walked only once.
    Runs& runs = runs_[base];
    const std::uint64_t first = number + 1;
    do {
      ++number;
      if (auto run = runs.upper_bound(number); run != runs.begin() && (--run)->second >= number)
        number = run->second + 1;
      candidate = base + "_" + std::to_string(number);
    } while (taken(candidate));
    runs.erase(runs.lower_bound(first), runs.upper_bound(number));
    runs[first] = number;
  }
  lastNumber_[base] = number;
  used_.insert(candidate);
  return candidate;
}

void NodeNames::catchUp() {
  reserved_.insert(toReserve_.begin(), toReserve_.end());
  toReserve_.clear();
  for (std::string_view name : toTake_) {
    Split split = splitNumber(name);
    if (used_.emplace(name).second) lastNumber_[std::string(split.base)] = split.number;
  }
  toTake_.clear();
}

std::string nameOfTarget(std::string_view target) {
  // The last part is the function's own name; an overload's is "packet.overload".
  std::size_t dots = static_cast<std::size_t>(std::count(target.begin(), target.end(), '.'));
  std::size_t from = 0;
  if (target.starts_with("higher_order.") || target.starts_with("_operator.") ||
      target.starts_with("math.") || target.starts_with("torch.") || dots != 2) {
    auto dot = target.rfind('.');
    from = dot == target.npos ? 0 : dot + 1;
  } else {
    from = target.find('.') + 1;
  }
  std::string out;
  for (std::size_t i = from; i < target.size(); ++i) {
    if (i > from && isLower(target[i - 1]) && isUpper(target[i])) out += '_';
    out += isUpper(target[i]) ? static_cast<char>(target[i] - 'A' + 'a') : target[i];
  }
  return out;
}

}  // namespace fxs::read::pt2
