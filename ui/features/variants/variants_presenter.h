// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The variants of the open program's lowering: edited texts that lowering continued from, and other
// lists of passes. Each is lowered in a job when it is made, or first shown, and gives texts to the
// panes. They are kept beside the program.
#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "features/stages/stage_presenter.h"
#include "features/variants/edit_presenter.h"
#include "session/bundler.h"
#include "session/stage.h"
#include "session/text_sources.h"
#include "variant/variants.h"

namespace fxs::ui {

/// Lowers a variant of a program: sessionVariants(), or a test double. `madeFrom`: the lowering
/// whose text it edits. The request of the result has the edit with locations.
using VariantRunner = std::function<Result<session::SnapshotPtr>(
    const session::SnapshotPtr& program, const session::SnapshotPtr& madeFrom,
    const variant::Variant&, session::Phase until, const RunContext&)>;
VariantRunner sessionVariants(session::Environment environment);

/// A lit test of the passes that follow what a variant changes, verified: sessionVariantTests(), or
/// a test double.
using VariantTester =
    std::function<Result<std::string>(const session::SnapshotPtr& lowered, const RunContext&)>;
VariantTester sessionVariantTests(session::Environment environment);

/// Of a node of the program, by its name.
struct NodeChange {
  enum class Kind : std::uint8_t { SetArgument, Decompose, Keep };
  Kind kind;
  std::string node;
  std::string argument = {},
              value = {};  ///< of SetArgument; the value as inspect --graph prints it
};

struct VariantState {
  int id = 0;  ///< of VariantStage
  variant::Variant spec;
  session::SnapshotPtr lowered;  ///< null until it ran
  StageMark mark = StageMark::Waiting;
  QString status;  ///< "lowers to tosa", "failed in tosa: ..", why there is no result
};

class VariantsPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit VariantsPresenter(Services& services);
  ~VariantsPresenter() override;

  /// Parents come before what was made from them.
  std::vector<VariantState> all() const;
  std::optional<VariantState> find(int id) const;
  /// The id of a name; -1 for that of the program.
  int idOf(const std::string& name) const;
  /// Why the file beside the program was not read or written last; "" otherwise.
  const QString& problem() const { return problem_; }

  /// What a text stands for that can be edited. Unsupported, with what can be done.
  Result<EditSource> sourceOf(const ShownText& shown) const;
  /// The pass of the list of passes, of the lowering that it lists, by its index in the trace.
  Result<std::pair<int, lower::StagePass>> passAt(int pass) const;
  /// Of a variant, or of the program; may be null.
  session::SnapshotPtr loweringOf(int variant) const;

  /// Each makes a variant, lowers it, and returns its id.
  int addEdit(const EditSource& source, const std::string& before, const std::string& text);
  int addSkip(int from, const lower::StagePass& pass, const QString& name);
  int addPipeline(int from, const std::string& stage, const std::string& pipeline,
                  const QString& change);
  /// From the variant that is shown, unless that continues from an edited text.
  int addNodeChange(const NodeChange& change);

  /// The one that is shown; -1 for none.
  int current() const { return current_; }
  /// Lowers it unless it was; ready() follows.
  void select(int id);
  /// False if the name is empty or another one has it.
  bool rename(int id, const QString& name);
  /// Drops it, with those that were made from it.
  void drop(int id);
  /// Shows it beside the original in the list of passes, a pair for each stage from where they
  /// differ; false if there is nothing to compare.
  bool compare(int id);
  /// Lists its passes, after they were traced in a job.
  void tracePasses(int id);
  /// The last text of a variant that is lowered, and the ending of its file.
  std::pair<std::string, QString> fileOf(int id) const;
  /// testMade() or exportFailed() follows.
  void makeTest(int id, const QString& file);
  /// Writes a bundle of why the variant does not lower; bundleMade() or exportFailed() follows.
  void makeBundle(int id, const QString& file);
  bool running() const;

 Q_SIGNALS:
  void testMade(const QString& file, const std::string& text);
  void bundleMade(const bundle::BundleResult& made);
  void exportFailed(const QString& message);
  void changed();
  /// The variant that was selected is lowered.
  void ready(int id);

 private:
  struct Entry;
  Entry* entry(int id) const;
  int add(variant::Variant spec, int from);
  void lower(Entry& entry, session::Phase until);
  void ended(Entry& entry, Result<session::SnapshotPtr> result);
  void addTexts(const Entry& entry);
  void removeTexts(int id);
  OtherText textOf(int id, std::size_t stage) const;
  Result<EditSource> stageSource(int variant, const QString& stage, const ShownText& shown) const;
  Result<EditSource> passSource(int snapshot) const;
  variant::Variants specs() const;
  void renameTo(Entry& renamed, const std::string& name);
  /// Drops those that are not among `left`.
  void keepOnly(const variant::Variants& left);
  void load();
  void save();
  /// Shows what the file holds now, which others write, too. `mine`: what it was merged with.
  void adopt(variant::Variants mine, variant::Merged merged);

  struct TracedBy {
    int variant = -1;
    bool isComparison = false;
  };
  std::optional<TracedBy> listedLowering() const;

  Services& services_;
  SessionPresenter& session_;
  PassPresenter& passes_;
  TextSources& sources_;
  VariantRunner runner_;
  VariantTester tester_;
  Bundler bundler_;
  std::vector<std::unique_ptr<Entry>> all_;
  std::map<const trace::Trace*, TracedBy> traces_;
  int current_ = -1, next_ = 1;
  int loads_ = 0;         ///< how often a file was read
  bool unsaved_ = false;  ///< something changed while the file was being read or written
  QString problem_;
  std::string file_;        ///< of the program
  variant::Variants kept_;  ///< what the file held when it was last read or written
  Task<Result<variant::Variants>> loading_;
  Task<Result<variant::Merged>> saving_;
  Task<Result<std::string>> testing_;
  Task<Result<bundle::BundleResult>> bundling_;
};

}  // namespace fxs::ui
