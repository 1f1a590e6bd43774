// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/output_types.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <filesystem>
#include <limits>
#include <set>
#include <tuple>

#include "base/ascii.h"
#include "base/byte_source.h"
#include "base/joined.h"
#include "base/json.h"
#include "base/known_members.h"
#include "base/nearest.h"
#include "base/safe_text.h"
#include "lower/pipeline_text.h"
#include "lower/stage_tool_json.h"

namespace fxs::resource {
std::string_view outputTypes();
}

namespace fxs::lower {
namespace {

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 20;
constexpr std::string_view kPipelineType = "pipeline";
constexpr std::size_t kMaxTypes = 64, kMaxIdBytes = 40, kMaxTitleBytes = 80, kMaxWhyBytes = 200,
                      kMaxPipelineBytes = std::size_t{16} << 10, kMaxNames = 256;
constexpr std::array<std::string_view, 14> kMembers{
    "id",     "title", "after",   "pipeline",   "survey",   "tool",      "prepare",
    "writes", "quiet", "backend", "registries", "contract", "decompose", "variants"};
constexpr std::array<std::string_view, 4> kVariantMembers{"name", "after", "passes", "arguments"};
constexpr std::array<std::string_view, 3> kConversionMembers{"dialect", "tool", "pipeline"};
constexpr std::array<std::string_view, 3> kBlanks{"${extra-library}", "${backend-legal-ops}",
                                                  "${allow-non-finites}"};
/// Ids that findings and the window use for other things.
constexpr std::array<std::string_view, 7> kTaken{"fx",       "rewritten", "rewrite", "backend",
                                                 "registry", "nodes",     "alone"};

tl::unexpected<Error> wrong(const Json& at, std::string message) {
  return tl::unexpected<Error>(at.error(std::move(message)));
}

bool isId(std::string_view text) {
  return !text.empty() && text.size() <= kMaxIdBytes && text[0] >= 'a' && text[0] <= 'z' &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

/// The member's text; "" if absent.
Result<std::string> textAt(const Json& object, std::string_view key, std::size_t most) {
  const auto member = object.find(key);
  if (!member) return std::string();
  FXS_TRY(const std::string_view text, member->asString());
  if (text.empty()) return wrong(*member, "is empty; leave it out");
  if (text.size() > most)
    return wrong(*member, "has " + std::to_string(text.size()) + " bytes, more than " +
                              std::to_string(most));
  if (printable(text) != text)
    return wrong(*member, "contains line breaks or invisible characters");
  return std::string(text);
}

Result<std::vector<std::string>> namesAt(const Json& object, std::string_view key) {
  std::vector<std::string> out;
  const auto member = object.find(key);
  if (!member) return out;
  FXS_CHECK(member->asArray());
  if (member->size() > kMaxNames)
    return wrong(*member, "has more than " + std::to_string(kMaxNames) + " names");
  for (const Json item : *member) {
    FXS_TRY(const std::string_view name, item.asString());
    if (printable(name) != name) return wrong(item, "contains line breaks or invisible characters");
    out.emplace_back(name);
  }
  return out;
}

Result<std::vector<QuietPass>> quietAt(const Json& object) {
  std::vector<QuietPass> out;
  const auto member = object.find("quiet");
  if (!member) return out;
  FXS_CHECK(member->asArray());
  if (member->size() > kMaxNames)
    return wrong(*member, "has more than " + std::to_string(kMaxNames) + " passes");
  for (const Json item : *member) {
    QuietPass& quiet = out.emplace_back();
    if (item.isString()) {
      FXS_TRY(const std::string_view pass, item.asString());
      if (printable(pass) != pass)
        return wrong(item, "contains line breaks or invisible characters");
      quiet.pass = pass;
    } else {
      FXS_CHECK(item.asObject());
      FXS_CHECK(item.at("pass"));
      FXS_TRY(quiet.pass, textAt(item, "pass", kMaxTitleBytes));
      FXS_TRY(quiet.unless, namesAt(item, "unless"));
    }
  }
  return out;
}

Result<std::string> pipelineAt(const Json& object, std::string_view key,
                               const Parameters& parameters) {
  FXS_TRY(std::string text, textAt(object, key, kMaxPipelineBytes));
  if (text.empty()) return text;
  const Json member = *object.find(key);
  if (!text.starts_with("builtin.module("))
    return wrong(member, "a pass pipeline must begin with 'builtin.module('");
  if (!isPlainLines(text)) return wrong(member, "a pass pipeline must be ASCII");
  if (const std::size_t at = unknownPlaceholder(text, kBlanks, parameters); at != text.npos)
    return wrong(member, "character " + std::to_string(at) + ": unknown placeholder; expected " +
                             joined(kBlanks));
  const auto passes = parsePipeline(text);
  if (!passes) return wrong(member, passes.error().message);
  if (passes->empty()) return wrong(member, "names no pass");
  // The last bracket must close the outermost operation: without it, the rest must not parse.
  if (!text.ends_with(')') || parsePipeline(std::string_view(text).substr(0, text.size() - 1)))
    return wrong(member, "trailing text after the last bracket");
  return text;
}

Result<std::vector<StageVariant>> variantsAt(const Json& object, const std::string& pipeline,
                                             const Placeholders& placeholders) {
  std::vector<StageVariant> out;
  const auto member = object.find("variants");
  if (!member) return out;
  FXS_CHECK(member->asArray());
  if (member->size() > kMaxNames)
    return wrong(*member, "has more than " + std::to_string(kMaxNames) + " variants");
  const auto passes = pipeline.empty() ? std::vector<PipelinePass>() : *parsePipeline(pipeline);
  for (const Json item : *member) {
    FXS_CHECK(checkMembers(item, kVariantMembers));
    StageVariant& variant = out.emplace_back();
    FXS_CHECK(item.at("name"));
    FXS_TRY(variant.name, textAt(item, "name", kMaxIdBytes));
    FXS_TRY(variant.after, textAt(item, "after", kMaxTitleBytes));
    FXS_TRY(variant.passes, textAt(item, "passes", kMaxPipelineBytes));
    const bool hasPlace = std::any_of(passes.begin(), passes.end(), [&](const PipelinePass& pass) {
      return pass.pass == variant.after;
    });
    if (variant.passes.empty() != variant.after.empty() || (!variant.passes.empty() && !hasPlace))
      return wrong(item, "'passes' must follow a pass of the pipeline, which 'after' names");
    const std::string open = "builtin.module(" + variant.passes;
    if (!variant.passes.empty() && (!parsePipeline(open + ")") || parsePipeline(open)))
      return wrong(*item.find("passes"), "expected passes, separated by commas");
    if (const auto arguments = item.find("arguments")) {
      FXS_TRY(variant.arguments, argumentsIn(*arguments, placeholders));
    }
  }
  return out;
}

Result<std::optional<Contract>> contractAt(const Json& object) {
  constexpr std::array<std::string_view, 3> kContract{"left", "warn", "function"};
  constexpr std::array<std::string_view, 3> kWarning{"dialect", "why", "decompose"};
  const auto member = object.find("contract");
  if (!member) return std::optional<Contract>();
  FXS_CHECK(checkMembers(*member, kContract));
  Contract out;
  FXS_TRY(out.left, namesAt(*member, "left"));
  out.anyDialect = !member->find("left");
  if (const auto function = member->find("function")) {
    FXS_TRY(out.function, function->asBool());
  }
  if (out.function) FXS_CHECK(member->at("left"));
  const auto warnings = member->find("warn");
  if (!warnings) return std::optional(std::move(out));
  FXS_CHECK(warnings->asArray());
  if (warnings->size() > kMaxNames)
    return wrong(*warnings, "has more than " + std::to_string(kMaxNames) + " dialects");
  for (const Json item : *warnings) {
    FXS_CHECK(checkMembers(item, kWarning));
    WarnedDialect& warned = out.warned.emplace_back();
    FXS_CHECK(item.at("dialect"));
    FXS_TRY(warned.dialect, textAt(item, "dialect", kMaxTitleBytes));
    FXS_CHECK(item.at("why"));
    FXS_TRY(warned.message, textAt(item, "why", kMaxWhyBytes));
    FXS_TRY(warned.decompose, namesAt(item, "decompose"));
  }
  return std::optional(std::move(out));
}

/// The folder of a file, in which its relative paths are; "" for the built-in table.
std::string folderOf(const std::string& label) {
  std::error_code ignored;
  return std::filesystem::absolute(label, ignored).parent_path().string();
}

/// Members that only make sense together.
Result<> fits(const Json& json, const OutputTypeSpec& spec) {
  const StageSpec& stage = spec.stage;
  const auto& before = spec.after ? (*spec.after)->stage.writes : mlir::TextForm::Mlir;
  if (stage.tool.runsPasses() && before != mlir::TextForm::Mlir)
    return wrong(*json.find("after"), "writes " + std::string(mlir::name(before)) + ", which " +
                                          stage.tool.title() + " does not read");
  if (stage.tool.runsPasses() && stage.writes != mlir::TextForm::Mlir)
    return wrong(*json.find("writes"), stage.tool.title() + " writes mlir");
  const bool uses = std::any_of(stage.tool.arguments.begin(), stage.tool.arguments.end(),
                                [](const std::string& argument) {
                                  return argument.find("${pipeline}") != std::string::npos;
                                });
  if (!stage.tool.runsPasses() && uses != !stage.pipeline.empty())
    return wrong(json, uses ? "an argument has ${pipeline}, but there is no pipeline"
                            : "it has a pipeline, but no argument of its tool has ${pipeline}");
  return {};
}

Result<ArgumentLists> argumentListsAt(const Json& root, const Parameters& parameters) {
  ArgumentLists out;
  const auto member = root.find("arguments");
  if (!member) return out;
  FXS_CHECK(member->asObject());
  for (const Json list : *member) {
    if (!isId(list.key()))
      return wrong(list, "expected a name of lower-case letters, digits and '-', a letter first");
    FXS_TRY(out[std::string(list.key())], argumentsIn(list, {{}, parameters}));
  }
  return out;
}

Result<std::vector<Conversion>> conversionsAt(const Json& root) {
  std::vector<Conversion> out;
  const auto member = root.find("conversions");
  if (!member) return out;
  FXS_CHECK(member->asArray());
  for (const Json item : *member) {
    FXS_CHECK(checkMembers(item, kConversionMembers));
    FXS_CHECK(item.at("dialect"));
    StageSpec stage;
    FXS_CHECK(toolAt(item, "", {}, stage));
    Conversion& conversion = out.emplace_back();
    FXS_TRY(conversion.dialect, textAt(item, "dialect", kMaxTitleBytes));
    FXS_CHECK(item.at("pipeline"));
    FXS_TRY(conversion.pipeline, pipelineAt(item, "pipeline", {}));
    conversion.tool = std::move(stage.tool);
  }
  return out;
}

/// The texts of a stage that may have parameters.
template <class Visit>
void forEachText(StageSpec& stage, Visit visit) {
  visit(stage.pipeline);
  visit(stage.survey);
  for (std::string& argument : stage.tool.arguments) visit(argument);
  for (StageVariant& variant : stage.variants) {
    visit(variant.passes);
    for (std::string& argument : variant.arguments) visit(argument);
  }
}

Result<OutputTypeSpec> specIn(const Json& json, const OutputTypes& known,
                              const Placeholders& placeholders, const std::string& folder) {
  FXS_CHECK(checkMembers(json, kMembers));
  OutputTypeSpec out;
  FXS_CHECK(json.at("id"));
  FXS_TRY(out.stage.id, textAt(json, "id", kMaxIdBytes));
  const Json id = *json.find("id");
  if (!isId(out.stage.id))
    return wrong(id, "expected lower-case letters, digits and '-', a letter first");
  const auto& all = known.all();
  if (std::any_of(all.begin(), all.end(),
                  [&](const OutputType& type) { return name(type) == out.stage.id; }) ||
      std::find(kTaken.begin(), kTaken.end(), out.stage.id) != kTaken.end())
    return wrong(id, "'" + out.stage.id + "' is taken; choose another id");
  FXS_CHECK(json.at("title"));
  FXS_TRY(out.stage.title, textAt(json, "title", kMaxTitleBytes));
  // All but the first, which the importer writes.
  if (!all.empty()) {
    FXS_TRY(const Json after, json.at("after"));
    FXS_TRY(const std::string_view before, after.asString());
    const auto found = known.from(before);
    if (!found) return wrong(after, found.error().message);
    out.after = *found;
  }
  FXS_CHECK(toolAt(json, folder, placeholders, out.stage));
  if (out.after && out.stage.tool.runsPasses()) FXS_CHECK(json.at("pipeline"));
  FXS_TRY(out.stage.pipeline, pipelineAt(json, "pipeline", placeholders.parameters));
  FXS_CHECK(fits(json, out));
  FXS_TRY(out.stage.variants, variantsAt(json, out.stage.pipeline, placeholders));
  FXS_TRY(out.stage.survey, pipelineAt(json, "survey", placeholders.parameters));
  FXS_TRY(out.stage.quiet, quietAt(json));
  if (const auto backend = json.find("backend")) {
    FXS_TRY(out.backend, backend->asBool());
  }
  FXS_TRY(out.registries, namesAt(json, "registries"));
  FXS_TRY(out.decompose, namesAt(json, "decompose"));
  FXS_TRY(out.contract, contractAt(json));
  out.rank = all.size();
  if (out.after) out.stage.parameters = (*out.after)->stage.parameters;
  forEachText(out.stage, [&](std::string& text) {
    addMentioned(text, placeholders.parameters, out.stage.parameters);
  });
  return out;
}

std::string folded(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (isUpper(c)) c = static_cast<char>(c - 'A' + 'a');
    else if (c == '_') c = '-';
  }
  return out;
}

}  // namespace

OutputType::OutputType() : OutputType(*OutputTypes::builtin().from(kDefaultOutputType)) {}

std::strong_ordering operator<=>(const OutputType& a, const OutputType& b) {
  // Pipelines that users gave have one place and id; a module and a program of PyTorch, one path.
  const auto key = [](const OutputType& type) {
    return std::tie(type->rank, type->stage.id, type->stage.pipeline, type->stage.tool.program,
                    type->stage.parameters);
  };
  return key(a) <=> key(b);
}

std::string_view name(const OutputType& type) { return type->stage.id; }

std::vector<std::string> passesOf(const StageSpec& stage) {
  std::vector<std::string> out;
  if (const auto passes = parsePipeline(stage.pipeline))
    for (const PipelinePass& pass : *passes) out.push_back(pass.pass);
  return out;
}

StageSpec inVariant(StageSpec stage, std::string_view name) {
  const auto found = std::find_if(stage.variants.begin(), stage.variants.end(),
                                  [&](const StageVariant& each) { return each.name == name; });
  assert(found != stage.variants.end());
  const StageVariant& variant = *found;
  stage.tool.arguments.insert(stage.tool.arguments.end(), variant.arguments.begin(),
                              variant.arguments.end());
  if (variant.passes.empty()) return stage;
  const auto passes = parsePipeline(stage.pipeline);
  std::string out;
  bool isAdded = false;
  for (const PipelinePass& pass : *passes) {
    out += (out.empty() ? "builtin.module(" : ",") + textOf(pass);
    if (!isAdded && pass.pass == variant.after) out += "," + variant.passes;
    isAdded = isAdded || pass.pass == variant.after;
  }
  stage.pipeline = out + ")";
  return stage;
}

Result<OutputType> pipelineType(const std::string& pipeline, const StageTool& tool,
                                const OutputType& after) {
  if (!tool.runsPasses())
    return fail(ErrorCode::Usage, "tool '" + tool.program + "' runs no pass pipelines");
  if (after->stage.writes != mlir::TextForm::Mlir)
    return fail(ErrorCode::Usage, std::string("output type '") + std::string(name(after)) +
                                      "' is not MLIR, so that no pass can follow it");
  OutputTypeSpec spec;
  spec.stage.pipeline = pipeline;
  FXS_TRY(const Parameters declared, declaredIn(spec.stage.pipeline));
  FXS_CHECK(parsePipeline(spec.stage.pipeline));
  spec.stage.parameters = after->stage.parameters;
  for (const Parameter& each : declared) {
    if (parameterNamed(spec.stage.parameters, each.name) != nullptr)
      return fail(ErrorCode::Usage, "parameter '" + each.name + "' is one of output type '" +
                                        std::string(name(after)) + "'; choose another name");
    spec.stage.parameters.push_back(each);
  }
  spec.stage.id = kPipelineType;
  spec.stage.title = "Pass pipeline";
  spec.stage.tool = tool;
  spec.after = after;
  spec.contract = Contract{{}, {}, true, false};
  spec.rank = std::numeric_limits<std::size_t>::max();
  spec.readsAny = true;
  return OutputType(std::make_shared<const OutputTypeSpec>(std::move(spec)));
}

Result<OutputType> namedType(const std::string& id) {
  if (!isId(id)) return fail(ErrorCode::Usage, "'" + id + "' is not the name of an output type");
  OutputTypeSpec spec;
  spec.stage.title = spec.stage.id = id;
  spec.rank = std::numeric_limits<std::size_t>::max();
  return OutputType(std::make_shared<const OutputTypeSpec>(std::move(spec)));
}

std::vector<OutputType> pathTo(const OutputType& type) {
  std::vector<OutputType> out{type};
  while (out.back()->after) out.push_back(*out.back()->after);
  std::reverse(out.begin(), out.end());
  return out;
}

std::optional<OutputType> firstOfOtherTools(const OutputType& type) {
  for (const OutputType& each : pathTo(type))
    if (each->stage.tool != StageTool{} || !each->stage.prepare.empty()) return each;
  return std::nullopt;
}

bool keepsFunction(const OutputTypeSpec& spec) {
  return spec.stage.writes == mlir::TextForm::Mlir && (!spec.contract || spec.contract->function);
}

std::vector<StageSpec> stagesFor(const OutputType& type) {
  std::vector<StageSpec> out;
  for (const OutputType& each : pathTo(type)) {
    StageSpec& stage = out.emplace_back(each->stage);
    forEachText(stage, [&](std::string& text) {
      text = filledIn(std::move(text), each->stage.parameters);
    });
    stage.keepsFunction = keepsFunction(*each.operator->());
    const auto& contract = each->contract;
    stage.converts =
        contract && !contract->anyDialect &&
        std::none_of(contract->left.begin(), contract->left.end(), [](const auto& left) {
          return left == "torch" || left.starts_with("torch.");
        });
  }
  return out;
}

std::set<std::string> decomposedFor(const OutputType& type) {
  std::set<std::string> out;
  for (const OutputType& each : pathTo(type))
    out.insert(each->decompose.begin(), each->decompose.end());
  return out;
}

std::string listed(const std::vector<OutputType>& types, std::string_view last) {
  std::string out;
  for (const OutputType& type : types) {
    if (!out.empty()) out += &type == &types.back() ? last : std::string_view(", ");
    out += name(type);
  }
  return out;
}

const OutputTypes& OutputTypes::builtin() {
  // The file is embedded, so an error in it is a bug.
  static const OutputTypes types = [] {
    auto read = OutputTypes().with(resource::outputTypes(), "output_types.json", {});
    assert(read.has_value());
    return *std::move(read);
  }();
  return types;
}

std::vector<OutputType> OutputTypes::backends() const {
  std::vector<OutputType> out;
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(out),
               [](const OutputType& type) { return type->backend; });
  return out;
}

