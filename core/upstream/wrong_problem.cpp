// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/counted.h"
#include "base/joined.h"
#include "base/safe_text.h"
#include "diagnose/beyond_torch_mlir.h"
#include "diagnose/static_sizes.h"
#include "diagnose/wrong_program.h"
#include "fx/python_source.h"
#include "mlir/text/without_locations.h"
#include "upstream/live_script.h"
#include "upstream/problem_parts.h"
#include "upstream/python_model.h"
#include "upstream/script.h"

namespace fxs::upstream {
namespace {

using diagnose::WrongProgram;
using tensor::NamedTensor;
using tensor::Tensor;

/// Elements of a tensor that are written one by one, and the most if nothing shorter computes
/// wrong.
constexpr std::uint64_t kFewElements = 32, kMostElements = 256;
/// Elements that are named.
constexpr std::size_t kNamedElements = 4;

/// What torch.testing.assert_close is given; the first is what torch-mlir's end-to-end suite takes.
struct Tolerance {
  double rtol, atol;
};
constexpr std::array<Tolerance, 3> kTolerances{{{1e-3, 1e-7}, {1.3e-6, 1e-5}, {1e-5, 0}}};

/// An input as the script has it.
struct WrittenInput {
  Tensor tensor;
  std::string text;
};
using Form = std::optional<WrittenInput> (*)(const Tensor&);

std::optional<WrittenInput> literal(Tensor tensor, std::uint64_t most) {
  if (tensor.elements() > most) return std::nullopt;
  std::string text = tensorText(tensor);
  if (text.empty()) return std::nullopt;
  return WrittenInput{std::move(tensor), std::move(text)};
}

/// Few elements, floats with two digits.
std::optional<WrittenInput> rounded(const Tensor& tensor) {
  if (!isFloating(tensor.dtype) || tensor.elements() > kFewElements)
    return literal(tensor, kFewElements);
  std::vector<double> values = tensor::elementsOf(tensor);
  for (double& value : values)
    if (std::isfinite(value)) value = std::stod(fmt::format("{:.1e}", value));
  return literal(tensor::tensorFrom(tensor.dtype, tensor.sizes, values), kFewElements);
}
std::optional<WrittenInput> exact(const Tensor& tensor) { return literal(tensor, kFewElements); }
std::optional<WrittenInput> exactThoughLong(const Tensor& tensor) {
  return literal(tensor, kMostElements);
}

std::string typed(std::string text, DType dtype, DType of) {
  return dtype == of ? text : fmt::format("{}.to(torch.{})", text, facts(dtype).torchName);
}

/// Many elements that repeat: floats around 0, integers within those of `tensor`.
std::optional<WrittenInput> repeating(const Tensor& tensor) {
  if (tensor.elements() <= kFewElements) return exact(tensor);
  const std::string count = fmt::format("torch.arange({})", tensor.elements());
  std::vector<double> values(tensor.elements());
  std::string text;
  if (isFloating(tensor.dtype)) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = (static_cast<double>(i % 7) - 3) * 0.5;
    text = typed(fmt::format("(({} % 7 - 3) * 0.5)", count), tensor.dtype, DType::Float32);
  } else if (tensor.dtype == DType::Bool) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 3 == 0 ? 1 : 0;
    text = fmt::format("({} % 3 == 0)", count);
  } else if (isIntegral(tensor.dtype)) {
    const std::vector<double> all = tensor::elementsOf(tensor);
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    const double period = std::min(*high - *low + 1, 1000.0);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = *low + std::fmod(static_cast<double>(i), period);
    text = typed(fmt::format("({} % {:.0f} + {:.0f})", count, period, *low), tensor.dtype,
                 DType::Int64);
  } else {
    return std::nullopt;
  }
  return WrittenInput{tensor::tensorFrom(tensor.dtype, tensor.sizes, values),
                      fmt::format("{}.reshape({})", text, joinedNumbers(tensor.sizes))};
}

