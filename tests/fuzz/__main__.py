"""Fuzzes every parser: `python -m tests.fuzz --minutes 10 [NAME ...]`, two at a time.

Prints how many inputs each one got, and how many places of the code these reached: those it began
with, and all of them. Keeps inputs in `build/fuzz`, with each `crash-...` that failed a check.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.parser import NAMES

AT_A_TIME = 2

LONGEST = 1 << 14
"""The longest input, in bytes."""

TIMEOUT = 20
"""How many seconds one input may take."""

BUILD = Path("build", "fuzz")

_BEGAN = re.compile(r"INITED +cov: (\d+)")
_COVERED = re.compile(r"cov: (\d+)")
_TRIED = re.compile(r"stat::number_of_executed_units: (\d+)")


def main() -> int:
    """Fuzzes, and returns 1 if a check failed. Without a fuzzer, it says so and returns 0."""
    options = ArgumentParser(prog="python -m tests.fuzz")
    options.add_argument("--minutes", type=float, default=10, help="for each parser")
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    given = options.parse_args()
    if unknown := set(given.names) - set(NAMES):
        options.error(f"no parser: {', '.join(sorted(unknown))}")
    if find_spec("atheris") is None:
        print("NOT FUZZED: atheris, the fuzzer, is only for Python 3.11 to 3.13 on Linux, x86-64.")
        return 0
    print(f"{'parser':<16}{'inputs':>12}{'places':>16}", flush=True)
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        fuzzed = list(pool.map(partial(_fuzz, round(60 * given.minutes)), given.names or NAMES))
    return 0 if all(fuzzed) else 1


def _fuzz(seconds: int, name: str) -> bool:
    """Fuzzes one parser, and returns whether all checks passed."""
    folder = BUILD / name
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log"
    words = [sys.executable, "-m", "tests.fuzz.one", name, str(folder)]
    limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-timeout={TIMEOUT}"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary, log.open("wb") as to:
        ended = subprocess.run(
            [*words, *limits, "-print_final_stats=1", "-rss_limit_mb=4096"],
            env={**os.environ, "TMPDIR": temporary, "DATA_DIR": temporary, "PYTHONHASHSEED": "0"},
            stdin=subprocess.DEVNULL,
            stdout=to,
            stderr=to,
            check=False,
        )
    text = log.read_text(errors="replace")
    began, tried = _BEGAN.search(text), _TRIED.search(text)
    if ended.returncode or not began or not tried:
        lines = [line for line in text.splitlines() if not line.startswith(("#", "INFO:"))]
        print("\n".join((f"{name}: FAILED. See {folder}; the end of its log:", *lines[-40:])))
        return False
    places = f"{int(began[1]):,} {int(_COVERED.findall(text)[-1]):,}"
    print(f"{name:<16}{int(tried[1]):>12,}{places:>16}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
