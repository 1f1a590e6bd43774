# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pass that `trace --op` says made an operation is the first whose module has it, and the pattern is the one between whose stops it appears.

    operations_made_in.py --cli CLI [--engine ENGINE] [--count N | --all] [--patterns N] [--seed N] FILE ...

Draws operations at random from the last modules of traces of FILE (.pt2 or .mlir) to three output types. The pass is found again from the snapshots'
files alone: by the lines that locations lead to, and the names and texts on them. A pattern is confirmed with the engine: of the pass by itself, run on
the module before it, stopped before and after each attempt of the pattern. A conversion leaves no module between its rewrites: there, nothing has the
operation when the engine is stopped before the first attempt of the pattern on what the operation was made of, and the pass makes it.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
TARGETS = ("linalg-on-tensors", "tosa", "stablehlo")
SAMPLE, ALL = 45, 500
SHORT = {"return": "func.return", "module": "builtin.module"}  # as printed in short
# A pattern is tried on every operation of its kind in the module.
MOST_STOPS = 400


class Module:
    """A snapshot's file: by line, the name and the text of the operation that begins there, and the lines that its location leads to."""

    def __init__(self, path):
        self.lines = path.read_text().split("\n")
        self.aliases = dict(re.findall(r"(?m)^(#\w+) = (.*)$", "\n".join(self.lines)))
        self.places = {}

    def name(self, line):
        """None if no operation begins on the line, from 1."""
        found = re.match(r'\s*(?:%[^=]*= )?"?([a-z_][\w]*(?:\.[\w.]+)?)\b', self.lines[line - 1])
        return found and SHORT.get(found[1], found[1])

    def text(self, line):
        text = re.sub(r"\s*loc\(.*$", "", self.lines[line - 1].strip())
        text = re.sub(r"#(?!loc)\w+", lambda m: self.aliases.get(m[0], m[0]), text)
        return re.sub(r"%[\w$.-]+(?:[:#]\d+)?", "%", text)

    def end(self, line):
        """The line that ends the operation and has its location."""
        first = self.lines[line - 1]
        if re.search(r"loc\([^()]*(\([^()]*\))?[^()]*\)$", first):
            return line
        indent = first[:len(first) - len(first.lstrip())]
        for i in range(line, len(self.lines)):
            if self.lines[i].startswith(indent + "}") and not self.lines[i].rstrip().endswith("{"):
                return i + 1
        return line

    def location(self, line):
        found = re.search(r"loc\((.*)\)$", self.lines[self.end(line) - 1])
        return self.resolved(found[1]) if found else []

    def resolved(self, text, depth=0):
        if depth > 40:
            return []
        out = [(m[1], int(m[2])) for m in re.finditer(r'"([^"]*)":(\d+):\d+', text)]
        for alias in re.findall(r"#loc\d*\b", text):
            out += self.resolved(self.aliases.get(alias, ""), depth + 1)
        return out


class Trace:
    def __init__(self, folder):
        self.folder = folder
        self.json = json.loads((folder / "trace.json").read_text())
        self.modules = [Module(folder / each["file"]) for each in self.json["snapshots"]]
        self.hops = {each["name"]: (each["snapshot"], each["shift"]) for each in self.json["hops"]}
        self.indexed = {}

    def last(self):
        return max(i for i, each in enumerate(self.json["snapshots"]) if not each["failure"])

    def targets(self, snapshot, line):
        out = []
        for file, at in self.modules[snapshot].location(line):
            if file in self.hops:
                out.append((self.hops[file][0], at + self.hops[file][1]))
        return list(dict.fromkeys(out))

    def rivals(self, snapshot, target, name):
        """Lines of operations of that name that lead to a line, in text order."""
        if snapshot not in self.indexed:
            index = self.indexed[snapshot] = collections.defaultdict(list)
            for link in range(len(self.json["links"][snapshot]["lines"])):
                line = self.json["links"][snapshot]["lines"][link]
                for each in self.targets(snapshot, line):
                    index[each, self.modules[snapshot].name(line)].append(line)
        return self.indexed[snapshot][target, name]

    def before(self, snapshot, line):
        """The lines of the same operation in the module before: one, or none if that has it not. Where constants become one, that has no location: then
        every one with its text."""
        targets = self.targets(snapshot, line)
        if targets:
            found = self.located_before(snapshot, line, targets)
            return [] if found is None else [found]
        text, then = self.modules[snapshot].text(line), self.modules[snapshot - 1]
        return [at for at in self.json["links"][snapshot - 1]["lines"] if then.text(at) == text]

    def located_before(self, snapshot, line, targets):
        now, then = self.modules[snapshot], self.modules[snapshot - 1]
        name, text = now.name(line), now.text(line)
        if targets[0][0] == snapshot - 1:
            named = [at for _, at in targets if then.name(at) == name]
            same = next((at for at in named if then.text(at) == text), named[0] if named else None)
            if same is None:
                return None
            rivals = self.rivals(snapshot, (snapshot - 1, same), name)
            heir = next((at for at in rivals if now.text(at) == then.text(same)), rivals[0])
            return same if heir == line else None
        rivals = self.rivals(snapshot, targets[0], name)
        others = self.rivals(snapshot - 1, targets[0], name)
        position = rivals.index(line)
        return next((at for at in others if then.text(at) == text), others[position] if position < len(others) else None)

    def made(self, snapshot, line):
        """(snapshot, line) of the first module that has it; several where it is one of several constants that became one."""
        out, left = set(), {(snapshot, line)}
        while left:
            snapshot, line = left.pop()
            before = self.before(snapshot, line) if snapshot > 0 else []
            if not before:
                out.add((snapshot, line))
            left |= {(snapshot - 1, at) for at in before}
        return out


