# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with sizes that are known only at run time have one cause and a way out that holds: python3 run_time_sizes.py --cli FXSCOPE_CLI [--all | NAME ..]

For each program and output type, `diagnose` names one cause, at the line of the model that is marked `# here`, and what it says helps: upper
bounds in place of the sizes (`masked`), the same with padded results (`padded`), leaving out an assertion (`unchecked`), both branches
(`selected`), or an output type to which the program lowers as it is (`other`). Where results stay, `fix` writes the program, and PyTorch
computes the same with it for several inputs. Without --all, the first program of each kind, and some others. Skipped (77) without an engine.
"""
import inspect
import pathlib
import re
import subprocess
import tempfile
import warnings

import torch
from torch import nn

import installed

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
SAMPLED = 6
TYPES = ("linalg-on-tensors", "tosa", "stablehlo")


class Routed(nn.Module):
    """A mixture of experts, each computed for the tokens that chose it."""

    def __init__(self):
        super().__init__()
        self.gate, self.experts = nn.Linear(8, 3), nn.ModuleList(nn.Linear(8, 8) for _ in range(3))

    def forward(self, x):
        weights, chosen = torch.topk(self.gate(x).softmax(-1), 2, dim=-1)
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows, k = torch.where(chosen == number)  # here
            out.index_add_(0, rows, expert(x[rows]).relu() * weights[rows, k, None])
        return out


class Nonzero(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 4)

    def forward(self, x, score):
        keep = torch.nonzero(score > 0).squeeze(1)  # here
        return self.linear(x[keep]).sum(0)


class MaskedLoss(nn.Module):
    def forward(self, found, wanted, valid):
        error = (found - wanted)[valid]  # here
        return error.square().sum(), error.abs().mean()


class Selected(nn.Module):
    def forward(self, x, mask):
        return torch.masked_select(x, mask)  # here


class Suppressed(nn.Module):
    """Non-maximum suppression of a fixed number of boxes."""

    def forward(self, boxes, scores):
        boxes = boxes[scores.argsort(descending=True)]
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        low, high = torch.maximum(boxes[:, None, :2], boxes[None, :, :2]), torch.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
        both = (high - low).clamp(min=0).prod(-1)
        overlap = both / (area[:, None] + area[None, :] - both)
        keep, later = torch.ones(boxes.shape[0], dtype=torch.bool), torch.arange(boxes.shape[0])
        for i in range(boxes.shape[0]):
            keep = keep & ~(keep[i] & (overlap[i] > 0.5) & (later > i))
        return boxes[keep]  # here


class Packed(nn.Module):
    """Sequences of several lengths, computed without their padding."""

    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)

    def forward(self, x, lengths):
        valid = torch.arange(x.shape[1])[None, :] < lengths[:, None]
        packed = x[valid]  # here
        out = torch.zeros_like(x)
        out[valid] = self.down(torch.relu(self.up(packed)))
        return out


class EarlyExit(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.head = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 4)

    def forward(self, x):
        h = torch.relu(self.first(x))
        sure = self.head(h).softmax(-1).amax()
        return torch.cond(sure.item() > 0.4, lambda h: self.head(h), lambda h: self.head(torch.relu(self.second(h))), (h,))  # here


class Asserted(nn.Module):
    def forward(self, x, lengths):
        assert lengths.max().item() <= x.shape[1]  # here
        return x * (torch.arange(x.shape[1])[None, :] < lengths[:, None])


class Beams(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.step = nn.Embedding(12, 8), nn.Linear(8, 12)

    def forward(self, tokens, score):
        for _ in range(2):
            score, flat = (score[:, None] + self.step(self.embed(tokens[:, -1])).log_softmax(-1)).flatten().topk(4)
            tokens = torch.cat([tokens[flat // 12], (flat % 12)[:, None]], 1)
        return score[tokens[:, -1] > 5]  # here


class Unique(nn.Module):
    def forward(self, ids):
        return torch.unique(ids)  # here


class Counted(nn.Module):
    def forward(self, ids):
        return torch.bincount(ids).amax()  # here


class CountedWithin(nn.Module):
    def forward(self, ids):
        counts = torch.bincount(ids)  # here
        torch._check(counts.shape[0] <= 16)
        return counts.float().square().sum()


class Repeated(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, repeats):
        return self.linear(torch.repeat_interleave(x, repeats, dim=0))  # here


class RepeatedWithin(nn.Module):
    def forward(self, x, repeats):
        y = torch.repeat_interleave(x, repeats, dim=0)  # here
        torch._check(y.shape[0] <= 12)
        return y.amax(0), y.sum(0)


class Positions(nn.Module):
    def forward(self, x):
        rows, columns = torch.where(x > 0.5)  # here
        return torch.zeros_like(x).index_put((rows, columns), x[rows, columns] * 2 + 1)


class Narrowed(nn.Module):
    def forward(self, x, length):
        n = length.item()  # here
        torch._check(n >= 1)
        torch._check(n <= x.shape[0])
        return x.narrow(0, 0, n).mean(0)


class Pruned(nn.Module):
    """Attention of the tokens with the highest scores."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(8, 8) for _ in range(3))

    def forward(self, x):
        score = x.square().mean(-1)
        tokens = x[score >= score.mean()]  # here
        attention = (self.query(tokens) @ self.key(tokens).T * 0.35).softmax(-1)
        return (attention @ self.value(tokens)).mean(0)


