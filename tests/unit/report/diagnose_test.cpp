// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/diagnose.h"

#include <gtest/gtest.h>

#include "output_type.h"
#include "sample_diagnosis.h"

namespace fxs::report {
namespace {

TEST(DiagnoseReportText, SaysEachCauseOnceAndWhatHelps) {
  const fx::ProgramPtr program = test::sampleProgram();
  const diagnose::Diagnosis diagnosis = test::sampleDiagnosis();
  EXPECT_EQ(diagnoseText({"m.pt2", diagnosis, *program}),
            R"t(m.pt2 to tosa, linalg-on-tensors, stablehlo, engine LLVM 23.0.0git (torch-mlir-opt)
INCOMPLETE: cancelled or out of time. These results are valid, but there may be more.

tosa               stops at torch: 1 operation blocks it, at 2 nodes; the list is complete; 1 operation failed by itself, but not in the program
                   the whole program does not lower with fix 1
linalg-on-tensors  lowers
stablehlo          stops at stablehlo: 1 operation blocks it, at nodes that the engine does not name
                   the list is incomplete: the engine crashes on what is left

  1. aten.diff.default (torch.operator): the engine's torch dialect does not register it
     blocks  tosa in torch-lower-to-backend-contract
     at      diff in wte and 1 other node   model.py:12   y = torch.diff(x)
     types   (f32[2, 4]) -> f32[2, 3]
     fix     decompose aten.diff.default (whole program lowers with it)
             fxscope-cli lower 'm.pt2' --to tosa --decompose aten.diff.default

  2. unknown operation: the engine crashes on it
     blocks  stablehlo
     nodes   not named by the engine
     why     the engine crashed and named no place
     whole   the time limit was reached
     fix     none known

  3. my</script>lib.op|`x`.default (torch.aten.scaled_dot_product_attention): the patterns for it rejected this form
     fails   tosa
     at      n"'</script><b>`|& in evil</script>   evil<b>.py:7   return f("</script>")
     types   (f32[2, 3]) -> f32[2, 3]
     why     ConvertAtenScaledDotProductAttentionOp refused it
     whole   the whole program lowers with it in place
     fix     none: 1 change tried, without success

note: the survey of stablehlo ran out of time
note: not tried: 1 change (no Python with PyTorch was found)
)t");
}

TEST(DiagnoseReportText, ProgramThatLowersNeedsTwoLines) {
  const fx::ProgramPtr program = test::sampleProgram();
  diagnose::Diagnosis diagnosis;
  diagnosis.engine = {"/e", "LLVM 1", "", {}};
  diagnosis.targets.resize(1);
  diagnosis.targets[0].target = test::outputType("tosa");
  diagnosis.targets[0].lowers = true;
  EXPECT_EQ(diagnoseText({"m.pt2", diagnosis, *program}),
            "m.pt2 to tosa, engine LLVM 1 (e)\n\ntosa  lowers\n");
}

/// Node 1 makes sizes that stop node 2 too, which fails with numbers as well; node 3 fails for them
/// only.
diagnose::Diagnosis diagnosisOfSizes() {
  diagnose::Diagnosis out;
  out.engine = {"/e", "LLVM 1", "", {}};
  diagnose::TargetDiagnosis& tosa = out.targets.emplace_back();
  tosa.target = test::outputType("tosa");
  tosa.stoppedAt = "tosa";
  tosa.restLowers = true;
  out.sizeSources = {{"aten.diff in wte", {"u0", "u1", "u2"}, {fx::NodeId{1}}}};
  const auto add = [&](const char* target, std::uint32_t node, diagnose::SizeDependence sizes) {
    diagnose::Blocked& entry = out.blocked.emplace_back();
    entry.target = test::outputType("tosa");
    entry.kind = diagnose::Kind::NoPattern;
    entry.fxTarget = target;
    entry.op = "torch." + std::string(target);
    entry.stage = "tosa";
    entry.message = std::string(target) + ": no pattern";
    entry.nodes = {fx::NodeId{node}};
    entry.agreement = diagnose::Agreement::Confirmed;
    entry.sizes = std::move(sizes);
  };
  using diagnose::WithNumbers;
  add("aten.diff.default", 1, {0, true});
  add("aten.sort.default", 2, {0, false, WithNumbers::Fails, "no pattern"});
  add("aten.relu.default", 3, {0, false, WithNumbers::Lowers});
  add("aten.tanh.default", 4, {0, false, WithNumbers::NotKnown, "the engine gave no answer"});
  diagnose::Experiment& other = out.blocked[2].experiments.emplace_back();
  other.id = "target:linalg-on-tensors";
  other.change = "lower to linalg-on-tensors instead";
  other.outcome = diagnose::Outcome::Passed;
  other.proof = diagnose::Proof::Disproved;
  other.snippet = "fxscope-cli lower m.pt2 --to linalg-on-tensors";
  other.language = "sh";
  out.otherTypes = {{test::outputType("stablehlo"), std::nullopt, {}, 0},
                    {test::outputType("linalg-on-tensors"), false, {"aten.sort.default"}, 1}};
  return out;
}

TEST(DiagnoseReportText, SizesKnownOnlyAtRunTimeAreOneCause) {
  const fx::ProgramPtr program = test::sampleProgram();
  const diagnose::Diagnosis diagnosis = diagnosisOfSizes();
  EXPECT_EQ(diagnoseText({"m.pt2", diagnosis, *program}),
            R"t(m.pt2 to tosa, engine LLVM 1 (e)

tosa  stops at tosa: sizes known only at run time block it, from aten.diff in wte, at 3 nodes; 1 other operation blocks it, at 1 node; the list is complete

  1. Sizes known only at run time (u0 .. u2, from aten.diff in wte): 3 nodes, 3 operators
     blocks  tosa
     from    diff in wte   model.py:12   y = torch.diff(x)
     why     TOSA has static sizes only
     fails   aten.diff.default (1 node), aten.relu.default (1 node), aten.tanh.default (1 node)
             not known whether these lower with numbers in place of the sizes: aten.tanh.default
     also    not only for these sizes, see below: aten.sort.default
     try     linalg-on-tensors stops at 1 operator only (aten.sort.default, 1 node)
             whether the program lowers to stablehlo is not known
             fxscope-cli lower m.pt2 --to linalg-on-tensors

  2. aten.sort.default (torch.aten.sort.default): no pattern of this output type matches it
     blocks  tosa
     at      diff_1 in wpe   model.py:13   z = torch.diff(y)
     why     no pattern
     sizes   depends on sizes known only at run time (u0 .. u2), and fails with numbers in their place too
     fix     none known
)t");
}

TEST(DiagnoseReportText, CausesThatOneChangeFixesSayItOnce) {
  const fx::ProgramPtr program = test::sampleProgram();
  diagnose::Diagnosis diagnosis = diagnosisOfSizes();
  diagnosis.sizeSources.push_back({"aten.relu", {"u3"}, {fx::NodeId{3}}});
  diagnosis.targets[0].fixedLowers = true;
  diagnosis.targets[0].changes = {"compute with the greatest sizes"};
  diagnosis.otherTypes = {{test::outputType("stablehlo"), true, {}, 0}};
  diagnosis.blocked.resize(3);
  diagnosis.blocked.erase(diagnosis.blocked.begin() + 1);
  diagnosis.blocked[1].sizes = diagnose::SizeDependence{1, true};
  for (diagnose::Blocked& entry : diagnosis.blocked) {
    entry.experiments.resize(1);
    diagnose::Experiment& bounds = entry.experiments[0];
    bounds = {};
    bounds.id = diagnose::kUpperBounds;
    bounds.change = "compute with the greatest sizes";
    bounds.cost = "no longer checks u0 >= 1";
    bounds.outcome = diagnose::Outcome::Passed;
    bounds.proof = diagnose::Proof::Proved;
  }
  EXPECT_EQ(diagnoseText({"m.pt2", diagnosis, *program}),
            R"t(m.pt2 to tosa, engine LLVM 1 (e)

tosa  stops at tosa: sizes known only at run time block it, from aten.diff in wte, aten.relu, at 2 nodes; the list is complete
      the whole program lowers with fix 1

  1. Sizes known only at run time (u0 .. u2, from aten.diff in wte): 1 node, 1 operator
     blocks  tosa
     from    diff in wte   model.py:12   y = torch.diff(x)
     why     TOSA has static sizes only
     fails   aten.diff.default (1 node)
     fix     compute with the greatest sizes (whole program lowers with it; no longer checks u0 >= 1)
     try     the whole program lowers to stablehlo

  2. Sizes known only at run time (u3, from aten.relu): 1 node, 1 operator
     blocks  tosa
     from    relu
     fails   aten.relu.default (1 node)
     fix     the same as 1
)t");
}

TEST(DiagnoseReportText, WhereNoOtherOutputTypeWasTriedNothingIsSaidOfOne) {
  const fx::ProgramPtr program = test::sampleProgram();
  diagnose::Diagnosis diagnosis = diagnosisOfSizes();
  diagnosis.otherTypes.clear();
  const std::string text = diagnoseText({"m.pt2", diagnosis, *program});
  EXPECT_NE(text.find("     try     not known: no other output type was tried\n"),
            std::string::npos)
      << text;
}

TEST(DiagnoseReportText, WithFixesThatMakeItLowerSizesAreNoCause) {
  const fx::ProgramPtr program = test::sampleProgram();
  diagnose::Diagnosis diagnosis = diagnosisOfSizes();
  diagnosis.targets[0].fixedLowers = true;
  const std::string text = diagnoseText({"m.pt2", diagnosis, *program});
  EXPECT_EQ(text.find("Sizes known only"), std::string::npos) << text;
  EXPECT_NE(text.find("4 operations block it, at 4 nodes"), std::string::npos) << text;
}

TEST(DiagnoseReportJson, NamesTheSourceOfSizesAndWhatItBlocks) {
  const fx::ProgramPtr program = test::sampleProgram();
  const std::string json = diagnoseJson({"m.pt2", diagnosisOfSizes(), *program});
  for (const char* part :
       {R"("name": "aten.diff in wte")", R"("message": "TOSA has static sizes only")",
        R"("with_numbers": "fails")", R"("other_types": [)"})
    EXPECT_NE(json.find(part), std::string::npos) << part << '\n' << json;
}

TEST(DiagnoseReportJson, HasTheCausesOfTheTextTheirFixesAndTheNextStep) {
  const fx::ProgramPtr program = test::sampleProgram();
  const diagnose::Diagnosis diagnosis = test::sampleDiagnosis();
  DiagnoseReport report{"m.pt2", diagnosis, *program};
  EXPECT_NE(diagnoseJson(report).find(R"("next": null)"), std::string::npos);
  report.next = diagnose::NextStep{
      diagnose::NextStep::Kind::OtherType, "it lowers to raw", {"lower", "m.pt2", "--to", "raw"}};
  const std::string json = diagnoseJson(report);
  // In the order of the text: the first has a fix, the last stops nothing.
  std::size_t at = 0;
  for (const char* part :
       {R"("causes": [)", R"("title": "aten.diff.default")", R"("to": ["tosa"])",
        R"("node": "diff")", R"("module": "wte")", R"("line": 12)", R"("count": 2)",
        R"("change": "decompose aten.diff.default")",
        R"("verified_message": "whole program lowers with it")", R"("title": "unknown operation")",
        R"("node": null)", R"("fix": null)", R"("severity": "warning")",
        R"("title": "my</script>lib)", R"("support": [)", R"("kind": "other-type")",
        R"("arguments": ["lower", "m.pt2", "--to", "raw"])"}) {
    at = json.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << '\n' << json;
  }
}

TEST(DiagnoseReportMarkdown, IsReadyToPasteIntoAnIssue) {
  const fx::ProgramPtr program = test::sampleProgram();
  const diagnose::Diagnosis diagnosis = test::sampleDiagnosis();
  EXPECT_EQ(
      diagnoseMarkdown({"m.pt2", diagnosis, *program}),
      R"m(## `m.pt2` to tosa, linalg-on-tensors, stablehlo, engine LLVM 23.0.0git (torch-mlir-opt)

- INCOMPLETE: cancelled or out of time. These results are valid, but there may be more.

- tosa: stops at torch: 1 operation blocks it, at 2 nodes; the list is complete; 1 operation failed by itself, but not in the program
  - the whole program does not lower with fix 1
- linalg-on-tensors: lowers
- stablehlo: stops at stablehlo: 1 operation blocks it, at nodes that the engine does not name
  - the list is incomplete: the engine crashes on what is left

### 1. `aten.diff.default` (`torch.operator`): the engine's torch dialect does not register it

- blocks: tosa in torch-lower-to-backend-contract
- at: `diff` in `wte` and 1 other node   `model.py:12`   `y = torch.diff(x)`
- types: `(f32[2, 4]) -> f32[2, 3]`
- fix: decompose aten.diff.default (whole program lowers with it)

  ```sh
  fxscope-cli lower 'm.pt2' --to tosa --decompose aten.diff.default
  ```

<details><summary>Details</summary>

- 2 nodes: `diff` `diff_1`
- why: aten.diff.default has no lowering in this engine; decompose it
- types: (f32\[2, 4\]) -\> f32\[2, 3\]

| result | experiment | reason |
| --- | --- | --- |
| whole program lowers with it | decompose aten.diff.default | the whole program with it was lowered to tosa |
| lowers by itself | compute it in f32 | computes in f32 |
| lowers by itself, but not in the whole program | stop at torch | the whole program still stops at it |
| does not work | export it with static sizes | error: Unimplemented operator 'torch.aten.diff' |
| not run | decompose it by PyTorch's tables | no Python with PyTorch was found |

```text
error: unsupported by backend contract: Unimplemented operator 'torch.aten.diff'
note: see current operation
```

</details>

### 2. `unknown operation`: the engine crashes on it

- blocks: stablehlo
- nodes: not named by the engine
- why: the engine crashed and named no place
- whole: the time limit was reached
- fix: none known

### 3. `` my</script>lib.op|`x`.default `` (`torch.aten.scaled_dot_product_attention`): the patterns for it rejected this form

- fails: tosa
- at: `` n"'</script><b>`|& `` in `evil</script>`   `evil<b>.py:7`   `return f("</script>")`
- types: `(f32[2, 3]) -> f32[2, 3]`
- why: ConvertAtenScaledDotProductAttentionOp refused it
- whole: the whole program lowers with it in place
- fix: none: 1 change tried, without success

<details><summary>Details</summary>

- 1 node: `` n"'</script><b>`|& ``
- patterns tried: `ConvertAtenScaledDotProductAttentionOp, DecomposeX`

| result | experiment | reason |
| --- | --- | --- |
| does not work | make it rank 2 |   |

````text
error: failed to legalize <b>
```
| "quoted" & 'odd'
````

</details>

- note: the survey of stablehlo ran out of time
- note: not tried: 1 change (no Python with PyTorch was found)

<details><summary>Versions</summary>

- engine: sha256 aaaaaaaaaaaa

</details>
)m");
}

TEST(DiagnoseReportMarkdown, OneOperationStandsBelowItsNode) {
  const fx::ProgramPtr program = test::sampleProgram();
  const diagnose::Diagnosis diagnosis = test::sampleDiagnosis();
  const DiagnoseReport report{"m.pt2", diagnosis, *program};
  const std::string one = blockedMarkdown(report, diagnosis.blocked.front());
  EXPECT_TRUE(one.starts_with("#### `aten.diff.default` (`torch.operator`): the engine's torch"));
  const std::string all = diagnoseMarkdown(report);
  EXPECT_NE(all.find(one.substr(one.find("- blocks: "))), std::string::npos);
}

TEST(DiagnoseReportText, ConclusionsNameTheChanges) {
  const fx::ProgramPtr program = test::sampleProgram();
  const diagnose::Diagnosis diagnosis = test::sampleDiagnosis();
  const std::string text = diagnoseConclusions({"m.pt2", diagnosis, *program});
  EXPECT_TRUE(text.starts_with("tosa               stops at torch: 1 operation blocks it")) << text;
  EXPECT_NE(text.find("the whole program does not lower with decompose aten.diff.default\n"),
            std::string::npos);
  EXPECT_TRUE(text.ends_with("note: not tried: 1 change (no Python with PyTorch was found)\n"));
}

TEST(DiagnoseReportSarif, FingerprintsStayWhenTheLineMoves) {
  const fx::ProgramPtr program = test::sampleProgram();
  const diagnose::Diagnosis diagnosis = test::sampleDiagnosis();
  fx::Program moved = *program;
  for (std::string& text : moved.strings)
    if (const std::size_t at = text.find("line 12"); at != std::string::npos)
      text.replace(at, 7, "line 99");
  const std::string before = diagnoseSarif({"m.pt2", diagnosis, *program});
  std::string after = diagnoseSarif({"m.pt2", diagnosis, moved});
  EXPECT_NE(before, after);
  const std::size_t line = after.find("\"startLine\": 99");
  ASSERT_NE(line, std::string::npos);
  after.replace(line, 15, "\"startLine\": 12");
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace fxs::report
