// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/counted.h"
#include "base/joined.h"
#include "base/sha256.h"
#include "base/take_until.h"

namespace fxs::resource {
std::string_view supportMatrix();
}

namespace fxs::support {
namespace {

using State = Outcome::State;

constexpr std::string_view kHead = "fxscope-support 1";
constexpr std::size_t kMaxTargets = 16;
constexpr char kNotMeasured = '?', kLowers = 'L', kOnlyRewritten = 'R', kOnlyExported = 'X',
               kFirstKind = 'a';

char letterOf(const Outcome& outcome) {
  switch (outcome.state) {
    case State::NotMeasured: return kNotMeasured;
    case State::Lowers: return kLowers;
    case State::OnlyRewritten: return kOnlyRewritten;
    case State::OnlyExported: return kOnlyExported;
    case State::Blocked: break;
  }
  return static_cast<char>(kFirstKind + static_cast<int>(outcome.kind));
}

std::optional<Outcome> outcomeOf(char letter) {
  if (letter == kNotMeasured) return Outcome{};
  if (letter == kLowers) return Outcome{State::Lowers, {}};
  if (letter == kOnlyRewritten) return Outcome{State::OnlyRewritten, {}};
  if (letter == kOnlyExported) return Outcome{State::OnlyExported, {}};
  const int kind = letter - kFirstKind;
  if (kind < 0 || kind >= diagnose::kKindCount) return std::nullopt;
  return Outcome{State::Blocked, static_cast<diagnose::Kind>(kind)};
}

std::vector<std::uint64_t> numbersOf(const std::string& text) {
  std::vector<std::uint64_t> out;
  bool inside = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !inside) out.push_back(0);
    if (digit) out.back() = out.back() * 10 + static_cast<std::uint64_t>(c - '0');
    inside = digit;
  }
  return out;
}

std::string namesOf(const std::vector<DType>& dtypes) {
  std::vector<std::string> names;
  for (const DType dtype : dtypes) names.emplace_back(facts(dtype).shortName);
  return joined(names);
}

/// What follows `key` and a space in a line; nullopt if the line is another.
std::optional<std::string> valueOf(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return std::nullopt;
  line.remove_prefix(key.size());
  return std::string(line.starts_with(' ') ? line.substr(1) : line);
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty())
    if (const std::string_view word = takeUntil(' ', text); !word.empty()) out.emplace_back(word);
  return out;
}

/// What tells the calls that lower from those that do not, if element types and sizes do so; ""
/// otherwise.
std::string limitsOf(const Matrix& matrix, const Operator& op, std::size_t target) {
  // Lower with all sizes; with static ones, and with dynamic ones not or only in some forms; not at
  // all.
  std::vector<DType> always, fixed, some, blocked;
  for (const DType dtype : dtypesOf(op)) {
    const Cell still = cellOf(matrix, op, target, dtype, Sizes::Static),
               moving = cellOf(matrix, op, target, dtype, Sizes::Dynamic);
    if (still.forms + moving.forms == 0) continue;
    const bool stillAll = still.lower == still.forms, movingAll = moving.lower == moving.forms;
    if (stillAll && movingAll) always.push_back(dtype);
    else if (still.lower + moving.lower == 0) blocked.push_back(dtype);
    else if (stillAll && still.forms > 0) (moving.lower == 0 ? fixed : some).push_back(dtype);
    else return {};
  }
  std::vector<DType> lower = always;
  lower.insert(lower.end(), fixed.begin(), fixed.end());
  lower.insert(lower.end(), some.begin(), some.end());
  if (lower.empty()) return {};
  std::vector<std::string> out;
  if (!blocked.empty()) out.push_back("only " + namesOf(lower));
  const auto of = [&](const std::vector<DType>& dtypes) {
    return dtypes.size() == lower.size() ? "" : " for " + namesOf(dtypes);
  };
  if (!fixed.empty()) out.push_back("only static sizes" + of(fixed));
  if (!some.empty()) out.push_back("dynamic sizes in some forms only" + of(some));
  return joined(out, "; ");
}

}  // namespace

std::string MeasuredEngine::title() const {
  return !release.empty() ? release : version + " (" + shortSha256(sha256) + ")";
}

bool isOlder(const MeasuredEngine& a, const MeasuredEngine& b) {
  const bool released = !a.release.empty() && !b.release.empty();
  const auto first = numbersOf(released ? a.release : a.version),
             second = numbersOf(released ? b.release : b.version);
  return first != second ? first < second : a.title() < b.title();
}