/// Many elements that are all the first one.
std::optional<WrittenInput> uniform(const Tensor& tensor) {
  if (tensor.elements() <= kFewElements) return exact(tensor);
  if (isComplex(tensor.dtype)) return std::nullopt;
  const double first = tensor::elementAt(tensor, 0);
  const Tensor one{tensor.dtype, {}, tensor.bytes.substr(0, facts(tensor.dtype).bytes)};
  return WrittenInput{
      tensor::tensorFrom(tensor.dtype, tensor.sizes, std::vector<double>(tensor.elements(), first)),
      fmt::format("{}.repeat({})", tensorText(one), joinedNumbers(tensor.sizes))};
}

bool differs(const Tensor& found, const Tensor& expected, const Tolerance& tolerance) {
  if (found.sizes != expected.sizes || found.dtype != expected.dtype) return true;
  const bool isExact = isIntegral(found.dtype) || found.dtype == DType::Bool;
  if (isExact) return found.bytes != expected.bytes;
  const std::vector<double> a = tensor::elementsOf(found), b = tensor::elementsOf(expected);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double error = std::abs(a[i] - b[i]);
    if (!std::isfinite(error) || error > tolerance.atol + tolerance.rtol * std::abs(b[i]))
      return true;
  }
  return false;
}

/// The result that differs most, of the first executor whose results differ; null if none has
/// values.
const compare::ResultComparison* worstResult(const compare::TargetComparison& target) {
  const compare::ResultComparison* out = nullptr;
  for (const compare::Run& run : target.runs) {
    for (const compare::ResultComparison& result : run.results)
      if (result.compared && result.foundValue && result.expectedValue &&
          result.difference.verdict != tensor::Verdict::Same &&
          (out == nullptr || result.difference.verdict > out->difference.verdict))
        out = &result;
    if (out != nullptr) return out;
  }
  return out;
}

/// The first tolerance by which some result differs; nullopt if none is that strict.
std::optional<Tolerance> toleranceOf(const compare::ResultComparison& result) {
  for (const Tolerance& tolerance : kTolerances)
    if (differs(*result.foundValue, *result.expectedValue, tolerance)) return tolerance;
  return std::nullopt;
}

std::string elementText(const tensor::Element& element) {
  return fmt::format("[{}]: expected {:.9g}, found {:.9g}", joinedNumbers(element.index),
                     element.expected, element.found);
}

std::string_view whatIsWrong(std::string_view kind) {
  if (kind == "nan") return "computes a wrong value for NaN";
  if (kind == "infinity") return "computes a wrong value for infinities";
  if (kind == "shape") return "gives a result of a wrong shape";
  if (kind == "type") return "gives a result of a wrong type";
  if (kind == "crash") return "is lowered to code that crashes";
  if (kind == "contract") return "is lowered to a function with another signature";
  return "computes wrong values";
}

/// Takes the problem together step by step.
class WrongCollector {
 public:
  WrongCollector(const session::SnapshotPtr& s, const ProblemOptions& options,
                 const session::Environment& env, const RunContext& context,
                 ScratchDirectory folder)
      : s_(*s),
        env_(env),
        context_(context),
        search_(s, searchOptions(options), env, context, std::move(folder)) {}

  Result<Problem> collected(const ProblemOptions& options) {
    FXS_TRY(WrongProgram wrong, search_.smallest());
    problem_.signature = search_.signatureOf(wrong);
    problem_.target = s_.request.lower.target;
    const fx::Program& program = *wrong.snapshot->capture->program;
    problem_.reduced = fmt::format(
        "reduced from {} to {}", counted(diagnose::operationsOf(*s_.capture->program), "operation"),
        diagnose::operationsOf(program));
    const std::string& target = problem_.signature.fxTarget;
    problem_.title = printable(fmt::format("[{}] {} {}", problem_.signature.stage,
                                           target.empty() ? "the program" : target,
                                           whatIsWrong(search_.kind())));
    if (const diagnose::KnownFault* known =
            options.known.find(problem_.signature.stage, "", target))
      problem_.known = known->issue + ": " + known->what;
    FXS_CHECK(addScript(wrong));
    FXS_CHECK(addModule(wrong));
    addFacts(wrong);
    if (!options.python.empty() && !problem_.script.empty())
      FXS_CHECK(
          runScript(options.python, "", s_.request.lower.limits.timeout, problem_, env_, context_));
    if (problem_.verified.empty())
      problem_.verified = problem_.script.empty()
                              ? "There is no script: " + problem_.scriptStop
                              : "The script was not run, as no Python with torch-mlir was named";
    problem_.versions = versionsOf(s_);
    clean(problem_, env_.identity);
    return std::move(problem_);
  }

