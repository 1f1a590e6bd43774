// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "query/query.h"

#include <gtest/gtest.h>

#include "base/joined.h"
#include "program_from.h"
#include "query/find.h"

namespace fxs::query {
namespace {

/// The names of the nodes that a query finds, or the error.
std::string found(const fx::Program& program, std::string_view text,
                  const std::vector<std::string>& problems = {}) {
  const auto query = parse(text);
  if (!query) return query.error().message;
  std::vector<std::string> names;
  for (const fx::NodeId id : find(*query, {program, problems, nullptr, {}}))
    names.push_back(program.node(id).name);
  return joined(names, " ");
}

fx::ProgramPtr someProgram() {
  auto program = std::make_shared<fx::Program>(
      *test::programFrom("x: f32[1, 4] = placeholder\n"
                         "q_proj: f16[1, 4, 8] = aten.linear.default(x, x)\n"
                         "k_proj: f32[1, 4, 8] = aten.linear.default(x, x)\n"
                         "add: f32[11, 4] = aten.add.Tensor(x, x)\n"
                         "add_1: f16[1, 4] = aten.add.Scalar(x, 1)\n"
                         "split: (f32[1, 2], i64[3]) = aten.max.dim(x, 1)\n"
                         "return add"));
  const auto meta = [&](std::size_t node, const char* key, const char* text) {
    program->strings.emplace_back(key);
    program->strings.emplace_back(text);
    const std::size_t count = program->strings.size();
    program->nodes[node].meta.push_back({fx::StringId::of(count - 2), fx::StringId::of(count - 1)});
  };
  meta(1, "nn_module_stack",
       "m,,pkg.Model;l3,layers.3,pkg.Layer;q,layers.3.q,torch.nn.modules.linear.Linear");
  meta(2, "nn_module_stack",
       "m,,pkg.Model;l30,layers.30,pkg.Layer;k,layers.30.k,torch.nn.modules.linear.Linear");
  meta(1, "stack_trace",
       "  File \"/home/me/model.py\", line 7, in forward\n    a\n  File \"/home/me/layer.py\", "
       "line 12, in forward\n    b\n");
  meta(2, "stack_trace", "  File \"/home/me/model.py\", line 12, in forward\n    a\n");
  return program;
}

TEST(Query, EachKeyLooksAtItsPartOfANode) {
  const auto program = someProgram();
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"name=add", "add"},
      {"name~add", "add add_1"},
      {"name~/^(q|k)_proj$/", "q_proj k_proj"},
      {"NAME=add",
       "query: 'NAME=add': unknown key 'NAME'; keys are name, op, module, shape, dtype, file, "
       "line, problem; put text to look for in "
       "quotes"},
      {"name=ADD", "add"},
      {"op=aten.add.Tensor", "add"},
      {"op=aten.add", "add add_1"},
      {"op=aten.linear", "q_proj k_proj"},
      {"op~linear", "q_proj k_proj"},
      {"op~/aten\\.(max|add)\\./", "add add_1 split"},
      {"op=placeholder", "x"},
      {"module=layers.3", "q_proj"},
      {"module~layers.3", "q_proj k_proj"},
      {"module=Layer", "q_proj k_proj"},
      {"module~linear", "q_proj k_proj"},
      {"module~/^layers\\.3\\b/", "q_proj"},
      {"shape=1x4", "x add_1"},
      {"shape~1x4", "x q_proj k_proj add add_1"},
      {"shape=1x2", "split"},
      {"shape~/^1x4x/", "q_proj k_proj"},
      {"dtype=f16", "q_proj add_1"},
      {"dtype=float16", "q_proj add_1"},
      {"dtype=si64", "split"},
      {"dtype~/^f/", "x q_proj k_proj add add_1 split"},
      {"dtype=f16 op=aten.linear", "q_proj"},
      {"file=model.py", "q_proj k_proj"},
      {"file=/home/me/layer.py", "q_proj"},
      {"file~layer", "q_proj"},
      {"line=12", "q_proj k_proj"},
      {"file=model.py line=12", "k_proj"},
      {"add", "add add_1"},
      {"linear q", "q_proj"},
      {"~/^add$/", "add"},
      {"\"name=add\"", ""},
      {"name~\"d_1\"", "add_1"},
      {"shape=\"\"", ""},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(found(*program, text), expected) << text;
}

TEST(Query, ProblemsAreFoundByTheirMessage) {
  const auto program = someProgram();
  const std::vector<std::string> problems{"", "", "no pattern for aten.linear"};
  EXPECT_EQ(found(*program, "problem=yes", problems), "k_proj");
  EXPECT_EQ(found(*program, "problem~pattern", problems), "k_proj");
  EXPECT_EQ(found(*program, "problem~types", problems), "");
  EXPECT_EQ(found(*program, "problem=no name~proj", problems), "q_proj");
}

TEST(Query, OperationsHaveNamesAndLinesOfTheNodesThatTheyComeFrom) {
  const auto user = someProgram();
  fx::Program operations;
  operations.graphs.push_back({});
  for (const char* name : {"linalg.matmul", "linalg.generic"}) {
    fx::Node node;
    node.id = fx::NodeId::of(operations.nodes.size());
    node.name = name;
    operations.nodes.push_back(std::move(node));
  }
  operations.nodes[1].target = "addf";
  const std::vector<std::vector<fx::NodeId>> origins{{fx::NodeId::of(1)},
                                                     {fx::NodeId::of(2), fx::NodeId::of(3)}};
  const auto ops = [&](std::string_view text) {
    std::vector<std::string> names;
    for (const fx::NodeId id : find(*parse(text), {operations, {}, user.get(), origins}))
      names.push_back(operations.node(id).name);
    return joined(names, " ");
  };
  EXPECT_EQ(ops("op=linalg.matmul"), "linalg.matmul");
  EXPECT_EQ(ops("op=linalg"), "") << "linalg.generic is no overload of linalg";
  EXPECT_EQ(ops("name=q_proj"), "linalg.matmul");
  EXPECT_EQ(ops("name=add"), "linalg.generic");
  EXPECT_EQ(ops("file=layer.py"), "linalg.matmul");
  EXPECT_EQ(ops("addf"), "linalg.generic");
}

TEST(Query, WhatDoesNotParseIsNamed) {
  const std::string keys =
      "; keys are name, op, module, shape, dtype, file, line, problem; put text to look for in "
      "quotes";
  const std::pair<const char*, std::string> cases[] = {
      {"op=relu nam~x", "query: 'nam~x': unknown key 'nam'" + keys + "; did you mean 'name'?"},
      {"dim=1", "query: 'dim=1': unknown key 'dim'" + keys},
      {"op~/linalg(/ x", "query: 'op~/linalg(/': not a regular expression: missing ): linalg("},
      {"op~/a{1000}{1000}/",
       "query: 'op~/a{1000}{1000}/': not a regular expression: bad repetition operator: "
       "{1000}{1000}"},
      {"op~/(a\\1)/",
       "query: 'op~/(a\\1)/': not a regular expression: invalid escape sequence: \\1"},
      {"op~/abc", "query: 'op~/abc': expected a closing /"},
      {"file~/home/me",
       "query: 'file~/home/me': expected a space after the expression; put text that begins with / "
       "in quotes"},
      {"name=\"a", "query: 'name=\"a': expected a closing \""},
      {"name=\"a\"b", "query: 'name=\"a\"b': expected a space after the closing quote"},
      {"name= x", "query: 'name=': expected a value; \"\" is an empty one"},
      {"dtype=f17",
       "query: 'dtype=f17': unknown element type; expected one such as f32, bf16, i64 or float32"},
      {"line~7", "query: 'line~7': expected line=NUMBER"},
      {"line=x", "query: 'line=x': expected line=NUMBER"},
      {"problem=maybe",
       "query: 'problem=maybe': expected problem=yes or problem=no; problem~TEXT looks in the "
       "message"},
      {"a\xff", "query: 'a\\xff': invalid UTF-8"},
  };
  for (const auto& [text, message] : cases) {
    const auto query = parse(text);
    ASSERT_FALSE(query) << text;
    EXPECT_EQ(query.error().code, ErrorCode::Usage);
    EXPECT_EQ(query.error().message, message);
  }
  EXPECT_EQ(parse(std::string(20'000, 'a')).error().message, "query: at most 10000 characters");
}

TEST(Query, WordsAloneAreTextToLookFor) {
  EXPECT_FALSE(parse("%5 = torch.aten.relu : tensor<1x4xf32>")->hasKeys);
  EXPECT_FALSE(parse("/home/me \"op=x\"")->hasKeys);
  EXPECT_TRUE(parse("relu op=x")->hasKeys);
  EXPECT_TRUE(parse("~/x/")->hasKeys);
  EXPECT_EQ(parse("  a b ")->text, "a b");
}

TEST(Query, NoExpressionIsSlowOnAnyText) {
  // Each takes a backtracking engine longer than the age of the universe on this text.
  fx::Program program;
  program.graphs.push_back({});
  fx::Node node;
  node.id = fx::NodeId::of(0);
  node.name = std::string(20'000, 'a') + "!";
  program.nodes.push_back(std::move(node));
  for (const char* text : {"name~/^(a+)+$/", "name~/(a|a)*b/", "name~/^(a|aa)+$/",
                           "name~/(.*)*x(.*)*y/", "name~/(a?){500}a{500}b/"})
    EXPECT_EQ(found(program, text), "") << text;
}

}  // namespace
}  // namespace fxs::query
