// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "completion.h"

#include <algorithm>
#include <filesystem>
#include <set>

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

/// Completes what follows a program's or a command's name, `words` with the word to complete as the
/// last.
Completions afterName(const std::vector<std::string>& words, const std::vector<Option>& options,
                      const std::vector<Positional>& positionals, const lower::OutputTypes& types,
                      const std::string& folder) {
  const auto named = [&](const std::string& name) {
    const auto at = std::find_if(options.begin(), options.end(),
                                 [&](const Option& option) { return option.name == name; });
    return at == options.end() ? nullptr : &*at;
  };
  const std::string& last = words.back();
  Completer out(last, types, folder);
  std::set<std::string> given;
  std::size_t position = 0;
  const Option* open = nullptr;  // waits for its value
  bool onlyPositionals = false;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (open != nullptr) open = nullptr;
    else if (onlyPositionals || word == "-" || !word.starts_with("-")) ++position;
    else if (word == "--") onlyPositionals = true;
    else {
      given.insert(word.substr(0, word.find('=')));
      open = named(word);
      if (open != nullptr && open->value.empty()) open = nullptr;
    }
  }
  const std::size_t equals = last.find('=');
  if (open != nullptr) {
    out.offerValue(*open, "");
  } else if (!onlyPositionals && last.starts_with("--") && equals != std::string::npos) {
    if (const Option* option = named(last.substr(0, equals));
        option != nullptr && !option->value.empty())
      out.offerValue(*option, last.substr(0, equals + 1));
  } else if (!onlyPositionals && last.starts_with("-")) {
    out.offerOptions(options, given);
  } else if (position < positionals.size() ||
             (!positionals.empty() && positionals.back().repeated)) {
    out.offerPositional(positionals[std::min(position, positionals.size() - 1)]);
  } else if (!onlyPositionals) {
    out.offerOptions(options, given);
  }
  return out.take();
}

}  // namespace

Completions completionsOf(const std::vector<std::string>& words, const Commands& commands,
                          const lower::OutputTypes& types, const std::string& folder) {
  if (words.size() < 2) return {};
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (std::filesystem::path(words.front()).filename() == "fxscope") {
    std::vector<Option> options = app::windowOptions();
    options.push_back({"--version", "", "Displays version information."});
    return afterName(rest, options, {{"FILE", app::kWindowFileHelp, false}}, types, folder);
  }
  // The longest command that the words name, and those that may follow.
  const Command* chosen = nullptr;
  std::size_t named = 0;
  Completer first(rest.back(), types, folder);
  std::set<std::string> groups;
  for (const Command& command : commands.commands()) {
    const std::size_t blank = command.name.find(' ');
    const std::string group = command.name.substr(0, blank);
    const bool grouped = blank != std::string::npos;
    if (rest.size() == 1 && groups.insert(group).second) first.offer(group, command.summary);
    if (rest.size() == 1 || rest[0] != group) continue;
    const std::string second = grouped ? command.name.substr(blank + 1) : "";
    if (grouped && rest.size() == 2) first.offer(second, command.summary);
    if (grouped ? rest.size() > 2 && rest[1] == second : named == 0) {
      chosen = &command;
      named = grouped ? 2 : 1;
    }
  }
  if (rest.size() == 1 && rest[0].starts_with("-")) {
    first.offer("--help", "list the commands");
    first.offer("--version", "print the version");
  }
  Completions out = first.take();
  if (chosen == nullptr) return out;
  const std::vector<std::string> after(rest.begin() + static_cast<std::ptrdiff_t>(named),
                                       rest.end());
  Completions more = afterName(after, optionsOf(*chosen), chosen->positionals, types, folder);
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
