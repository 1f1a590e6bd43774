#pragma once
// What a program can be lowered to, as data: each output type is one stage that starts from another output type. Those of torch-mlir are
// in resources/output_types.json; files of the same form (resources/schemas/output_types.schema.json) add others. Nothing runs here.
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/run_context.h"

namespace fxs::lower {

/// The default, also of the window.
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
  friend bool operator==(const OutputType& a, const OutputType& b) { return (a <=> b) == std::strong_ordering::equal; }

 private:
  std::shared_ptr<const OutputTypeSpec> spec_;
};
std::string_view name(const OutputType&);  ///< "linalg-on-tensors"

/// A pass that rarely changes anything; traced at lower cost.
struct QuietPass {
  std::string pass;
  std::vector<std::string> unless;  ///< if the RAW module contains any of these texts, the pass is expected to change it
};

/// The step that ends in an output type.
struct StageSpec {
  std::string id;        ///< the output type's: "torch"
  std::string title;     ///< "Torch backend IR"
  std::string pipeline;  ///< "builtin.module(..)", with `${extra-library}`, `${backend-legal-ops}` and `${allow-non-finites}` to fill in;
                         ///< "" for raw: parse, verify and print
  std::string survey;    ///< a pipeline that continues where `pipeline` fails at the first operation, to find the others; "" for none
  std::vector<QuietPass> quiet;
};
/// The passes and named pipelines that a stage's text uses, in order: what an engine must register for it.
std::vector<std::string> passesOf(const StageSpec&);

struct OutputTypeSpec {
  StageSpec stage;
  std::optional<OutputType> after;      ///< the input of the stage; nullopt for raw, which the importer writes
  bool backend = false;                 ///< included in surveys of all output types, and tried if another fails
  std::vector<std::string> registries;  ///< op registries that write it, in lookup order; empty for none
  std::size_t place = 0;                ///< in the table
  std::string file;                     ///< that it was read from; "": built in
};
/// From raw to the type itself.
std::vector<OutputType> pathTo(const OutputType&);
/// Their stages.
std::vector<StageSpec> stagesFor(const OutputType&);
/// For a shell: "--to tosa", and --output-types with the files that it takes.
std::string shellOptionsFor(const OutputType&);
/// "raw, torch or tosa", with `last` " or ".
std::string listed(const std::vector<OutputType>&, std::string_view last);

class OutputTypes {
 public:
  /// Those of resources/output_types.json.
  static const OutputTypes& builtin();

  const std::vector<OutputType>& all() const { return all_; }
  std::vector<OutputType> backends() const;
  /// Case and -/_ do not matter. Usage with "did you mean".
  Result<OutputType> from(std::string_view name) const;
  /// These and those of a file behind them. InvalidInput that names the file and the member.
  Result<OutputTypes> with(std::string_view text, const std::string& label, const RunContext&) const;
  Result<OutputTypes> withFile(const std::string& path, const RunContext&) const;

 private:
  std::vector<OutputType> all_;
};
/// A file with what is not built in of the way to a type; "" when all of it is.
std::string userDefinitionsFor(const OutputType&);

}  // namespace fxs::lower