const Conversion& OutputTypes::conversionOf(std::string_view dialect) const {
  const auto found = std::find_if(conversions_.begin(), conversions_.end(),
                                  [&](const Conversion& each) { return each.dialect == dialect; });
  assert(found != conversions_.end());
  return *found;
}

std::vector<OutputType> OutputTypes::ofEngine() const {
  std::vector<OutputType> out;
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(out), [](const OutputType& type) {
    const std::vector<StageSpec> stages = stagesFor(type);
    return std::all_of(stages.begin(), stages.end(),
                       [](const StageSpec& stage) { return stage.tool.isEngine(); });
  });
  return out;
}

Result<OutputType> OutputTypes::from(std::string_view given) const {
  const std::string wanted = folded(given);
  std::vector<std::string_view> names;
  // A common prefix such as "linalg" is too far from the full name by edit distance.
  std::string meant;
  for (const OutputType& type : all_) {
    if (name(type) == wanted) return type;
    names.push_back(name(type));
    if (wanted.size() >= 3 && name(type).starts_with(wanted)) meant = name(type);
  }
  if (meant.empty())
    if (const auto near = nearest(wanted, names, 1); !near.empty()) meant = near.front();
  const std::string message = "unknown output type '" + std::string(given) + "'";
  if (!meant.empty()) return fail(ErrorCode::Usage, message + "; did you mean '" + meant + "'?");
  return fail(ErrorCode::Usage, message + "; there are " + listed(all_, " and "));
}

