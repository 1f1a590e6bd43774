// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pattern_log.h"

#include <charconv>

#include "base/ascii.h"
#include "mlir/text/document.h"
#include "mlir/text/token_ends.h"

namespace fxs::lower {
namespace {

constexpr std::string_view kBegins = " begins (";
constexpr std::string_view kCompleted = " completed `";
constexpr std::string_view kPattern = "`apply-pattern pattern: ";
constexpr std::string_view kPass = "`pass-execution` running `";
constexpr std::string_view kIteration = "GreedyPatternRewriteIteration(";
constexpr std::string_view kConversion = "apply-conversion";
/// A pass that only contains others: it is an action, but IR printing does not list it.
constexpr std::string_view kAdaptor = "OpToOpPassAdaptor";

bool isNameChar(char c) { return isWordChar(c) || c == '$' || c == '-' || c == '.'; }

/// Where the operation begins in `Name (op ..)`; a compiler may spell a namespace "(anonymous
/// namespace)".
std::size_t opBegin(std::string_view text) {
  for (std::size_t at = text.find(" ("); at != std::string_view::npos; at = text.find(" (", at + 1))
    if (!text.substr(at + 2).starts_with("anonymous namespace)")) return at;
  return std::string_view::npos;
}

class Reader {
 public:
  PatternLog read(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      line(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return std::move(log_);
  }

 private:
  enum class Kind : std::uint8_t { Pass, Adaptor, Conversion, Iteration, Attempt };
  struct Open {
    Kind kind;
    int index;  // of a pass or an attempt
  };

  void line(std::string_view line) {
    if (line.starts_with("[thread ")) {
      if (const std::size_t at = line.find(kBegins); at != std::string_view::npos) {
        const std::size_t action = line.find(" Action ", at);
        if (action != std::string_view::npos) begins(line.substr(action + 8));
        return;
      }
      if (const std::size_t at = line.find(kCompleted); at != std::string_view::npos) {
        completed(line.substr(at + kCompleted.size()));
        return;
      }
    }
  }

  void begins(std::string_view action) {
    if (action.starts_with(kPattern)) attempt(action.substr(kPattern.size()));
    else if (action.starts_with(kPass)) pass(action.substr(kPass.size()));
    else if (action.starts_with(kIteration)) iteration(action.substr(kIteration.size()));
    else if (action.starts_with(kConversion)) conversion();
  }

  void pass(std::string_view rest) {
    ++ordinals_;
    std::string_view name = rest.substr(0, rest.find('`'));
    if (const std::size_t colon = name.rfind("::"); colon != std::string_view::npos)
      name = name.substr(colon + 2);
    if (name == kAdaptor) {
      open_.push_back({Kind::Adaptor, -1});
      return;
    }
    LoggedPass pass;
    pass.passClass = std::string(name);
    pass.ordinal = ordinals_;
    log_.passes.push_back(std::move(pass));
    log_.iterations.emplace_back();
    open_.push_back({Kind::Pass, static_cast<int>(log_.passes.size()) - 1});
  }

  void conversion() {
    if (const int pass = current(Kind::Pass); pass >= 0)
      log_.passes[static_cast<std::size_t>(pass)].conversion = true;
    open_.push_back({Kind::Conversion, -1});
  }

  void iteration(std::string_view rest) {
    int number = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (const int pass = current(Kind::Pass); pass >= 0 && number > 0) {
      std::vector<int>& runs = log_.iterations[static_cast<std::size_t>(pass)];
      if (number == 1 || runs.empty()) runs.push_back(number);
      else runs.back() = number;
    }
    open_.push_back({Kind::Iteration, -1});
  }

  void attempt(std::string_view rest) {
    LoggedAttempt a;
    a.ordinal = log_.attempts.size() + 1;
    a.pass = current(Kind::Pass);
    const std::size_t open = opBegin(rest);
    std::string_view name = rest.substr(0, open);
    while (name.starts_with(' ')) name.remove_prefix(1);
    a.pattern = std::string(name);
    if (open != std::string_view::npos) {
      std::string_view op = rest.substr(open + 2);
      if (op.ends_with(")`")) op.remove_suffix(2);
      a.op = std::string(op);
      a.opName = std::string(mlir::opNameOf(op));
      if (const std::size_t loc = op.rfind(" loc("); loc != std::string_view::npos) {
        // The mark of a pass is not a node.
        const std::string_view body = op.substr(loc + 5);
        const bool marks =
            a.opName == "func.func" || a.opName == "builtin.module" || a.opName == "module";
        if (!marks) a.nodes = mlir::LocationTable().nodes(body);
      }
    }
    a.inside = current(Kind::Attempt);
    if (a.inside >= 0) log_.attempts[static_cast<std::size_t>(a.inside)].hasInner = true;
    a.inConversion = in(Kind::Conversion);
    if (!a.inConversion && a.pass >= 0) {
      const std::vector<int>& runs = log_.iterations[static_cast<std::size_t>(a.pass)];
      a.greedyRun = static_cast<int>(runs.size());
      a.iteration = runs.empty() ? 0 : runs.back();
    }
    open_.push_back({Kind::Attempt, static_cast<int>(log_.attempts.size())});
    log_.attempts.push_back(std::move(a));
  }

  void completed(std::string_view tag) {
    tag = tag.substr(0, tag.find('`'));
    const auto matches = [&](Kind kind) {
      switch (kind) {
        case Kind::Pass:
        case Kind::Adaptor: return tag == "pass-execution";
        case Kind::Conversion: return tag == "apply-conversion";
        case Kind::Iteration: return tag == "GreedyPatternRewriteIteration";
        case Kind::Attempt: break;
      }
      return tag == "apply-pattern";
    };
    // A filtered log may lack the end of inner actions, which end with the outer one.
    for (std::size_t i = open_.size(); i-- > 0;) {
      if (!matches(open_[i].kind)) continue;
      if (open_[i].kind == Kind::Pass)
        log_.passes[static_cast<std::size_t>(open_[i].index)].ended = ended_++;
      if (open_[i].kind == Kind::Attempt)
        log_.attempts[static_cast<std::size_t>(open_[i].index)].completed = true;
      open_.resize(i);
      return;
    }
  }

  int current(Kind kind) const {
    for (std::size_t i = open_.size(); i-- > 0;)
      if (open_[i].kind == kind) return open_[i].index;
    return -1;
  }
  bool in(Kind kind) const {
    for (std::size_t i = open_.size(); i-- > 0 && open_[i].kind != Kind::Pass;)
      if (open_[i].kind == kind) return true;
    return false;
  }

  PatternLog log_;
  std::vector<Open> open_;
  std::size_t ordinals_ = 0, ended_ = 0;
};

}  // namespace

PatternLog readPatternLog(std::string_view text) { return Reader().read(text); }

int PatternLog::lastIteration(int pass, int greedyRun) const {
  if (pass < 0 || static_cast<std::size_t>(pass) >= iterations.size() || greedyRun < 1) return 0;
  const std::vector<int>& runs = iterations[static_cast<std::size_t>(pass)];
  return static_cast<std::size_t>(greedyRun) <= runs.size()
             ? runs[static_cast<std::size_t>(greedyRun) - 1]
             : 0;
}

std::string shortPatternName(std::string_view pattern) {
  // Words joined by `::`; each word but the last of such a chain is a namespace.
  std::string out;
  std::vector<std::size_t> chains{0};  // where the chain of each open template began in `out`
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view rest = pattern.substr(i);
    const char c = pattern[i];
    if (rest.starts_with("::")) {
      out.resize(chains.back());
      ++i;
    } else if (rest.starts_with("{anonymous}") || rest.starts_with("(anonymous namespace)")) {
      i = pattern.find(c == '{' ? '}' : ')', i);
    } else {
      out += c;
      if (c == '<') chains.push_back(out.size());
      else if (c == '>' && chains.size() > 1) chains.pop_back();
      else if (c == ',' || c == ' ' || c == '(') chains.back() = out.size();
    }
  }
  return out;
}

std::string withoutNames(std::string_view op) {
  std::string out;
  for (std::size_t i = 0; i < op.size();) {
    const char c = op[i];
    if (c == '"') {
      const std::size_t end = mlir::afterQuoted(op, i);
      out += op.substr(i, end - i);
      i = end;
    } else if (c == '%') {
      out += c;
      ++i;
      // Of `%5:2` and `%5#1`, replace the name only.
      while (i < op.size() && isNameChar(op[i])) ++i;
    } else if (op.substr(i).starts_with(" loc(")) {
      const std::size_t end = mlir::afterBracket(op, i + 4);
      if (end == std::string_view::npos) break;
      i = end;
    } else {
      out += c;
      ++i;
    }
  }
  return out;
}

}  // namespace fxs::lower
