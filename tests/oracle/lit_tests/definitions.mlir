// DEFINE: %{options} = --canonicalize
// DEFINE: %{run} = mlir-opt %s %{options} \
// DEFINE:   --split-input-file
// RUN: %{run} | FileCheck %s
// REDEFINE: %{options} = --canonicalize --verify-diagnostics
// RUN: %{run}
// RUN: mlir-opt %s %{options} | FileCheck %s --check-prefix=NEVER

// NEVER: func.func @nothing
// CHECK-LABEL: func.func @f
// CHECK-LABEL: func.func @g
func.func @f() {
  return
}
// -----
func.func @g() {
  // expected-error @+1 {{unregistered operation}}
  "a.b"() : () -> ()
  return
}
// -----
func.func @h() {
  return
}
