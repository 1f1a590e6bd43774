"""Writes the calls that the support matrix measures: python3 make_calls.py calls.txt [OPERATOR ..] (needs PyTorch and its test
dependency expecttest).

PyTorch's OpInfo samples are traced, before and after dispatch; every ATen operator that is called is written with up to three forms: other
ranks or constants, first those of samples that are this one call. Each form is written for every element type for which its OpInfo lists it,
with static sizes, and with every size but 0 and 1 dynamic if the operator can be traced so. Sizes and scalars that repeat a size of an operand
follow it. A line is a program for some element types:

    operator aten.gelu.default
    f32 f64<TAB>static<TAB>1<TAB>a: T[5, 5]<TAB>r: T[5, 5] = aten.gelu.default(a)<TAB>return r

The element types, the kind of sizes and the form's number; then the statements in the short form of core/fx/text.h, in which T stands for the
element type, and an operand needs no "= placeholder". The element type is that of the first operand that is a tensor and no condition, else
that of the first result.
"""
import collections
import logging
import sys
import warnings

warnings.filterwarnings("ignore")

import sympy  # noqa: E402
import torch  # noqa: E402
from torch._dispatch.python import enable_python_dispatcher  # noqa: E402
from torch._dynamo.source import ConstantSource  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext  # noqa: E402
from torch.utils import _pytree as pytree  # noqa: E402

DTYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
          "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "b8": torch.bool}
NAMES = {dtype: name for name, dtype in DTYPES.items()} | {torch.complex64: "c64", torch.complex128: "c128"}
FORMS, SAMPLES, MOST_BYTES = 3, 8, 900
LEFT_OUT = ("jiterator", "sparse", "nested")


class NotWritten(Exception):
    """A value that the text has no form for."""


class Operand:
    """A tensor operand: its number, element type (None: that of the form) and sizes."""

    def __init__(self, number, dtype, sizes):
        self.number, self.dtype, self.sizes = number, dtype, tuple(sizes)

    @property
    def name(self):
        return "abcdefghijklmnopq"[self.number] if self.number < 17 else f"a{self.number}"


def first_dtype(target, args, kwargs, results):
    """The element type of a call, as the file says it."""
    arguments = target._schema.arguments
    for argument, value in [*zip(arguments, args), *((next(a for a in arguments if a.name == name), v) for name, v in kwargs.items())]:
        if argument.name == "condition":
            continue
        for leaf in pytree.tree_leaves(value):
            if isinstance(leaf, (Operand, torch.Tensor)):
                return leaf.dtype
    return next((leaf.dtype for leaf in pytree.tree_leaves(results) if isinstance(leaf, torch.Tensor)), None)


def calls_of(function, tensors):
    """(target, args, kwargs, result, whether it is the only call) of the operators called, with Operands for tensors."""
    for pre_dispatch in (True, False):
        try:
            with torch.no_grad():
                module = make_fx(function, tracing_mode="fake", pre_dispatch=pre_dispatch)(*tensors)
        except Exception:  # what cannot be traced gives no call
            continue
        calls = sum(node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload) for node in module.graph.nodes)
        for node in module.graph.nodes:
            if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
                continue
            if node.target.namespace != "aten" or node.target._schema.is_mutable:
                continue
            operands, known = {}, True

            def operand(used):
                nonlocal known
                value = used.meta.get("val", getattr(module, used.target, None) if used.op == "get_attr" else None)
                if not isinstance(value, torch.Tensor) or value.layout != torch.strided or any(not isinstance(s, int) for s in value.shape):
                    known = False
                    return None
                return operands.setdefault(used, Operand(len(operands), value.dtype, value.shape))

            args, kwargs = torch.fx.map_arg((node.args, node.kwargs), operand)
            if known:
                yield node.target, args, kwargs, node.meta.get("val"), calls == 1


