// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/by_engine.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/byte_source.h"
#include "base/joined.h"

namespace fxs::sweep {
namespace {

/// Tables have a column for each.
constexpr std::size_t kMaxEngines = 32;

std::string outcomeOf(const Line* line) {
  if (line == nullptr) return "missing";
  std::string out(name(line->status));
  return line->stage.empty() ? out : out + " at " + line->stage;
}

/// "aten.a (no-pattern)" for each blocker.
std::set<std::string> blockersOf(const Line& line) {
  std::set<std::string> out;
  for (const Blocker& blocker : line.blockers)
    out.insert(blocker.fxTarget + " (" + blocker.kind + ")");
  return out;
}

std::string lacking(const std::set<std::string>& of, const std::set<std::string>& other,
                    const char* change) {
  std::vector<std::string> only;
  std::set_difference(of.begin(), of.end(), other.begin(), other.end(), std::back_inserter(only));
  if (only.empty()) return {};
  return joined(only) + (only.size() == 1 ? " " : " each ") + change;
}

/// What an engine changed; "" if nothing. An outcome that one engine does not have is not compared.
std::string changeOf(const Line* from, const Line* to) {
  if (from == nullptr || to == nullptr) return {};
  if (!isKnown(from->status) || !isKnown(to->status)) return std::string(kNotKnown);
  const bool lowered = from->status == Status::Ok, lowers = to->status == Status::Ok;
  if (lowered != lowers) return lowers ? "gained" : "lost";
  std::vector<std::string> out;
  if (from->status != to->status || from->stage != to->stage)
    out.push_back(outcomeOf(from) + " became " + outcomeOf(to));
  const std::set<std::string> before = blockersOf(*from), now = blockersOf(*to);
  for (std::string part :
       {lacking(before, now, "no longer blocks"), lacking(now, before, "newly blocks")})
    if (!part.empty()) out.push_back(std::move(part));
  return joined(out, "; ");
}

void addChange(const std::string& change, EngineColumn& to) {
  if (change == "gained") ++to.gained;
  else if (change == "lost") ++to.lost;
  else if (change == kNotKnown) ++to.unknown;
  else if (!change.empty()) ++to.otherwise;
}

}  // namespace

Result<> EngineMerger::add(const std::string& path, const RunContext& context) {
  FXS_TRY(const auto bytes, openFile(path));
  ResultsReader reader(bytes, path, Torn::Refuse);
  for (;;) {
    FXS_TRY(auto read, reader.next(context));
    if (!read) return {};
    Line& line = read->line;
    auto part = std::find_if(parts_.begin(), parts_.end(),
                             [&](const Part& each) { return each.sha256 == line.engineSha256; });
    if (part == parts_.end()) {
      if (parts_.size() == kMaxEngines)
        return fail(ErrorCode::InvalidInput,
                    path + ":" + std::to_string(read->number) + ": is of one engine more than " +
                        std::to_string(kMaxEngines) + ", the most that a report compares");
      part = parts_.insert(parts_.end(), Part{line.engine, line.engineSha256, {}});
    }
    FXS_CHECK(part->merger.add(std::move(line), path, read->number));
  }
}

std::vector<EngineLines> EngineMerger::take() {
  std::vector<EngineLines> out;
  for (Part& part : parts_)
    out.push_back({std::move(part.version), std::move(part.sha256), part.merger.take()});
  return out;
}

EngineDrift engineDriftOf(const std::vector<EngineLines>& engines) {
  EngineDrift out;
  std::set<std::string> types, programs;
  for (const EngineLines& each : engines) {
    types.insert(each.merged.types.begin(), each.merged.types.end());
    for (const auto& [program, lines] : each.merged.programs) programs.insert(program);
    out.engines.push_back({each.version, each.sha256, {}});
  }
  out.types.assign(types.begin(), types.end());
  for (EngineColumn& column : out.engines) column.lower.resize(out.types.size());
  for (const std::string& program : programs)
    for (std::size_t t = 0; t < out.types.size(); ++t) {
      EngineRow row{program, out.types[t], {}, {}};
      const Line* before = nullptr;
      bool differs = false, any = false;
      for (std::size_t i = 0; i < engines.size(); ++i) {
        const Line* line = engines[i].merged.find(program, out.types[t]);
        any = any || line != nullptr;
        EngineColumn& column = out.engines[i];
        column.lower[t] += line != nullptr && line->status == Status::Ok;
        row.outcomes.push_back(outcomeOf(line));
        if (i > 0) {
          const std::string& change = row.changes.emplace_back(changeOf(before, line));
          addChange(change, column);
          differs = differs || !change.empty() || (before == nullptr) != (line == nullptr);
        }
        before = line;
      }
      out.compared += any;
      if (differs) out.rows.push_back(std::move(row));
    }
  return out;
}

}  // namespace fxs::sweep