class Written(nn.Module):
    def forward(self, x, mask, y):
        x = x.clone()
        x[mask] = y[mask] * 2  # here
        return x


def drawn(*sizes, seed=0):
    return torch.randn(*sizes, generator=torch.Generator().manual_seed(seed))


def whole(high, *sizes, seed=0):
    return torch.randint(high, sizes, generator=torch.Generator().manual_seed(seed))


BOXES = torch.tensor([[0.0, 0, 2, 2], [0.1, 0, 2, 2], [3, 3, 4, 4], [3, 3, 4.2, 4], [5, 5, 6, 6]])
# name: (module, several inputs, what helps: of TOSA, of StableHLO)
PROGRAMS = {
    "routed": (Routed, [(drawn(5, 8, seed=s),) for s in range(4)], "masked", "masked"),
    "nonzero": (Nonzero, [(drawn(5, 6, seed=s), drawn(5, seed=s + 9)) for s in range(4)] + [(drawn(5, 6), -torch.ones(5))], "masked", "masked"),
    "masked_loss": (MaskedLoss, [(drawn(3, 4, seed=s), drawn(3, 4, seed=s + 4), drawn(3, 4, seed=s + 8) > 0) for s in range(4)], "masked", "masked"),
    "selected": (Selected, [(drawn(3, 4), drawn(3, 4) > 0)], "padded", "padded"),
    "suppressed": (Suppressed, [(BOXES, drawn(5))], "padded", "padded"),
    "packed": (Packed, [(drawn(3, 5, 8), torch.tensor(n)) for n in ([5, 2, 3], [0, 0, 0], [5, 5, 5], [1, 0, 4])], "masked", "masked"),
    "early_exit": (EarlyExit, [(drawn(2, 8, seed=s) * 2,) for s in range(6)], "selected", "selected"),
    "asserted": (Asserted, [(drawn(2, 6), torch.tensor(n)) for n in ([6, 3], [0, 1])], "unchecked", "unchecked"),
    "beams": (Beams, [(whole(12, 4, 2), drawn(4))], "padded", "padded"),
    "unique": (Unique, [(whole(6, 9),)], "padded", "padded"),
    "counted": (Counted, [(whole(6, 9),)], "other", "other"),
    "counted_within": (CountedWithin, [(whole(6, 9, seed=s),) for s in range(3)], "masked", "masked"),
    "repeated": (Repeated, [(drawn(3, 4), torch.tensor([1, 0, 3]))], "other", "other"),
    "repeated_within": (RepeatedWithin, [(drawn(3, 4), torch.tensor(n)) for n in ([1, 0, 3], [4, 4, 4], [0, 1, 0])], "masked", "masked"),
    "positions": (Positions, [(drawn(4, 5, seed=s),) for s in range(3)], "masked", "masked"),
    "narrowed": (Narrowed, [(drawn(6, 4), torch.tensor(n)) for n in (3, 1, 6)], "masked", "masked"),
    "pruned": (Pruned, [(drawn(6, 8, seed=s),) for s in range(4)], "masked", "masked"),
    "written": (Written, [(drawn(4, 3), torch.tensor(m), drawn(4, 3, seed=1)) for m in ([True, False, True, True], [False] * 4)], "masked", "masked"),
}
SAID = {
    "masked": r"fix +compute with the greatest sizes \(.*\), and mask other rows \(whole program lowers with it; computes all rows",
    "padded": r"fix +compute with the greatest sizes \(.*\), and mask other rows; pad '\w+' with zeros \(whole program lowers with it; another result:",
    "unchecked": r"fix +leave out 1 assertion on values known only at run time \(whole program lowers with it; the program no longer checks u0 <= 6\)",
    "selected": r"fix +decompose higher_order.cond: .* \(whole program lowers with it\)",
    "other": r"the whole program lowers to linalg-on-tensors",
}
FIXED = ("masked", "unchecked", "selected")


