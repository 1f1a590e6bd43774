# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RUN lines that mean harm: whatever one says, no program starts but those of the user's settings, no code of a file beside the test runs, and
nothing is written but in a temporary folder that is gone afterwards."""
import os
import pathlib
import shutil
import subprocess
import unittest

from support import CLI, SANITIZER_OPTIONS, CliTest

HAS_LLVM = shutil.which("mlir-opt-22") is not None
# `evil` is a program in the folder of the test, in the working directory and in the PATH; what it is called by notes that it ran.
STARTS = """evil %s
evil
./evil
../evil
%S/evil
%p/evil
%s
%t
%T/evil
$PWD/evil
~/evil
known %s; evil
known %s ; evil
known %s | evil
known %s |evil
known %s|& evil
known %s && evil
known %s&&evil
known %s || evil
known --fail || evil
known & evil
evil & known
$(evil)
known $(evil)
known "$(evil)"
known `evil`
known "`evil`"
known <(evil)
known >(evil)
known <<< $(evil)
known ${X:-$(evil)}
known $((1+`evil`))
known %s $'evil'
"evil" %s
'evil' %s
e"vi"l %s
\\evil %s
evi\\l %s
env evil
env -i evil
env -u X evil
env -S evil
env --split-string=evil
env --chdir=%S evil
env A=b evil
env PATH=%S known
A=b evil
PATH=%S evil
PATH=%S known
IFS=x known
not evil
not --crash evil
not not evil
not env evil
! evil
! not evil
exec evil
eval evil
command evil
builtin evil
time evil
nohup evil
nice evil
timeout 1 evil
setsid evil
xargs evil
sudo evil
find . -exec evil {} +
sh -c evil
bash -c 'evil'
/bin/sh -c evil
python3 -c 'import os; os.system("evil")'
sh %s
sh < %s
. %S/evil
source %S/evil
{ evil; }
{ evil
(evil)
( evil )
if true; then evil; fi
for x in 1; do evil; done
while evil; do evil; done
case x in *) evil;; esac
function f { evil; }
evil() { evil; }
trap evil EXIT
alias known=evil
coproc evil
known > %t && %t
known %s -o %t && sh %t
split-file %s %t && %t/evil
cp %s %t && %t
chmod +x %t
%{evil}
%{twice}
%{%{name}}
%if true %{ evil %}
%if evil %{ known %} %else %{ evil %}
%evil
%%evil
%%s
%(evil)
%(line)evil
%{fs-sep}evil
%{s:basename}
known \revil
known \x0bevil
known \x00 evil
evil\x00
known \u2028evil
known\u00a0;evil
*
e?il
[e]vil
{evil,known}
#evil
known #; evil
known '
known "
known 1>&2 2>&1 | evil
known 2>&1 >&2 | evil
known | known | evil
known < %s | not evil"""
LOADS = """known --load-pass-plugin=%S/evil.so
known -load-pass-plugin %S/evil.so
known --load-dialect-plugin=%S/evil.so
known "--load"=%S/evil.so
known @%S/options
known '@'%S/options
known -x @%t
LD_PRELOAD=%S/evil.so known
env LD_PRELOAD=%S/evil.so known
env LD_LIBRARY_PATH=%S known
env LD_AUDIT=%S/evil.so known
env GCONV_PATH=%S known
env PYTHONPATH=%S known
env PYTHONSTARTUP=%S/evil known
env BASH_ENV=%S/evil known
ENV=%S/evil known
env PERL5OPT=-Mevil known
env RUBYOPT=-revil known
env NODE_OPTIONS=--require=%S/evil known"""
WRITES = """mlir-opt %s > %S/written
mlir-opt %s >%S/written
mlir-opt %s >> %S/written
mlir-opt %s >> %s
mlir-opt %s > %s
mlir-opt %s &> ../written
mlir-opt %s 2> ../../written
mlir-opt %s > %t/../../written
mlir-opt %s > /tmp/fxscope-written
mlir-opt %s > "/tmp/fxscope-written"
mlir-opt %s >| /tmp/fxscope-written
mlir-opt %s > ~/written
mlir-opt %s > $HOME/written
mlir-opt %s <> /tmp/fxscope-written
mlir-opt %s > /dev/full
mlir-opt %s > /dev/tcp/127.0.0.1/9
mlir-opt %s -o %S/written
mlir-opt %s -o %s
mlir-opt %s -o %S/a.mlir
mlir-opt %s -o ../written
mlir-opt %s -o /tmp/fxscope-written
mlir-opt %s --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%S/written
mlir-opt %s --mlir-pass-pipeline-crash-reproducer=%S/written --no-such
mlir-opt %s --log-actions-to=%S/written
mlir-opt %s --profile-actions-to=/tmp/fxscope-written
mlir-opt %s --mlir-generate-reproducer=%S/written
FileCheck %s --input-file=%s --dump-input=always > %S/written
mlir-opt %s --gpu-module-to-binary='toolkit=%S format=bin'"""
TEST = """// DEFINE: %{evil} = evil
// DEFINE: %{twice} = known && %{evil}
// DEFINE: %{name} = evil
"""
MODULE = """module attributes {gpu.container_module} {
  gpu.module @kernel [#nvvm.target<chip="sm_70">] {
    llvm.func @kernel(%arg0: i32) {
      llvm.return
    }
  }
}
"""


class HostileRunLines(CliTest):
    def setUp(self):
        super().setUp()
        self.marks, self.tests = self.work / "marks", self.work / "tests"
        for folder in (self.marks, self.tests, self.tests / "bin", self.tests / "nvvm/libdevice", self.work / "tmp", self.work / "home"):
            folder.mkdir(parents=True)
        for name in ("evil", "bin/ptxas", "bin/fatbinary", "bin/nvlink", "ptxas"):
            self.script(self.tests / name, "evil")
        shutil.copy(self.tests / "evil", self.work / "home/evil")
        shutil.copy(self.tests / "evil", self.work / "tmp/evil")
        self.script(self.work / "known", "known", 'case "$*" in *--fail*) exit 1;; esac\ncat\n')
        (self.tests / "options").write_text("--load-pass-plugin=evil.so\n")
        (self.tests / "nvvm/libdevice/libdevice.10.bc").write_bytes(b"BC")

    def script(self, path, mark, then=""):
        path.write_text(f'#!/bin/sh\necho "$0" >> {self.marks}/{mark}\n{then}')
        path.chmod(0o755)

    def lit(self, lines, *options, writes=None):
        """What `lit --json` says of the lines."""
        test = self.tests / "a.mlir"
        test.write_bytes((TEST + "".join(f"// RUN: {line}\n" for line in lines) + MODULE).encode("utf-8", "surrogateescape"))
        environment = {**SANITIZER_OPTIONS, "PATH": f"{self.tests}:{os.environ['PATH']}", "HOME": str(self.work / "home"), "TMPDIR": str(self.work / "tmp"),
                       "XDG_CACHE_HOME": str(self.work / "cache"), "LC_ALL": "C.UTF-8", **({"FXSCOPE_CAGE_WRITE": str(writes)} if writes else {})}
        before = self.files()
        done = subprocess.run([CLI, "lit", test, "--json", *options], cwd=self.tests, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(self.files(), before)
        runs = self.check_json("lit", done.stdout.decode())["tests"][0]["runs"]
        self.assertEqual(len(runs), len(lines))
        return runs

    def files(self):
        """The files outside of temporary folders and what is in them."""
        found = [path for root in (self.tests, self.work / "home", self.work / "tmp") for path in sorted(root.rglob("*")) if path.is_file()]
        return [(str(path), path.read_bytes()) for path in found] + [pathlib.Path("/tmp/fxscope-written").exists()]

    def ran(self):
        return sorted(path.name for path in self.marks.iterdir())

    def test_only_programs_of_the_settings_start(self):
        lines = STARTS.split("\n")
        for begin in range(0, len(lines), 100):
            runs = self.lit(lines[begin:begin + 100], "--tool", f"known={self.work / 'known'}", writes=self.marks)
            for line, run in zip(lines[begin:], runs):
                for command in run["commands"]:
                    self.assertEqual(pathlib.Path(command["argv"][0]).name, "known", line)
                if not run["commands"]:
                    self.assertEqual(run["outcome"], "not run", line)
        self.assertNotIn("evil", self.ran())

    def test_a_program_that_is_known_would_be_noticed(self):
        self.lit(["evil %s"], "--tool", f"evil={self.tests / 'evil'}", writes=self.marks)
        self.assertEqual(self.ran(), ["evil"])

    def test_no_code_of_the_test_is_loaded(self):
        lines = LOADS.split("\n")
        for line, run in zip(lines, self.lit(lines, "--tool", f"known={self.work / 'known'}", writes=self.marks)):
            self.assertEqual((run["outcome"], run["commands"]), ("not run", []), line)
        self.assertEqual(self.ran(), [])

    @unittest.skipUnless(HAS_LLVM, "FileCheck-22 is not installed")
    def test_nothing_is_written_elsewhere(self):
        self.lit(WRITES.split("\n"))

    @unittest.skipUnless(HAS_LLVM, "FileCheck-22 is not installed")
    def test_a_known_program_starts_no_other(self):
        [run] = self.lit(["mlir-opt %s --gpu-module-to-binary='toolkit=%S format=bin'"], writes=self.marks)
        self.assertEqual(run["outcome"], "failed")
        self.assertEqual(self.ran(), [])


if __name__ == "__main__":
    unittest.main()