 private:
  diagnose::WrongProgramOptions searchOptions(const ProblemOptions& options) {
    diagnose::WrongProgramOptions out;
    out.compare.python = options.python;
    out.prepare = [this](const fx::Program& program) { return prepared(program); };
    out.weightsAsInputs = true;
    return out;
  }

  /// As a file of its own. Of static sizes where they do not matter, since a script compares such.
  Result<session::SnapshotPtr> prepared(const fx::Program& program) {
    const std::string& kind = search_.kind();
    const bool isOfSizes = kind == "shape" || kind == "crash" || kind == "contract";
    auto fixed = diagnose::withNumbers(std::make_shared<const fx::Program>(program),
                                       isOfSizes ? compare::Sizes() : search_.sizes());
    const fx::Program& chosen = fixed ? **fixed : program;
    FXS_TRY(const std::string bytes,
            diagnose::writtenProgram(
                chosen, [](const fx::Weight& weight) { return weight.readable; }, *s_.capture,
                context_));
    auto next = std::make_shared<session::Snapshot>();
    next->request = s_.request;
    next->request.read = {};
    next->engine = s_.engine;
    FXS_TRY(read::Capture capture,
            read::readCapture(memorySource(bytes), next->request.file, {}, context_));
    next->capture = std::make_shared<const read::Capture>(std::move(capture));
    return session::advance(std::move(next), session::Phase::Import, env_, context_);
  }

  /// The inputs in the first form with which it is still wrong, which `wrong` gets; why there is
  /// none, else "".
  Result<std::string> writeInputs(WrongProgram& wrong, std::vector<std::string>& texts) {
    constexpr std::array<std::array<Form, 2>, 4> kForms{{{rounded, repeating},
                                                         {exact, repeating},
                                                         {exact, uniform},
                                                         {exactThoughLong, exactThoughLong}}};
    std::vector<std::vector<std::string>> tried;
    for (const auto& [few, many] : kForms) {
      std::vector<NamedTensor> inputs;
      std::vector<std::string> written;
      for (const NamedTensor& input : wrong.inputs) {
        const auto form = (input.tensor.elements() > kFewElements ? many : few)(input.tensor);
        if (!form) break;
        inputs.push_back({input.name, form->tensor});
        written.push_back(form->text);
      }
      if (inputs.size() != wrong.inputs.size() ||
          std::find(tried.begin(), tried.end(), written) != tried.end())
        continue;
      tried.push_back(written);
      context_.report({"choosing inputs for the script", -1});
      FXS_TRY(auto again, search_.with(wrong.snapshot, std::move(inputs), true));
      if (!again || worstResult(again->target()) == nullptr) continue;
      wrong = *std::move(again);
      texts = std::move(written);
      return std::string();
    }
    return std::string("inputs with few elements do not show it");
  }

  /// Why no script can show it, else "".
  Result<std::string> scriptFor(WrongProgram& wrong) {
    const fx::Program& program = *wrong.snapshot->capture->program;
    if (worstResult(wrong.target()) == nullptr || search_.kind() == "shape" ||
        search_.kind() == "type")
      return fmt::format("what it is lowered to {}, which a script cannot compare",
                         search_.kind() == "crash" ? "crashes" : "gives no result of that form");
    for (const fx::OutputSpec& output : program.outputs)
      if (output.kind != fx::OutputKind::UserOutput) return std::string("it writes to its inputs");
    auto model =
        pythonModel(program, wrong.snapshot->capture->weights.get(), context_, WrittenWeights::All);
    if (!model && endsAll(model.error())) return tl::unexpected<Error>(model.error());
    if (!model) return "Python source cannot say " + model.error().message;
    if (model->isDynamic()) return std::string("its sizes are dynamic");
    std::vector<std::string> texts;
    FXS_TRY(std::string stop, writeInputs(wrong, texts));
    if (!stop.empty()) return stop;
    if (texts.size() != model->inputs.size()) return std::string("it has inputs of other kinds");
    for (std::size_t i = 0; i < texts.size(); ++i) model->inputs[i].value = std::move(texts[i]);
    return written(*model, wrong);
  }

