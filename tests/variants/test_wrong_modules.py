"""A module from outside that can't be used ends the start with one sentence, never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from service import variants as games
from service.api.operations.registry import operations
from service.rules.variant import WrongDescription
from tests.cli.commands import ran, said
from tests.trial_games import three_dice

# mypy and ruff would refuse these modules as files of this repository
WRONG = {
    "VARIANT = Rankng()": "NameError: name 'Rankng' is not defined",
    "VARIANT = (": "SyntaxError: '(' was never closed (wrong_game.py, line 1)",
    "import numpyy": "ModuleNotFoundError: No module named 'numpyy'",
    "raise ValueError('of\\ntwo lines')": "ValueError: of two lines",
    "raise RuntimeError": "RuntimeError",
    "raise SystemExit(0)": "SystemExit: 0",
    "from service.rules.variant import Example; VARIANT = Example('evaluate')": (
        "TypeError: Example.__init__() missing 2 required positional arguments: "
        "'summary' and 'request'"
    ),
    "from dataclasses import replace; from tests.trial_games.three_dice import VARIANT; "
    "VARIANT = replace(VARIANT, rolls='1')": ("three-dice: rolls: must be a whole number, not '1'"),
}
"""Sources of modules, and why they can't be used."""

OPERATIONS = [operation.name for operation in operations([three_dice.VARIANT])] + ["batch"]

UNKNOWN_OPERATION = """
from dataclasses import replace
from service.rules.variant import Example
from tests.trial_games.three_dice import VARIANT

VARIANT = replace(VARIANT, examples=(Example("score", "A card", {"card": {}}),))
"""


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """What is said of the module `wrong_game` with a source."""

    def said(source: str) -> str:
        (tmp_path / "wrong_game.py").write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        games.variants.cache_clear()
        with pytest.raises(WrongDescription) as error:
            games.variants("wrong_game")
        sys.modules.pop("wrong_game", None)  # it may have been imported
        return str(error.value)

    return said


@pytest.mark.parametrize(("source", "reason"), WRONG.items(), ids=WRONG.values())
def test_the_module_and_the_reason_are_named(
    source: str, reason: str, refused: Callable[[str], str]
) -> None:
    """Whatever the module raises becomes one sentence with its name and the reason."""
    assert refused(source) == f"the module wrong_game can't be used: {reason}"


OF_NO_KIND = {
    "another class with a kind": "from types import SimpleNamespace\n"
    "VARIANT = SimpleNamespace(id='three-dice', kind='ranking')",
    "a variant of another kind": "from dataclasses import fields\n"
    "from tests.trial_games.three_dice import VARIANT\n"
    "given = {each.name: getattr(VARIANT, each.name) for each in fields(VARIANT) if each.init}\n"
    "VARIANT = type('Tarot', (type(VARIANT),), {'kind': 'tarot'})(**given)",
}
"""Sources of modules whose games can't be played: the service knows no rules for them."""


@pytest.mark.parametrize("source", OF_NO_KIND.values(), ids=OF_NO_KIND)
def test_a_kind_is_a_class_and_a_name(source: str, refused: Callable[[str], str]) -> None:
    """A variant must be an instance of the class and have a kind that the service knows."""
    assert refused(source) == (
        "VARIANT in the module wrong_game must be of one of the kinds ranking, community, "
        "scorecard, layout"
    )


@pytest.mark.parametrize(
    ("command", "source", "message"),
    [
        pytest.param(
            [],
            "import sys; sys.exit(0)",
            "The service can't start: the module wrong_game can't be used: SystemExit: 0.",
            marks=pytest.mark.fault,
        ),
        (
            [],
            "VARIANT = Rankng()",
            "The service can't start: the module wrong_game can't be used: "
            "NameError: name 'Rankng' is not defined.",
        ),
        pytest.param(
            [],
            UNKNOWN_OPERATION,
            "The service can't start: three-dice: examples: 'score' is not one of its operations: "
            f"{', '.join(OPERATIONS)}.",
            marks=pytest.mark.fault,
        ),
        (
            ["score", "poker-dice", "no such file"],
            "VARIANT = Rankng()",
            "The games can't be used: the module wrong_game can't be used: "
            "NameError: name 'Rankng' is not defined.",
        ),
    ],
    ids=["service, exit", "service", "service, wrong example", "score"],
)
def test_the_start_ends(command: list[str], source: str, message: str, tmp_path: Path) -> None:
    """Service and commands end at once; below the service's first line is that sentence alone."""
    (tmp_path / "wrong_game.py").write_text(source)
    ended = ran(*command, VARIANTS="wrong_game", PYTHONPATH=str(tmp_path))
    expected = (78, "") if command else (1, "Starting the service ...\n")
    assert said(ended) == (*expected, f"{message}\n")
