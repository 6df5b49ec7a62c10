"""From the start of a process to its first answer: `import service`, make the app, evaluate."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUNS = 15

PROGRAM = """
import service.app
client = service.app.create_app().test_client()
answer = client.post("/v1/variants/texas-holdem-dice/evaluate", json={
    "pocket": ["6r", "6b"], "community": ["6w", "6y", "2r", "3b", "4w"]})
assert answer.status_code == 200
"""


def seconds(program: str) -> float:
    """How long a fresh interpreter takes for `program`."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
    return time.perf_counter() - started


def main() -> None:
    """Prints the median, and that of an interpreter that does nothing."""
    seconds(PROGRAM)
    pairs = [(seconds(PROGRAM), seconds("pass")) for _ in range(RUNS)]
    own, empty = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"first answer {own:.2f} s after process start (an empty Python: {empty:.2f} s)")


if __name__ == "__main__":
    main()
