// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/variants/edit_presenter.h"

#include <algorithm>
#include <charconv>

#include "text/words.h"

namespace fxs::ui {
namespace {

/// Without a key for so long, the text is parsed.
constexpr int kPauseMs = 120;
constexpr std::size_t kMostProblems = 200;

/// `<stdin>:3:5: error: ..`
std::optional<EditProblem> problemAt(std::string_view line) {
  constexpr std::string_view kInput = "<stdin>:", kError = "error: ", kWarning = "warning: ";
  if (!line.starts_with(kInput)) return std::nullopt;
  std::uint32_t row = 0, column = 0;
  const char* const end = line.data() + line.size();
  auto read = std::from_chars(line.data() + kInput.size(), end, row);
  if (read.ec != std::errc() || read.ptr == end) return std::nullopt;
  read = std::from_chars(read.ptr + 1, end, column);
  if (read.ec != std::errc() || end - read.ptr < 2 || row == 0) return std::nullopt;
  const std::string_view rest = line.substr(static_cast<std::size_t>(read.ptr + 2 - line.data()));
  const bool isError = rest.starts_with(kError);
  if (!isError && !rest.starts_with(kWarning)) return std::nullopt;
  return EditProblem{row - 1, column > 0 ? column - 1 : 0, isError,
                     text(rest.substr((isError ? kError : kWarning).size()))};
}

}  // namespace

std::vector<EditProblem> problemsIn(std::string_view errors) {
  std::vector<EditProblem> out;
  while (!errors.empty() && out.size() < kMostProblems) {
    const std::size_t end = std::min(errors.find('\n'), errors.size());
    if (auto problem = problemAt(errors.substr(0, end))) out.push_back(*std::move(problem));
    errors.remove_prefix(std::min(end + 1, errors.size()));
  }
  std::stable_sort(out.begin(), out.end(), [](const EditProblem& a, const EditProblem& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return out;
}

EditPresenter::EditPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      checker_(services.chosen(sessionEdits(services.environment))),
      checking_(services) {
  pending_.setSingleShot(true);
  pending_.setInterval(kPauseMs);
  connect(&pending_, &QTimer::timeout, this, &EditPresenter::check);
  connect(&checking_, &Work::changed, this, &EditPresenter::problemsChanged);
  connect(&session_, &SessionPresenter::programChanged, this, &EditPresenter::discard);
}

void EditPresenter::begin(EditSource source, std::string text) {
  pending_.stop();
  checking_.supersede();
  problems_.clear();
  source_ = std::move(source);
  begun_ = text_ = std::move(text);
  session_.setEdited(false);
  Q_EMIT sourceChanged();
  check();
}

void EditPresenter::discard() {
  if (!source_) return;
  pending_.stop();
  source_.reset();
  begun_.clear();
  text_.clear();
  problems_.clear();
  checking_.supersede();
  Q_EMIT sourceChanged();
  session_.setEdited(false);
}

void EditPresenter::setText(std::string text) {
  if (!source_ || text_ == text) return;
  text_ = std::move(text);
  session_.setEdited(isChanged());
  pending_.start();
  Q_EMIT textChanged();
  Q_EMIT problemsChanged();
}

void EditPresenter::check() {
  if (!source_) return;
  checking_.start(
      "parsing",
      [from = session_.snapshot(), source = *source_, text = text_,
       check = checker_](const RunContext& context) { return check(from, source, text, context); },
      [this](Result<std::vector<EditProblem>> found) {
        problems_ = found ? *std::move(found) : std::vector<EditProblem>();
      });
}

const EditProblem* EditPresenter::firstError() const {
  const auto found = std::find_if(problems_.begin(), problems_.end(),
                                  [](const EditProblem& each) { return each.isError; });
  return found == problems_.end() ? nullptr : &*found;
}

QString EditPresenter::summary() const {
  if (!source_) return {};
  if (isUnchecked()) return "Not checked: " + checking_.state().message;
  const auto errors = std::count_if(problems_.begin(), problems_.end(),
                                    [](const auto& each) { return each.isError; });
  const std::size_t warnings = problems_.size() - static_cast<std::size_t>(errors);
  if (problems_.empty()) return checking() ? QString("Checking …") : QString("No errors");
  QStringList counts;
  if (errors > 0) counts << counted(static_cast<std::size_t>(errors), "error");
  if (warnings > 0) counts << counted(warnings, "warning");
  return counts.join(", ");
}

void EditPresenter::setOperations(std::vector<std::string> names) {
  operations_ = std::move(names);
}

}  // namespace fxs::ui
