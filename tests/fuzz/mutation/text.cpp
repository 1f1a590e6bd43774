// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cctype>

#include "mutations.h"

namespace fxs::fuzz {
namespace {

using Lines = std::vector<std::string>;

Lines linesOf(const std::string& text) {
  Lines lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// "%name : TYPE [num_users=1] = .." and "name: TYPE = ..".
std::string nameOf(const std::string& line) {
  std::size_t begin = line.find_first_not_of(" %");
  if (begin == std::string::npos) return "";
  std::size_t end = begin;
  while (end < line.size() && isWord(line[end])) ++end;
  return end < line.size() && line.find(" = ", end) != std::string::npos
             ? line.substr(begin, end - begin)
             : "";
}

std::string typeOf(const std::string& line) {
  const std::size_t begin = line.find(": ");
  const std::size_t end = std::min(line.find(" [num_users"), line.find(" = "));
  return begin == std::string::npos || end == std::string::npos || end <= begin + 2
             ? "f32[2, 3]"
             : line.substr(begin + 2, end - begin - 2);
}

/// Stretches of the line that are numbers or words.
struct Stretch {
  std::size_t begin, end;
};
std::vector<Stretch> numbersIn(const std::string& line) {
  std::vector<Stretch> out;
  for (std::size_t i = 0; i < line.size();) {
    const bool starts =
        std::isdigit(static_cast<unsigned char>(line[i])) != 0 && (i == 0 || !isWord(line[i - 1]));
    std::size_t end = i;
    while (starts && end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0)
      ++end;
    if (starts) {
      std::size_t begin = i;
      if (begin > 0 && line[begin - 1] == '-') --begin;
      out.push_back({begin, end});
    }
    i = std::max(end, i + 1);
  }
  return out;
}

class TextMutation {
 public:
  TextMutation(std::string text, Chance& chance) : lines_(linesOf(text)), chance_(chance) {
    for (const std::string& line : lines_)
      if (const std::string name = nameOf(line); !name.empty()) names_.push_back(name);
  }

  std::string run() {
    if (lines_.empty()) lines_.push_back("x: f32[2, 3] = placeholder");
    for (std::size_t left = 1 + chance_.below(3); left > 0; --left) once();
    std::string out;
    for (const std::string& line : lines_) out += line + "\n";
    return out;
  }

 private:
  void once() {
    std::string& line = chance_.of(lines_);
    switch (chance_.below(15)) {
      case 0:
        lines_.erase(lines_.begin() + (&line - lines_.data()));
        if (lines_.empty()) lines_.push_back("return");
        break;
      case 1:
        lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(chance_.below(lines_.size())),
                      std::string(line));
        break;
      case 2: std::swap(line, chance_.of(lines_)); break;
      case 3:
      case 4: changeNumber(line); break;
      case 5: changeSizes(line); break;
      case 6: changeArgument(line); break;
      case 7: changeTarget(line); break;
      case 8:
      case 9: addCall(); break;
      case 10: changeDtype(line); break;
      case 11: changeKind(line); break;
      default: changeNumberOfCall(); break;
    }
  }

  std::string someName() { return names_.empty() ? "x" : chance_.of(names_); }

  void changeNumber(std::string& line) {
    const auto numbers = numbersIn(line);
    if (numbers.empty()) return;
    const Stretch at = numbers[chance_.below(numbers.size())];
    line.replace(
        at.begin, at.end - at.begin,
        chance_.oneIn(6) ? std::string(chance_.of(kSizes)) : std::to_string(someInteger(chance_)));
  }

  /// Where an operator's own numbers stand: what is stated of its result stays.
  void changeNumberOfCall() {
    const std::size_t start = chance_.below(lines_.size());
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      std::string& line = lines_[(start + i) % lines_.size()];
      const std::size_t call = line.find(" = ");
      if (call == std::string::npos || line.find('(', call) == std::string::npos) continue;
      std::string arguments = line.substr(call);
      changeNumber(arguments);
      line.replace(call, std::string::npos, arguments);
      return;
    }
  }

  std::string someSizes() {
    std::string out = "[";
    for (std::size_t rank = chance_.below(chance_.oneIn(8) ? 70 : 6), i = 0; i < rank; ++i) {
      if (i > 0) out += ", ";
      out += chance_.oneIn(6)
                 ? std::string(chance_.of(kSizes))
                 : std::to_string(chance_.oneIn(3) ? someInteger(chance_)
                                                   : static_cast<std::int64_t>(chance_.below(9)));
    }
    return out + "]";
  }

  void changeSizes(std::string& line) {
    std::vector<std::size_t> lists;
    for (std::size_t i = 0; i < line.size(); ++i)
      if (line[i] == '[') lists.push_back(i);
    if (lists.empty()) return;
    const std::size_t begin = lists[chance_.below(lists.size())];
    const std::size_t end = line.find(']', begin);
    if (end == std::string::npos) return;
    const std::size_t comma = line.find(", ", begin);
    switch (chance_.below(4)) {
      case 0:
        line.insert(
            end, std::string(end == begin + 1 ? "" : ", ") + std::to_string(someInteger(chance_)));
        break;
      case 1:
        if (comma < end) line.erase(begin + 1, comma + 2 - begin - 1);
        break;
      case 2: line.replace(begin, end + 1 - begin, someSizes()); break;
      case 3: line.insert(end + 1, " stride=" + someSizes()); break;
    }
  }