Matrix::Matrix(const Calls& calls, MeasuredEngine engine, std::vector<std::string> targets)
    : calls_(&calls), engine_(std::move(engine)), targets_(std::move(targets)) {
  assert(targets_.size() <= kMaxTargets);
  for (const Operator& op : calls.operators())
    outcomes_.emplace_back(op.programs() * targets_.size(), kNotMeasured);
}

Result<Matrix> Matrix::parse(const std::string& text, const std::string& label,
                             const Calls& calls) {
  const auto wrong = [&](const std::string& message) {
    return fail(ErrorCode::InvalidInput, label + ": " + message);
  };
  const std::string again = "measure again with 'fxscope-cli support --measure'";
  std::string_view rest = text;
  if (takeUntil('\n', rest) != kHead)
    return wrong("expected '" + std::string(kHead) + "' in line 1; " + again);
  MeasuredEngine engine;
  std::vector<std::string> targets;
  for (const auto& [key, field] :
       std::vector<std::pair<std::string_view, std::string*>>{{"engine", &engine.sha256},
                                                              {"version", &engine.version},
                                                              {"release", &engine.release}}) {
    const auto value = valueOf(takeUntil('\n', rest), key);
    if (!value) return wrong("expected the line '" + std::string(key) + " ..'; " + again);
    *field = *value;
  }
  const auto of = valueOf(takeUntil('\n', rest), "calls");
  if (!of || *of != calls.checksum())
    return wrong("it was measured with the calls of another version of fxscope; " + again);
  const auto listed = valueOf(takeUntil('\n', rest), "targets");
  if (listed) targets = words(*listed);
  if (targets.empty() || targets.size() > kMaxTargets)
    return wrong("expected 1 to " + std::to_string(kMaxTargets) + " targets; " + again);
  Matrix out(calls, std::move(engine), std::move(targets));
  while (!rest.empty()) {
    const std::vector<std::string> line = words(takeUntil('\n', rest));
    const Operator* op = line.size() == 2 ? calls.find(line[0]) : nullptr;
    const auto known =
        op == nullptr ? nullptr
                      : &out.outcomes_[static_cast<std::size_t>(op - calls.operators().data())];
    if (known == nullptr || line[1].size() != known->size() ||
        !std::all_of(line[1].begin(), line[1].end(),
                     [](char letter) { return outcomeOf(letter).has_value(); }))
      return wrong("a line is not an operator with its outcomes; " + again);
    *known = line[1];
  }
  return out;
}

std::string Matrix::print() const {
  std::string out = std::string(kHead) + "\nengine " + engine_.sha256 + "\nversion " +
                    engine_.version + "\nrelease " + engine_.release + "\ncalls " +
                    calls_->checksum() + "\ntargets " + joined(targets_, " ") + "\n";
  for (std::size_t i = 0; i < outcomes_.size(); ++i)
    if (outcomes_[i].find_first_not_of(kNotMeasured) != std::string::npos)
      out += std::string(calls_->operators()[i].name) + " " + outcomes_[i] + "\n";
  return out;
}

const Matrix* Matrix::builtin() {
  static const std::optional<Matrix> matrix = []() -> std::optional<Matrix> {
    auto parsed =
        parse(std::string(resource::supportMatrix()), "the built-in matrix", Calls::builtin());
    return parsed ? std::optional(*std::move(parsed)) : std::nullopt;
  }();
  return matrix ? &*matrix : nullptr;
}

Outcome Matrix::at(const Operator& op, std::size_t program, std::size_t target) const {
  const auto index = static_cast<std::size_t>(&op - calls_->operators().data());
  return outcomeOf(outcomes_.at(index).at(program * targets_.size() + target)).value_or(Outcome{});
}
void Matrix::set(const Operator& op, std::size_t program, std::size_t target, Outcome outcome) {
  const auto index = static_cast<std::size_t>(&op - calls_->operators().data());
  outcomes_.at(index).at(program * targets_.size() + target) = letterOf(outcome);
}
bool Matrix::isMeasured(const Operator& op, std::size_t program) const {
  for (std::size_t t = 0; t < targets_.size(); ++t)
    if (at(op, program, t).state == State::NotMeasured) return false;
  return true;
}
std::size_t Matrix::programs() const {
  std::size_t out = 0;
  for (const Operator& op : calls_->operators()) out += op.programs();
  return out;
}
std::size_t Matrix::missing() const {
  std::size_t out = 0;
  for (const Operator& op : calls_->operators())
    for (std::size_t i = 0; i < op.programs(); ++i) out += !isMeasured(op, i);
  return out;
}

