// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The JSON Schemas of resources/schemas are those of the forms that write the answers.
#include <gtest/gtest.h>

#include "diagnose/known_faults.h"
#include "report/compare.h"
#include "report/diagnose.h"
#include "report/engines.h"
#include "report/fix.h"
#include "report/folder.h"
#include "report/graph_diff.h"
#include "report/inspect.h"
#include "report/known_engines.h"
#include "report/lower.h"
#include "report/lowered_nodes.h"
#include "report/module_diff.h"
#include "report/node.h"
#include "report/normalize.h"
#include "report/notes.h"
#include "report/op_origins.h"
#include "report/passes.h"
#include "report/patterns.h"
#include "report/problem.h"
#include "report/registry.h"
#include "report/split.h"
#include "report/summary.h"
#include "report/support.h"
#include "report/sweep.h"
#include "report/trace.h"
#include "schema_file.h"
#include "trace/stored_trace.h"

namespace fxs::test {
namespace {

TEST(Schemas, AreThoseOfTheForms) {
  expectSchemaFile("compare", report::compareSchema());
  expectSchemaFile("diagnose", report::diagnoseSchema());
  expectSchemaFile("diff", report::moduleDiffSchema());
  expectSchemaFile("graph_diff", report::graphDiffSchema());
  expectSchemaFile("engine", report::engineSchema());
  expectSchemaFile("engine_bisect", report::bisectSchema());
  expectSchemaFile("engine_compare", report::enginesSchema());
  expectSchemaFile("engines", report::knownEnginesSchema());
  expectSchemaFile("fix", report::fixSchema());
  expectSchemaFile("folder", report::folderSchema());
  expectSchemaFile("inspect", report::inspectSchema());
  expectSchemaFile("lower", report::lowerSchema());
  expectSchemaFile("lower_nodes", report::loweredNodesSchema());
  expectSchemaFile("node", report::nodeSchema());
  expectSchemaFile("normalize", report::normalizeSchema());
  expectSchemaFile("notes_list", report::notesSchema());
  expectSchemaFile("report", report::problemSchema());
  expectSchemaFile("known_faults", diagnose::KnownFaults::schema());
  expectSchemaFile("passes", report::passesSchema());
  expectSchemaFile("patterns", report::patternsSchema());
  expectSchemaFile("registry", report::registrySchema());
  expectSchemaFile("run", report::runSchema());
  expectSchemaFile("split", report::splitSchema());
  expectSchemaFile("summary", report::summarySchema());
  expectSchemaFile("support", report::supportSchema());
  expectSchemaFile("sweep", sweep::lineAnswer().schemaText());
  expectSchemaFile("sweep_report", report::sweepSchema());
  expectSchemaFile("trace", trace::traceSchema());
  expectSchemaFile("trace_node", report::nodeHistorySchema());
  expectSchemaFile("trace_op", report::opOriginsSchema());
}

}  // namespace
}  // namespace fxs::test
