// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output types that a program can be lowered to, as data: each is one stage that starts from
// another output type. A pipeline is the stages that lead to one. Those of torch-mlir, and some
// that other tools continue, are in resources/output_types.json; files of the same form
// (resources/schemas/output_types.schema.json) add others.
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/run_context.h"
#include "lower/parameter.h"
#include "lower/stage_tool.h"
#include "mlir/text/text_form.h"

namespace fxs::lower {

/// The default of CLI and window.
inline constexpr std::string_view kDefaultOutputType = "linalg-on-tensors";

struct OutputTypeSpec;

/// An output type of a table. A value type that keeps its specification alive.
class OutputType {
 public:
  OutputType();  ///< kDefaultOutputType
  explicit OutputType(std::shared_ptr<const OutputTypeSpec> spec) : spec_(std::move(spec)) {}
  const OutputTypeSpec* operator->() const { return spec_.get(); }
  /// In the order of the table.
  friend std::strong_ordering operator<=>(const OutputType&, const OutputType&);
  friend bool operator==(const OutputType& a, const OutputType& b) {
    return (a <=> b) == std::strong_ordering::equal;
  }

 private:
  std::shared_ptr<const OutputTypeSpec> spec_;
};
std::string_view name(const OutputType&);  ///< "linalg-on-tensors"
/// With the parameters that are set: "iree-ptx (cuda-target=sm_89)".
std::string nameWithSettings(const OutputType&);

/// A pass that rarely changes anything; traced at lower cost.
struct QuietPass {
  std::string pass;
  std::vector<std::string>
      unless;  ///< if the RAW module contains any of these texts, the pass is expected to change it
};

/// Another form of a stage, which executors run. `lower` runs the stage itself.
struct StageVariant {
  std::string name;           ///< "checks"
  std::string after, passes;  ///< "passes" follow the first pass of the name `after`; "" for none
  std::vector<std::string> arguments;  ///< follow those of the tool
};

/// The step that produces an output type.
struct StageSpec {
  std::string id;        ///< id of the output type: "torch"
  std::string title;     ///< "Torch backend IR"
  std::string pipeline;  ///< "builtin.module(..)" with placeholders `${extra-library}`,
                         ///< `${backend-legal-ops}`, `${allow-non-finites}` and of `parameters`;
                         ///< "" for raw: parse, verify and print; and for a tool that has no passes
  std::string survey;    ///< a pipeline that does not stop at the first illegal operation, to find
                         ///< the others; "" for none
  std::vector<QuietPass> quiet;
  StageTool tool;
  std::vector<StageVariant> variants;
  std::vector<Preparation> prepare;              ///< of its input, in order
  mlir::TextForm writes = mlir::TextForm::Mlir;  ///< what the tool promises to write
  Parameters parameters;  ///< of it and of the stages before it; stagesFor() fills in their values
  bool keepsFunction =
      false;  ///< whether its texts have the program's function; set by stagesFor()
  bool converts =
      false;  ///< whether its texts may have nothing of the torch dialect; set by stagesFor()
};
/// The stage in the variant of that name, which it must have.
StageSpec inVariant(StageSpec, std::string_view variant);
/// The passes and named pipelines in the pipeline of a stage, in order; an engine must register
/// them to run it.
std::vector<std::string> passesOf(const StageSpec&);

/// A dialect that an output type may contain, but that tools after it may not read.
struct WarnedDialect {
  std::string dialect;                 ///< "tm_tensor"
  std::string message;                 ///< "tools other than torch-mlir and IREE may not read it"
  std::vector<std::string> decompose;  ///< targets that lower without the dialect when decomposed
};
/// What a text of an output type may contain; see core/contract.
struct Contract {
  std::vector<std::string> left;  ///< dialects ("linalg") and operations ("math.fma"); those of
                                  ///< builtin need not be listed
  std::vector<WarnedDialect> warned;
  bool anyDialect = false;  ///< without a list of those left
  bool function = true;     ///< whether the program's function must keep its arguments and results
};

/// How executors bring a text into linalg whose tools do not read one of its dialects.
struct Conversion {
  std::string dialect;  ///< "tosa"
  StageTool tool;
  std::string pipeline;
};

struct OutputTypeSpec {
  StageSpec stage;
  std::optional<OutputType>
      after;             ///< the input of the stage; nullopt for raw, which the importer writes
  bool backend = false;  ///< included in surveys of all output types, and tried if another fails
  std::vector<std::string>
      registries;  ///< op registries that produce it, in lookup order; empty for none
  std::optional<Contract> contract;    ///< nullopt: any dialect may be left
  std::vector<std::string> decompose;  ///< targets ("aten.sort.default") that its patterns do not
                                       ///< lower, decomposed before the import
  std::size_t rank = 0;                ///< index in the table
  std::string file;                    ///< that defines it; "": built in
  bool readsAny = false;  ///< whether its stage may start from any module: a pipeline that the user
                          ///< gave for this program
};
/// The output type of a pass pipeline ("builtin.module(cse)") that the user gave for one program,
/// with the parameters that it declares. It may leave any dialect. Usage if the text is not a
/// pipeline, or the tool runs none.
Result<OutputType> pipelineType(const std::string& pipeline, const StageTool&,
                                const OutputType& after);

/// An output type of which no more than the name is known, as of a trace that was stored with
/// types of its own: nothing can be lowered to it. Usage if no type can have that name.
Result<OutputType> namedType(const std::string& id);

/// The output types with the parameters of `settings` ("cuda-target=sm_89") set, in each of those
/// that have them. Usage, with a suggestion, for a name that none has, and a value that is not
/// allowed.
Result<std::vector<OutputType>> withSettings(std::vector<OutputType>,
                                             const std::vector<std::string>& settings);

/// The output types from raw to the given one, inclusive.
std::vector<OutputType> pathTo(const OutputType&);
/// The first on the path whose stage another program than the engine runs, or whose input is
/// prepared; nullopt if there is none.
std::optional<OutputType> firstOfOtherTools(const OutputType&);
/// Whether its texts are MLIR with the program's function, which can be called and inlined.
bool keepsFunction(const OutputTypeSpec&);
/// The stages of pathTo(), with the values of parameters filled in.
std::vector<StageSpec> stagesFor(const OutputType&);
/// OutputTypeSpec::decompose of all types on pathTo().
std::set<std::string> decomposedFor(const OutputType&);
/// CLI options: {"--to", "tosa"}, with --output-types for the files that define it and --set for
/// the parameters that are set.
std::vector<std::string> optionsFor(const OutputType&);
std::string shellOptionsFor(const OutputType&);  ///< the same, quoted for a shell
/// "raw, torch or tosa" if `last` is " or ".
std::string listed(const std::vector<OutputType>&, std::string_view last);

class OutputTypes {
 public:
  /// The table in resources/output_types.json.
  static const OutputTypes& builtin();