  Result<std::string> written(const PythonModel& model, const WrongProgram& wrong) {
    FXS_TRY(const auto lowered,
            session::advance(wrong.snapshot, session::Phase::Lower, env_, context_));
    ValueCheck check;
    check.passes =
        executionPasses(torchMlirType(problem_.target), lowered->lowering->stages.back().text);
    if (check.passes.empty())
      return fmt::format("torch-mlir's Python cannot execute {}", lower::name(problem_.target));
    const auto tolerance = toleranceOf(*worstResult(wrong.target()));
    if (!tolerance) return std::string("the difference is too small for torch.testing");
    check.rtol = tolerance->rtol;
    check.atol = tolerance->atol;
    check.results = wrong.snapshot->capture->program->outputs.size();
    problem_.script = valueScriptText(model, s_.request.lower, check);
    if (tolerance->rtol == kTolerances.front().rtol)
      problem_.e2eTest = e2eTestText(model, problem_.signature.fxTarget);
    return std::string();
  }

  Result<> addScript(WrongProgram& wrong) {
    FXS_TRY(problem_.scriptStop, scriptFor(wrong));
    WrongValues& out = problem_.wrong.emplace();
    out.expectedBy = wrong.comparison->reference;
    out.executors = wrong.comparison->executors;
    out.difference = wrong.target().message;
    const compare::ResultComparison* result = worstResult(wrong.target());
    if (result == nullptr) return {};
    out.difference = result->difference.message;
    for (const tensor::Element& element : result->difference.worst)
      if (out.elements.size() < kNamedElements) out.elements.push_back(elementText(element));
    if (const auto tolerance = toleranceOf(*result))
      out.tolerance = fmt::format("rtol={:g}, atol={:g}", tolerance->rtol, tolerance->atol);
    return {};
  }

  Result<> addModule(const WrongProgram& wrong) {
    problem_.module = mlir::withoutLocations(wrong.snapshot->imported->text);
    FXS_TRY(const std::vector<lower::StageSpec> path, lower::filledStages(s_.request.lower));
    if (std::all_of(path.begin(), path.end(),
                    [](const lower::StageSpec& stage) { return stage.tool.isEngine(); }))
      problem_.command = commandText(
          path, [](const lower::StageSpec&) { return std::vector<std::string>{"torch-mlir-opt"}; });
    return {};
  }

  void addFacts(const WrongProgram& wrong) {
    if (const auto& first = wrong.target().first; first && first->node.valid()) {
      std::string fact = fmt::format("the value of {} is the first to differ, by stage {}",
                                     problem_.signature.fxTarget, first->stage);
      if (!first->pass.empty()) fact += ", pass " + first->pass;
      if (!first->operations.empty())
        fact += fmt::format(", which makes {} of it", joined(first->operations));
      problem_.facts.push_back(std::move(fact));
      if (first->byItself)
        problem_.facts.emplace_back("it also differs when it is lowered and executed by itself");
    }
    if (!problem_.script.empty() && problem_.e2eTest.empty())
      problem_.facts.emplace_back(
          "by the tolerance of torch-mlir's end-to-end suite it does not differ");
  }

  const session::Snapshot& s_;
  const session::Environment& env_;
  const RunContext& context_;
  diagnose::WrongProgramSearch search_;
  Problem problem_;
};

}  // namespace

Result<Problem> wrongProblemOf(const session::SnapshotPtr& snapshot, const ProblemOptions& options,
                               const session::Environment& env, const RunContext& context) {
  session::Request request = snapshot->request;
  request.rewrite.decompositions = rewrite::Decompositions::TorchMlir;
  request.import.embedWeights = false;
  request.normalize = false;
  request.askEngine = true;
  request.route = &session::kPipelines;
  FXS_TRY(const session::SnapshotPtr theirs,
          session::advance(session::retarget(snapshot, std::move(request)), session::Phase::Import,
                           env, context));
  FXS_TRY(ScratchDirectory folder,
          ScratchDirectory::make(env.temporaryDir, "the programs of a report"));
  return WrongCollector(theirs, options, env, context, std::move(folder)).collected(options);
}

}  // namespace fxs::upstream
