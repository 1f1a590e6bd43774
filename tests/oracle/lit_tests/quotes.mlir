// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(canonicalize{test-convergence=true max-iterations=3}))' | FileCheck %s
// RUN: mlir-opt "%s" -pass-pipeline="builtin.module(func.func(canonicalize))" | FileCheck "%s" --check-prefixes="CHECK,OTHER"
// RUN: mlir-opt\
// RUN:   %s -canonicalize   \
// RUN:   -cse|FileCheck %s
// RUN: mlir-opt %s --test-option\ with\ blanks 2>&1 | not FileCheck %s
// RUN: not mlir-opt %s '--a"b' "--c'd" 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not='no such text'

// ERROR: Unknown command line argument

// CHECK-LABEL: func.func @f(
// CHECK-NEXT:    return
// OTHER-NOT: arith
func.func @f(%arg0: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %arg0, %c0 : i32
  return %0 : i32
}
