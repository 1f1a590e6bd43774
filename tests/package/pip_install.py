# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pip install . in a fresh environment: python3 pip_install.py --build BUILD_DIR [--pictures DIRECTORY]; run by `./test --package`

Builds the wheel, installs it, and compares the commands and the module with those of BUILD_DIR; a notebook, executed by nbclient, shows graph,
stages, diagnosis and fix of a transformer, and is looked at in a browser, where there is one. BUILD_DIR's own objects are in ccache, and the
wheel's are the same. Needs PyPI and an engine.
"""
import argparse
import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/report"))
import browser  # noqa: E402

SAMPLE = ROOT / "samples/masked_attention.pt2"
CELLS = [
    "import fxscope\nprogram = 'masked_attention.pt2'\nfxscope.graph(program, to='tosa')",
    "fxscope.lower(program, to='tosa')",
    "fxscope.diagnose(program, to=['tosa', 'stablehlo'])",
    "fxscope.fix(program, to='tosa')",
    "fxscope.lower(fxscope.fix(program, to='tosa').path, to='tosa')",
    "fxscope.lower(program, to='linalg')",
]
VARYING = {"seconds", "compile_seconds", "run_seconds", "stderr"}


def steady(value):
    """Without what no two runs have in common."""
    if isinstance(value, dict):
        return {name: steady(each) for name, each in value.items() if name not in VARYING}
    return [steady(each) for each in value] if isinstance(value, list) else value


def run(*command, code=0, **options):
    """Standard output."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != code:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


class Steps:
    """What was held, and how long it took."""

    def __init__(self):
        self.wrong, self.since = [], time.monotonic()

    def expect(self, what, holds):
        now = time.monotonic()
        print(f"{'ok   ' if holds else 'WRONG'} {now - self.since:6.1f} s  {what}", flush=True)
        self.since = now
        if not holds:
            self.wrong.append(what)


