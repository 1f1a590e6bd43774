# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program whose weights are a sparse 30 GB opens and lowers in the time and memory of the small one: no weight is read."""
import os
import pathlib
import struct
import subprocess
import time
import unittest
import zipfile

from support import CLI, SAMPLES, CliTest, needs_engine

HOLE = 30 << 30


def with_hole(source, target, names):
    """Copies a zip of stored members, the named ones as holes of HOLE bytes in all, zip64 records written by hand."""
    share = HOLE // len(names)
    central = b""
    with zipfile.ZipFile(source) as archive, open(target, "wb") as out:
        for entry in archive.infolist():
            name = entry.filename.encode()
            data = b"" if entry.filename in names else archive.read(entry)
            size = share if entry.filename in names else len(data)
            crc = 0 if entry.filename in names else entry.CRC
            offset = out.tell()
            local = struct.pack("<HHQQ", 1, 16, size, size)
            out.write(struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, 0x800, 0, 0, 0, crc, 0xFFFFFFFF, 0xFFFFFFFF, len(name), len(local)) + name + local)
            if data:
                out.write(data)
            else:
                out.seek(size, os.SEEK_CUR)
            extra = struct.pack("<HHQQQ", 1, 24, size, size, offset)
            central += struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45, 0x800, 0, 0, 0, crc, 0xFFFFFFFF, 0xFFFFFFFF, len(name), len(extra), 0, 0, 0, 0,
                                   0xFFFFFFFF) + name + extra
        start = out.tell()
        count = len(archive.infolist())
        out.write(central)
        out.write(struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, len(central), start))
        out.write(struct.pack("<IIQI", 0x07064B50, 0, start + len(central), 1))
        out.write(struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0))


class Weights(CliTest):
    SAMPLE = SAMPLES / "residual_block.pt2"

    def measured(self, *args):
        """Exit code, seconds and peak bytes of the process itself."""
        began = time.monotonic()
        process = subprocess.Popen([CLI, *map(str, args)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment(os.environ.get("FXSCOPE_ENGINE")))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, time.monotonic() - began, usage.ru_maxrss * 1024

    def sparse(self):
        with zipfile.ZipFile(self.SAMPLE) as archive:
            names = [n for n in archive.namelist() if "/data/weights/weight_" in n]
        self.assertTrue(names)
        target = self.work / "sparse.pt2"
        with_hole(self.SAMPLE, target, names)
        self.assertGreater(target.stat().st_size, HOLE - (1 << 20))
        self.assertLess(target.stat().st_blocks * 512, 64 << 20, "this file system keeps no holes")
        return target

    def compare(self, *args):
        sparse = self.sparse()
        small = self.measured(args[0], self.SAMPLE, *args[1:])
        large = self.measured(args[0], sparse, *args[1:])
        self.assertEqual(small[0], 0)
        self.assertEqual(large[0], 0)
        self.assertLess(large[1], 3 * small[1] + 2)
        self.assertLess(large[2], small[2] + (32 << 20))

    def test_inspect_and_import(self):
        self.compare("inspect")
        self.compare("import")

    @needs_engine
    def test_lower(self):
        self.compare("lower", "--to", "linalg-on-tensors")


if __name__ == "__main__":
    unittest.main()
