#pragma once
// A candidate fix for a blocked operation. A change says what it does to the whole
// program; the operation is extracted from the changed program, so that the fix tried on it is the one applied in the end.
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "diagnose/survey.h"
#include "rewrite/rewrite.h"
#include "rewrite/rule.h"

namespace fxs::diagnose {

struct Change {
  std::string id;                      ///< as Experiment::id
  std::string change;                  ///< as Experiment::change
  std::string cost;                    ///< as Experiment::cost; changes without one are preferred
  std::string snippet, language;       ///< as in Experiment
  std::set<std::string> decompose;     ///< native decompositions to ask for
  std::vector<rewrite::Rule> rules;    ///< applied to the rewritten program
  bool staticSizes = false;            ///< every symbolic size becomes a number
  std::set<std::string> backendLegal;  ///< as lower::LowerOptions::backendLegalOps
};

/// What a change is proposed for.
struct Patient {
  const Subject& subject;
  const Blocked& blocked;
  const fx::Node& node;  ///< the call, in the program that was surveyed
  std::string file;      ///< how the user names it, for snippets
};

class Proposals {
 public:
  void add(std::function<void(const Patient&, std::vector<Change>&)> propose) { all_.push_back(std::move(propose)); }
  std::vector<Change> of(const Patient&) const;

 private:
  std::vector<std::function<void(const Patient&, std::vector<Change>&)>> all_;
};
void registerAllChanges(Proposals&);

/// Whether `node` is one of the patient's: the same operation at any of its nodes.
bool isOf(const Patient&, const fx::Node& node);
/// A rule for the patient's operation at its nodes only; `apply` sees no other.
rewrite::Rule ruleFor(const Patient&, std::string id, decltype(rewrite::Rule::apply) apply);

/// What the user's rewrite was asked for, needed to do it again with changes.
struct RewriteBase {
  fx::ProgramPtr user;
  rewrite::RewriteOptions options;
  bool parity = false;  ///< imported as read: no rewriting, so that only static sizes can be tried
};
/// The program with all of `changes`. Unsupported when one cannot be done to this program.
Result<fx::ProgramPtr> changedProgram(const RewriteBase&, const std::vector<const Change*>& changes, const RunContext&);

}  // namespace fxs::diagnose
