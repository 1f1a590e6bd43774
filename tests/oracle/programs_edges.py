"""Small programs whose results are right or wrong at the edges of their inputs: a name, a function, and inputs chosen by hand for which a
mistake would show. WRONG says at which output types the pinned engine computes something else than PyTorch for them; edge_programs.py
finds that out anew with PyTorch and IREE.
"""
import torch
from torch.nn import functional as F

NAN, INF = float("nan"), float("inf")
LINALG, TOSA, STABLEHLO = "linalg-on-tensors", "tosa", "stablehlo"
PROGRAMS = {}


def program(name, function, *inputs, dynamic=None):
    assert name not in PROGRAMS, name
    PROGRAMS[name] = (function, inputs, dynamic)


def u8(*values):
    return torch.tensor(values or [0, 1, 127, 128, 129, 200, 254, 255], dtype=torch.uint8)


def i8(*values):
    return torch.tensor(values or [0, 1, -1, 5, -7, 100, 127, -127], dtype=torch.int8)


def i16(*values):
    return torch.tensor(values or [0, 1, -1, 300, -301, 32767, -32767, 77], dtype=torch.int16)


def i32(*values):
    return torch.tensor(values or [0, 1, -1, 70000, -70001, 2**31 - 1, -2**31 + 1, 12], dtype=torch.int32)


def i64(*values):
    return torch.tensor(values or [0, 1, -1, 2**31, -2**31 - 1, 2**40, -2**62, 2**63 - 1], dtype=torch.int64)


def f(*values):
    return torch.tensor(values or [0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5])


def b(*values):
    return torch.tensor([bool(v) for v in (values or [0, 1, 1, 0, 1, 0, 0, 1])])


SIGNED = f(-3.5, -2.0, -0.5, -0.0, 0.0, 0.5, 2.0, 3.5)
WITH_NAN = f(NAN, 1.0, -1.0, INF, -INF, 0.0, -0.0, 2.5)
STEEP = f(-200.0, -100.0, -89.0, -1.0, 0.0, 1.0, 50.0, 80.0)
OTHER = f(1.0, NAN, -2.0, 3.0, NAN, -INF, INF, 0.5)

