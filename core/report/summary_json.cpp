// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/json_parts.h"
#include "report/summary.h"

namespace fxs::report {
namespace {

using namespace summary;

JsonForm<TensorTotal> tensorTotalForm() {
  const JsonForm<DtypeTotal> dtype = {
      {"dtype", [](const DtypeTotal& each) { return facts(each.dtype).torchName; }},
      {"tensors", &DtypeTotal::tensors},
      {"elements", &DtypeTotal::elements},
      {"bytes", &DtypeTotal::bytes}};
  return JsonForm<TensorTotal>{{"tensors", &TensorTotal::tensors},
                               {"elements", &TensorTotal::elements},
                               {"bytes", &TensorTotal::bytes, "of the elements"},
                               {"dtypes", &TensorTotal::dtypes, dtype, "most bytes first"}}
      .named("tensors");
}

JsonForm<FlopTotal> flopTotalForm() {
  return JsonForm<FlopTotal>{
      {"flops", &FlopTotal::flops,
       "2 for each multiply-add of matrix products, convolutions and attention; of the calls that "
       "are counted"},
      {"counted", &FlopTotal::counted, "calls"},
      {"unknown", &FlopTotal::unknown, "calls of which they are not known"}}
      .named("flops");
}

JsonForm<DialectCount> dialectForm() {
  return JsonForm<DialectCount>{{"dialect", &DialectCount::dialect, "linalg"},
                                {"operations", &DialectCount::operations}}
      .named("dialect");
}

JsonForm<Stored> storedForm() {
  return {{"parameters", &Stored::parameters, tensorTotalForm(), "each tensor once"},
          {"buffers", &Stored::buffers, tensorTotalForm()},
          {"constants", &Stored::constants, tensorTotalForm()},
          {"other_names", &Stored::otherNames, "of stored tensors that are counted under another"}};
}

JsonForm<Activations> activationsForm() {
  return {
      {"values", &Activations::values, tensorTotalForm(), "inputs and results of calls"},
      {"views", &Activations::views, "values without memory of their own"},
      {"unknown", &Activations::unknown, "values of sizes known only at run time, or not recorded"},
      {"peak_bytes", &Activations::peakBytes,
       "alive at a time in the main graph, in program order; null: not known"},
      {"peak", &Activations::peak, nullIfEmpty, "the node at which that is"}};
}

JsonAnswer<SummaryReport> summaryAnswer() {
  const JsonForm<UnknownFlops> unknown = {
      {"target", &UnknownFlops::target},
      {"reason", [](const UnknownFlops& each) { return name(each.reason); },
       JsonNames{name(FlopStanding::NoRule), name(FlopStanding::UnknownSize),
                 name(FlopStanding::UnknownRuns)}},
      {"calls", &UnknownFlops::calls, atLeast(1)}};
  const JsonForm<OperatorTotal> operators = {
      {"target", &OperatorTotal::target, "aten.mm.default"},
      {"calls", [](const OperatorTotal& each) { return each.nodes.size(); }, atLeast(1)},
      {"flops", &OperatorTotal::flops, flopTotalForm()}};
  const JsonForm<ModuleTotal> modules = {
      {"path", &ModuleTotal::path, "empty: the program"},
      {"class", &ModuleTotal::type, nullIfEmpty},
      {"depth", &ModuleTotal::depth},
      {"nodes", [](const ModuleTotal& each) { return each.nodes.size(); },
       "calls of operators in it and in its modules"},
      {"parameters", &ModuleTotal::parameters, "elements"},
      {"parameter_bytes", &ModuleTotal::parameterBytes},
      {"flops", &ModuleTotal::flops, flopTotalForm()}};
  const JsonForm<Became> became = {
      {"stage", &Became::stage},
      {"failed", &Became::failed, "the text is that at the failure"},
      {"operations", &Became::operations, "or instructions"},
      {"dialects", &Became::dialects, dialectForm(), "most operations first"}};
  const JsonForm<Summary> form = {
      {"stored", &Summary::stored, storedForm()},
      {"flops", &Summary::flops, flopTotalForm(),
       "null: not known, of an MLIR module or of a kernel"},
      {"unknown_flops", &Summary::unknownFlops, unknown},
      {"activations", &Summary::activations, activationsForm()},
      {"operators", &Summary::operators, operators, "most calls first"},
      {"modules", &Summary::modules, modules,
       "that are called, with the modules in them; the program first"},
      {"module_depth", &Summary::moduleDepth},
      {"dialects", &Summary::dialects, dialectForm(), "of an MLIR module, most operations first"},
      {"functions", &Summary::functions, "of an MLIR module"}};
  return {"fxscope-summary/1", "fxscope-cli inspect --summary --json",
          JsonForm<SummaryReport>{{"input", &SummaryReport::input, kInputMessage},
                                  {"format", &SummaryReport::format}}
              .with(&SummaryReport::summary, form)
              .with({{"became", &SummaryReport::became, became,
                      "by stage of the lowerings to the output types of --to"}})};
}

}  // namespace

std::string summaryJson(const SummaryReport& report) { return summaryAnswer().text(report); }
std::string summarySchema() { return summaryAnswer().schemaText(); }

}  // namespace fxs::report
