"""Tries the whole contract against a live service: schemathesis with all its checks on.

schemathesis.toml declares what the rules refuse but no schema can express. Fails unless enough was
tried: cases, links from one operation of sessions to the next, and actions in games; each minimum
leaves room. Arguments are passed on to schemathesis.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from tests.contract.exact import exact
from tests.contract.fuzzing.deep_links import with_deep_links
from tests.contract.fuzzing.protocol import DEEP_DONE, DONE, STORE, TRIED
from tests.live import ROOT, running

SEEDS = (1, 2, 3)
"""The seeds of the runs that follow links. The service's own dice are random, so Hypothesis may
find that a scenario has changed, and then silently ends the run: the other runs still count.
"""

FIRST_HALF = "^/v1/variants/(dice-poker|yahtzee-deluxe|poker-dice)/"
"""The operations whose fuzzing takes about as long as that of all others."""

RUNS = (
    ("--phases", "examples,coverage,fuzzing", "--include-path-regex", FIRST_HALF),
    ("--phases", "examples,coverage,fuzzing", "--exclude-path-regex", FIRST_HALF),
    *(("--phases", "stateful", "--seed", str(seed)) for seed in SEEDS),
)

AT_A_TIME = 3

LEAST_CASES = 20_000
"""Of those tried, 22,900, a third are the 200 fuzzed cases of each operation."""

LEAST_LINKS = 12 * len(SEEDS)
"""Each run follows 16, from making, reading and acting to all operations of a session."""

LEAST_ACTIONS = 200
LEAST_DEEP = 12


def main() -> int:
    """Runs schemathesis; returns 1 if a run failed or all of them together tried too little."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(WEB_CONCURRENCY="2", DATA_DIR=folder) as service,
    ):
        _prepare(folder)
        contract = Path(folder, "openapi.json")
        store = f"unix://{folder}/store.sock"
        made = yaml.safe_load((ROOT / "openapi.yaml").read_text())
        contract.write_text(json.dumps(with_deep_links(exact(made))))
        url = f"http://127.0.0.1:{service.port}"
        arguments = [(str(contract), "--url", url, *run, *sys.argv[1:]) for run in RUNS]
        with ThreadPoolExecutor(AT_A_TIME) as pool:
            ended = [*pool.map(lambda each: _run(store, *each), arguments)]
    output = "".join(text for _, text in ended)
    enough = [
        _counted(output, r"([\d,]+) generated", "cases tried", LEAST_CASES),
        _counted(output, r"API Links: +(\d+) covered", "links followed", LEAST_LINKS),
        _counted(output, rf"(\d+) {DONE}", "actions done", LEAST_ACTIONS),
        _counted(output, rf"(\d+) {DEEP_DONE}", "sessions played deep", LEAST_DEEP),
        _counted(output, rf"(\d+) {TRIED}", "runs that deleted with bad tokens", len(SEEDS)),
    ]
    return int(any(status for status, _ in ended) or not all(enough))


def _prepare(folder: str) -> None:
    """Makes the tables of default rules, so that advice is seldom refused for want of a table."""
    environment = {**os.environ, "DATA_DIR": folder}
    subprocess.run(
        [sys.executable, "-m", "service.tables.prepare"], cwd=ROOT, env=environment, check=True
    )


def _run(store: str, *arguments: str) -> tuple[int, str]:
    """Runs schemathesis on a service with its `store`; returns the exit status and the output.

    The output is printed at the end, or those of two runs would mix.
    """
    st = str(Path(sys.executable).with_name("st"))
    done = subprocess.run(
        [st, "--config-file", "schemathesis.toml", "run", *arguments],
        cwd=ROOT,
        env={**os.environ, "NO_PROXY": "127.0.0.1", STORE: store},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(done.stdout, flush=True)
    return done.returncode, done.stdout


def _counted(output: str, pattern: str, what: str, least: int) -> bool:
    """Whether the numbers that `pattern` finds add up to at least `least`; prints both."""
    count = sum(int(found.replace(",", "")) for found in re.findall(pattern, output))
    print(f"{count} {what}, at least {least} wanted")
    return count >= least


if __name__ == "__main__":
    sys.exit(main())