# Unsigned and signed integers.
program("u8_to_float", lambda x: x.float() / 255, u8())
program("u8_normalize", lambda x: (x.float() / 255 - 0.45) / 0.225, u8())
program("u8_to_i32", lambda x: x.to(torch.int32), u8())
program("u8_to_i64", lambda x: x.to(torch.int64) * 2, u8())
program("u8_sum", lambda x: x.sum(), u8())
program("u8_sum_dim", lambda x: x.reshape(2, 4).sum(1), u8())
program("u8_add", lambda x, y: x + y, u8(), u8(1, 255, 200, 128, 0, 100, 3, 255))
program("u8_sub", lambda x, y: x - y, u8(), u8(1, 255, 200, 128, 0, 100, 3, 255))
program("u8_mul", lambda x, y: x * y, u8(), u8(1, 255, 2, 128, 3, 100, 3, 255))
program("u8_maximum", lambda x, y: torch.maximum(x, y), u8(), u8(200, 0, 130, 1, 128, 255, 3, 4))
program("u8_lt", lambda x, y: x < y, u8(), u8(200, 0, 130, 1, 128, 255, 3, 4))
program("u8_ge_scalar", lambda x: x >= 128, u8())
program("u8_amax", lambda x: x.reshape(2, 4).amax(1), u8(0, 1, 9, 127, 200, 3, 254, 5))
program("u8_argmax", lambda x: x.reshape(2, 4).argmax(1), u8(0, 1, 127, 9, 200, 3, 254, 5))
program("u8_clamp", lambda x: x.clamp(10, 200), u8())
program("u8_rshift", lambda x: x >> 4, u8())
program("u8_lshift", lambda x: x << 1, u8())
program("u8_floor_divide", lambda x: x // 3, u8())
program("u8_remainder", lambda x: x % 7, u8())
program("u8_bitwise_not", lambda x: ~x, u8())
program("u8_bitwise_and", lambda x, y: x & y, u8(), u8(15, 240, 255, 128, 1, 2, 4, 8))
program("u8_mean", lambda x: x.float().mean(), u8())
program("u8_where", lambda x: torch.where(x > 100, x, 0), u8())
program("u8_max_pool", lambda x: F.max_pool1d(x.float().reshape(1, 1, 8), 2), u8())
program("u8_gather", lambda x: x[torch.tensor([7, 0, 3])], u8())
program("u8_to_bool", lambda x: x.to(torch.bool), u8())
program("u8_cumsum", lambda x: x.cumsum(0), u8())
program("u8_pow", lambda x: x.float() ** 2, u8())
program("u8_abs_difference", lambda x, y: (x.int() - y.int()).abs(), u8(), u8(200, 0, 130, 1, 128, 255, 3, 4))
program("u8_dequantize", lambda x: (x.to(torch.float32) - 128.0) * 0.05, u8())
program("u8_matmul", lambda x: x.reshape(2, 4).float() @ x.reshape(4, 2).float(), u8())
program("i8_to_float", lambda x: x.float() * 0.1, i8())
program("i8_add_wraps", lambda x, y: x + y, i8(), i8(1, 127, -128, 5, -7, 100, 1, -100))
program("i8_mul_wraps", lambda x, y: x * y, i8(), i8(1, 127, -128, 5, -7, 100, 2, -100))
program("i8_sum", lambda x: x.sum(), i8(127, 127, 127, 127, -1, 5, 6, 100))
program("i8_neg", lambda x: -x, i8(0, 1, -1, 5, -7, 100, 127, -128))
program("i8_abs", lambda x: x.abs(), i8())
program("i8_quantized_matmul", lambda x, y: x.reshape(2, 4).int() @ y.reshape(4, 2).int(), i8(), i8(127, 127, -127, 100, 1, 2, -3, 50))
program("i16_mul", lambda x, y: x * y, i16(), i16(2, 3, -5, 300, 301, 2, 2, 1000))
program("i32_add_wraps", lambda x, y: x + y, i32(), i32(1, -1, 2**31 - 1, 5, -7, 1, -5, 2**30))
program("i32_mul_wraps", lambda x, y: x * y, i32(), i32(1, -1, 2**31 - 1, 70000, 70000, 2, 3, 2**30))
program("i32_square", lambda x: x * x, i32())
program("i32_to_i64_mul", lambda x, y: x.long() * y.long(), i32(), i32(1, -1, 2**31 - 1, 70000, 70000, 2, 3, 2**30))
program("i64_mul", lambda x, y: x * y, i64(), i64(1, 2, 3, 4, 5, 2**10, 6, 1))
program("i64_add_scalar", lambda x: x + 2**33, i64(0, 1, -1, 2**31, -2**31, 2**40, 5, 6))
program("i64_to_i32", lambda x: x.to(torch.int32), i64())
program("i64_to_i8", lambda x: x.to(torch.int8), i64(0, 127, 128, 255, 256, -129, 2**33 + 5, -1))
program("i64_to_u8", lambda x: x.to(torch.uint8), i64(0, 127, 128, 255, 256, -129, 2**33 + 5, -1))
program("i64_compare", lambda x, y: x < y, i64(), i64(2**32, 0, -2**32, 2**31 - 1, 2**33, 2**39, 0, -1))
program("i64_sum_large", lambda x: x.sum(), i64(2**40, 2**41, 2**42, 1, -1, 3, 2**31, 2**32))
program("i64_amax", lambda x: x.amax(), i64())
program("i64_maximum", lambda x, y: torch.maximum(x, y), i64(), i64(2**32, 0, -2**32, 2**31 - 1, 2**33, 2**39, 0, -1))
program("i64_to_float", lambda x: x.float(), i64())
program("i64_mean", lambda x: x.double().mean(), i64(2**40, -2**41, 5, 7, 2**33, 1, 0, 3))
program("i64_bitwise_xor", lambda x, y: x ^ y, i64(), i64(2**32, 0, -2**32, 2**31 - 1, 2**33, 2**39, 0, -1))
program("i64_prod", lambda x: x.prod(), i64(3, -7, 11, 2**20, 5, 2**12, 1, -1))
program("i64_sign", lambda x: torch.sign(x), i64())
program("i64_abs", lambda x: x.abs(), i64())

# Division and shifts.
DIVIDENDS, DIVISORS = i64(7, -7, 7, -7, 8, -8, 1, -1), i64(3, 3, -3, -3, 2, 2, -5, 5)
INT_DIVIDENDS, INT_DIVISORS = i32(7, -7, 2**31 - 1, -2**31 + 1, 2**30 + 1, -7, 8, 2**31 - 2), i32(3, 3, -3, -70001, 2, -3, 2, 65537)
LONG_DIVIDENDS, LONG_DIVISORS = i64(2**40 + 1, -2**40 - 1, 2**62 + 3, -2**62 - 3, 2**33, -2**33, 7, -7), i64(3, 3, -7, -7, 2**35, 2**34, -5, 2**33)
program("i64_remainder", lambda x, y: torch.remainder(x, y), torch.cat([DIVIDENDS, LONG_DIVIDENDS]), torch.cat([DIVISORS, LONG_DIVISORS]))
program("i64_remainder_scalar", lambda x: x % 3, torch.cat([DIVIDENDS, LONG_DIVIDENDS]))
program("i64_remainder_negative_scalar", lambda x: x % -3, torch.cat([DIVIDENDS, LONG_DIVIDENDS]))
program("i64_fmod", lambda x, y: torch.fmod(x, y), LONG_DIVIDENDS, LONG_DIVISORS)
program("i64_floor_divide", lambda x, y: x // y, LONG_DIVIDENDS, LONG_DIVISORS)
program("i64_floor_divide_scalar", lambda x: x // 3, torch.cat([DIVIDENDS, LONG_DIVIDENDS]))
program("i64_div_trunc", lambda x, y: torch.div(x, y, rounding_mode="trunc"), LONG_DIVIDENDS, LONG_DIVISORS)
program("i64_div_floor", lambda x, y: torch.div(x, y, rounding_mode="floor"), LONG_DIVIDENDS, LONG_DIVISORS)
program("i64_true_divide", lambda x, y: x / y, DIVIDENDS, DIVISORS)
program("i32_remainder", lambda x, y: torch.remainder(x, y), INT_DIVIDENDS, INT_DIVISORS)
program("i32_floor_divide", lambda x, y: x // y, INT_DIVIDENDS, INT_DIVISORS)
program("f_remainder", lambda x, y: torch.remainder(x, y), f(7.5, -7.5, 7.5, -7.5, 1.0, -1.0, 0.25, -0.25), f(2.0, 2.0, -2.0, -2.0, 3.0, 3.0, -1.0, 1.0))
program("f_fmod", lambda x, y: torch.fmod(x, y), f(7.5, -7.5, 7.5, -7.5, 1.0, -1.0, 0.25, -0.25), f(2.0, 2.0, -2.0, -2.0, 3.0, 3.0, -1.0, 1.0))
program("f_floor_divide", lambda x, y: x // y, f(7.5, -7.5, 7.5, -7.5, 1.0, -1.0, 0.25, -0.25), f(2.0, 2.0, -2.0, -2.0, 3.0, 3.0, -1.0, 1.0))
program("f_div_trunc", lambda x, y: torch.div(x, y, rounding_mode="trunc"), f(7.5, -7.5, 7.5, -7.5, 1.0, -1.0, 0.25, -0.25),
        f(2.0, 2.0, -2.0, -2.0, 3.0, 3.0, -1.0, 1.0))
program("i32_rshift", lambda x, y: x >> y, i32(-8, 8, -1, 1, 2**30, -2**30, 5, -5), i32(1, 1, 31, 31, 30, 30, 0, 0))
program("i32_rshift_beyond", lambda x, y: x >> y, i32(-8, 8, -1, 1, 2**30, -2**30, 5, -5), i32(32, 32, 33, 40, 32, 35, 32, 64))
program("i32_lshift_beyond", lambda x, y: x << y, i32(-8, 8, -1, 1, 2**30, -2**30, 5, -5), i32(32, 32, 33, 40, 32, 35, 32, 64))
program("i32_lshift", lambda x, y: x << y, i32(-8, 8, -1, 1, 2**30, -2**30, 5, -5), i32(1, 1, 31, 31, 3, 3, 0, 0))
program("i64_rshift", lambda x, y: x >> y, i64(-8, 8, -1, 1, 2**40, -2**40, 5, -5), i64(1, 1, 63, 63, 30, 30, 0, 0))

# Rounding.
HALVES = f(-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5)
program("f_round", lambda x: torch.round(x), HALVES)
program("f_round_decimals", lambda x: torch.round(x, decimals=1), f(-0.25, 0.25, 0.35, 0.45, 1.15, -1.25, 2.05, 0.05))
program("f_quantize", lambda x: torch.clamp(torch.round(x / 0.1) + 3, -128, 127).to(torch.int8), f(0.25, 0.35, -0.25, 0.15, 20.0, -20.0, 0.05, -0.05))
program("f_floor", lambda x: torch.floor(x), HALVES)
program("f_ceil", lambda x: torch.ceil(x), HALVES)
program("f_trunc", lambda x: torch.trunc(x), HALVES)
program("f_frac", lambda x: torch.frac(x), HALVES)
program("f_to_i32", lambda x: x.to(torch.int32), f(-3.9, -2.5, -0.9, 0.9, 2.5, 3.9, 1e6, -1e6))
program("f_to_i8", lambda x: x.to(torch.int8), f(-3.9, -2.5, -0.9, 0.9, 2.5, 3.9, 127.0, -128.0))
program("f_to_u8", lambda x: x.to(torch.uint8), f(0.0, 0.9, 127.5, 128.0, 200.9, 255.0, 3.0, 4.5))
program("f_to_half", lambda x: x.to(torch.float16), f(65504.0, 65519.0, 65520.0, -70000.0, 1e-8, 1.00048828125, 1.00146484375, NAN))
program("f_to_bfloat16", lambda x: x.to(torch.bfloat16).float(), f(1.00390625, 1.01171875, -1.00390625, 3.0e38, 1e-40, 0.1, INF, NAN))
program("f_to_bool", lambda x: x.to(torch.bool), f(0.0, -0.0, 0.5, -0.25, 2.0, NAN, INF, 1e-40))
program("f_rsub_round", lambda x: 1.0 - torch.round(x), HALVES)

# NaN and infinity.
program("nan_maximum", lambda x, y: torch.maximum(x, y), WITH_NAN, OTHER)
program("nan_minimum", lambda x, y: torch.minimum(x, y), WITH_NAN, OTHER)
program("nan_fmax", lambda x, y: torch.fmax(x, y), WITH_NAN, OTHER)
program("nan_clamp", lambda x: x.clamp(-1, 1), WITH_NAN)
program("nan_clamp_min", lambda x: x.clamp_min(0.25), WITH_NAN)
program("nan_relu", lambda x: torch.relu(x), WITH_NAN)
program("nan_relu6", lambda x: F.relu6(x), WITH_NAN)
program("nan_hardtanh", lambda x: F.hardtanh(x), WITH_NAN)
program("nan_leaky_relu", lambda x: F.leaky_relu(x), WITH_NAN)
program("nan_sign", lambda x: torch.sign(x), WITH_NAN)
program("nan_abs", lambda x: x.abs(), WITH_NAN)
program("nan_amax", lambda x: x.reshape(3, 4).amax(1), f(1.0, NAN, 2.0, 3.0, -1.0, -2.0, -3.0, -INF, *[-INF] * 4))
program("nan_amin", lambda x: x.reshape(3, 4).amin(1), f(1.0, NAN, 2.0, 3.0, 1.0, 2.0, INF, 5.0, *[INF] * 4))
program("nan_argmax", lambda x: x.reshape(2, 4).argmax(1), f(1.0, NAN, 2.0, NAN, 5.0, 2.0, 5.0, -INF))
program("nan_max_dim", lambda x: tuple(x.reshape(3, 4).max(1)), f(1.0, NAN, 2.0, NAN, 5.0, 2.0, 5.0, -INF, *[-INF] * 4))
program("nan_eq", lambda x, y: x == y, WITH_NAN, WITH_NAN)
program("nan_ne", lambda x, y: x != y, WITH_NAN, WITH_NAN)
program("nan_lt", lambda x, y: x < y, WITH_NAN, OTHER)
program("nan_isnan", lambda x: torch.isnan(x), WITH_NAN)
program("nan_isinf", lambda x: torch.isinf(x), WITH_NAN)
program("nan_isfinite", lambda x: torch.isfinite(x), WITH_NAN)
program("nan_nan_to_num", lambda x: torch.nan_to_num(x), WITH_NAN)
program("nan_where", lambda x: torch.where(torch.isnan(x), 0.0, x), WITH_NAN)
program("nan_logical_not", lambda x: torch.logical_not(x), WITH_NAN)
program("nan_sum", lambda x: x.reshape(2, 4).sum(1), WITH_NAN)
program("nan_sigmoid", lambda x: torch.sigmoid(x), WITH_NAN)
program("nan_tanh", lambda x: torch.tanh(x), WITH_NAN)
program("nan_exp", lambda x: torch.exp(x), WITH_NAN)
program("nan_log", lambda x: torch.log(x), f(NAN, 0.0, -1.0, INF, 1.0, 2.0, 0.5, 3.0))
program("nan_sqrt", lambda x: torch.sqrt(x), f(NAN, 0.0, -1.0, INF, 1.0, 2.0, 0.5, 3.0))
program("nan_rsqrt", lambda x: torch.rsqrt(x), f(NAN, 0.0, -1.0, INF, 1.0, 2.0, 0.5, 3.0))
program("nan_threshold", lambda x: F.threshold(x, 0.1, 20.0), WITH_NAN)
program("nan_hardswish", lambda x: F.hardswish(x), f(NAN, 1.0, -1.0, -4.0, 3.4e38, 0.0, -3.0, INF))
program("nan_hardsigmoid", lambda x: F.hardsigmoid(x), f(NAN, 1.0, -1.0, INF, -INF, 0.0, -3.0, 3.0))
program("nan_any", lambda x: x.reshape(2, 4).any(1), f(0.0, 0.0, NAN, 0.0, 0.0, 0.0, -0.0, 0.0))
program("nan_max_pool", lambda x: F.max_pool1d(x.reshape(1, 1, 8), 2), f(1.0, NAN, NAN, 2.0, -INF, -INF, 3.0, INF))
program("nan_softmax", lambda x: torch.softmax(x.reshape(2, 4), -1), f(1.0, NAN, 2.0, 3.0, -INF, 1.0, 2.0, -INF))
program("nan_sort", lambda x: torch.sort(x)[0], f(3.0, NAN, -1.0, INF, 2.0, -INF, 0.0, 1.0))
program("nan_cummax", lambda x: torch.cummax(x, 0)[0], f(1.0, 0.5, 2.0, NAN, 3.0, 1.0, 4.0, 0.0))

# Signs of zero, large and steep values.
program("f_softshrink", lambda x: F.softshrink(x, 0.25), SIGNED)
program("f_hardshrink", lambda x: F.hardshrink(x, 0.25), f(-3.5, NAN, -0.5, -0.0, 0.0, 0.2, INF, 3.5))
program("f_copysign", lambda x, y: torch.copysign(x, y), SIGNED, f(0.0, -0.0, 1.0, -1.0, -0.0, 0.0, 2.0, -2.0))
program("f_signbit", lambda x: torch.signbit(x), SIGNED)
program("f_atan2", lambda x, y: torch.atan2(x, y), f(0.0, -0.0, 0.0, -0.0, 1.0, -1.0, 1.0, -1.0), f(1.0, 1.0, -1.0, -1.0, 0.0, 0.0, -1.0, -1.0))
program("steep_softmax", lambda x: torch.softmax(x.reshape(2, 4), -1), f(-200.0, 100.0, 99.0, 1.0, 95.0, 1000.0, 50.0, 999.0))
program("steep_log_softmax", lambda x: torch.log_softmax(x.reshape(2, 4), -1), f(-200.0, 100.0, 99.0, 1.0, 95.0, 1000.0, 50.0, 999.0))
program("steep_logsumexp", lambda x: torch.logsumexp(x.reshape(2, 4), -1), f(-200.0, 100.0, 99.0, 1.0, 95.0, 1000.0, 50.0, 999.0))
program("steep_sigmoid", lambda x: torch.sigmoid(x), STEEP)
program("steep_logsigmoid", lambda x: F.logsigmoid(x), STEEP)
program("steep_softplus", lambda x: F.softplus(x), f(-200.0, -20.0, 19.0, 21.0, 100.0, 0.0, 88.0, 90.0))
program("steep_silu", lambda x: F.silu(x), STEEP)
program("steep_gelu", lambda x: F.gelu(x), f(-200.0, -INF, INF, NAN, 0.0, 1.0, 50.0, -3.0))
program("steep_gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), STEEP)
program("steep_tanh", lambda x: torch.tanh(x), STEEP)
program("steep_mish", lambda x: F.mish(x), STEEP)
program("steep_elu", lambda x: F.elu(x), STEEP)
program("steep_exp", lambda x: torch.exp(x), f(88.0, 89.0, 100.0, -100.0, -88.0, -104.0, 0.0, 1.0))
program("steep_log1p_exp", lambda x: torch.log1p(torch.exp(x)), f(88.0, 89.0, 100.0, -100.0, -20.0, 0.0, 1.0, 5.0))
program("steep_bce_with_logits", lambda x, y: F.binary_cross_entropy_with_logits(x, y), f(-200.0, 200.0, 89.0, -89.0, 0.0, 1.0, -1.0, 3.0),
        f(1.0, 0.0, 1.0, 0.0, 0.5, 1.0, 0.0, 1.0))
program("inf_relu_large", lambda x: torch.relu(x), f(INF, 3.4e38, -3.4e38, -INF, 1.0, -1.0, 0.0, 2.0))
program("inf_div_zero", lambda x, y: x / y, f(1.0, -1.0, 2.0, -3.0, 5.0, 0.5, -0.5, 1.0), f(4.0, -4.0, 2.0, 8.0, 0.5, -0.5, 1.0, 16.0))
program("inf_mul_overflow", lambda x, y: x * y, f(1e30, -1e30, 1e20, 1.0, 2.0, 3.0, -1e38, 1e-30), f(1e30, 1e30, 1e20, 1.0, 2.0, 3.0, 10.0, 1e-30))

# Truth and bools.
program("bool_add", lambda x, y: x + y, b(), b(1, 1, 0, 0, 1, 1, 0, 1))
program("bool_sum", lambda x: x.sum(), b())
program("bool_mul", lambda x, y: x * y, b(), b(1, 1, 0, 0, 1, 1, 0, 1))
program("bool_any_row", lambda x: x.reshape(2, 4).any(1), b(0, 0, 0, 0, 0, 0, 1, 0))
program("bool_all_row", lambda x: x.reshape(2, 4).all(1), b(1, 1, 1, 1, 1, 1, 0, 1))
program("i64_to_bool", lambda x: x.to(torch.bool), i64(0, 1, 2, 256, -1, 65536, 2**32, 0))
program("i32_to_bool", lambda x: x.to(torch.bool), i32(0, 1, 2, 256, -1, 65536, -256, 0))
program("i32_truth_where", lambda m, x: torch.where(m.to(torch.bool), x, 0.0), i32(0, 1, 2, 256, -1, 65536, -256, 0), SIGNED)
program("i64_logical_and", lambda x, y: torch.logical_and(x, y), i64(1, 2, 4, 256, 0, 3, 1, 2), i64(2, 1, 8, 1, 1, 0, 256, 4))
program("i64_logical_not", lambda x: torch.logical_not(x), i64(0, 1, 2, 256, -1, 65536, 2**32, 0))
program("i64_any", lambda x: x.reshape(2, 4).any(1), i64(0, 0, 256, 0, 0, 0, 0, 0))
program("i32_all", lambda x: x.reshape(2, 4).all(1), i32(1, 2, 256, 3, 1, 0, 1, 1))
program("f_mask_bool", lambda m, x: x.masked_fill(m.to(torch.bool), -1.0), f(0.0, 0.5, -0.0, 2.0, -1.0, 0.0, 0.25, 1.0), SIGNED)
program("bool_masked_softmax", lambda m, x: torch.softmax(x.reshape(2, 4).masked_fill(m.reshape(2, 4), -INF), -1),
        b(0, 1, 0, 1, 1, 1, 1, 0), SIGNED)
program("bool_cumsum", lambda x: x.cumsum(0), b())

# Ties and places.
TIES = f(1.0, 3.0, 3.0, 2.0, 5.0, 5.0, -1.0, 5.0)
TIES_AT_NAN = torch.cat([TIES, f(1.0, NAN, 2.0, NAN, *[-INF] * 4)])
program("tie_argmax", lambda x: x.reshape(4, 4).argmax(1), TIES_AT_NAN)
program("tie_argmin", lambda x: x.reshape(4, 4).argmin(1), -TIES_AT_NAN)
program("tie_max_dim", lambda x: tuple(x.reshape(4, 4).max(1)), TIES_AT_NAN)
program("tie_min_dim", lambda x: tuple(x.reshape(4, 4).min(1)), -TIES_AT_NAN)
program("tie_stable_sort", lambda x: torch.sort(x, stable=True)[1], TIES_AT_NAN)
program("tie_argmax_bool", lambda x: x.int().reshape(2, 4).argmax(1), b(0, 1, 1, 0, 0, 0, 0, 1))
program("negative_indices", lambda x, i: x[i], torch.arange(10.0), i64(-1, 0, -2, 3, 9, -10))
program("negative_indices_rows", lambda x, i: x[:, i], torch.arange(20.0).reshape(2, 10), i64(-1, 0, -2, 3, 9, -10))
program("negative_index_put", lambda x, i, v: torch.index_put(x, (i,), v), torch.zeros(10), i64(-1, 0, -3, 2), f(1.0, 2.0, 3.0, 4.0))
program("gather_ends", lambda x, i: torch.gather(x, 1, i), torch.arange(8.0).reshape(2, 4), torch.tensor([[0, 3, 3], [2, 0, 1]]))
program("take_negative", lambda x, i: torch.take(x, i), torch.arange(8.0), i64(-1, 0, -8, 7))
program("embedding_ends", lambda t, i: F.embedding(i, t), torch.arange(12.0).reshape(6, 2), i64(0, 5, 2, 5))
program("scatter_add_equal", lambda x, i, v: x.scatter_add(0, i, v), torch.zeros(5), i64(0, 0, 4, 4, 0), f(1.0, 2.0, 3.0, 4.0, 5.0))
program("one_hot", lambda i: F.one_hot(i, 4), i64(0, 3, 2, 3))

# Branches, and sizes.
program("cond_of_sum", lambda x: torch.cond(x.sum() > 0, lambda v: v * 2, lambda v: v - 5, (x,)), f(-1.0, -2.0, 0.5, -3.0, 1.0, 0.0, -1.0, -1.0))
program("cond_of_bool", lambda p, x: torch.cond(p, lambda v: torch.remainder(v, 3), lambda v: v + 1, (x,)), torch.tensor(True), DIVIDENDS)
program("dynamic_softmax", lambda x: torch.softmax(x, -1), torch.randn(2, 1), dynamic=({1: torch.export.Dim("n", min=1, max=64)},))
program("dynamic_mean", lambda x: x.mean(-1), torch.randn(2, 19), dynamic=({1: torch.export.Dim("n", min=1, max=64)},))
program("dynamic_cumsum", lambda x: x.cumsum(0), torch.randn(17, 2), dynamic=({0: torch.export.Dim("n", min=1, max=64)},))

# By name: the output types at which the pinned engine's text computes something else for these inputs.
WRONG = {
    "u8_to_float": (TOSA,),
    "u8_normalize": (TOSA,),
    "u8_to_i32": (TOSA,),
    "u8_to_i64": (TOSA,),
    "u8_sum": (LINALG, TOSA),
    "u8_sum_dim": (LINALG, TOSA),
    "u8_maximum": (TOSA,),
    "u8_lt": (TOSA,),
    "u8_ge_scalar": (TOSA,),
    "u8_amax": (TOSA, STABLEHLO),
    "u8_argmax": (TOSA, STABLEHLO),
    "u8_rshift": (TOSA,),
    "u8_floor_divide": (TOSA,),
    "u8_remainder": (TOSA,),
    "u8_mean": (TOSA,),
    "u8_max_pool": (TOSA,),
    "u8_cumsum": (TOSA,),
    "u8_pow": (TOSA,),
    "u8_abs_difference": (TOSA,),
    "u8_dequantize": (TOSA,),
    "u8_matmul": (TOSA,),
    "i8_sum": (TOSA,),
    "i8_neg": (TOSA,),
    "i64_remainder": (TOSA, STABLEHLO),
    "i64_remainder_scalar": (TOSA, STABLEHLO),
    "i64_remainder_negative_scalar": (TOSA, STABLEHLO),
    "i64_fmod": (TOSA,),
    "i64_floor_divide": (LINALG, TOSA, STABLEHLO),
    "i64_floor_divide_scalar": (LINALG, TOSA, STABLEHLO),
    "i64_div_trunc": (TOSA,),
    "i64_div_floor": (LINALG, TOSA, STABLEHLO),
    "i32_remainder": (TOSA, STABLEHLO),
    "i32_floor_divide": (TOSA,),
    "f_remainder": (STABLEHLO,),
    "f_to_u8": (TOSA,),
    "nan_maximum": (LINALG,),
    "nan_minimum": (LINALG,),
    "nan_clamp": (LINALG,),
    "nan_clamp_min": (LINALG, TOSA),
    "nan_relu": (TOSA,),
    "nan_relu6": (LINALG,),
    "nan_hardtanh": (LINALG,),
    "nan_argmax": (LINALG, STABLEHLO),
    "nan_threshold": (LINALG, TOSA, STABLEHLO),
    "nan_hardswish": (LINALG, TOSA, STABLEHLO),
    "nan_max_pool": (TOSA,),
    "nan_sort": (LINALG, STABLEHLO),
    "f_softshrink": (LINALG, TOSA, STABLEHLO),
    "f_hardshrink": (LINALG, TOSA, STABLEHLO),
    "f_atan2": (TOSA,),
    "steep_logsigmoid": (LINALG, TOSA, STABLEHLO),
    "steep_gelu_tanh": (LINALG,),
    "steep_bce_with_logits": (LINALG, TOSA, STABLEHLO),
    "inf_relu_large": (TOSA,),
    "bool_add": (TOSA, STABLEHLO),
    "tie_stable_sort": (LINALG, STABLEHLO),
    "tie_argmax": (LINALG, STABLEHLO),
    "tie_argmin": (LINALG, STABLEHLO),
    "tie_max_dim": (LINALG, TOSA, STABLEHLO),
    "tie_min_dim": (LINALG, TOSA, STABLEHLO),
    "negative_indices": (STABLEHLO,),
    "negative_indices_rows": (STABLEHLO,),
    "take_negative": (LINALG, TOSA, STABLEHLO),
    "nan_max_dim": (LINALG, TOSA, STABLEHLO),
    "nan_amax": (TOSA,),
    "nan_amin": (TOSA,),
}

# Likewise, but IREE alone computes something else.
DISPUTED = {
    "steep_gelu": (LINALG, TOSA, STABLEHLO),  # PyTorch's value of -inf depends on the processor
    "i64_rshift": (LINALG, TOSA),  # so does a shift by the width and more, which is poison in MLIR
    "i8_neg": (LINALG,),
    "f_to_u8": (LINALG,),
    "f_to_bool": (LINALG, TOSA, STABLEHLO),
    "f_atan2": (LINALG, STABLEHLO),
}
