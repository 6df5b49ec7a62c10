"""The strategy for two players in Hold'em that comes with the service."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from service.advice.community import making
from service.advice.community.chances import exact_chances
from service.advice.community.outlooks import BYTE
from service.advice.community.position import CommunityPosition
from service.advice.community.rounds import FOLD, NODES, RAISE, Past, choices
from service.advice.community.strategy import FILE, PLACES, choose, strategy
from service.variants.texas_holdem_dice import VARIANT

RULES = VARIANT.default_rules


def dealt(source: Random, count: int) -> list[int]:
    """The codes of `count` dice from the bag."""
    suits = source.sample([suit for suit in range(4) for _ in range(5)], count)
    return [6 * suit + source.randrange(6) for suit in suits]


def test_is_a_probability() -> None:
    """The chances to fold and to raise are at most 1 together, and 0 where that isn't legal."""
    assert FILE.stat().st_size <= 2_000_000
    for places, plan in zip(PLACES, strategy().plans, strict=True):
        assert plan.shape[:3] == (len(places), len(NODES), 2)
        assert plan.astype(int).sum(2).max() <= BYTE
        for node in NODES:
            for index, choice in enumerate((FOLD, RAISE)):
                assert choice in choices(node) or not plan[:, node, index].any()


def test_chances() -> None:
    """Whoever has no bet to meet doesn't fold; what is unknown of the past takes the nearest."""
    classes = np.arange(8)
    chances = strategy().chances(0, Past(0), 0, classes)
    assert chances.shape == (3, 8)
    assert (chances.min(), chances[FOLD].max()) == (0, 0)
    assert chances.sum(0) == pytest.approx(np.ones(8))
    unknown = strategy().chances(1, Past(100), 5, classes)
    assert (unknown == strategy().chances(1, Past(4, 5), 5, classes)).all()


def test_choices() -> None:
    """A random number decides: at first there are folds, then checks or calls, then raises."""
    chances = np.array([[0.25, 0], [0.5, 0], [0.25, 1]])
    draws = [0, 0.24, 0.25, 0.74, 0.75, 0.99]
    assert [choose(chances, np.full(2, draw)).tolist() for draw in draws] == [
        [0, 2], [0, 2], [1, 2], [1, 2], [2, 2], [2, 2],
    ]  # fmt: skip


@pytest.mark.parametrize("count", [24, pytest.param(1_000, marks=pytest.mark.proof)])
def test_outlooks_are_exact(count: int) -> None:
    """What a hand wins on average of a pot is what is counted for `advise`; also, about, if there
    are several opponents.
    """
    source = Random(1)
    for number in range(count):
        stage, opponents = number % 4, 1 + number % 5
        pocket, community = (codes := dealt(source, 7))[:2], codes[2 : 2 + VARIANT.stages[stage]]
        outlooks = strategy().outlooks(RULES, pocket, community)
        assert len(outlooks) == stage + 1
        assert outlooks[-1].square[0] >= outlooks[-1].mean[0] ** 2 - 1 / BYTE
        for others, most in ((1, 0.5 / BYTE + 1e-6), (opponents, 0.08)):
            position = CommunityPosition(pocket, community, unknown=others)
            exact = exact_chances(VARIANT, RULES, position).equity
            assert outlooks[-1].against(others)[0] == pytest.approx(exact, abs=most)


def test_names_of_suits() -> None:
    """Hands that differ only in the names of suits are in one class, as they are in what wins."""
    source = Random(2)
    for stage in range(4):
        codes = dealt(source, 2 + VARIANT.stages[stage])
        other = [(die + 6) % 24 for die in codes]
        one, two = (
            strategy().class_of(strategy().outlooks(RULES, dice[:2], dice[2:]))
            for dice in (codes, other)
        )
        assert one == two


@pytest.mark.proof
def test_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command makes the table that comes with the service, and prints its exploitability.

    Another processor adds up in another order. What hands are worth is the same nevertheless, and
    plans differ where the strategy hardly ever comes.
    """
    output = tmp_path / "made.npy"
    monkeypatch.setattr("sys.argv", ["making", "--output", str(output)])
    making.main()
    printed = capsys.readouterr().out.split()
    assert int(printed[0]) == output.stat().st_size == FILE.stat().st_size
    assert float(printed[-1]) < 1
    made, kept = np.load(output), np.load(FILE)
    for name in kept.dtype.names:
        differences = np.abs(made[name].astype(float) - kept[name].astype(float))
        if name.startswith("plan"):
            assert differences.mean() < 5e-3 * 255, name
        else:
            rounding = 1 if kept[name].dtype == np.uint8 else 1e-6
            assert differences.max() <= rounding, name
