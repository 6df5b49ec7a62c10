"""The variants that the service finds: its own, those of installed packages and of VARIANTS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.rules.variant import WrongDescription
from service.variants import GROUP, SETTING, own_variants, variants
from tests.trial_games import seven_dice, three_dice

THREE, SEVEN = "tests.trial_games.three_dice", "tests.trial_games.seven_dice"


@pytest.fixture(autouse=True)
def uncached() -> Iterator[None]:
    """Each test looks for the variants anew, and so does whatever runs afterwards."""
    variants.cache_clear()
    yield
    variants.cache_clear()


def test_modules_of_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules that VARIANTS names come last, in its order, each once."""
    without = [*variants("")]
    monkeypatch.setenv(SETTING, f"{THREE}, {SEVEN},{THREE},")
    assert [*variants()] == [*without, "three-dice", "seven-dice"]
    assert variants()["seven-dice"] is seven_dice.VARIANT


def test_an_argument_replaces_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a caller names modules, those of VARIANTS are not loaded."""
    without = [*variants("")]
    monkeypatch.setenv(SETTING, THREE)
    assert [*variants(SEVEN)] == [*without, "seven-dice"]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Installs a package with an entry point of this value."""

    def installed(value: str) -> None:
        metadata = tmp_path / "trial_games-1.0.dist-info"
        metadata.mkdir()
        head = "Metadata-Version: 2.1\nName: trial-games\nVersion: 1.0\n"
        (metadata / "METADATA").write_text(head)
        (metadata / "entry_points.txt").write_text(f"[{GROUP}]\nany name = {value}\n")
        monkeypatch.syspath_prepend(tmp_path)

    return installed


def test_modules_of_installed_packages(install: Callable[[str], None]) -> None:
    """The modules of entry points come after the service's own and before those of VARIANTS."""
    install(THREE)
    found = [*variants(SEVEN)]
    own = [*own_variants()]
    assert found[: len(own)] == own
    assert found[-1] == "seven-dice"
    assert "three-dice" in found[len(own) : -1]
    assert variants("")["three-dice"] is three_dice.VARIANT


@pytest.mark.parametrize(
    "value",
    [f"{THREE}:VARIANT", f"{THREE}:OTHER", f"{THREE} [extra]", "not a module", "", "3.dice"],
)
def test_entry_points_that_name_no_module(value: str, install: Callable[[str], None]) -> None:
    """An entry point must be the name of a module: its VARIANT is the game, and no other object."""
    install(value)
    with pytest.raises(WrongDescription) as refused:
        variants("")
    assert str(refused.value) == (
        f"the entry point 'any name' in {GROUP} must have the dotted name of a module, such as "
        f"my_games.pairs, not {value!r}"
    )


@pytest.mark.parametrize("name", ["../x", ".rel", "a b", "a..b", "x.py:VARIANT"])
def test_names_that_are_not_modules(name: str) -> None:
    """Whatever isn't a dotted name is refused as such, and never imported."""
    with pytest.raises(WrongDescription) as refused:
        variants(f"{THREE},{name}")
    assert str(refused.value) == (
        f"{SETTING} must have the dotted name of a module, such as my_games.pairs, not {name!r}"
    )


@pytest.mark.parametrize(
    ("module", "error"),
    [
        (
            "no_such_module",
            "the module no_such_module can't be used: ModuleNotFoundError: No module named "
            "'no_such_module'",
        ),
        (
            "tests.trial_games",
            "the module tests.trial_games can't be used: AttributeError: module "
            "'tests.trial_games' has no attribute 'VARIANT'",
        ),
        (
            "tests.trial_games.wrong.not_a_variant",
            "VARIANT in the module tests.trial_games.wrong.not_a_variant must be of one of "
            "the kinds ranking, community, scorecard, layout",
        ),
        (
            "tests.trial_games.wrong.taken_id",
            "the module tests.trial_games.wrong.taken_id has a variant 'poker-dice', but "
            "service.variants.poker_dice already has one with this id",
        ),
    ],
    ids=["no module", "no VARIANT", "of no kind", "id taken"],
)
def test_modules_that_are_refused(module: str, error: str) -> None:
    """The error for a module that can't be imported, has no variant, or one whose id another
    variant has, names the module.
    """
    with pytest.raises(WrongDescription) as refused:
        variants(module)
    assert str(refused.value) == error
