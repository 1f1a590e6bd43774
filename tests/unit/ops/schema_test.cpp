// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops/schema.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/schema_row.h"

namespace fxs::ops {
namespace {

const SchemaTable& table() { return SchemaTable::builtin(); }

TEST(SchemaTable, EverySpellingFindsTheOverload) {
  const Schema* add = table().find("aten.add.Tensor");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add, table().find("aten::add.Tensor"));
  EXPECT_EQ(add, table().find("torch.ops.aten.add.Tensor"));
  EXPECT_EQ(table().find("aten.relu"), table().find("aten.relu.default"));
  EXPECT_EQ(table().find("aten::relu"), table().find("aten.relu.default"));
  for (const char* none :
       {"", "relu", "aten.nonesuch.default", "aten.add.Tensr", "_operator.add", "aten::"})
    EXPECT_EQ(table().find(none), nullptr) << none;
}

TEST(SchemaTable, TextIsThatOfTheSchema) {
  EXPECT_EQ(table().find("aten.add_.Tensor")->text(),
            "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  EXPECT_EQ(table().find("aten.isclose.default")->text(),
            "aten::isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool "
            "equal_nan=False) -> Tensor");
  EXPECT_EQ(table().find("aten.max_pool2d.default")->text(),
            "aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
            "padding=[0, 0], int[2] dilation=[1, 1], bool "
            "ceil_mode=False) -> Tensor");
  EXPECT_EQ(table().find("aten.index.Tensor")->text(),
            "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor");
}

TEST(SchemaTable, TypesKeepWhatTheJitMerges) {
  const Schema* full = table().find("aten.full.default");
  EXPECT_EQ(full->find("size")->type.kind, TypeKind::SymInt);
  EXPECT_TRUE(full->find("size")->type.isList());
  EXPECT_EQ(full->find("dtype")->type.kind, TypeKind::ScalarType);
  EXPECT_TRUE(full->find("dtype")->type.optional);
  EXPECT_EQ(full->find("layout")->type.kind, TypeKind::Layout);
  EXPECT_EQ(full->find("device")->type.kind, TypeKind::Device);
  EXPECT_EQ(full->find("fill_value")->type.kind, TypeKind::Scalar);
  EXPECT_TRUE(full->find("dtype")->keywordOnly);
  EXPECT_EQ(table().find("aten.clone.default")->find("memory_format")->type.kind,
            TypeKind::MemoryFormat);
  const SchemaType indices = table().find("aten.index.Tensor")->find("indices")->type;
  EXPECT_TRUE(indices.isTensorList() && indices.elementOptional && !indices.optional);
  const SchemaType scales = table().find("aten.upsample_bilinear2d.vec")->find("output_size")->type;
  EXPECT_TRUE(scales.optional && scales.isList() && !scales.elementOptional);
}

TEST(SchemaTable, AliasesSayWhatIsWrittenAndWhatIsShared) {
  EXPECT_TRUE(table().find("aten.add_.Tensor")->isMutable);
  EXPECT_FALSE(table().find("aten.add.Tensor")->isMutable);
  const Schema* view = table().find("aten.view.default");
  EXPECT_EQ(view->arguments[0].alias, Alias::Read);
  EXPECT_EQ(view->returns[0].alias, Alias::Read);
  EXPECT_EQ(view->arguments[0].aliasSet, view->returns[0].aliasSet);
  EXPECT_EQ(table().find("aten.split.Tensor")->returns[0].alias, Alias::Read);
  EXPECT_EQ(table().find("aten.sin.out")->find("out")->alias, Alias::Write);
}

TEST(SchemaTable, DefaultsKeepTheirKind) {
  EXPECT_TRUE(std::holds_alternative<NoDefault>(
      table().find("aten.relu.default")->arguments[0].defaultValue));
  EXPECT_TRUE(std::holds_alternative<NoneDefault>(
      table().find("aten.sum.dim_IntList")->find("dtype")->defaultValue));
  EXPECT_EQ(std::get<bool>(table().find("aten.sum.dim_IntList")->find("keepdim")->defaultValue),
            false);
  EXPECT_EQ(std::get<std::int64_t>(table().find("aten.add.Tensor")->find("alpha")->defaultValue),
            1);
  EXPECT_EQ(std::get<double>(table().find("aten.layer_norm.default")->find("eps")->defaultValue),
            1e-5);
  EXPECT_EQ(
      std::get<std::string>(table().find("aten.gelu.default")->find("approximate")->defaultValue),
      "none");
  EXPECT_EQ(
      std::get<DefaultList>(table().find("aten.conv2d.default")->find("stride")->defaultValue),
      (DefaultList{std::int64_t{1}, std::int64_t{1}}));
}

TEST(SchemaTable, HoldsEveryOverloadOfItsPyTorch) {
  EXPECT_EQ(table().torchVersion(), "2.13.0");
  EXPECT_EQ(table().size(), 4434u);
  const std::vector<std::string> names = table().names();
  EXPECT_EQ(names.size(), table().size());
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const std::string& name : names) {
    const Schema* schema = table().find(name);
    ASSERT_NE(schema, nullptr) << name;
    EXPECT_EQ(schema->fxName(), name);
  }
  for (const char* ns : {"aten", "prims", "prim", "quantized_decomposed"})
    EXPECT_TRUE(table().hasNamespace(ns)) << ns;
  EXPECT_FALSE(table().hasNamespace("mylib"));
  EXPECT_FALSE(table().hasNamespace("ate"));
}

TEST(SchemaTable, DidYouMeanListsTheClosest) {
  EXPECT_EQ(table().didYouMean("aten.rleu.default", 1),
            (std::vector<std::string>{"aten.relu.default"}));
  EXPECT_EQ(table().didYouMean("aten::add.Tensr", 1),
            (std::vector<std::string>{"aten.add.Tensor"}));
  EXPECT_TRUE(table().didYouMean("completely.different.thing_that_nobody_wrote", 3).empty());
}

TEST(SchemaRow, PartsAreSplitOutsideOfTypes) {
  const Schema s = parseRow(
      "my::op.v;Dict[str,t]!a self;Tensor?[] xs=null;*float[2]? f=[1.5,2];str "
      "s=\"a\\n\\u000b\";->Tensor~;->int");
  EXPECT_EQ(s.ns, "my");
  EXPECT_EQ(s.packet, "op");
  EXPECT_EQ(s.overload, "v");
  ASSERT_EQ(s.arguments.size(), 4u);
  EXPECT_EQ(s.arguments[0].type.kind, TypeKind::Any);
  EXPECT_EQ(s.arguments[0].type.spelling, "Dict[str,t]");
  EXPECT_TRUE(s.isMutable);
  EXPECT_EQ(std::get<DefaultList>(s.arguments[2].defaultValue),
            (DefaultList{1.5, std::int64_t{2}}));
  EXPECT_EQ(std::get<std::string>(s.arguments[3].defaultValue), "a\n\v");
  ASSERT_EQ(s.returns.size(), 2u);
  EXPECT_EQ(s.returns[0].alias, Alias::Read);
}

}  // namespace
}  // namespace fxs::ops
