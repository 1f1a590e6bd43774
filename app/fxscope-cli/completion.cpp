// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "completion.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "lower/known_engines.h"
#include "window_options.h"

namespace fxs::cli {
namespace {

constexpr std::string_view kBash = R"(# Completions of fxscope-cli and fxscope for bash.
_fxscope() {
  COMPREPLY=()
  local line
  while IFS= read -r line; do
    case $line in
      :files) [ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <(fxscope-cli completion bash -- "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
}
complete -F _fxscope fxscope-cli fxscope
)";

constexpr std::string_view kZsh = R"(#compdef fxscope-cli fxscope
# Completions of fxscope-cli and fxscope for zsh.
_fxscope() {
  local line files=
  local -a candidates
  for line in "${(@f)$(fxscope-cli completion zsh -- \
      "${(@)words[1,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) files=1 ;;
      *) candidates+=("${${line//:/\\:}/$'\t'/:}") ;;
    esac
  done
  [[ $PREFIX == --*=* ]] && compset -P '*='
  (( $#candidates )) && _describe -V fxscope candidates
  [[ -n $files ]] && _files
}
if [[ $funcstack[1] == _fxscope* ]]; then
  _fxscope "$@"
else
  compdef _fxscope fxscope-cli fxscope
fi
)";

constexpr std::string_view kFish = R"(# Completions of fxscope-cli and fxscope for fish.
function __fxscope_complete
  for line in (fxscope-cli completion fish -- (commandline -opc) (commandline -ct) 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c fxscope-cli -f -a '(__fxscope_complete)'
complete -c fxscope -f -a '(__fxscope_complete)'
)";

/// Whether a placeholder such as "OUT.svg", "FILE,.." or "FILE|seed:N" stands for a path.
bool isPath(std::string_view placeholder) {
  const std::string_view name = placeholder.substr(0, placeholder.find(",.."));
  static const std::set<std::string_view> kPaths{"FILE",    "DIR", "OUT", "PATH",  "BUNDLE",
                                                 "RESULTS", "A",   "B",   "ENGINE"};
  return kPaths.contains(name.substr(0, name.find('|'))) ||
         name.find('.') != std::string_view::npos;
}

class Completer {
 public:
  Completer(std::string word, const lower::OutputTypes& types, const std::string& folder)
      : word_(std::move(word)), types_(types), folder_(folder) {}

  void offer(const std::string& text, const std::string& help) {
    if (text.starts_with(word_)) found_.candidates.push_back({text, help});
  }

  void offerOptions(const std::vector<Option>& options, const std::set<std::string>& given) {
    for (const Option& option : options)
      if (option.repeated || !given.contains(option.name))
        offer(option.name, filledIn(option.help, types_));
    offer("--help", "print this help and exit");
  }

  /// The value of an option, which is what `before` of the word does not have: "--to=".
  void offerValue(const Option& option, const std::string& before) {
    found_.files = isPath(option.value);
    std::vector<std::string> values = option.choices;
    if (option.value == "ENGINE")
      for (const lower::KnownEngine& known :
           lower::knownEngines(folder_).value_or(std::vector<lower::KnownEngine>()))
        values.push_back(known.name);
    if (values.empty() && option.help.find("${output-types}") != std::string::npos)
      for (const lower::OutputType& type : types_.all()) values.emplace_back(lower::name(type));
    // Of a list, the last value is completed.
    const std::string list = word_.substr(before.size());
    const std::size_t comma = option.repeated ? list.rfind(',') : std::string::npos;
    const std::string earlier = comma == std::string::npos ? "" : list.substr(0, comma + 1);
    for (const std::string& value : values)
      if (("," + earlier).find("," + value + ",") == std::string::npos)
        offer(before + earlier + value, "");
  }

  void offerPositional(const Positional& positional) {
    found_.files = positional.choices.empty() && isPath(positional.name);
    for (const std::string& choice : positional.choices) offer(choice, "");
  }

  Completions take() { return std::move(found_); }

 private:
  std::string word_;
  const lower::OutputTypes& types_;
  const std::string& folder_;
  Completions found_;
};

/// An option that has a value; null if there is none.
const Option* valuedOption(const std::string& name, const std::vector<Option>& options) {
  const auto at = std::find_if(options.begin(), options.end(), [&](const Option& option) {
    return option.name == name && !option.value.empty();
  });
  return at == options.end() ? nullptr : &*at;
}

/// The words before the one to complete.
struct Before {
  std::set<std::string> given;  // options
  std::size_t positionals = 0;
  const Option* open = nullptr;  // waits for its value
  bool onlyPositionals = false;  // follow
};

Before beforeLast(const std::vector<std::string>& words, const std::vector<Option>& options) {
  Before out;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (out.open != nullptr) out.open = nullptr;
    else if (out.onlyPositionals || word == "-" || !word.starts_with("-")) ++out.positionals;
    else if (word == "--") out.onlyPositionals = true;
    else {
      out.given.insert(word.substr(0, word.find('=')));
      out.open = valuedOption(word, options);
    }
  }
  return out;
}

/// Completes what follows a program's or a command's name, `words` with the word to complete as the
/// last.
Completions afterName(const std::vector<std::string>& words, const std::vector<Option>& options,
                      const std::vector<Positional>& positionals, const lower::OutputTypes& types,
                      const std::string& folder) {
  const std::string& last = words.back();
  Completer out(last, types, folder);
  const Before before = beforeLast(words, options);
  const std::size_t equals = last.find('=');
  if (before.open != nullptr) {
    out.offerValue(*before.open, "");
  } else if (!before.onlyPositionals && last.starts_with("--") && equals != std::string::npos) {
    if (const Option* option = valuedOption(last.substr(0, equals), options))
      out.offerValue(*option, last.substr(0, equals + 1));
  } else if (!before.onlyPositionals && last.starts_with("-")) {
    out.offerOptions(options, before.given);
  } else if (before.positionals < positionals.size() ||
             (!positionals.empty() && positionals.back().repeated)) {
    out.offerPositional(positionals[std::min(before.positionals, positionals.size() - 1)]);
  } else if (!before.onlyPositionals) {
    out.offerOptions(options, before.given);
  }
  return out.take();
}

/// The words of a command's name; the second may be "".
std::pair<std::string, std::string> splitName(const Command& command) {
  const std::size_t blank = command.name.find(' ');
  if (blank == std::string::npos) return {command.name, ""};
  return {command.name.substr(0, blank), command.name.substr(blank + 1)};
}

/// Offers the first words of commands, or the second ones after a first.
void offerNames(const Commands& commands, const std::vector<std::string>& words, Completer& out) {
  std::set<std::string> groups;
  for (const Command& command : commands.commands()) {
    const auto [first, second] = splitName(command);
    if (words.size() == 1 && groups.insert(first).second) out.offer(first, command.summary);
    if (words.size() == 2 && words[0] == first && !second.empty())
      out.offer(second, command.summary);
  }
  if (words.size() == 1 && words[0].starts_with("-")) {
    out.offer("--help", "list the commands");
    out.offer("--version", "print the version");
  }
}

/// The longest command that the words before the last name; null if there is none.
const Command* commandNamed(const Commands& commands, const std::vector<std::string>& words) {
  if (words.size() < 2) return nullptr;
  const Command* chosen = nullptr;
  for (const Command& command : commands.commands()) {
    const auto [first, second] = splitName(command);
    if (words[0] != first) continue;
    if (second.empty() ? chosen == nullptr : words.size() > 2 && words[1] == second)
      chosen = &command;
  }
  return chosen;
}

}  // namespace

Completions completionsOf(const std::vector<std::string>& words, const Commands& commands,
                          const lower::OutputTypes& types, const std::string& folder) {
  if (words.size() < 2) return {};
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (std::filesystem::path(words.front()).filename() == "fxscope") {
    std::vector<Option> options = app::windowOptions();
    options.push_back({"--version", "", "Displays version information."});
    return afterName(rest, options, {{"FILE", app::kWindowFileHelp, true}}, types, folder);
  }
  Completer names(rest.back(), types, folder);
  offerNames(commands, rest, names);
  Completions out = names.take();
  const Command* command = commandNamed(commands, rest);
  if (command == nullptr) return out;
  const std::vector<std::string> after(rest.begin() + (splitName(*command).second.empty() ? 1 : 2),
                                       rest.end());
  Completions more = afterName(after, optionsOf(*command), command->positionals, types, folder);
  // `engine ` goes on with another word of its name, or with its options.
  out.candidates.insert(out.candidates.end(), more.candidates.begin(), more.candidates.end());
  out.files = more.files;
  return out;
}

std::vector<std::string> joinedAtEquals(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  bool joining = false;
  for (const std::string& word : words) {
    if (word == "=" && out.size() > 1 && out.back().starts_with("--") && !joining) {
      out.back() += word;
      joining = true;
    } else if (joining) {
      out.back() += word;
      joining = false;
    } else {
      out.push_back(word);
    }
  }
  return out;
}

std::string_view completionScript(std::string_view shell) {
  if (shell == "bash") return kBash;
  return shell == "zsh" ? kZsh : kFish;
}

}  // namespace fxs::cli