  void changeDtype(std::string& line) {
    static constexpr std::string_view kDtypes[] = {"f32", "f16",  "bf16", "f64",      "i64",
                                                   "i32", "i16",  "i8",   "u8",       "b8",
                                                   "c64", "c128", "qi8",  "f8_e4m3fn"};
    for (const std::string_view dtype : kDtypes)
      if (const std::size_t at = line.find(std::string(dtype) + "["); at != std::string::npos) {
        line.replace(at, dtype.size(), chance_.of(kDtypes));
        return;
      }
  }

  void changeArgument(std::string& line) {
    std::size_t begin = line.find('(', std::min(line.find(" = "), line.size()));
    if (begin == std::string::npos) return;
    std::vector<Stretch> parts;
    for (std::size_t i = ++begin; i < line.size(); ++i)
      if (line[i] == ',' || line[i] == ')') {
        parts.push_back({begin, i});
        begin = std::min(line.size(), i + (line[i] == ',' ? 2U : 1U));
      }
    if (parts.empty()) return;
    const Stretch at = parts[chance_.below(parts.size())];
    if (at.end < at.begin) return;
    if (chance_.oneIn(4) && at.end + 2 < line.size() && line[at.end] == ',')
      line.erase(at.begin, at.end + 2 - at.begin);
    else line.replace(at.begin, at.end - at.begin, someArgument());
  }

  std::string someArgument() {
    switch (chance_.below(9)) {
      case 0: return "None";
      case 1: return chance_.oneIn(2) ? "True" : "False";
      case 2: return someSizes();
      case 3: return std::to_string(someInteger(chance_));
      case 4: return std::string(chance_.oneIn(2) ? "0.5" : chance_.oneIn(2) ? "-1e+300" : "nan");
      case 5: return "[" + someName() + ", " + someName() + "]";
      case 6: return "torch.float16";
      case 7: return "'" + std::string(chance_.oneIn(2) ? "none" : "mean") + "'";
      default: return someName();
    }
  }

  std::string argumentFor(const ops::SchemaArgument& argument) {
    const ops::SchemaType& type = argument.type;
    if (type.optional && chance_.oneIn(2)) return "None";
    if (chance_.oneIn(24)) return someArgument();
    using ops::TypeKind;
    const auto one = [&]() -> std::string {
      if (type.elementOptional && chance_.oneIn(3)) return "None";
      switch (type.kind) {
        case TypeKind::Tensor: return someName();
        case TypeKind::Int:
        case TypeKind::SymInt:
          return std::to_string(chance_.oneIn(4) ? someInteger(chance_)
                                                 : static_cast<std::int64_t>(chance_.below(4)));
        case TypeKind::Float: return chance_.oneIn(2) ? "0.5" : "1e-05";
        case TypeKind::Scalar: return chance_.oneIn(2) ? "2" : "1.5";
        case TypeKind::Bool:
        case TypeKind::SymBool: return chance_.oneIn(2) ? "True" : "False";
        case TypeKind::Complex: return "(1+2j)";
        case TypeKind::Str: return "'none'";
        case TypeKind::ScalarType: return chance_.oneIn(2) ? "torch.float32" : "torch.int64";
        case TypeKind::Layout: return "torch.strided";
        case TypeKind::MemoryFormat: return "torch.contiguous_format";
        case TypeKind::Device: return "cpu";
        default: return "None";
      }
    };
    if (!type.isList()) return one();
    std::string out = "[";
    for (std::size_t n = chance_.below(4), i = 0; i < n; ++i) out += (i > 0 ? ", " : "") + one();
    return out + "]";
  }

  std::string someCall() {
    const std::string& target = chance_.of(someOperators());
    const ops::Schema* schema = ops::SchemaTable::builtin().find(target);
    std::string out = target + "(";
    bool first = true;
    if (schema != nullptr)
      for (const ops::SchemaArgument& argument : schema->arguments) {
        if (argument.hasDefault() && chance_.oneIn(2)) {
          if (!argument.keywordOnly) break;
          continue;
        }
        if (!first) out += ", ";
        first = false;
        if (argument.keywordOnly) out += std::string(argument.name) + "=";
        out += argumentFor(argument);
      }
    return out + ")";
  }

  void changeTarget(std::string& line) {
    const std::string name = nameOf(line);
    if (name.empty()) return;
    line = name + ": " + typeOf(line) + " = " + someCall();
  }

  void changeKind(std::string& line) {
    static constexpr std::string_view kKinds[] = {"placeholder",        "parameter 'w'",
                                                  "buffer 'b'",         "tensor_constant 'c'",
                                                  "constant_input = 3", "get_attr"};
    const std::string name = nameOf(line);
    if (!name.empty()) line = name + ": " + typeOf(line) + " = " + std::string(chance_.of(kKinds));
  }

  /// Before the first return, of a type that is there.
  void addCall() {
    const auto at = std::find_if(lines_.begin(), lines_.end(),
                                 [](const std::string& line) { return line.find("return") < 8; });
    const std::string name = "v" + std::to_string(chance_.below(1000));
    const std::string type = typeOf(chance_.of(lines_));
    const std::string call = name + ": " +
                             (chance_.oneIn(8) ? "(" + type + ", " + type + ")" : type) + " = " +
                             someCall();
    const bool returned =
        chance_.oneIn(2) && at != lines_.end() && at->find('(') == std::string::npos;
    if (returned) *at += (at->size() > 8 ? ", " : " ") + name;
    lines_.insert(at, call);
    names_.push_back(name);
  }

  Lines lines_;
  std::vector<std::string> names_;
  Chance& chance_;
};

}  // namespace

std::string mutatedText(std::string text, Chance& chance) {
  return TextMutation(std::move(text), chance).run();
}

}  // namespace fxs::fuzz
