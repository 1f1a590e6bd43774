// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/matches.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/number_from.h"
#include "lit/limits.h"
#include "lit/lines.h"

namespace fxs::lit {
namespace {

constexpr std::array<std::string_view, 4> kMarks{
    ": remark: ", ": error: ", ": note: ", ": warning: "};

/// `file:line:column: severity: message`
struct CheckHeader {
  CheckPosition at;
  std::string_view mark, message;
};

/// Removes the number after the last `:`.
std::optional<std::uint32_t> takeLastNumber(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto number = numberFrom<std::uint32_t>(text.substr(colon + 1));
  text = text.substr(0, colon);
  return number;
}

std::optional<CheckHeader> headerIn(std::string_view line) {
  constexpr std::size_t kLongestPlace = 4096;
  for (const std::string_view mark : kMarks) {
    const std::size_t at = line.substr(0, kLongestPlace).find(mark);
    if (at == std::string_view::npos) continue;
    std::string_view position = line.substr(0, at);
    const auto column = takeLastNumber(position);
    const auto number = takeLastNumber(position);
    if (!column || !number || position.empty()) continue;
    return CheckHeader{
        {std::string(position), *number, *column, 0}, mark, line.substr(at + mark.size())};
  }
  return std::nullopt;
}

bool isCaretLine(std::string_view line) {
  return line.find('^') != std::string_view::npos &&
         line.find_first_not_of(" \t^~") == std::string_view::npos;
}

class MatchReader {
 public:
  Matches read(std::string_view text) {
    forEachLine(text, [&](const Line& line) {
      take(line.range.of(text));
      return out_.all.size() < kMaxMatches;
    });
    endMatch();
    return std::move(out_);
  }

 private:
  void take(std::string_view line) {
    if (std::exchange(sourceFollows_, false)) {
      if (source_ != nullptr) *source_ = line;
      caretMayFollow_ = true;
      return;
    }
    if (std::exchange(caretMayFollow_, false) && isCaretLine(line)) {
      const std::size_t from = line.find_first_of("^~");
      const std::size_t end = line.find_last_of("^~") + 1;
      if (position_ != nullptr) position_->width = static_cast<std::uint32_t>(end - from);
      return;
    }
    if (const auto header = headerIn(line)) return takeHeader(*header);
    const bool isError =
        line.starts_with("error: ") || line.find("FileCheck error: ") != std::string_view::npos;
    if (isError) out_.messages.emplace_back(line);
  }

  void takeHeader(const CheckHeader& header) {
    sourceFollows_ = true;
    position_ = nullptr;
    source_ = nullptr;
    if (header.mark == ": note: ") return takeNote(header);
    endMatch();
    const std::size_t colon = header.message.find(": ");
    if (header.mark == ": warning: " || colon == std::string_view::npos) {
      out_.messages.emplace_back(header.message);
      return;
    }
    // FileCheck's own, to which CHECK-NOT at the end of a file belongs.
    if (header.message.starts_with("implicit EOF: ")) return;
    Match& match = open_.emplace();
    match.directive = header.message.substr(0, colon);
    match.message = header.message.substr(colon + 2);
    match.check = header.at;
    if (header.mark == ": error: ") match.outcome = Match::Outcome::Failed;
    else if (match.message.find("excluded string not found") != std::string::npos)
      match.outcome = Match::Outcome::Excluded;
    position_ = &match.check;
    source_ = &match.checkLine;
  }
  void takeNote(const CheckHeader& header) {
    if (!open_) return;
    if (header.message.starts_with("match discarded")) {
      // Of CHECK-DAG; the next one is printed then.
      open_.reset();
      return;
    }
    const bool isInput = header.message == "found here" ||
                         header.message.starts_with("scanning from here") ||
                         header.message.ends_with("match was here");
    if (isInput && !open_->input) {
      position_ = &open_->input.emplace(header.at);
      open_->inputMessage = header.message;
      source_ = &open_->inputLine;
      return;
    }
    CheckNote& note = open_->notes.emplace_back();
    note.at = header.at;
    note.message = header.message;
    position_ = &note.at;
    source_ = &note.line;
  }

  /// Directives with a label are decided twice.
  void endMatch() {
    position_ = nullptr;
    source_ = nullptr;
    if (!open_) return;
    const auto isSame = [this](const Match& match) {
      return match.check == open_->check && match.input == open_->input &&
             match.outcome == open_->outcome && match.message == open_->message;
    };
    const bool isLabel = open_->directive.ends_with("-LABEL");
    if (!isLabel || !labels_.contains(keyOf(*open_))) {
      if (isLabel) labels_.insert(keyOf(*open_));
      if (out_.all.empty() || !isSame(out_.all.back())) out_.all.push_back(*std::move(open_));
    }
    open_.reset();
  }
  using Key = std::array<std::uint32_t, 4>;
  static Key keyOf(const Match& match) {
    return {match.check.line, match.check.column, match.input ? match.input->line : 0,
            static_cast<std::uint32_t>(match.outcome)};
  }

  Matches out_;
  std::optional<Match> open_;
  std::set<Key> labels_;
  CheckPosition* position_ = nullptr;  ///< whose width the next line of carets says
  std::string* source_ = nullptr;      ///< which the next line is
  bool sourceFollows_ = false, caretMayFollow_ = false;
};

bool isBlank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

bool Matches::failed() const {
  return std::any_of(all.begin(), all.end(),
                     [](const Match& m) { return m.outcome == Match::Outcome::Failed; });
}

Matches readFileCheck(std::string_view stderrText) { return MatchReader().read(stderrText); }

TextRange rangeIn(std::string_view line, const CheckPosition& position, Blanks blanks) {
  TextRange out{line.size(), line.size()};
  const std::uint64_t first = position.column, end = first + position.width;
  std::uint64_t column = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool isJoined =
        blanks == Blanks::Joined && i > 0 && isBlank(line[i]) && isBlank(line[i - 1]);
    if (!isJoined) ++column;
    if (column >= end) {
      out.end = i;
      break;
    }
    if (column == first) out.begin = std::min(out.begin, i);
  }
  out.begin = std::min(out.begin, out.end);
  return out;
}

}  // namespace fxs::lit