def shape_of(args, kwargs):
    """What tells forms apart: ranks, element types, constants."""
    return repr(pytree.tree_map(lambda leaf: (leaf.number, len(leaf.sizes), str(leaf.dtype)) if isinstance(leaf, Operand) else leaf, (args, kwargs)))


def collect(only):
    from torch.testing._internal.common_methods_invocations import op_db
    forms, dtypes = collections.defaultdict(dict), collections.defaultdict(set)
    for info in sorted(op_db, key=lambda info: (info.name, info.variant_test_name)):
        if any(word in info.name for word in LEFT_OUT):
            continue
        base = next((dtype for dtype in (torch.float32, torch.int64, torch.bool) if dtype in info.dtypes), None)
        if base is None:
            continue
        torch.manual_seed(11)
        try:
            samples = list(info.sample_inputs("cpu", base, requires_grad=False))[:SAMPLES]
        except Exception as error:
            print(f"{info.name}: no samples: {error}", file=sys.stderr)
            continue
        for sample in samples:
            leaves, spec = pytree.tree_flatten(((sample.input, *sample.args), sample.kwargs))
            tensors = tuple(leaf.detach() for leaf in leaves if isinstance(leaf, torch.Tensor))

            def function(*given):
                given = iter(given)
                args, kwargs = pytree.tree_unflatten([next(given) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves], spec)
                return info.op(*args, **kwargs)

            for target, args, kwargs, results, only_call in calls_of(function, tensors):
                if only and not any(word in str(target) for word in only):
                    continue
                own = first_dtype(target, args, kwargs, results)
                operands = [leaf for leaf in pytree.tree_leaves((args, kwargs)) if isinstance(leaf, Operand)]
                follows = bool(operands) and own == base
                key = shape_of(args, kwargs)
                if key not in forms[target]:
                    empty = any(0 in operand.sizes for operand in operands)
                    scalar = bool(operands) and not any(operand.sizes for operand in operands)
                    tensors_out = [leaf.dtype for leaf in pytree.tree_leaves(results) if isinstance(leaf, torch.Tensor)]
                    forms[target][key] = (empty, scalar, not only_call, len(forms[target]), args, kwargs, own, [None if out == own else out for out in tensors_out])
                dtypes[target] |= (set(info.dtypes) if follows else {own}) & set(DTYPES.values())
    return forms, dtypes


def constant(value):
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
        return str(value)
    if isinstance(value, torch.device):
        return str(value)
    raise NotWritten(type(value).__name__)


