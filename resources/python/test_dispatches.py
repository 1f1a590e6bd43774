# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs each program of index.json by itself, with iree-compile and iree-run-module, and compares its results with those that it
computed in the whole program. Needs NumPy and the two programs, in PATH or named by IREE_COMPILE and IREE_RUN_MODULE:

    pytest test_dispatches.py
    python test_dispatches.py [NAME..]    # without pytest
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
INDEX = json.loads((HERE / "index.json").read_text())
PROGRAMS = {program["name"]: program for program in INDEX["programs"]}
TOOLS = {name: os.environ.get(name.upper().replace("-", "_")) or shutil.which(name) for name in ("iree-compile", "iree-run-module")}
MISSING = [name for name, path in TOOLS.items() if path is None]


def array(path, dtype):
    """Elements of a file. NumPy has no bfloat16: its elements are the upper half of float32."""
    if path.suffix == ".npy":
        return numpy.load(path).ravel()
    if dtype == "bf16":
        return (numpy.fromfile(path, "<u2").astype("<u4") << 16).view("<f4")
    return numpy.fromfile(path, "u1")


def difference(found, expected, result):
    """Why the elements differ; None if they do not."""
    if found.shape != expected.shape:
        return f"{found.size} elements, not {expected.size}"
    if found.tobytes() == expected.tobytes():
        return None
    if not result["tolerance"]:
        return f"{int((found != expected).sum())} of {found.size} elements differ"
    wide = numpy.complex128 if numpy.iscomplexobj(expected) else numpy.float64
    found, expected = found.astype(wide), expected.astype(wide)
    finite = numpy.isfinite(expected)
    if not numpy.array_equal(found[~finite], expected[~finite], equal_nan=True) or not numpy.isfinite(found[finite]).all():
        return "NaN or infinity elsewhere"
    found, expected = found[finite], expected[finite]
    norm = numpy.linalg.norm(expected)
    error = numpy.linalg.norm(found - expected) / (norm or 1)
    if error > result["tolerance"]:
        return f"relative error {error:.3g}, more than {result['tolerance']:.3g}"
    rms = norm / numpy.sqrt(max(expected.size, 1))
    worst = (numpy.abs(found - expected) / numpy.maximum(numpy.abs(expected), rms or 1)).max(initial=0)
    if worst > result["element_tolerance"]:
        return f"relative error {worst:.3g} of an element, more than {result['element_tolerance']:.3g}"
    return None


def run(program):
    """Compiles and runs a program in its folder; the differences of its results, by number."""
    folder = HERE / program["folder"]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        module = scratch / "program.vmfb"
        subprocess.run([TOOLS["iree-compile"], program["file"], "-o", module, *program["arguments"]], cwd=folder, check=True)
        files = [scratch / f"{i}{pathlib.Path(result['file']).suffix}" for i, result in enumerate(program["results"])]
        subprocess.run([TOOLS["iree-run-module"], f"--module={module}", "--device=local-sync", f"--function={program['function']}",
                        *(f"--input={value['given']}" for value in program["inputs"]), *(f"--output=@{file}" for file in files)],
                       cwd=folder, check=True, stdout=subprocess.DEVNULL)
        out = {}
        for i, (file, result) in enumerate(zip(files, program["results"])):
            dtype = result["type"].split("[")[0]
            if (why := difference(array(file, dtype), array(folder / result["file"], dtype), result)):
                out[i] = why
        return out


try:
    import pytest
except ImportError:
    pass
else:
    @pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
    @pytest.mark.parametrize("name", PROGRAMS)
    def test_computes_what_it_computed_in_the_whole_program(name):
        assert run(PROGRAMS[name]) == {}


def main(names):
    if MISSING:
        sys.exit(f"not installed: {', '.join(MISSING)}")
    failed = 0
    for name in names or PROGRAMS:
        try:
            differences = run(PROGRAMS[name])
        except subprocess.CalledProcessError as error:
            differences = {"run": error}
        failed += bool(differences)
        print(name, "".join(f"result {i}: {why}" for i, why in differences.items()) or "as recorded")
    print(f"{failed} of {len(names or PROGRAMS)} differ" if failed else f"{len(names or PROGRAMS)} as recorded")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
