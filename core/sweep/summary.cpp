// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/summary.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

#include "base/byte_source.h"
#include "base/safe_text.h"

namespace fxs::sweep {
namespace {

constexpr std::string_view kMissing = "missing";
/// Tables have a column for each, so that their size must not be what a file likes.
constexpr std::size_t kMaxOutputTypes = 64;

std::set<std::string> operatorsOf(const Line& line) {
  std::set<std::string> out;
  for (const Blocker& blocker : line.blockers) out.insert(blocker.fxTarget);
  return out;
}

/// Whether the program would lower if `operators`, all of its blockers, did.
bool isOnlyBlocker(const Line& line, const std::set<std::string>& operators) {
  return operators.size() == 1 && line.complete.value_or(false);
}

/// What is counted for an operator before the rows are made.
struct Counted {
  std::map<std::string, OperatorRow::Cell> cells;
  std::set<std::string> kinds;
  std::set<std::string_view> programs, freed, fixed;
  std::map<std::string, std::set<std::string_view>> changes;  // programs by verified change
};

OperatorRow rowOf(const std::string& fxTarget, const Counted& counted,
                  const std::set<std::string>& types) {
  OperatorRow row;
  row.fxTarget = fxTarget;
  row.kinds.assign(counted.kinds.begin(), counted.kinds.end());
  for (const std::string& type : types) {
    const auto at = counted.cells.find(type);
    row.cells.push_back(at == counted.cells.end() ? OperatorRow::Cell{} : at->second);
  }
  row.programs = counted.programs.size();
  row.frees = counted.freed.size();
  row.fixes = counted.fixed.size();
  std::size_t most = 0;
  for (const auto& [change, programs] : counted.changes)
    if (programs.size() > most) {
      most = programs.size();
      row.fix = change;
    }
  return row;
}

bool isUndecided(const Line* line) { return line != nullptr && !isKnown(line->status); }

/// How many programs each operator blocks, by operator and output type; without those of which
/// `other` knows nothing.
std::map<std::pair<std::string, std::string>, std::size_t> blockedPrograms(const Merged& merged,
                                                                           const Merged& other) {
  std::map<std::pair<std::string, std::string>, std::size_t> out;
  for (const auto& [program, lines] : merged.programs)
    for (const auto& [type, line] : lines) {
      if (isUndecided(other.find(program, type))) continue;
      for (const std::string& fxTarget : operatorsOf(line)) ++out[{fxTarget, type}];
    }
  return out;
}

}  // namespace

const Line* Merged::find(const std::string& program, const std::string& type) const {
  const auto lines = programs.find(program);
  if (lines == programs.end()) return nullptr;
  const auto line = lines->second.find(type);
  return line == lines->second.end() ? nullptr : &line->second;
}

std::size_t TypeTotals::all() const {
  return std::accumulate(programs.begin(), programs.end(), std::size_t{0});
}

Result<> Merger::add(Line line, const std::string& file, std::uint64_t number) {
  if (files_.empty() || files_.back() != file) files_.push_back(file);
  const auto [known, isNew] =
      positions_.try_emplace({line.program, line.to}, Position{files_.size() - 1, number});
  if (!isNew) {
    if (sameOutcome(merged_.programs.at(line.program).at(line.to), line)) return {};
    return fail(ErrorCode::InvalidInput,
                file + ":" + std::to_string(number) + ": " + printableName(line.program) + " to " +
                    printable(line.to) + " differs from " + files_[known->second.file] + ":" +
                    std::to_string(known->second.number) + "; report files of one sweep");
  }
  merged_.types.insert(line.to);
  if (merged_.types.size() > kMaxOutputTypes)
    return fail(ErrorCode::InvalidInput,
                file + ":" + std::to_string(number) + ": " + printableName(line.to) +
                    " is one output type more than " + std::to_string(kMaxOutputTypes) +
                    ", the limit of a report");
  merged_.fxscope.insert(line.fxscope);
  merged_.engines.emplace(line.engine, line.engineSha256);
  merged_.options.insert(line.options);
  Merged::Lines& lines = merged_.programs[line.program];
  std::string to = line.to;
  lines.emplace(std::move(to), std::move(line));
  return {};
}

Result<> Merger::add(const std::string& path, const RunContext& context) {
  FXS_TRY(const auto bytes, openFile(path));
  ResultsReader reader(bytes, path, Torn::Refuse);
  for (;;) {
    FXS_TRY(auto read, reader.next(context));
    if (!read) return {};
    FXS_CHECK(add(std::move(read->line), path, read->number));
  }
}

Summary summaryOf(Merged merged) {
  Summary out;
  out.merged = std::move(merged);
  std::map<std::string, TypeTotals> totals;
  std::map<std::string, Counted> operators;
  for (const std::string& type : out.merged.types) totals[type].type = type;
  for (const auto& [program, lines] : out.merged.programs)
    for (const auto& [type, line] : lines) {
      ++totals[type].programs[static_cast<std::size_t>(line.status)];
      totals[type].fixed += line.status != Status::Ok && line.fixedLowers.value_or(false);
      const std::set<std::string> all = operatorsOf(line);
      const bool frees = isOnlyBlocker(line, all);
      for (const std::string& fxTarget : all) {
        Counted& counted = operators[fxTarget];
        ++counted.cells[type].blocked;
        counted.cells[type].frees += frees;
        counted.programs.insert(program);
        if (frees) counted.freed.insert(program);
      }
      for (const Blocker& blocker : line.blockers) {
        Counted& counted = operators[blocker.fxTarget];
        counted.kinds.insert(blocker.kind);
        if (!blocker.fix) continue;
        counted.fixed.insert(program);
        counted.changes[blocker.fix->change].insert(program);
      }
    }
  for (auto& [type, total] : totals) out.types.push_back(std::move(total));
  for (const auto& [fxTarget, counted] : operators)
    out.operators.push_back(rowOf(fxTarget, counted, out.merged.types));
  std::stable_sort(out.operators.begin(), out.operators.end(),
                   [](const OperatorRow& a, const OperatorRow& b) {
                     return std::tie(b.frees, b.programs, a.fxTarget) <
                            std::tie(a.frees, a.programs, b.fxTarget);
                   });
  return out;
}

namespace {

/// `current`: null for a program that is missing now.
void addChange(const Line& line, const Line* current, Changed changed, Drift& out) {
  changed.from = name(line.status);
  changed.to = current == nullptr ? kMissing : name(current->status);
  const bool lowered = line.status == Status::Ok,
             lowers = current != nullptr && current->status == Status::Ok;
  if (isUndecided(&line) || isUndecided(current)) out.unknown.push_back(std::move(changed));
  else if (lowered != lowers) (lowered ? out.lost : out.gained).push_back(std::move(changed));
}

}  // namespace

Drift driftOf(const Merged& now, const Merged& before) {
  Drift out;
  std::set<std::string> both;
  std::set_intersection(now.types.begin(), now.types.end(), before.types.begin(),
                        before.types.end(), std::inserter(both, both.end()));
  std::set_symmetric_difference(now.types.begin(), now.types.end(), before.types.begin(),
                                before.types.end(), std::back_inserter(out.uncompared));
  for (const auto& [program, lines] : before.programs)
    for (const auto& [type, line] : lines)
      if (both.contains(type))
        addChange(line, now.find(program, type), {program, type, {}, {}}, out);
  for (const auto& [program, lines] : now.programs)
    if (!before.programs.contains(program)) out.added.push_back(program);
  const auto blockedBefore = blockedPrograms(before, {});
  for (const auto& [key, programs] : blockedPrograms(now, before))
    if (both.contains(key.second) && !blockedBefore.contains(key))
      out.blockers.push_back({key.first, key.second, programs});
  return out;
}

}  // namespace fxs::sweep