Result<OutputTypes> OutputTypes::with(std::string_view text, const std::string& label,
                                      const RunContext& context) const {
  FXS_TRY(const auto document, JsonDocument::parse(text, label, {kMaxFileBytes, 8}, context));
  const Json root = document->root();
  FXS_CHECK(root.asObject());
  FXS_TRY(const Json schema, root.at("schema"));
  FXS_TRY(const std::string_view version, schema.asString());
  if (version != kOutputTypesSchema)
    return wrong(schema, "expected '" + std::string(kOutputTypesSchema) +
                             "': this is not a file of output types");
  FXS_TRY(const Json list, root.arrayAt("types"));
  if (all_.size() + list.size() > kMaxTypes)
    return wrong(list, "more than " + std::to_string(kMaxTypes) + " output types");
  OutputTypes out = *this;
  FXS_TRY(const Parameters declared, parametersAt(root, parameters()));
  Parameters& known = out.placeholders_.parameters;
  known.insert(known.end(), declared.begin(), declared.end());
  Placeholders placeholders{{}, known};
  FXS_TRY(placeholders.lists, argumentListsAt(root, known));
  const bool isBuiltin = all_.empty();
  if (isBuiltin) {
    out.placeholders_ = placeholders;
    FXS_TRY(out.conversions_, conversionsAt(root));
  }
  for (const Json each : list) {
    FXS_TRY(OutputTypeSpec spec, specIn(each, out, placeholders, folderOf(label)));
    if (!isBuiltin) spec.file = label;
    out.all_.emplace_back(std::make_shared<const OutputTypeSpec>(std::move(spec)));
  }
  return out;
}

Result<OutputTypes> OutputTypes::withFile(const std::string& path,
                                          const RunContext& context) const {
  FXS_TRY(const std::string text, readWholeFile(path, kMaxFileBytes));
  return with(text, path, context);
}

}  // namespace fxs::lower