def built(build, venv, work):
    """The wheel. Its objects are those of the build in ccache, because flags, depth of the folder and CMake are the same: another version
    of CMake compiles other sources together."""
    cache = dict(re.findall(r"^(CMAKE_\w+):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE))
    env = {**os.environ, "CC": cache["CMAKE_C_COMPILER"], "CXX": cache["CMAKE_CXX_COMPILER"], "CCACHE_BASEDIR": str(ROOT),
           "PATH": f"{pathlib.Path(cache['CMAKE_COMMAND']).parent}:{os.environ['PATH']}"}
    folder = build.with_name("wheel")
    run(venv / "bin/pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", work, f"--config-settings=build-dir={folder}",
        "--config-settings=cmake.define.FXS_WERROR=ON", ROOT, env=env)
    return next(work.glob("fxscope-*.whl"))


def executed(venv, work):
    """The notebook after nbclient, and its page."""
    (work / "masked_attention.pt2").write_bytes(SAMPLE.read_bytes())
    script = f"""
import nbclient, nbformat, nbconvert
book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in {CELLS!r}])
nbclient.NotebookClient(book, timeout=120, allow_errors=True, resources={{"metadata": {{"path": {str(work)!r}}}}}).execute()
nbformat.write(book, "shown.ipynb")
open("shown.html", "w").write(nbconvert.HTMLExporter().from_notebook_node(book)[0])
"""
    run(venv / "bin/python", "-c", script, cwd=work)
    return json.loads((work / "shown.ipynb").read_text())


def outputs(book, kind):
    """The text of this MIME type of each cell, or None."""
    found = ([output["data"].get(kind) for output in cell["outputs"] if "data" in output] for cell in book["cells"])
    return ["".join(each[0]) if each and each[0] else None for each in found]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--pictures")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    cli = build / "bin/fxscope-cli"
    run(cli, "engine")
    steps = Steps()
    with tempfile.TemporaryDirectory(prefix="fxscope-pip-") as folder:
        work = pathlib.Path(folder)
        venv = work / "venv"
        run(sys.executable, "-m", "venv", venv)
        run(venv / "bin/pip", "install", "-q", "scikit-build-core>=0.10", "nbclient", "nbconvert", "ipykernel")
        steps.expect("a fresh environment", True)
        wheel = built(build, venv, work)
        steps.expect(f"{wheel.name}: {wheel.stat().st_size >> 20} MB", wheel.name.endswith(".whl"))
        run(venv / "bin/pip", "install", "-q", wheel)
        # Only what was installed is there.
        os.environ.pop("FXSCOPE_CLI", None)
        os.environ.update(PATH="/usr/bin:/bin", QT_QPA_PLATFORM="offscreen")
        os.chdir(work)

        programs = {name: venv / "bin" / name for name in ("fxscope", "fxscope-cli", "fxscope-layout")}
        steps.expect("the programs are commands", all(os.access(program, os.X_OK) for program in programs.values()))
        version = run(programs["fxscope-cli"], "--version")
        module_version = run(venv / "bin/python", "-c", "import importlib.metadata as m; print(m.version('fxscope'))").strip()
        steps.expect(f"one version: {module_version}", module_version in version and version == run(cli, "--version"))
        run(programs["fxscope"], "--target", "tosa", "--screenshot", work / "window.png", SAMPLE)
        steps.expect("the window opens", (work / "window.png").stat().st_size > 10000)
        run(venv / "bin/python", "-m", "fxscope", "--target", "tosa", "--screenshot", work / "again.png", SAMPLE)
        steps.expect("python -m fxscope opens it", (work / "again.png").stat().st_size > 10000)

        for command, code in ((["lower", "--to", "tosa"], 1), (["diagnose", "--to", "tosa,stablehlo"], 1), (["trace", "--to", "linalg-on-tensors"], 0)):
            call = f"fxscope.{command[0]}({str(SAMPLE)!r}, to={command[2].split(',')!r})" if command[0] == "diagnose" else \
                f"fxscope.{command[0]}({str(SAMPLE)!r}, to={command[2]!r})"
            answer = json.loads(run(venv / "bin/python", "-c", f"import fxscope, json; print(json.dumps({call}.json))"))
            places = [] if command[0] == "diagnose" else ["-o", work / command[0]]
            expected = json.loads(run(cli, command[0], SAMPLE, *command[1:], "--json", *places, code=code))
            steps.expect(f"{call.split('(')[0]} answers as fxscope-cli of the build", steady(answer) == steady(expected))

        book = executed(venv, work)
        pages, pictures = outputs(book, "text/html"), outputs(book, "image/svg+xml")
        steps.expect("the graph is an SVG", pictures[0] and pictures[0].lstrip().startswith("<svg") or "<svg" in (pictures[0] or ""))
        steps.expect("stages are a table", pages[1] and "Torch backend IR" in pages[1] and "convert-torch-to-tosa" in pages[1])
        steps.expect("the diagnosis is a page in a sandbox", pages[2] and 'sandbox="allow-scripts"' in pages[2] and "scaled_dot_product_attention" in pages[2])
        steps.expect("the fix names its change", pages[3] and "call program.run_decompositions() first" in pages[3])
        steps.expect("the fixed program lowers", pages[4] and pages[4].count(">ok<") == 3)
        error = book["cells"][5]["outputs"][0]
        steps.expect("an error is its message", error["traceback"] == ["fxscope.Error: unknown output type 'linalg'; did you mean 'linalg-on-tensors'?"])
        if browser.installed():
            looked_at(work / "shown.html", steps, arguments.pictures)
    print(f"{len(steps.wrong)} wrong" if steps.wrong else "all hold")
    return 1 if steps.wrong else 0


def picture(shown, clip=None):
    """PNG of the window, or of a part of the page."""
    return base64.b64decode(shown.call("Page.captureScreenshot", format="png", **({"clip": clip} if clip else {}))["data"])


def looked_at(page, steps, pictures):
    """The notebook's page in a browser: nothing overflows it, and the report in its frame is drawn."""
    shown = browser.Browser()
    try:
        shown.open(page)
        steps.expect("no script failed", not shown.errors())
        width, whole = shown.run("[innerWidth, document.documentElement.scrollWidth]")
        steps.expect(f"it is as wide as the window: {whole} of {width}", whole <= width)
        graph, stages, frame = (shown.run(f"(() => {{ const r = document.querySelector('{what}').getBoundingClientRect(); return [r.width, r.height]; }})()")
                                for what in (".jp-OutputArea-output svg, .jp-OutputArea-output img", ".jp-OutputArea-output table", "iframe[srcdoc]"))
        steps.expect(f"graph {graph}, stages {stages} and report {frame} have a size", all(w > 150 and h > 50 for w, h in (graph, stages, frame)))
        shown.run("document.querySelector('iframe[srcdoc]').scrollIntoView()")
        # The frame is drawn by another process, when it is in sight; an empty one is a few hundred bytes.
        until, drawn = time.monotonic() + 30, b""
        while len(drawn) < 20000 and time.monotonic() < until:
            box = shown.run("(() => { const r = document.querySelector('iframe[srcdoc]').getBoundingClientRect();"
                            "return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height, scale: 1}; })()")
            drawn = picture(shown, box)
        steps.expect(f"the report in its frame is drawn: {len(drawn)} bytes of picture", len(drawn) >= 20000)
        if pictures:
            pathlib.Path(pictures, "report.png").write_bytes(drawn)
            shown.call("Emulation.setDeviceMetricsOverride", width=width, height=shown.run("document.documentElement.scrollHeight"), deviceScaleFactor=1,
                       mobile=False)
            pathlib.Path(pictures, "notebook.png").write_bytes(picture(shown))
    finally:
        shown.close()


sys.exit(main())
