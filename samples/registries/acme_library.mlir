// Declares acme::swiglu to torch-mlir: the torch stage keeps torch.operator "torch.acme.swiglu".
func.func @__torch_mlir_has_value_semantics_fn.torch.acme.swiglu() { return }
