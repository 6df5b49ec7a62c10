"""What the pages print, compared with what the service does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from service.app import create_app
from service.settings import Settings
from tests.cli.commands import ran
from tests.from_outside import HERE, PAGES, printed_requests
from tests.live import ROOT, Service

ADVICE = ROOT / "docs" / "advice.md"
PYTHON = re.compile(r"```python\n(.*?)\n```", re.DOTALL)


@pytest.mark.parametrize(
    "page",
    [*(pytest.param(page, marks=pytest.mark.smoke) for page in PAGES), ADVICE],
    ids=lambda page: page.name,
)
def test_requests_are_answered_as_printed(service: Service, page: Path) -> None:
    """Each curl command of a page gets the answer that stands below it, byte for byte."""
    requests = printed_requests(page)
    assert len(requests) == page.read_text().replace("'", "").count(" curl -s http") > 0
    for printed in requests:
        reply = service.ask("POST", printed.path, printed.body, printed.headers)
        assert reply.body.decode().rstrip("\n") == printed.answer


@pytest.mark.smoke
def test_arrow_is_answered_as_printed(service: Service) -> None:
    """The Arrow client of docs/batches.md, run as it stands, prints what its last line says."""
    (program,) = PYTHON.findall((ROOT / "docs" / "batches.md").read_text())
    _, expected = program.rsplit("# ", 1)
    done = ran(program=program.replace(HERE, f"http://127.0.0.1:{service.port}"))
    assert (done.returncode, done.stdout.strip()) == (0, expected)


@pytest.mark.smoke
def test_a_game_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game of docs/own-games.md is found under its name, and is played with its own box."""
    (game,) = PYTHON.findall((ROOT / "docs" / "own-games.md").read_text())
    (tmp_path / "pairs.py").write_text(game)
    monkeypatch.syspath_prepend(tmp_path)
    client = create_app(Settings(variants="pairs")).test_client()
    asked = {"dice": [1, 1, 2, 2, 3], "open_boxes": ["two_pairs", "chance"]}
    answer = client.post("/v1/variants/pairs/evaluate", json=asked).get_json()
    assert answer == {
        "variant": "pairs",
        "scores": {"chance": 9, "two_pairs": 15},
        "best": {"box": "two_pairs", "score": 15},
    }
    described = client.get("/v1/variants/pairs", headers={"Accept-Language": "de"}).get_json()
    box = next(box for box in described["boxes"] if box["id"] == "two_pairs")
    assert (described["name"], box["name"], box["needs"]) == (
        "Paare",
        "Zwei Paare",
        "Paare zweier Zahlen",
    )


@pytest.mark.smoke
def test_crossword_is_drawn_as_it_lies() -> None:
    """The drawing of a crossword in docs/requests.md is the grid of the answer that follows it."""
    _, after = (ROOT / "docs" / "requests.md").read_text().split("```text\n")
    drawing, rest = after.split("\n```", 1)
    answer = next(line for line in rest.splitlines() if line.startswith("{"))
    drawn = {
        (row, column): line[3 * column : 3 * column + 2]
        for row, line in enumerate(drawing.splitlines())
        for column in range(5)
        if line[3 * column : 3 * column + 2].strip()
    }
    assert drawn == {(die["row"], die["column"]): die["card"] for die in json.loads(answer)["grid"]}


@pytest.mark.parametrize(
    "library", ["community.chances", pytest.param("tables.prepare", marks=pytest.mark.proof)]
)
def test_advice_in_python_prints_what_its_comment_says(tmp_path: Path, library: str) -> None:
    """The last expression of each Python program has the value in its comment, as far as that goes.

    The table of the second one is made in a folder of its own, which takes seconds.
    """
    (program,) = [each for each in PYTHON.findall(ADVICE.read_text()) if library in each]
    start, last = program.rstrip().rsplit("\n", 1)
    expression, value = last.split("  # ")
    done = ran(program=f"{start}\nprint({expression})", DATA_DIR=str(tmp_path))
    assert done.stdout.startswith(value.removesuffix("...")), done.stderr
