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
