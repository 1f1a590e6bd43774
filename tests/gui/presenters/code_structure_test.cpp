// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/code_structure.h"

#include <gtest/gtest.h>

#include <QStringList>

namespace fxs::ui {
namespace {

const std::string kText = R"(#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> ()>
#map2 = affine_map<(d0) -> (0)>
#map3 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %in : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
)";

struct Text {
  explicit Text(const std::string& text)
      : code(CodeText::of(text)), module(mlir::readModule(code->all())) {}
  std::size_t at(std::string_view text, std::size_t nth = 0) const {
    std::size_t found = code->all().find(text);
    for (; nth > 0; --nth) found = code->all().find(text, found + 1);
    return found;
  }
  CodeTextPtr code;
  mlir::Module module;
};

TEST(CodeStructure, ParametersAndConstantsAtTheTopOfABodyFold) {
  const Text text(R"(module {
  func.func @main(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
    %int1 = torch.constant.int 1
    %0 = torch.vtensor.literal(dense_resource<w> : tensor<4xf32>) : !torch.vtensor<[4],f32>
    %1 = torch.vtensor.literal(dense_resource<b> : tensor<4xf32>) : !torch.vtensor<[4],f32>
    %2 = torch.vtensor.literal(dense_resource<c> : tensor<4xf32>) : !torch.vtensor<[4],f32>
    %3 = torch.aten.add.Tensor %arg0, %0, %int1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],f32>
    return %3 : !torch.vtensor<[4],f32>
  }
}
)");
  std::vector<Fold> folded;
  for (const Fold& fold : foldsOf(text.module))
    if (fold.folded) folded.push_back(fold);
  ASSERT_EQ(folded.size(), 1U);
  EXPECT_EQ(folded.front().label, "3 parameters, 1 constant");
  EXPECT_EQ(folded.front().first, 2U);
  EXPECT_EQ(folded.front().last, 5U);
  EXPECT_EQ(folded.front().kind, FoldKind::Block);
}

TEST(CodeStructure, ParametersInARowFoldIfTheyAreMany) {
  const std::vector<Fold> folds =
      foldsOf({false, true, true, true, true, true, false, true, false});
  ASSERT_EQ(folds.size(), 1U);
  EXPECT_EQ(folds.front().label, "5 parameters");
  EXPECT_EQ(folds.front().first, 1U);
  EXPECT_EQ(folds.front().last, 5U);
}

TEST(CodeStructure, FoldsSayWhatTheyHold) {
  const Text text(kText);
  QStringList folds;
  for (const Fold& fold : foldsOf(text.module))
    folds << QString("%1-%2 %3%4")
                 .arg(fold.first)
                 .arg(fold.last)
                 .arg(fold.label, fold.folded ? " (folded)" : "");
  EXPECT_EQ(folds.join("\n").toStdString(),
            "0-3 4 aliases (folded)\n4-14 … 6 operations }\n5-13 … 5 operations }\n7-11 … 2 "
            "operations }");
}

TEST(CodeStructure, AValueIsFoundFromAnyOfItsPlaces) {
  const Text text(kText);
  const std::vector<FindMatch> all{{8, 9, 12}, {9, 22, 25}, {9, 27, 30}};
  for (std::size_t nth = 0; nth < 3; ++nth) {
    const auto positions = valueAt(text.module, *text.code, text.at("%in", nth));
    ASSERT_TRUE(positions) << nth;
    EXPECT_EQ(positions->all(), all) << nth;
  }
  EXPECT_FALSE(valueAt(text.module, *text.code, text.at("arith.addf")));
}

TEST(CodeStructure, HoverSaysTypeDefinitionAndUses) {
  const Text text(kText);
  EXPECT_EQ(valueTip(text.module, *text.code, text.at("%1 :")).toStdString(),
            "%1 : tensor<4xf32>\ndefined by linalg.generic, line 8\n1 use");
  EXPECT_EQ(valueTip(text.module, *text.code, text.at("%out")).toStdString(),
            "%out : f32\nargument 2 of linalg.generic, line 9\nno uses");
  EXPECT_EQ(valueTip(text.module, *text.code, 0).toStdString(), "");
}

}  // namespace
}  // namespace fxs::ui
