"""Two thousand whole games of all variants, through the service and a real store."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial

import pytest

from service.contract.actions import actions_of
from service.sessions.store.connect import connect
from service.sessions.store.redis_store import Store
from service.variants import variants
from tests.conftest import ADDED_GAMES
from tests.whole_games.playing import WholeGame
from tests.whole_games.requests import ACTIONS, GAMES, number_of_games

FIRST = 16
"""How many games are played first, to find out how long the others may be."""

OTHER_COUNTS = {
    "games",
    "actions",
    "refused",
    "rolls verified",
    "decisions of the clock",
    "moves of computers",
}


@cache
def store(url: str) -> Store:
    """The store at `url`, one for each process."""
    return Store(partial(connect, url))


def played(url: str, variant: str, number: int) -> Counter[str]:
    """The counts of a game that was played to its end."""
    return WholeGame(store(url), variant, number).play()


@pytest.mark.general
def test_random_games(
    variant: str,
    store_url: str,
    processes: ProcessPoolExecutor,
    capsys: pytest.CaptureFixture[str],
    pytestconfig: pytest.Config,
    share: int,
) -> None:
    """A player who only ever picks from the list of actions ends every game, and after each step
    all that `tests.whole_games.playing` checks holds.
    """
    found = variants()[variant]
    # the kinds of added games have been played by the service's own games
    share = max(share, 8) if pytestconfig.getoption(ADDED_GAMES) else share
    games = [processes.submit(played, store_url, variant, number) for number in range(FIRST)]
    lengths = [game.result()["actions"] for game in games if game.exception() is None]
    count = FIRST
    if lengths:
        count = number_of_games(GAMES[found.kind] // share, ACTIONS // share, lengths)
    games += [processes.submit(played, store_url, variant, n) for n in range(FIRST, count)]
    failed = [
        f"{error!r}\nagain: .venv/bin/python -m tests.whole_games {variant} {number}"
        for number, game in enumerate(games)
        if (error := game.exception()) is not None
    ]
    assert not failed, f"{len(failed)} games failed, the first: {failed[0]}"
    counts = sum([game.result() for game in games], Counter[str]())
    with capsys.disabled():
        print(
            f"\n{variant}: {counts['games']} games, {counts['actions']} actions, "
            f"{counts['decisions of the clock']} decisions of the clock, "
            f"{counts['moves of computers']} moves of computers, "
            f"{counts['refused']} refusals, {counts['rolls verified']} rolls verified"
        )
    assert counts["games"] == count
    declared = {action.name for action in actions_of(found)}
    assert set(counts) - OTHER_COUNTS == declared, "not all was done that can be"
