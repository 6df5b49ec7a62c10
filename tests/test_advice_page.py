"""The requests of `docs/advice.md`, answered exactly as it prints them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.from_outside import printed_requests
from tests.live import ROOT, Service

PAGE = ROOT / "docs" / "advice.md"


def test_requests_are_answered_as_printed(service: Service) -> None:
    """Each curl command of the page gets the answer that stands below it, byte for byte."""
    requests = printed_requests(PAGE)
    assert len(requests) == PAGE.read_text().count(" curl -s ")
    for printed in requests:
        reply = service.ask("POST", printed.path, printed.body, printed.headers)
        assert reply.body.decode().rstrip("\n") == printed.answer


@pytest.mark.parametrize(
    "library", ["community.chances", pytest.param("tables.prepare", marks=pytest.mark.proof)]
)
def test_python_prints_what_its_comment_says(tmp_path: Path, library: str) -> None:
    """The last expression of each Python program has the value in its comment, as far as that goes.

    The table of the second one is made in a folder of its own, which takes seconds.
    """
    programs = re.findall(r"```python\n(.*?)\n```", PAGE.read_text(), re.DOTALL)
    (program,) = [each for each in programs if library in each]
    start, last = program.rstrip().rsplit("\n", 1)
    expression, value = last.split("  # ")
    done = subprocess.run(
        [sys.executable, "-c", f"{start}\nprint({expression})"],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(value.removesuffix("..."))
