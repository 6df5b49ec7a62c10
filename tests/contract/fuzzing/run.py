"""Tries the whole contract against a live service: schemathesis with all its checks on.

schemathesis.toml declares what the rules refuse but no schema can express. Fails unless enough was
tried: cases, links from one operation of sessions to the next, and actions in games; each minimum
leaves room. With fewer than `CASES`, only some of the games are tried. Further arguments are passed
on to schemathesis.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from service.kinds.scorecard.variant import ScoreCard
from service.settings import Settings
from service.tables.prepare import wait_for_table
from service.variants import dice_poker, yahtzee_deluxe
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

AT_A_TIME = 3

CASES = 20_000
"""Of those tried, 22,900, a third are the 200 fuzzed cases of each operation."""

LINKS, ACTIONS, DEEP = 12, 66, 4
"""How much each run that follows links does at least. Each follows 16, from making, reading and
acting to all operations of a session.
"""


def runs(cases: int) -> list[tuple[str, ...]]:
    """The arguments of the runs of schemathesis that try at least `cases` cases together."""
    tries = ("--phases", "examples,coverage,fuzzing")
    if cases < CASES:
        fewer = (*tries, "--max-examples", str(100 * cases // CASES))
        return [
            (*fewer, "--include-path-regex", "^/v1/variants/(dice-poker|poker-dice)/"),
            (*fewer, "--exclude-path-regex", FIRST_HALF),
            ("--phases", "stateful", "--seed", str(SEEDS[0])),
        ]
    return [
        (*tries, "--include-path-regex", FIRST_HALF),
        (*tries, "--exclude-path-regex", FIRST_HALF),
        *(("--phases", "stateful", "--seed", str(seed)) for seed in SEEDS),
    ]


def main() -> int:
    """Runs schemathesis; returns 1 if a run failed or all of them together tried too little."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=CASES, help="about how many to try at least")
    options, passed_on = parser.parse_known_args()
    cards: list[ScoreCard] = [dice_poker.VARIANT]
    if options.cases >= CASES:
        cards.append(yahtzee_deluxe.VARIANT)
    asked = runs(options.cases)
    stateful = sum("stateful" in run for run in asked)
    with (
        tempfile.TemporaryDirectory() as folder,
        running(WEB_CONCURRENCY="2", DATA_DIR=folder) as service,
    ):
        for card in cards:  # so that advice is seldom refused for want of a table
            wait_for_table(card, card.default_rules, Settings(data_dir=folder))
        contract = Path(folder, "openapi.json")
        store = f"unix://{folder}/store.sock"
        made = yaml.safe_load((ROOT / "openapi.yaml").read_text())
        contract.write_text(json.dumps(with_deep_links(exact(made))))
        url = f"http://127.0.0.1:{service.port}"
        arguments = [(str(contract), "--url", url, *run, *passed_on) for run in asked]
        with ThreadPoolExecutor(AT_A_TIME) as pool:
            ended = [*pool.map(lambda each: _run(store, *each), arguments)]
    output = "".join(text for _, text in ended)
    enough = [
        _counted(output, r"([\d,]+) generated", "cases tried", options.cases),
        _counted(output, r"API Links: +(\d+) covered", "links followed", LINKS * stateful),
        _counted(output, rf"(\d+) {DONE}", "actions done", ACTIONS * stateful),
        _counted(output, rf"(\d+) {DEEP_DONE}", "sessions played deep", DEEP * stateful),
        _counted(output, rf"(\d+) {TRIED}", "runs that deleted with bad tokens", stateful),
    ]
    return int(any(status for status, _ in ended) or not all(enough))


def _run(store: str, *arguments: str) -> tuple[int, str]:
    """Runs schemathesis on a service with its `store`; returns the exit status and the output.

    The output is printed at the end, or those of two runs would mix.
    """
    st = str(Path(sys.executable).with_name("st"))
    done = subprocess.run(
        [sys.executable, st, "--config-file", "schemathesis.toml", "run", *arguments],
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