class Program:
    """One call as text, with the sizes of fake operands."""

    def __init__(self, dtype, own_results):
        """`own_results`: by result, the element type that it has whatever that of the form, None if it is that of the form."""
        self.dtype, self.own_results, self.symbols, self.lines, self.sources, self.made = dtype, own_results, {}, [], {}, {}

    def size(self, size):
        if isinstance(size, int):
            return str(size)
        expression = size.node.expr
        if expression.is_number:
            return str(expression)
        if any(type(function).__name__ in ("ToFloat", "TruncToInt") for function in sympy.preorder_traversal(expression)):
            raise NotWritten("a size computed in floating point")
        renamed = expression.xreplace({symbol: self.symbol(symbol) for symbol in expression.free_symbols})
        return str(renamed)

    def symbol(self, symbol):
        letter = "u" if str(symbol).startswith("u") else "s"
        if symbol not in self.symbols:
            self.symbols[symbol] = sympy.Symbol(f"{letter}{len(self.symbols)}", integer=True, positive=True)
        return self.symbols[symbol]

    def tensor(self, value, own):
        """`own`: an element type that does not follow that of the form."""
        if value.layout != torch.strided or value.dtype not in NAMES:
            raise NotWritten(str(value.dtype))
        name = "T" if value.dtype == self.dtype and value.dtype != own else NAMES[value.dtype]
        return f"{name}[{', '.join(self.size(size) for size in value.shape)}]"

    def scalar(self, value):
        """A size as an argument: constant, the size of an operand, or a product of such."""
        expression = value.node.expr
        if expression.is_number:
            return str(expression)
        factors = expression.args if expression.is_Mul else expression.args[:1] * int(expression.args[1]) if expression.is_Pow else (expression,)
        name = None
        for factor in factors:
            if factor.is_Pow and factor.args[1].is_Integer:
                raise NotWritten("a power")
            if factor.is_number:
                text = str(factor)
            elif factor in self.sources:
                operand, dim = self.sources[factor]
                if factor not in self.made:
                    self.made[factor] = f"n{len(self.made)}"
                    self.lines.append(f"{self.made[factor]}: Sym({self.symbol(factor)}) = aten.sym_size.int({operand}, {dim})")
                text = self.made[factor]
            else:
                raise NotWritten("a size that no operand has")
            if name is None:
                name, product = text, factor
                continue
            product = product * factor
            self.made[product] = f"n{len(self.made)}"
            shown = product.xreplace({symbol: self.symbol(symbol) for symbol in product.free_symbols})
            self.lines.append(f"{self.made[product]}: Sym({shown}) = _operator.mul({name}, {text})")
            name = self.made[product]
        return name

    def argument(self, value, names):
        if isinstance(value, torch.Tensor):
            return names[id(value)]
        if isinstance(value, torch.SymInt):
            return self.scalar(value)
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(self.argument(item, names) for item in value) + "]"
        return constant(value)

    def write(self, target, operands, own, args, kwargs, results):
        names = {}
        for operand, value in operands.items():
            names[id(value)] = operand.name
            self.lines.append(f"{operand.name}: {self.tensor(value, None if operand.dtype == own else operand.dtype)}")
            for dim, size in enumerate(value.shape):
                if isinstance(size, torch.SymInt) and size.node.expr.is_Symbol:
                    self.sources.setdefault(size.node.expr, (operand.name, dim))
        written = [self.argument(value, names) for value in args] + [f"{name}={self.argument(value, names)}" for name, value in kwargs.items()]
        if isinstance(results, torch.Tensor):
            self.lines.append(f"r: {self.tensor(results, self.own_results[0] if self.own_results else None)} = {target}({', '.join(written)})")
            self.lines.append("return r")
        elif isinstance(results, (list, tuple)) and results and all(isinstance(value, torch.Tensor) for value in results):
            values = [self.tensor(value, own) for value, own in zip(results, self.own_results or [None] * len(results))]
            self.lines.append(f"r: ({', '.join(values)}{',' if len(values) == 1 else ''}) = {target}({', '.join(written)})")
            self.lines += [f"r{i}: {value} = getitem(r, {i})" for i, value in enumerate(values)]
            self.lines.append("return " + ", ".join(f"r{i}" for i in range(len(values))))
        else:
            raise NotWritten("a result that is no tensor")
        text = "\t".join(self.lines)
        if len(text) > MOST_BYTES:
            raise NotWritten("a long text")
        return text


def runs(target, operands, args, kwargs, dtype, own):
    """Whether PyTorch has a kernel for this element type: values may be wrong, which says nothing about that."""
    values = {operand: torch.zeros(operand.sizes, dtype=dtype if operand.dtype == own else operand.dtype) for operand in operands}
    real_args, real_kwargs = pytree.tree_map(lambda leaf: values.get(leaf, leaf) if isinstance(leaf, Operand) else leaf, (args, kwargs))
    try:
        target(*real_args, **real_kwargs)
    except NotImplementedError:
        return False
    except Exception as error:
        return "not implemented" not in str(error) and "not supported" not in str(error) and "Unsupported" not in str(error)
    return True


