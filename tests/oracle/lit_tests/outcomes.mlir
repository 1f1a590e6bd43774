// RUN: not mlir-opt --no-such-option %s
// RUN: not --crash mlir-opt --no-such-option %s
// RUN: ! mlir-opt --no-such-option %s
// RUN: env A=b mlir-opt %s | env FILECHECK_OPTS=--dump-input=never FileCheck %s
// RUN: not not mlir-opt %s
// RUN: not mlir-opt %s
// RUN: mlir-opt --no-such-option %s | FileCheck %s --allow-empty --check-prefix=EMPTY
// RUN: mlir-opt %s | FileCheck %s --check-prefix=WRONG
// RUN: mlir-opt --no-such-option %s && mlir-opt %s
// RUN: split-file %s %t
// RUN: mlir-opt %s | tee %t
// RUN: mlir-opt %s; mlir-opt %s
// RUN: %if no-such-feature %{ mlir-opt %s %}

// EMPTY-NOT: func
// WRONG: func.func @g
// CHECK: func.func @f
func.func @f() {
  return
}
// END.
// RUN: mlir-opt --no-such-option %s
