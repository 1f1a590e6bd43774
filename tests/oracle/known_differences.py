"""What is not equal, and why: the one table. A line names comparisons as program/form/mode (each part may be a pattern) or, for a file
that cannot be made, program/form; `outcome` is a regular expression on what the comparison says."""
import dataclasses
import fnmatch


@dataclasses.dataclass(frozen=True)
class Known:
    reason: str
    outcome: str
    names: tuple


def known(reason, outcome, names):
    return Known(reason, outcome, tuple(names.split()))


KNOWN = []


def find(label):
    for entry in KNOWN:
        for name in entry.names:
            if fnmatch.fnmatchcase(label, name) and name.count("/") == label.count("/"):
                return entry
    return None
