# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is not equal, and why: the one table. A line names comparisons as program/form/mode (each part may be a pattern) or, for a file
that cannot be made, program/form; `outcome` is a regular expression on what the comparison says.

The comparison gives torch-mlir's importer the program as it is loaded. fx.export_and_import has PyTorch trace it first, after which the importer
takes some of these: torch_mlir_claims.py asks it of each program here, and fxscope must import what it imports."""
import dataclasses
import fnmatch


@dataclasses.dataclass(frozen=True)
class Known:
    reason: str
    outcome: str
    names: tuple


def known(reason, outcome, names):
    return Known(reason, outcome, tuple(names.split()))


KNOWN = [
    known(
        "torch-mlir's importer has no form for this higher-order operator; fxscope writes cond as torch.prim.If, wrappers as the operator they "
        "wrap, and gives a finding for the rest",
        r"theirs fails: NotImplementedError: Higher-order operation '\w+' not implemented",
        """cond/*/* cond_two_results/*/* cond_with_weights/*/* map/*/* scan/*/* no_grad_region/exported/* autocast_region/exported/*
        custom_op_mutates/decomposed/* custom_op_mutates/core/* inverse/core/frozen cholesky/core/frozen""",
    ),
    known(
        "torch-mlir's importer knows no effect tokens among the inputs, which fx.export_and_import does not make",
        r"theirs fails: NotImplementedError: InputSpec not of a known kind: token",
        "inverse/core/program cholesky/core/program",
    ),
    known(
        "torch-mlir's importer, given tuples, hands a while_loop's additional inputs to the loop as if they were carried; fxscope takes them from "
        "outside",
        r"theirs does not verify: .*region branch point.*ours verifies",
        "while_loop_with_weight/*/*",
    ),
    known(
        "torch-mlir's importer does not know this Python function on symbolic scalars",
        r"theirs fails: (NotImplementedError: FIX ME: Unimplemented call_function|AssertionError: Unsupported builtin function).*ours verifies",
        "dyn_size_max/*/* dyn_size_min/*/* dyn_size_power/*/* dyn_size_scales/*/* dyn_size_sqrt/*/*",
    ),
    known(
        "torch-mlir's importer passes a symbolic int where the operation takes a tensor; fxscope makes it one",
        r"theirs does not verify: .*must be Any Torch tensor type, but got '!torch.int'; ours verifies",
        "dyn_size_subtracted/core/*",
    ),
    known(
        "torch-mlir's importer reads tensor_meta, which a loaded program has when it was traced again, as in fx.export_and_import",
        r"theirs fails: KeyError: 'tensor_meta'; ours verifies",
        "dyn_item_sizes/core/* dyn_item_float/core/* item_and_slice/core/*",
    ),
    known(
        "as import_program, torch-mlir's importer stores a mutated buffer through a hook that its user must write; fxscope warns and leaves the "
        "new value out",
        r"theirs fails: NotImplementedError: Store of a mutation .*ours verifies",
        """buffer_mutated/decomposed/program buffer_mutated/core/program buffer_mutated_unused/decomposed/program
        buffer_mutated_unused/core/program batch_norm_updates_statistics/decomposed/program batch_norm_updates_statistics/core/program
        model_training_step/decomposed/program model_training_step/core/program""",
    ),
    known(
        "as exported, the program writes in place, which neither importer makes functional in the parity modes (fxscope does in lowering mode)",
        r"theirs does not verify: .*; ours does not verify: ",
        """inplace_chain/exported/* slice_assignment/exported/* transpose_then_add_inplace/exported/* attention_with_padding_mask/exported/*
        model_resnet_dynamic/exported/* model_training_step/exported/* hf_resnet/exported/* batch_norm_updates_statistics/exported/*
        buffer_copied_into/exported/* buffer_mutated/exported/* buffer_mutated_unused/exported/* empty_like_filled/exported/*
        fill_and_copy/exported/* hf_bert/exported/* index_assignment/exported/* inplace_on_view/exported/* input_mutated/exported/*
        input_mutated_only/exported/* two_inputs_mutated/exported/* model_mobile/exported/* model_resnet/exported/*""",
    ),
    known(
        "PyTorch's decomposition counts a permutation from the back, which the dialect's verifier refuses (fxscope counts from the front in "
        "lowering mode)",
        r"theirs does not verify: .*invalid index in permutation.*ours does not verify",
        "tensordot/core/*",
    ),
    known(
        "torch-mlir's importer takes no parameters in a list in frozen mode",
        r"theirs fails: AssertionError: Heterogeneous lists are not supported: expected vtensor.*ours verifies",
        """lstm/exported/frozen lstm/decomposed/frozen gru/exported/frozen gru/decomposed/frozen lstm_two_layers/exported/frozen
        lstm_two_layers/decomposed/frozen rnn_tanh/exported/frozen rnn_tanh/decomposed/frozen model_classifier_lstm/exported/frozen
        model_classifier_lstm/decomposed/frozen""",
    ),
    known(
        "torch-mlir's importer has no unsigned types beyond 8 bits",
        r"theirs fails: KeyError: torch.uint16; ours verifies",
        "to_uint16/*/*",
    ),
    known(
        "torch-mlir's importer gives the aten.index that it makes of as_strided a type from tensor_meta, which a loaded program has when it was "
        "traced again, as in fx.export_and_import; fxscope decomposes as_strided there and in lowering mode",
        r"theirs fails: (NameError: name 'sparsity' is not defined|KeyError: 'as_strided'); ours verifies",
        "as_strided/*/*",
    ),
    known(
        "torch-mlir's importer has no complex scalars; fxscope writes one as a tensor of rank 0",
        r"theirs fails: TypeError: .*ours verifies",
        "dtype_complex_scalar/*/*",
    ),
    known(
        "torch-mlir's importer needs the weights' data; fxscope leaves a handle",
        r"theirs fails: NotImplementedError: Cannot copy out of meta tensor; no data!; ours verifies",
        "fake_weights/*/*",
    ),
    known(
        "torch-mlir's importer binds no size that is a floor division, a modulo of torch's own, or a maximum",
        r"theirs fails: (NotImplementedError: Translation of sympy.Expr|AssertionError: ).*ours verifies",
        "dyn_size_floordiv/*/program+symbols dyn_size_mod/*/program+symbols dyn_max_pool/*/program+symbols",
    ),
    known(
        "torch-mlir's importer writes the number of the next wider complex type (10 for complex64, where PyTorch and the dialect have 9)",
        r"differs: @main: what is returned or written differs",
        "to_complex/*/*",
    ),
    known(
        "a saved program does not hold the schemas of custom operators: that a result is a list, or what an omitted default is, cannot be known",
        r"differs: @main: what is returned or written differs",
        "custom_op_list_result/*/* custom_op_list_argument/*/*",
    ),
]


def find(label):
    for entry in KNOWN:
        for name in entry.names:
            if fnmatch.fnmatchcase(label, name) and name.count("/") == label.count("/"):
                return entry
    return None
