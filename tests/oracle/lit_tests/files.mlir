// RUN: mlir-opt %s > %t && FileCheck %s < %t
// RUN: mlir-opt %s -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: mlir-opt <%t.mlir >%t1 2>%t2 && FileCheck %s --input-file=%t1 && FileCheck %s --allow-empty --check-prefix=EMPTY < %t2
// RUN: mlir-opt %t.mlir >>%t1 && FileCheck %s --check-prefix=TWICE < %t1
// RUN: mlir-opt %t.none > %t3 2>&1 && FileCheck %s < %t3
// RUN: not mlir-opt %t.none 2>&1 | FileCheck %s --check-prefix=NONE -DNAME=%basename_t
// RUN: mlir-opt %S/%{s:basename} | FileCheck %s
// RUN: mlir-opt < %s | FileCheck %s
// RUN: mlir-opt %s &> %t4 && FileCheck %s < %t4

// EMPTY-NOT: {{.}}
// TWICE-COUNT-2: func.func @f
// NONE: cannot open input file '[[NAME]].tmp.none'
// CHECK: func.func @f
func.func @f() {
  return
}
