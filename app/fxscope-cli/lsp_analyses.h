// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What an editor's server knows of programs and of MLIR texts, and the commands that find it out:
// `lower --nodes` for each output type, and `diagnose`. Files of Python are never read.
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "lsp_answers.h"
#include "served_calls.h"
#include "served_folders.h"

namespace fxs::cli {

struct LspResults {
  std::map<std::size_t, LspLowered> lowered;  ///< in the order of the commands
  std::string diagnosed;                      ///< what `diagnose` answered, until all have ended
  std::vector<LspFinding> findings;
  std::vector<std::string> problems;  ///< why something is not known
};

/// A program, or the text of an open document.
struct LspSubject {
  std::string path;
  bool isText = false;
  std::string text;
  std::string stamp;       ///< tells one state of the file from others
  LspResults shown;        ///< of the last analysis that ended
  LspResults next;         ///< of one that runs
  std::size_t left = 0;    ///< commands that have not ended
  bool hasEnded = false;   ///< an analysis
  bool isCurrent = false;  ///< what is shown is of `stamp` or `text`
  std::map<std::string, std::optional<std::string>> files = {};  ///< by recorded file

  /// Until the first analysis ended, what there is of it.
  const std::map<std::size_t, LspLowered>& lowered() const {
    return hasEnded ? shown.lowered : next.lowered;
  }
};

class LspAnalyses {
 public:
  /// `passedOn`: options of each command.
  LspAnalyses(ServedProgram program, ServedFolders folders, std::vector<std::string> passedOn);

  const std::vector<std::string>& types() const { return types_; }
  /// What is known for others is forgotten.
  void setTypes(std::vector<std::string> types) { types_ = std::move(types); }

  const std::map<std::string, LspSubject>& subjects() const { return subjects_; }
  /// Of a file without links. One that has the same state as at the last time, of which all is or
  /// will be known, is not analysed again unless `again`.
  void analyseProgram(const std::string& path, bool again = false);
  void analyseText(const std::string& path, const std::string& text, bool again = false);
  /// Ends what runs; what was known before stays.
  void cancel(const std::string& path);
  void forget(const std::string& path);

  /// Collects the commands that ended, and starts others; the paths of what they were for.
  std::vector<std::string> advance();
  int descriptor() const { return calls_.descriptor(); }

 private:
  struct Job {
    std::string path;
    std::string to;         ///< "" to diagnose
    std::size_t part = 0;   ///< 0: there is one
    std::size_t index = 0;  ///< among those of the analysis
  };
  void begin(LspSubject&, std::size_t parts);
  void startQueued();
  std::vector<std::string> wordsOf(const Job&, const LspSubject&) const;
  void end(const Job&, const Result<Exit>&);
  void endLower(LspSubject&, const Job&, const Exit&);
  void endText(LspSubject&, const Job&, const Exit&);
  void finish(LspSubject&);
  void readDiagnosis(LspSubject&);
  LspFileOf fileOf(LspSubject&) const;
  std::optional<std::string> shownFile(const LspSubject&, const std::string& recorded) const;

  ServedFolders folders_;
  std::vector<std::string> passedOn_;
  std::vector<std::string> types_;
  std::map<std::string, LspSubject> subjects_;  // by path
  std::deque<Job> queued_;
  std::map<ServedCalls::Number, Job> running_;
  ServedCalls calls_;
};

}  // namespace fxs::cli