std::shared_ptr<const Matrix> matrixFor(const std::vector<std::shared_ptr<const Matrix>>& known,
                                        std::string_view sha256) {
  for (const std::shared_ptr<const Matrix>& matrix : known)
    if (matrix->engine().sha256 == sha256) return matrix;
  return known.empty() ? nullptr : known.back();
}

Cell cellOf(const Matrix& matrix, const Operator& op, std::size_t target, DType dtype,
            Sizes sizes) {
  Cell cell;
  std::size_t program = 0;
  for (const Call& call : op.calls)
    for (const DType each : call.dtypes) {
      const Outcome outcome = matrix.at(op, program++, target);
      if (each != dtype || call.sizes != sizes || outcome.state == State::NotMeasured) continue;
      ++cell.forms;
      cell.lower += outcome.lowers();
      cell.exported += outcome.lowersAsExported();
      if (outcome.state == State::Blocked) cell.kinds.insert(outcome.kind);
    }
  return cell;
}

std::vector<DType> dtypesOf(const Operator& op) {
  std::vector<DType> out;
  for (const Call& call : op.calls)
    for (const DType dtype : call.dtypes)
      if (std::find(out.begin(), out.end(), dtype) == out.end()) out.push_back(dtype);
  return out;
}

std::string_view name(Standing standing) {
  switch (standing) {
    case Standing::NotMeasured: return "not-measured";
    case Standing::Never: return "never";
    case Standing::Part: return "part";
    case Standing::Always: return "always";
  }
  return "";
}

Verdict verdictOf(const Matrix& matrix, const Operator& op, std::size_t target) {
  Verdict out;
  std::size_t exported = 0;
  std::map<diagnose::Kind, std::size_t> kinds;
  for (std::size_t i = 0; i < op.programs(); ++i) {
    const Outcome outcome = matrix.at(op, i, target);
    if (outcome.state == State::NotMeasured) continue;
    ++out.programs;
    out.lower += outcome.lowers();
    exported += outcome.lowersAsExported();
    if (outcome.state == State::Blocked) ++kinds[outcome.kind];
  }
  if (out.programs == 0) {
    out.message = "not measured";
    return out;
  }
  out.standing = out.lower == out.programs ? Standing::Always : Standing::Part;
  if (out.lower == 0) out.standing = Standing::Never;
  const std::string limits = out.standing == Standing::Part ? limitsOf(matrix, op, target) : "";
  if (out.standing == Standing::Always) out.message = "lowers";
  else if (out.standing == Standing::Never) out.message = "never lowers";
  else if (!limits.empty()) out.message = limits;
  else
    out.message = fmt::format("some forms: {} of {} lower", out.lower,
                              counted(out.programs, "measured program"));
  if (out.standing == Standing::Never && !kinds.empty()) {
    const auto most =
        std::max_element(kinds.begin(), kinds.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    out.message += fmt::format(" ({})", diagnose::title(most->first));
  }
  if (out.lower > 0 && exported == 0) out.message += "; only with rewrites";
  return out;
}

std::optional<MeasuredEngine> sinceWhen(const std::vector<const Matrix*>& matrices,
                                        const Operator& op, const std::string& target) {
  std::vector<std::pair<MeasuredEngine, Standing>> known;
  for (const Matrix* matrix : matrices) {
    const auto at = std::find(matrix->targets().begin(), matrix->targets().end(), target);
    if (at == matrix->targets().end()) continue;
    const Standing standing =
        verdictOf(*matrix, op, static_cast<std::size_t>(at - matrix->targets().begin())).standing;
    if (standing != Standing::NotMeasured) known.emplace_back(matrix->engine(), standing);
  }
  std::sort(known.begin(), known.end(),
            [](const auto& a, const auto& b) { return isOlder(a.first, b.first); });
  if (known.size() < 2) return std::nullopt;
  std::size_t first = known.size() - 1;
  while (first > 0 && known[first - 1].second == known.back().second) --first;
  return first == 0 ? std::nullopt : std::optional(known[first].first);
}

}  // namespace fxs::support
