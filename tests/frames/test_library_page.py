"""The programs of docs/library.md, by what each is about."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.live import ROOT

PAGE = (ROOT / "docs" / "library.md").read_text()

PROGRAM = re.compile(r"(\w+)\n.*?```python\n(.*?)\n```", re.DOTALL)

PROGRAMS = {
    found[1]: found[2] for section in PAGE.split("\n## ") if (found := PROGRAM.match(section))
}
"""The program of each section that has one, by the heading."""


def test_each_library_has_a_program() -> None:
    """There is one for each of the four libraries, one for errors, and no other."""
    assert list(PROGRAMS) == ["NumPy", "pandas", "polars", "DuckDB", "Errors"]
    assert len(PROGRAMS) == PAGE.count("```python")


@pytest.mark.parametrize("library", PROGRAMS)
def test_program_prints_what_its_comment_says(library: str) -> None:
    """A program has at most five lines below its imports, raises no warning, and prints its last
    line.
    """
    imports, program = PROGRAMS[library].split("\n\n")
    code, printed = program.rsplit("\n# ", 1)
    assert len(code.splitlines()) <= 5
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"{imports}\n{code}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{printed}\n", "")