def followed(target, args, kwargs, fakes):
    """The arguments with sizes of operands in place of the constants that repeat them."""
    sizes = {}
    for value in fakes:
        for size in value.shape:
            if isinstance(size, torch.SymInt):
                sizes.setdefault(size.node.hint, size)
        if any(isinstance(size, torch.SymInt) for size in value.shape):
            sizes.setdefault(value.numel().node.hint, value.numel())

    def replaced(argument, value):
        kind = str(argument.type)
        if "List[int]" not in kind or argument.name not in ("size", "shape", "sizes", "output_size", "repeats"):
            return value
        return [sizes.get(item, item) if isinstance(item, int) and item > 1 else item for item in value] if isinstance(value, (list, tuple)) else value

    arguments = target._schema.arguments
    by_name = {argument.name: argument for argument in arguments}
    return [replaced(argument, value) for argument, value in zip(arguments, args)], {name: replaced(by_name[name], value) for name, value in kwargs.items()}


def text_of(target, args, kwargs, dtype, own, dynamic, own_results):
    operands = list(dict.fromkeys(leaf for leaf in pytree.tree_leaves((args, kwargs)) if isinstance(leaf, Operand)))
    if not operands and (dynamic or dtype != own):
        raise NotWritten("no operand")
    if dtype != own and not runs(target, operands, args, kwargs, dtype, own):
        raise NotWritten("no kernel")
    env = ShapeEnv()
    mode = FakeTensorMode(shape_env=env, allow_non_fake_inputs=True, static_shapes=not dynamic)
    values, symbols = {}, set()
    for operand in operands:
        real = torch.zeros(operand.sizes, dtype=dtype if operand.dtype == own else operand.dtype)
        sizes = [DimDynamic.DUCK if size > 1 else DimDynamic.STATIC for size in operand.sizes]
        context = StatelessSymbolicContext(dynamic_sizes=sizes) if dynamic else None
        values[operand] = mode.from_tensor(real, symbolic_context=context, source=ConstantSource(operand.name) if dynamic else None)
        symbols |= {size.node.expr for size in values[operand].shape if isinstance(size, torch.SymInt)}
    if dynamic and not symbols:
        raise NotWritten("no size to be dynamic")
    args, kwargs = pytree.tree_map(lambda leaf: values[leaf] if isinstance(leaf, Operand) else leaf, (args, kwargs))
    args, kwargs = followed(target, args, kwargs, values.values()) if dynamic else (args, kwargs)
    with mode, torch.no_grad(), enable_python_dispatcher():
        results = target(*args, **kwargs)
    if any(symbol in env.replacements for symbol in symbols):
        raise NotWritten("a size that cannot be dynamic")
    if any(guard.expr.func.__name__ == "Equality" for guard in env.guards):
        raise NotWritten("a condition on sizes")
    return Program(dtype, own_results).write(target, values, own, args, kwargs, results)


def write(path, only):
    forms, dtypes = collect(only)
    lines, count, programs = [], 0, 0
    for target in sorted(forms, key=str):
        chosen = sorted(forms[target].values(), key=lambda form: form[:4])
        own_lines, number = [], 0
        for *_, args, kwargs, own, own_results in chosen:
            if number == FORMS:
                break
            written = {}
            for dynamic in (False, True):
                for name, dtype in DTYPES.items():
                    if dtype not in dtypes[target] and dtype != own:
                        continue
                    try:
                        text = text_of(target, args, kwargs, dtype, own, dynamic, own_results)
                    except Exception:  # this form does not exist with this element type, or not with dynamic sizes
                        continue
                    written.setdefault((dynamic, text), []).append(name)
            if not any(not dynamic for dynamic, _ in written):
                continue
            number += 1
            for (dynamic, text), names in written.items():
                own_lines.append(f"{' '.join(names)}\t{'dynamic' if dynamic else 'static'}\t{number}\t{text}")
                programs += len(names)
        if own_lines:
            count += 1
            lines += [f"operator {target}", *own_lines]
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"# Calls of PyTorch {torch.__version__.split('+')[0]}'s OpInfo samples, by make_calls.py\n" + "\n".join(lines) + "\n")
    print(f"{count} operators, {programs} programs, {sum(map(len, lines)) + len(lines)} bytes")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    torch.set_num_threads(1)
    logging.disable(logging.ERROR)  # what cannot be traced is left out
    write(sys.argv[1], sys.argv[2:])
