// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/shell.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/safe_text.h"
#include "lit/limits.h"
#include "lit/shell_tokens.h"

namespace fxs::lit {
namespace {

/// Words that a shell does not look up as programs.
constexpr std::array<std::string_view, 22> kShellWords{
    "cd",   "export", "set",   "source", ".",  "eval", "exec", "ulimit", "umask",    "if", "then",
    "else", "fi",     "while", "until",  "do", "done", "for",  "case",   "function", "{",  "}"};

bool isAssignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  return equals != std::string_view::npos && equals > 0 && !isDigit(word[0]) &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), isWordChar);
}

/// Removes the first word.
std::string takeFirst(std::vector<std::string>& argv) {
  std::string out = std::move(argv.front());
  argv.erase(argv.begin());
  return out;
}

bool beginsWith(const std::vector<std::string>& argv, std::string_view word) {
  return !argv.empty() && argv.front() == word;
}

/// Takes `not`, `!`, `env` and assignments off the front of a command. Returns a refusal, or "".
class PrefixTaker {
 public:
  explicit PrefixTaker(ShellCommand& command) : command_(command), argv_(command.argv) {}

  std::string take() {
    // From the front, so that a long list of words is moved once.
    std::string message;
    while (message.empty() && takeOne(message)) {
    }
    if (message.empty() && argv_.empty()) message = "has a command without a program";
    return message;
  }

 private:
  bool takeOne(std::string& message) {
    if (argv_.empty()) return false;
    if (++taken_ > kMaxPrefixWords) {
      message = "has too many assignments before a command";
      return false;
    }
    if (isAssignment(argv_.front())) {
      command_.environment.push_back(takeFirst(argv_));
      return true;
    }
    if (beginsWith(argv_, "env")) {
      takeFirst(argv_);
      message = takeEnvOptions();
      return true;
    }
    if (!beginsWith(argv_, "not") && !beginsWith(argv_, "!")) return false;
    const bool mayCrash = takeFirst(argv_) == "not";
    if (mayCrash && beginsWith(argv_, "--crash")) {
      takeFirst(argv_);
      command_.expect = Expect::Crash;
    } else {
      command_.expect = command_.expect == Expect::Success ? Expect::Failure : Expect::Success;
    }
    return true;
  }
  /// Nothing of this process's environment is passed on, so nothing has to be removed.
  std::string takeEnvOptions() {
    while (beginsWith(argv_, "-u") || beginsWith(argv_, "-i")) {
      const bool named = takeFirst(argv_) == "-u";
      if (named && !argv_.empty()) takeFirst(argv_);
    }
    if (!argv_.empty() && argv_.front().starts_with('-'))
      return "has the option " + printableName(argv_.front()) + " of env, which is not known";
    return {};
  }

  static constexpr std::size_t kMaxPrefixWords = 64;
  ShellCommand& command_;
  std::vector<std::string>& argv_;
  std::size_t taken_ = 0;
};

class ShellLineParser {
 public:
  ShellLine parse(std::string_view line) {
    ShellTokens lexed = shellTokens(line);
    refuse(lexed.message);
    beginPipeline();
    for (tokens_ = std::move(lexed.tokens); message_.empty() && at_ < tokens_.size();) token();
    endCommand();
    ShellLine out;
    out.message = std::move(message_);
    if (out.message.empty()) out.pipelines = std::move(pipelines_);
    return out;
  }

 private:
  void refuse(std::string_view message) {
    if (message_.empty()) message_ = message;
  }
  void beginPipeline() { pipelines_.emplace_back().emplace_back(); }
  ShellCommand& command() { return pipelines_.back().back(); }

  void token() {
    ShellToken& token = tokens_[at_++];
    switch (token.kind) {
      case ShellToken::Kind::Word:
        if (command().argv.empty() && token.isPlain && isShellWord(token.text))
          refuse("has `" + token.text + "`, which only a shell knows");
        command().argv.push_back(std::move(token.text));
        break;
      case ShellToken::Kind::Redirect: redirect(token); break;
      case ShellToken::Kind::Pipe:
        endCommand();
        pipelines_.back().emplace_back();
        break;
      case ShellToken::Kind::And:
        endCommand();
        beginPipeline();
        break;
    }
  }
  static bool isShellWord(std::string_view word) {
    return std::find(kShellWords.begin(), kShellWords.end(), word) != kShellWords.end();
  }

  void endCommand() {
    if (!message_.empty()) return;
    const bool negatesPipeline = beginsWith(command().argv, "!");
    refuse(PrefixTaker(command()).take());
    negated_ = negated_ || negatesPipeline;
    const bool ends = at_ == tokens_.size() || tokens_[at_ - 1].kind == ShellToken::Kind::And;
    if (negated_ && (!ends || pipelines_.back().size() > 1)) refuse("negates a pipeline (!)");
    if (ends) negated_ = false;
    if (++commands_ > kMaxCommandsPerLine) refuse("has too many commands");
  }

  void redirect(const ShellToken& token) {
    if (at_ == tokens_.size() || tokens_[at_].kind != ShellToken::Kind::Word)
      return refuse("has a redirection without a file");
    const ShellToken target = std::move(tokens_[at_++]);
    if (token.text == "<") {
      if (token.stream > 0) return refuse("redirects another stream than 0, 1 and 2");
      command().stdinFile = target.text;
      return;
    }
    const int stream = token.stream < 0 ? 1 : token.stream;
    if (stream != 1 && stream != 2) return refuse("redirects another stream than 0, 1 and 2");
    Sink& sink = stream == 1 ? command().out : command().err;
    if (token.text == ">&" && target.isPlain && (target.text == "1" || target.text == "2")) {
      sink = target.text == "1" ? Sink(command().out) : Sink(command().err);
      return;
    }
    if (token.text == ">&" && (token.stream >= 0 || isDigit(target.text.c_str()[0])))
      return refuse("redirects to another stream than 1 and 2");
    const bool appends = token.text.ends_with(">>");
    const Sink file{appends ? Sink::Kind::Append : Sink::Kind::File, target.text};
    if (token.text == ">&" || token.text.starts_with('&')) command().err = command().out = file;
    else sink = file;
  }

  std::vector<ShellToken> tokens_;
  std::size_t at_ = 0;
  std::size_t commands_ = 0;
  bool negated_ = false;
  std::vector<Pipeline> pipelines_;
  std::string message_;
};

}  // namespace

ShellLine parseShellLine(std::string_view line) { return ShellLineParser().parse(line); }

}  // namespace fxs::lit
