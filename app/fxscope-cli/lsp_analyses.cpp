// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lsp_analyses.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/joined.h"
#include "base/safe_text.h"
#include "command.h"
#include "module/source_module.h"

namespace fxs::cli {
namespace {

constexpr std::size_t kMostRunning = 2;
constexpr std::size_t kMostParts = 16;  ///< of a text, that are looked at
constexpr std::uint64_t kMaxCommandAnswer = std::uint64_t{256} << 20;
constexpr std::string_view kStdin = "-";

/// "" if there is no such file.
std::string stampOf(const std::string& path) {
  struct stat file{};
  if (::stat(path.c_str(), &file) != 0) return {};
  return fmt::format("{} {} {} {}.{}", file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec,
                     file.st_mtim.tv_nsec);
}

std::string firstLineOf(const std::string& text) {
  return printable(std::string_view(text).substr(0, text.find('\n')));
}

/// Why a command has no answer; "" if it has one.
std::string whyNoAnswer(const Exit& exit) {
  if (exit.reason == ExitReason::OutputLimit) return "the answer is too large";
  if (exit.reason != ExitReason::Exited) return "fxscope-cli " + killMessage(exit);
  if (exit.out.empty()) return exit.err.empty() ? "there is no answer" : firstLineOf(exit.err);
  return {};
}

void addText(std::vector<std::string>& all, std::string text) {
  if (!text.empty() && std::find(all.begin(), all.end(), text) == all.end())
    all.push_back(std::move(text));
}

bool isOrWillBeKnown(const LspSubject& subject) {
  return subject.left > 0 || (subject.isCurrent && subject.shown.problems.empty());
}

bool isInstalledPackage(const std::string& path) {
  return path.find("/site-packages/") != std::string::npos ||
         path.find("/dist-packages/") != std::string::npos;
}

/// For several output types it is the same.
void addTextFinding(LspResults& results, LspFinding finding) {
  const auto isSame = [&](const LspFinding& each) {
    return each.message == finding.message &&
           each.places.front().line == finding.places.front().line;
  };
  if (std::none_of(results.findings.begin(), results.findings.end(), isSame))
    results.findings.push_back(std::move(finding));
}

}  // namespace

LspAnalyses::LspAnalyses(ServedProgram program, ServedFolders folders,
                         std::vector<std::string> passedOn)
    : folders_(std::move(folders)), passedOn_(std::move(passedOn)), calls_(std::move(program)) {}

void LspAnalyses::analyseProgram(const std::string& path, bool again) {
  LspSubject& subject = subjects_[path];
  subject.path = path;
  const std::string stamp = stampOf(path);
  if (!again && isOrWillBeKnown(subject) && stamp == subject.stamp) return;
  subject.stamp = stamp;
  begin(subject, 1);
}

void LspAnalyses::analyseText(const std::string& path, const std::string& text, bool again) {
  LspSubject& subject = subjects_[path];
  subject.path = path;
  subject.isText = true;
  if (!again && isOrWillBeKnown(subject) && text == subject.text) return;
  subject.text = text;
  begin(subject, std::min(module::partsOf(text).size(), kMostParts));
}

void LspAnalyses::begin(LspSubject& subject, std::size_t parts) {
  cancel(subject.path);
  subject.isCurrent = false;
  subject.next = {};
  subject.files.clear();
  const auto add = [&](std::string to, std::size_t part) {
    queued_.push_back({subject.path, std::move(to), part, subject.left++});
  };
  for (const std::string& type : types_)
    for (std::size_t part = 1; part <= parts; ++part) add(type, parts > 1 ? part : 0);
  if (!subject.isText) add("", 0);
  startQueued();
}

void LspAnalyses::cancel(const std::string& path) {
  std::erase_if(queued_, [&](const Job& job) { return job.path == path; });
  std::erase_if(running_, [&](const auto& running) {
    if (running.second.path == path) calls_.cancel(running.first);
    return running.second.path == path;
  });
  if (const auto subject = subjects_.find(path); subject != subjects_.end())
    subject->second.left = 0;
}

void LspAnalyses::forget(const std::string& path) {
  cancel(path);
  subjects_.erase(path);
}

std::vector<std::string> LspAnalyses::advance() {
  std::vector<std::string> out;
  for (const ServedCalls::Ended& ended : calls_.takeEnded()) {
    const auto job = running_.find(ended.call);
    if (job == running_.end()) continue;
    end(job->second, ended.exit);
    addText(out, job->second.path);
    running_.erase(job);
  }
  startQueued();
  return out;
}

void LspAnalyses::startQueued() {
  while (!queued_.empty() && calls_.running() < kMostRunning) {
    Job job = std::move(queued_.front());
    queued_.pop_front();
    const LspSubject& subject = subjects_.at(job.path);
    const auto call = calls_.start(wordsOf(job, subject), subject.text, kMaxCommandAnswer);
    running_.emplace(call, std::move(job));
  }
}

std::vector<std::string> LspAnalyses::wordsOf(const Job& job, const LspSubject& subject) const {
  const bool lowers = !job.to.empty();
  std::vector<std::string> out{
      lowers ? "lower" : "diagnose", subject.isText ? std::string(kStdin) : subject.path,
      "--to=" + (lowers ? job.to : joined(types_, ",")), "--json", "--full-paths"};
  if (lowers) out.emplace_back("--nodes");
  if (job.part > 0) out.push_back(fmt::format("--model={}", job.part));
  out.insert(out.end(), passedOn_.begin(), passedOn_.end());
  return out;
}

void LspAnalyses::end(const Job& job, const Result<Exit>& exit) {
  LspSubject& subject = subjects_.at(job.path);
  const auto done = guarded(subject.path, [&]() -> Result<> {
    FXS_CHECK(exit);
    if (subject.isText) endText(subject, job, *exit);
    else if (!job.to.empty()) endLower(subject, job, *exit);
    else if (std::string problem = whyNoAnswer(*exit); !problem.empty())
      addText(subject.next.problems, std::move(problem));
    else subject.next.diagnosed = exit->out;
    return {};
  });
  if (!done) addText(subject.next.problems, printable(done.error().message));
  if (--subject.left == 0) finish(subject);
}

/// Whatever command ended first, results are the same.
void LspAnalyses::finish(LspSubject& subject) {
  const auto read = guarded(subject.path, [&]() -> Result<> {
    if (!subject.next.diagnosed.empty()) readDiagnosis(subject);
    return {};
  });
  if (!read) addText(subject.next.problems, printable(read.error().message));
  if (subject.isText)
    std::sort(subject.next.findings.begin(), subject.next.findings.end(),
              [](const LspFinding& a, const LspFinding& b) {
                return std::pair(a.places.front().line.line, a.message) <
                       std::pair(b.places.front().line.line, b.message);
              });
  subject.shown = std::move(subject.next);
  subject.next = {};
  subject.hasEnded = true;
  subject.isCurrent = true;
}

void LspAnalyses::endLower(LspSubject& subject, const Job& job, const Exit& exit) {
  std::string problem = whyNoAnswer(exit);
  if (problem.empty()) {
    auto lowered = lspLoweredFrom(exit.out, fileOf(subject));
    if (lowered) subject.next.lowered.emplace(job.index, *std::move(lowered));
    else problem = lowered.error().message;
  }
  if (!problem.empty() && exit.status != kUsage) addText(subject.next.problems, std::move(problem));
  else if (!problem.empty()) addText(subject.next.problems, job.to + ": " + problem);
}

void LspAnalyses::endText(LspSubject& subject, const Job& job, const Exit& exit) {
  const auto refused = lspRefusalFrom(exit.err, kStdin);
  if (exit.reason == ExitReason::Exited && exit.status == kInput && refused) {
    LspFinding finding{LspSeverity::Error, "mlir", refused->message, {{refused->line, {}}}, {}, {}};
    finding.places.front().line.file = subject.path;
    return addTextFinding(subject.next, std::move(finding));
  }
  // That no stage starts from its dialects is known once an engine has read it.
  if (exit.reason == ExitReason::Exited && exit.status == kUsage) return;
  endLower(subject, job, exit);
  const auto lowered = subject.next.lowered.find(job.index);
  if (lowered == subject.next.lowered.end()) return;
  for (LspFinding finding : std::exchange(lowered->second.findings, {})) {
    if (finding.places.empty()) finding.places.push_back({{subject.path, 0, "", {}}, {}});
    addTextFinding(subject.next, std::move(finding));
  }
}

void LspAnalyses::readDiagnosis(LspSubject& subject) {
  const auto& lowered = subject.next.lowered;
  const LspLowered* nodes = lowered.empty() ? nullptr : &lowered.begin()->second;
  auto diagnosis = lspDiagnosisFrom(subject.next.diagnosed, nodes, fileOf(subject));
  subject.next.diagnosed.clear();
  if (!diagnosis) return addText(subject.next.problems, diagnosis.error().message);
  if (!diagnosis->isComplete)
    addText(subject.next.problems, "stopped or out of time: there may be more findings");
  subject.next.findings = std::move(diagnosis->findings);
}

LspFileOf LspAnalyses::fileOf(LspSubject& subject) const {
  return [this, &subject](const std::string& recorded) {
    const auto known = subject.files.find(recorded);
    if (known != subject.files.end()) return known->second;
    return subject.files[recorded] = shownFile(subject, recorded);
  };
}

std::optional<std::string> LspAnalyses::shownFile(const LspSubject& subject,
                                                  const std::string& recorded) const {
  namespace fs = std::filesystem;
  if (subject.isText) return recorded == kStdin ? std::optional(subject.path) : std::nullopt;
  // "<eval_with_key>.1" is not a file.
  if (recorded.empty() || recorded.starts_with('<')) return std::nullopt;
  const auto below = [&](const fs::path& path) -> std::optional<std::string> {
    const auto resolved = folders_.resolved(path.string());
    if (!resolved || isInstalledPackage(*resolved)) return std::nullopt;
    return *resolved;
  };
  if (recorded.starts_with('/')) return below(recorded);
  std::vector<fs::path> bases(folders_.all().begin(), folders_.all().end());
  for (fs::path base = fs::path(subject.path).parent_path();; base = base.parent_path()) {
    bases.push_back(base);
    if (base == base.parent_path()) break;
  }
  for (const fs::path& base : bases) {
    std::error_code error;
    const auto path = below(base / recorded);
    if (path && fs::is_regular_file(*path, error)) return path;
  }
  return std::nullopt;
}

}  // namespace fxs::cli
