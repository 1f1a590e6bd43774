// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/tools.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/take_until.h"
#include "lit/limits.h"

namespace fxs::lit {
namespace {

/// "mlir-opt" of "/usr/bin/mlir-opt-22".
std::string_view baseName(std::string_view program) {
  program = program.substr(program.rfind('/') + 1);
  const std::size_t dash = program.rfind('-');
  const std::string_view version = dash == std::string_view::npos ? "" : program.substr(dash + 1);
  const bool isVersion = !version.empty() && std::all_of(version.begin(), version.end(), isDigit);
  return isVersion ? program.substr(0, dash) : program;
}

/// An option of LLVM's command lines: `-name`, `--name`, with `=value` or not.
struct Option {
  std::string_view name;
  std::optional<std::string_view> value;
};
std::optional<Option> optionOf(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return std::nullopt;
  word.remove_prefix(word[1] == '-' ? 2 : 1);
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return Option{word, std::nullopt};
  return Option{word.substr(0, equals), word.substr(equals + 1)};
}

bool isOff(const Option& option) { return option.value == "false" || option.value == "0"; }

class FileCheckReader {
 public:
  FileCheckOptions read(const std::vector<std::string>& argv) {
    for (at_ = 1; at_ < argv.size(); ++at_) {
      if (const auto option = optionOf(argv[at_])) take(*option, argv);
      else if (out_.checkFile.empty()) out_.checkFile = argv[at_];
    }
    if (out_.prefixes.empty()) out_.prefixes.emplace_back("CHECK");
    return std::move(out_);
  }

 private:
  /// Options whose value is another word where no `=` follows.
  static constexpr std::array<std::string_view, 9> kWithValue{
      "check-prefix",       "check-prefixes",    "comment-prefixes",   "D",         "dump-input",
      "dump-input-context", "dump-input-filter", "implicit-check-not", "input-file"};

  void take(Option option, const std::vector<std::string>& argv) {
    // -DNAME=value
    if (option.name.size() > 1 && option.name.starts_with('D') && argv[at_][1] != '-') {
      out_.definitions.push_back(argv[at_].substr(2));
      return;
    }
    const bool takesValue =
        std::find(kWithValue.begin(), kWithValue.end(), option.name) != kWithValue.end();
    if (takesValue && !option.value) {
      if (++at_ == argv.size()) return;
      option.value = argv[at_];
    }
    if (option.name == "check-prefix" || option.name == "check-prefixes")
      addPrefixes(*option.value);
    else if (option.name == "input-file") out_.inputFile = *option.value;
    else if (option.name == "D") out_.definitions.emplace_back(*option.value);
    else if (option.name == "strict-whitespace") out_.strictWhitespace = !isOff(option);
  }
  void addPrefixes(std::string_view list) {
    while (!list.empty() && out_.prefixes.size() < kMaxPrefixes)
      if (const std::string_view prefix = takeUntil(',', list); !prefix.empty())
        out_.prefixes.emplace_back(prefix);
  }

  std::size_t at_ = 0;
  FileCheckOptions out_;
};

}  // namespace

ProgramKind programKind(std::string_view program) {
  const std::string_view base = baseName(program);
  if (base == "FileCheck") return ProgramKind::FileCheck;
  return base.ends_with("-opt") ? ProgramKind::Opt : ProgramKind::Other;
}

bool verifiesDiagnostics(const std::vector<std::string>& argv) {
  bool out = false;
  for (const std::string& word : argv)
    if (const auto option = optionOf(word); option && option->name == "verify-diagnostics")
      out = !isOff(*option);
  return out;
}

FileCheckOptions fileCheckOptions(const std::vector<std::string>& argv) {
  return FileCheckReader().read(argv);
}

}  // namespace fxs::lit
