# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of `serve` share: a server that ends with its test, and what it has running."""
import contextlib
import os
import pathlib
import subprocess
import time

from support import CLI, CliTest


class Server:
    """`serve OPTIONS`, with pipes; it is ended with the test."""

    def __init__(self, test, *options, engine):
        self.test, self.number, self.buffer = test, 0, b""
        self.process = subprocess.Popen([CLI, "serve", *map(str, options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=test.environment(engine))
        test.addCleanup(self.close)

    def close(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(30)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


class ServerTest(CliTest):
    def wait_for(self, condition):
        end = time.monotonic() + 30
        while not (found := condition()):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        return found

    @staticmethod
    def children(pid):
        found = []
        for children in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # the thread has ended meanwhile
                found += [int(child) for child in children.read_text().split()]
        return found

    @staticmethod
    def resident(pid):
        return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