def line_of(module):
    lines, first = inspect.getsourcelines(module)
    return first + next(i for i, line in enumerate(lines) if line.rstrip().endswith("# here"))


def run(cli, *arguments):
    done = subprocess.run([cli, *arguments], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, done.stdout


def problems(cli, name, folder):
    module, inputs, *helps = PROGRAMS[name]
    torch.manual_seed(0)
    model, file, written = module().eval(), folder / "program.pt2", folder / "fixed.pt2"
    program = torch.export.export(model, inputs[0])
    torch.export.save(program, file)
    for target, what in zip(TYPES, ["lowers", *helps]):
        code, text = run(cli, "diagnose", file, "--to", target)
        if what == "lowers":
            if code != 0:
                yield f"{target}: does not lower\n{text}"
            continue
        causes = re.findall(r"^  (\d+)\. ", text, re.M)
        if causes != ["1"]:
            yield f"{target}: {len(causes)} causes\n{text}"
        if f"{pathlib.Path(__file__).name}:{line_of(module)} " not in text:
            yield f"{target}: not at line {line_of(module)}\n{text}"
        if not re.search(SAID[what], text):
            yield f"{target}: not {what}\n{text}"
        if what not in FIXED:
            continue
        code, text = run(cli, "fix", file, "--to", target, "-o", written)
        if code != 0:
            yield f"{target}: not fixed\n{text}"
            continue
        fixed = torch.export.load(written).module()
        for i, args in enumerate(inputs):
            try:
                torch.testing.assert_close(fixed(*args), program.module()(*args), equal_nan=True)
            except Exception as error:
                yield f"{target}, inputs {i}: {error}"


def sample():
    kinds = [program[2:] for program in PROGRAMS.values()]
    return [name for n, name in enumerate(PROGRAMS) if n % SAMPLED == SAMPLED - 1 or kinds.index(kinds[n]) == n]


def main():
    options = installed.asked(__doc__, is_sampled=True)
    wrong = 0
    names = options.names or (list(PROGRAMS) if options.all else sample())
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            found = list(problems(options.cli, name, pathlib.Path(folder)))
        wrong += bool(found)
        print(f"{name}: {'; '.join(found) or 'one cause, and what helps'}", flush=True)
    assert not wrong, f"{wrong} of {len(names)}"


if __name__ == "__main__":
    main()
