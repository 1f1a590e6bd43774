# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that torch-mlir's end-to-end suite expects to fail, by output type: the rows of programs_single_ops.py that call them in a form
of that kind. The suite's lists say only that a test fails; some fail as numbers or at run time, and lower. Taken as facts from its lists for
the FX importer: torch_mlir's projects/pt1/e2e_testing/xfail_sets.py."""
import fnmatch

NAMED = {
    "linalg-on-tensors": """
        pow.Tensor_Tensor/i64 bincount.* to.dtype/i64?to?u8 view.dtype adaptive_avg_pool1d.* cross_entropy_loss.* isinf.* meshgrid.* signbit.*
        copysign.* bernoulli.* uniform.* clamp.default/i64 nonzero.* mm.default/i8 embedding_bag.* grid_sampler.* convolution_backward.*
        cumsum.default/dynamic cumprod.default/dynamic masked_select.* roll.*""",
    "tosa": """
        acos.* acosh.* asin.* asinh.* atan2.* atanh.* cosh.* sinh.* complex.* polar.* kthvalue.* avg_pool1d.* avg_pool3d.* max_unpool2d.*
        multinomial.* scatter_add.* tril_indices.* adaptive_avg_pool1d.* adaptive_max_pool2d.* real.* imag.* view_as_real.* embedding_bag.*
        topk.* avg_pool2d.default/divisor bernoulli.* bincount.* conv2d.default/groups?* convolution_backward.* cumsum.default/dynamic cumprod.*
        linalg_det.* elu_backward.* gelu_backward.* grid_sampler.* index_put.default/accumulate index_put.default/two max_pool1d.* max_pool2d.*
        max_pool2d_with_indices.* max_pool2d_with_indices_backward.* max_pool3d.* norm.Scalar/* pow.Tensor_Tensor/i64 randn_like.* roll.*
        scatter_reduce.* scatter.* sigmoid_backward.* softplus_backward.* sort.* argsort.* upsample_nearest1d.* upsample_nearest2d.*
        upsample_nearest2d_backward.* cross_entropy_loss.* meshgrid.* scaled_dot_product_attention.default/* replication_pad2d.*
        mul.Tensor/complex view.dtype to.dtype/i64?to?u8 _native_batch_norm_legit_no_training.* native_layer_norm_backward.*""",
    "stablehlo": """
        argsort.* kthvalue.* polar.* diagonal.* einsum.default/diagonal remainder.Scalar/* linalg_vector_norm.default/rank?0
        max_pool2d.default/ceil?mode max_unpool2d.* multinomial.* scatter_add.* select_scatter.* sigmoid_backward.* linalg_det.* slice_scatter.*
        softplus_backward.* adaptive_avg_pool1d.* adaptive_max_pool2d.* real.* imag.* view_as_real.* diag_embed.* embedding_bag.* fft_rfft.*
        stft.* topk.* avg_pool2d.default/ceil?mode* avg_pool2d.default/divisor bincount.* channel_shuffle.* convolution_backward.* cumprod.*
        diag.* erf.default/i64 mul.Tensor/complex reciprocal.default/i64 to.dtype/i64?to?u8 elu_backward.* gelu_backward.* hardtanh_backward.*
        index_put.* max_pool2d_with_indices_backward.* max_pool3d.* norm.Scalar/* randn_like.* reflection_pad2d.* replication_pad2d.*
        scatter_reduce.* scatter.* sort.* threshold_backward.* trace.* upsample_nearest1d.* upsample_nearest2d.* upsample_nearest2d_backward.*
        unfold.* cross_entropy_loss.* isclose.* meshgrid.* scaled_dot_product_attention.default/* uniform.* embedding.default/flags
        bernoulli.* cumsum.default/dynamic nonzero.*""",
}


def named(row, target):
    return any(fnmatch.fnmatchcase(row, "aten." + pattern) for pattern in NAMED[target].split())
