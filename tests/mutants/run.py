"""Changes the rules and the sessions in one place at a time, and runs the tests of that place.

    python -m tests.mutants.run [--share 0.1] [--seed 1] [--minutes 60] [path ...]

Prints each mutant that no test notices, and a table: mutants, those noticed, and their share.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from subprocess import run

from tests.mutants import processes
from tests.mutants.mutations import Mutation, mutations
from tests.mutants.testing import Recorded, changes_contract, record, survives

PARTS = ("variants", "kinds", "rules", "engine", "sessions")
TESTS = [
    *(f"tests/{part}" for part in PARTS),
    # These test processes, which don't have the mutant (see `processes`).
    "--ignore-glob=*/store/test_embedded*",
    "--ignore-glob=*/store/test_store_*",
]
ACCEPTED = Path(__file__).with_name("accepted.json")
"""Mutants that no test can or need notice: file, change and reason."""
RECORDED = Path("build/mutants")
"""What each test runs, a file for each commit."""
QUICKEST = 20
"""So many tests of a line run first: pytest takes longer to collect them all than to run these."""

PRELOADED = (
    *("flask", "hypothesis", "marshmallow", "numpy", "orjson", "pytest"),
    *("redis", "redis.cluster", "redis.sentinel", "yaml"),
)


def chosen(paths: Iterable[Path], share: float, seed: int) -> list[Mutation]:
    """A `share` of all mutations of the files, in random order."""
    found = [each for path in paths for each in mutations(path, str(path), seed)]
    rng = Random(seed)
    rng.shuffle(found)
    return found[: round(len(found) * share)]


def tests_of(
    mutation: Mutation, seconds: dict[str, float], lines: dict[str, dict[int, list[str]]]
) -> list[str]:
    """The tests that run the line, or the module if no test runs that line by itself.

    The quickest come first: most mutants are noticed within a second.

    Descriptions are run at the import, so their tests are those with the name of the module, and
    those that run any line of it; without any, the quickest of all.
    """
    of_file = lines.get(mutation.path, {})
    covering = set(of_file.get(mutation.line, ()))
    if not covering:
        covering = {test for tests in of_file.values() for test in tests}
        stem = Path(mutation.path).stem
        covering |= {test for test in seconds if f"test_{stem}.py" in test}
    return sorted(covering or seconds, key=lambda test: seconds[test])


def survives_all(mutant: Mutation, tests: Sequence[str], seconds: dict[str, float]) -> bool:
    """Whether no test notices the mutant, nor `make check`, which generates the contract.

    The tests of sessions that start processes come last.

    A test that takes far longer than its `seconds` has noticed it.
    """
    path = Path(mutant.path)
    source = mutant.apply(path.read_text())
    for some in filter(None, (tests[:QUICKEST], tests[QUICKEST:])):
        if not survives(path, source, some, 30 + 10 * sum(seconds[test] for test in some)):
            return False
    return not changes_contract(path, source) and processes.survives_in_processes(path, source)


def main() -> int:
    """Runs; 1 if a mutant survives that isn't accepted."""
    parser = ArgumentParser("python -m tests.mutants.run")
    parser.add_argument("paths", nargs="*", default=[f"service/{part}" for part in PARTS])
    parser.add_argument("--share", type=float, default=1.0, help="of all mutants")
    parser.add_argument("--seed", type=int, default=1, help="draws the mutants")
    parser.add_argument("--minutes", type=float, default=1e6, help="start no mutant after these")
    parser.add_argument("--recorded", type=Path, default=_of_commit(), help="what each test runs")
    asked = parser.parse_args()
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OPENBLAS_NUM_THREADS": "1"}
    began = time.monotonic()
    paths = sorted(
        path
        for given in map(Path, asked.paths)
        for path in ([given] if given.is_file() else given.rglob("*.py"))
    )
    accepted = {(each["file"], each["change"]) for each in json.loads(ACCEPTED.read_text())}
    for name in PRELOADED:
        import_module(name)
    with tempfile.TemporaryDirectory() as tables:
        os.environ["TESTS_SHARED_TABLES"] = tables
        mutants = chosen(paths, asked.share, asked.seed)
        seconds, lines = _recorded(asked.recorded)
        print(
            f"{len(mutants)} mutants; {len(seconds)} tests, {sum(seconds.values()):.0f} s of them"
        )
        made, noticed, known = Counter[str](), Counter[str](), Counter[str]()
        survivors = 0
        for mutant in mutants:
            if time.monotonic() - began > asked.minutes * 60:
                print(f"Out of time after {made.total()} of {len(mutants)} mutants.")
                break
            part = mutant.path.split("/")[1]
            made[part] += 1
            if made.total() % 50 == 0:
                print(f"{made.total()} mutants, {survivors} of them survive", file=sys.stderr)
            tests = tests_of(mutant, seconds, lines)
            if not survives_all(mutant, tests, seconds):
                noticed[part] += 1
                continue
            change = mutant.shown(Path(mutant.path).read_text())
            if (mutant.path, change) in accepted:
                known[part] += 1
                continue
            survivors += 1
            print(f"{mutant.path}:{mutant.line}: {change}  [{len(tests)} tests]", flush=True)
    _print_table(made, noticed, known)
    return int(survivors > 0)


def _of_commit() -> Path:
    """The file for what each test runs at this commit; a new one if something was changed since."""

    def git(*words: str) -> str:
        return run(["git", *words], check=True, capture_output=True, text=True).stdout

    if git("status", "--porcelain", "service", "tests"):
        (changed := RECORDED / "changed.json").unlink(missing_ok=True)
        return changed
    return RECORDED / f"{git('rev-parse', 'HEAD').strip()}.json"


def _recorded(file: Path) -> Recorded:
    """What each test runs, from `file`, which is written if it doesn't exist."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        record(TESTS, file)
    seconds, lines = json.loads(file.read_text())
    return seconds, {
        path: {int(line): tests for line, tests in of_file.items()}
        for path, of_file in lines.items()
    }


def _print_table(made: Counter[str], noticed: Counter[str], known: Counter[str]) -> None:
    print("\npart       mutants  noticed  accepted  score")
    for part in [*PARTS, "all"]:
        counts = [each.total() if part == "all" else each[part] for each in (made, noticed, known)]
        score = counts[1] / max(counts[0] - counts[2], 1)
        print(f"{part:9} {counts[0]:8} {counts[1]:8} {counts[2]:9}  {score:6.1%}")


if __name__ == "__main__":
    sys.exit(main())