  const std::vector<OutputType>& all() const { return all_; }
  std::vector<OutputType> backends() const;
  /// Those that the engine writes; a stage of another tool takes more than a moment.
  std::vector<OutputType> ofEngine() const;
  /// Finds a type by name, ignoring case and treating '-' and '_' as equal. Usage, with "did you
  /// mean", for an unknown name.
  Result<OutputType> from(std::string_view name) const;
  /// A copy with the types of a file appended. InvalidInput, naming the file and the member, if the
  /// file is not valid.
  Result<OutputTypes> with(std::string_view text, const std::string& label,
                           const RunContext&) const;
  Result<OutputTypes> withFile(const std::string& path, const RunContext&) const;
  /// Of a dialect that has one.
  const Conversion& conversionOf(std::string_view dialect) const;
  /// Arguments that several stages have, by their name in the table.
  const std::vector<std::string>& arguments(const std::string& name) const {
    return placeholders_.lists.at(name);
  }
  /// A copy with parameters set in all types that have them; errors as of lower::withSettings().
  Result<OutputTypes> withSettings(const std::vector<std::string>& settings) const;
  /// Of all types, with their defaults.
  const Parameters& parameters() const { return placeholders_.parameters; }

 private:
  std::vector<OutputType> all_;
  std::vector<Conversion> conversions_;
  Placeholders placeholders_;
};
/// The JSON of an output-types file with the types on pathTo() that are not built in; "" if all
/// are.
std::string userDefinitionsFor(const OutputType&);

}  // namespace fxs::lower