class Engine:
    def __init__(self, path, work):
        self.path, self.work = path, work

    def run(self, file, pipeline, *options):
        done = subprocess.run([self.path, str(file), f"--pass-pipeline={pipeline}", "--mlir-disable-threading", *options], capture_output=True, text=True,
                              errors="replace", timeout=300)
        return done.stdout if done.returncode == 0 else None

    def attempts(self, file, pipeline):
        """(ordinal, pattern, operation) of each attempt, in order."""
        log = self.work / "actions.log"
        self.run(file, pipeline, f"--log-actions-to={log}", "-o", os.devnull)
        found = re.findall(r"begins \(no breakpoint\) Action `apply-pattern pattern: (.*?) ?\((?=[%\"a-z])(.*)$", log.read_text(errors="replace"), re.MULTILINE)
        return [(i + 1, short(pattern), name_in(op)) for i, (pattern, op) in enumerate(found)]

    def stopped(self, file, pipeline, count):
        return self.run(file, pipeline, f"--mlir-debug-counter=apply-pattern-skip=0,apply-pattern-count={count}")


def short(pattern):
    return re.sub(r"(?:\(anonymous namespace\)|{anonymous}|\w+)::", "", pattern)


def name_in(op):
    found = re.match(r'\s*(?:%[^=]*= )?"?([a-z_][\w]*(?:\.[\w.]+)?)\b', op)
    return found and found[1]


def texts_of(printed):
    """How often each operation's text is in a module; None if the engine printed none."""
    if printed is None:
        return collections.Counter()
    module = Module.__new__(Module)
    module.lines = printed.split("\n")
    module.aliases = dict(re.findall(r"(?m)^(#\w+) = (.*)$", printed))
    return collections.Counter(module.text(i + 1) for i in range(len(module.lines)))


def pipeline_of(run):
    options = re.sub(r"\s+", " ", run["options"]).strip()
    text = run["pass"] + (f"{{{options}}}" if options else "")
    return f"builtin.module({text})" if run["anchor"] == "builtin.module" else f"builtin.module({run['anchor']}({text}))"


def confirmed(engine, trace, op, pattern, sources):
    """True, or why the pattern is not confirmed; None where the engine cannot tell."""
    index = op["made"]["snapshot"]
    run = trace.json["passes"][op["made"]["pass_index"]]
    file = trace.folder / trace.json["snapshots"][index - 1]["file"]
    pipeline = pipeline_of(run)
    wanted = trace.modules[index].text(next(line for snapshot, line in trace.made(op["snapshot"], op["line"]) if snapshot == index))
    after = texts_of(engine.run(file, pipeline))
    if after[wanted] == 0:
        return None  # the pass is not what it was by itself
    before = texts_of(file.read_text())
    conversion = run["pass"].startswith(("convert-", "torch-finalizing", "torch-func-backend"))
    tries = [at for at, name, on in engine.attempts(file, pipeline) if pattern == name and (not conversion or not sources or on in sources)]
    if not tries:
        return f"{pattern} is not tried in {run['pass']} on what it was made of"
    if len(tries) > MOST_STOPS:
        return None
    first = texts_of(engine.stopped(file, pipeline, tries[0] - 1))
    if first[wanted] > before[wanted] and first[wanted] >= after[wanted]:
        return f"it is there before {pattern} is tried in {run['pass']}"
    if conversion or engine.stopped(file, pipeline, tries[0]) is None:
        return True  # as a whole
    for at in [*appearance(engine, file, pipeline, wanted, before[wanted], tries[-1]), *tries]:
        one, other = (texts_of(engine.stopped(file, pipeline, count)) for count in (at - 1, at))
        if at in tries and other[wanted] > one[wanted]:
            return True
    return f"no attempt of {pattern} in {run['pass']} makes it"


