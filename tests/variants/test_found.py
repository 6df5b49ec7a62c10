"""Which games there are: the own ones, those of installed packages and of the setting VARIANTS."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from textwrap import dedent

import pytest

from service import variants as found
from service.rules.variant import WrongDescription
from tests.trial_games import seven_dice, three_dice


def test_modules_of_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules that VARIANTS names come last, in its order, each once."""
    names = (
        "tests.trial_games.three_dice, tests.trial_games.seven_dice,tests.trial_games.three_dice,"
    )
    own = [*found.variants("")]
    assert [*found.variants(names)] == [*own, "three-dice", "seven-dice"]
    assert found.variants(names)["seven-dice"] is seven_dice.VARIANT
    monkeypatch.setenv("VARIANTS", "tests.trial_games.three_dice")
    found.variants.cache_clear()
    assert [*found.variants()] == [*own, "three-dice"]
    monkeypatch.undo()
    found.variants.cache_clear()


def test_modules_of_installed_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of entry points come before those of VARIANTS."""
    point = EntryPoint("any name", "tests.trial_games.three_dice", found.GROUP)
    monkeypatch.setattr(
        found, "entry_points", lambda group: EntryPoints([point]).select(group=group)
    )
    found.variants.cache_clear()
    names = [*found.variants("tests.trial_games.seven_dice")]
    assert names[-2:] == ["three-dice", "seven-dice"]
    assert found.variants("")["three-dice"] is three_dice.VARIANT
    found.variants.cache_clear()


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("no_such_module", "can't be used: ModuleNotFoundError: No module named 'no_such_module'"),
        (
            "tests.trial_games",
            "can't be used: AttributeError: module 'tests.trial_games' has no attribute 'VARIANT'",
        ),
    ],
)
def test_a_module_without_a_variant(module: str, told: str) -> None:
    """A module that can't be imported, or has no variant, is named."""
    with pytest.raises(WrongDescription) as error:
        found.variants(module)
    assert str(error.value) == f"the module {module} {told}"


def test_what_is_no_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something else called VARIANT is refused."""
    (tmp_path / "no_game.py").write_text("VARIANT = 'poker'\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(WrongDescription) as error:
        found.variants("no_game")
    assert str(error.value) == (
        "VARIANT in the module no_game is not a Ranking, CommunityRanking, ScoreCard or Layout"
    )


def test_an_id_that_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second variant with an id is refused; the message names both modules."""
    source = """
        from dataclasses import replace
        from tests.trial_games.three_dice import VARIANT
        VARIANT = replace(VARIANT, id="poker-dice")
    """
    (tmp_path / "other_poker.py").write_text(dedent(source))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(WrongDescription) as error:
        found.variants("other_poker")
    assert str(error.value) == (
        "the module other_poker has a variant 'poker-dice', but service.variants.poker_dice has "
        "one of that id"
    )
    del sys.modules["other_poker"]