def appearance(engine, file, pipeline, wanted, before, last):
    """One attempt, by halves, after which there are more of a text than `before`; none if there are not after the last."""
    low, high = 0, last
    if texts_of(engine.stopped(file, pipeline, last))[wanted] <= before:
        return []
    while high - low > 1:
        middle = (low + high) // 2
        if texts_of(engine.stopped(file, pipeline, middle))[wanted] > before:
            high = middle
        else:
            low = middle
    return [high]


class Check:
    def __init__(self, args, work):
        self.args, self.work, self.engine = args, work, Engine(args.engine, work)
        self.made = self.patterns = self.undecided = 0
        self.wrong = []

    def cli(self, *arguments):
        env = {**os.environ, "FXSCOPE_ENGINE": self.args.engine}
        done = subprocess.run([self.args.cli, *map(str, arguments)], capture_output=True, text=True, env=env, timeout=1200)
        return done.returncode, done.stdout, done.stderr

    def program(self, number, file, target, chosen):
        """Checks `chosen` operations of the last module."""
        folder = self.work / f"t{number}"
        status, _, error = self.cli("trace", file, "--to", target, "-o", folder)
        if not (folder / "trace.json").exists():
            return print(f"{file} to {target}: not traced ({status}): {error.strip()}")
        trace = Trace(folder)
        status, out, error = self.cli("trace", folder, "--op", "op~/./", "--json")
        if status != 0:
            self.wrong.append(f"{file} to {target}: {error}")
            return None
        ops = [op for op in json.loads(out)["operations"] if trace.modules[trace.last()].name(op["line"])]
        for op in random.Random(f"{self.args.seed} {file} {target}").sample(ops, min(chosen, len(ops))):
            self.operation(trace, file, target, op)
        return None

    def operation(self, trace, file, target, op):
        what = f"{pathlib.Path(file).name} to {target}, line {op['line']} of {trace.json['snapshots'][op['snapshot']]['file']}, {op['name']}"
        made = {snapshot for snapshot, _ in trace.made(op["snapshot"], op["line"])}
        self.made += 1
        if op["made"]["snapshot"] not in made:
            self.wrong.append(f"{what}: {op['message']}; snapshot {', '.join(map(str, sorted(made)))} is the first that has it")
            return
        if self.patterns >= self.args.patterns or op["made"]["pass_index"] is None or not op["nodes"] or str(file).endswith(".mlir"):
            return
        status, out, error = self.cli("trace", file, "--to", target, "--op", f"line={op['line']}", "--after", trace.json["snapshots"][op["snapshot"]]["pass_index"] + 1,
                                      "--patterns", "--json")
        if status != 0:
            self.wrong.append(f"{what}: {error.strip()}")
            return
        answer = json.loads(out)
        said = answer["operations"][0]["pattern"]
        if said is None:
            return
        verdict = confirmed(self.engine, trace, op, said, [each["name"] for each in answer["came_from"]])
        self.patterns += verdict is True
        self.undecided += verdict is None
        if isinstance(verdict, str):
            self.wrong.append(f"{what}: {answer['operations'][0]['message']}; {verdict}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--engine", default=os.environ.get("FXSCOPE_ENGINE") or str(pathlib.Path(__file__).resolve().parents[2] / ".cache/engine/torch-mlir-opt"))
    parser.add_argument("--count", type=int, default=SAMPLE)
    parser.add_argument("--all", action="store_true", help=f"{ALL} operations")
    parser.add_argument("--patterns", type=int, default=ALL, help="confirm no more patterns than these")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    if not os.access(args.engine, os.X_OK):
        print("no engine: FXSCOPE_ENGINE names none and ./run has installed none")
        return SKIPPED
    count = ALL if args.all else args.count
    programs = [(file, target) for file in args.files for target in TARGETS]
    random.Random(args.seed).shuffle(programs)
    with tempfile.TemporaryDirectory(prefix="fxscope-made-") as work:
        check = Check(args, pathlib.Path(work))
        for number, (file, target) in enumerate(programs):
            told = len(check.wrong)
            check.program(number, file, target, -(-(count - check.made) // (len(programs) - number)))
            print(*check.wrong[told:], sep="\n", end="\n" if check.wrong[told:] else "", flush=True)
    print(f"{check.made} operations, {len(check.wrong)} wrong; patterns: {check.patterns} confirmed, {check.undecided} not decided by the engine")
    return 1 if check.wrong or check.made < min(count, SAMPLE) // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
