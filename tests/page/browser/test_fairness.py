"""Verification: the browser draws the dice of a finished game again, from its seed."""

from __future__ import annotations

import copy
import hashlib
import json
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.api.sessions.playing import make
from tests.live import Service
from tests.page.browser.game import Game, new_game
from tests.page.browser.visitor import ELSEWHERE, Visit, labels
from tests.whole_games.legal_player import choose, moves

TRUE = "Yes. Every die follows from the seed."
FORGED = "No. This history is not what the service rolled."
MISSING = "Version {} is missing from it."
NOT_THE_COMMITMENT = "The SHA-256 of the seed is not the commitment from the start."


@pytest.fixture
def finished(visit: Visit) -> Game:
    """A game of poker dice that was played to its end."""
    game = new_game(visit, "poker-dice")
    game.play_elsewhere()
    return game


def _verify(page: Page, history: str) -> None:
    """Pastes a history, and has it verified."""
    page.get_by_label("Paste the history of a finished game").fill(history)
    page.get_by_role("button", name="Verify").click()


def test_true(finished: Game) -> None:
    """From the end of a game, one click leads to the proof of its dice."""
    finished.page.get_by_role("link", name="Were the dice fair?").click()
    expect(finished.page.locator(".verdict")).to_have_text(
        "Yes. Every die follows from the seed."
        "The seed belongs to the commitment, and gives all rolls that were shown."
    )


def test_over_plain_http(service: Service, visit: Visit) -> None:
    """A phone that plays at this machine's address over plain HTTP has no WebCrypto, and verifies
    the dice all the same: it finds out true and false ones.
    """
    visitor = visit()
    visitor.allows("Cross-Origin-Opener-Policy")  # which browsers ignore over plain HTTP
    visitor.origin = f"http://{ELSEWHERE}:{service.port}"
    game = Game(visitor)
    game.set_up("poker-dice", rules={"rounds": 1})
    assert game.page.evaluate("crypto.subtle === undefined")
    game.play_to_the_end()
    history = game.read(service, "/events")
    game.page.get_by_role("link", name="Were the dice fair?").click()
    verdict = game.page.locator(".verdict strong")
    expect(verdict).to_have_text(TRUE)
    roll = [each for each in _steps(history) if each.get("dice")][-1]
    roll["dice"][-1] = roll["dice"][-1] % 6 + 1
    game.page.get_by_text("Another history").click()
    _verify(game.page, json.dumps(history))
    expect(verdict).to_have_text(FORGED)


def test_one_die_to_begin(visit: Visit, service: Service) -> None:
    """A game that began with one die each is verified, too; its sheet is in the order of play."""
    rules = {"starting_throw": "one_die", "direction": "counter_clockwise"}
    game = new_game(visit, "yahtzee-deluxe", ("Ann", "Ben", "Cay"), rules)
    order = game.read(service)["state"]["order"]
    assert order in (["Ann", "Cay", "Ben"], ["Ben", "Ann", "Cay"], ["Cay", "Ben", "Ann"])
    expect(game.page.locator(".sheet thead th")).to_have_text(["Box", *order])
    game.play_elsewhere()
    game.page.get_by_role("link", name="Were the dice fair?").click()
    expect(game.page.locator(".verdict strong")).to_have_text(TRUE)


def test_tampered(finished: Game, service: Service, visit: Visit) -> None:
    """If one die of a history was changed, the page says which roll has other dice than the seed
    gives, and shows both. It needs no seat in the game.
    """
    history = finished.read(service, "/events")
    roll = next(each for each in history["events"] if each.get("dice"))
    true = roll["dice"]
    roll["dice"] = [true[0] % 6 + 1, *true[1:]]
    page = visit().open("#/verify")
    _verify(page, json.dumps(history))
    verdict = page.locator(".verdict")
    expect(verdict.locator("strong")).to_have_text(FORGED)
    expect(verdict.locator("p")).to_have_text(
        f"Version {roll['version']} has other dice than the seed gives."
    )
    rows = [labels(row.locator("svg.die")) for row in verdict.locator(".row").all()]
    assert rows == [[str(die) for die in dice] for dice in (roll["dice"], true)]


def test_a_commitment_that_nobody_saw(finished: Game, service: Service, visit: Visit) -> None:
    """Of a history from elsewhere, the page doesn't say that its commitment came first: it says
    what to compare it with. A device that played has seen it, and says nothing.
    """
    unseen = "This device didn\u2019t see the commitment before"
    page = visit().open("#/verify")
    _verify(page, json.dumps(finished.read(service, "/events")))
    expect(page.locator(".verdict.true")).to_contain_text(unseen)
    finished.page.get_by_role("link", name="Were the dice fair?").click()
    expect(finished.page.locator(".verdict.true")).not_to_contain_text(unseen)


def test_another_seed(finished: Game, service: Service, visit: Visit) -> None:
    """A seed that was not the one of the commitment is found out."""
    history = finished.read(service, "/events")
    seed = history["fairness"]["seed"]
    history["fairness"]["seed"] = ("0" if seed[0] != "0" else "1") + seed[1:]
    page = visit().open("#/verify")
    _verify(page, json.dumps(history))
    expect(page.locator(".verdict strong")).to_have_text(FORGED)
    expect(page.locator(".verdict p")).to_have_text(NOT_THE_COMMITMENT)
    digest = hashlib.sha256(bytes.fromhex(history["fairness"]["seed"])).hexdigest()
    for shown in (digest, history["fairness"]["commitment"]):
        expect(page.locator(".proof")).to_contain_text(shown)


def test_another_seed_with_its_commitment(finished: Game) -> None:
    """A service that changes the seed and the commitment after the start is found out: the device
    has kept the commitment that it saw first, and shows both.
    """
    proof = finished.seat()["proof"]

    def changed(route: Route) -> None:
        history = route.fetch().json()
        seed = "00" * 32
        commitment = hashlib.sha256(bytes(32)).hexdigest()
        history["fairness"] |= {"seed": seed, "commitment": commitment}
        del history["id"]  # by which it could look like another game's
        route.fulfill(json=history)

    finished.page.route("**/events", changed)
    finished.page.get_by_role("link", name="Were the dice fair?").click()
    expect(finished.page.locator(".verdict p")).to_have_text(NOT_THE_COMMITMENT)
    for shown in (proof, hashlib.sha256(bytes(32)).hexdigest()):
        expect(finished.page.locator(".proof")).to_contain_text(shown)


def test_an_end_that_was_cut_off(finished: Game) -> None:
    """A history without the last event, which says that there was none, is found out: the device
    has seen a later version.
    """
    last = finished.version

    def cut(route: Route) -> None:
        history = route.fetch().json()
        history["version"] -= 1
        del history["events"][-1]
        route.fulfill(json=history)

    finished.page.route("**/events", cut)
    finished.page.get_by_role("link", name="Were the dice fair?").click()
    expect(finished.page.locator(".verdict p")).to_have_text(MISSING.format(last))


@pytest.fixture(scope="module")
def poker(own_service: Service) -> dict[str, Any]:
    """The history of a game of Hold'em with showdowns, as the table sees it: pockets are hidden."""
    session, chance = make(own_service, "texas-holdem-dice", "Ann", "Ben"), Random(5)
    now = session.made
    while now["actions"]:
        now = session.act(**choose(chance, moves(now["actions"]), {})).json
    history: dict[str, Any] = session.events().json
    return history


def _steps(history: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for event in history["events"] for step in (event, *event["then"])]


def _shown(history: dict[str, Any]) -> list[dict[str, Any]]:
    """The hands of all showdowns."""
    news = [each for step in _steps(history) for each in step["news"]]
    showdowns = [each for each in news if each["what"] == "showdown"]
    return [hand for each in showdowns for place in each["places"] for hand in place["hands"]]


def test_pockets_of_a_showdown(poker: dict[str, Any], visit: Visit) -> None:
    """Pockets that a showdown has shown count as shown; the others don't."""
    pockets = [step for step in _steps(poker) if step["action"] == "roll_pocket"]
    assert len(pockets) > len(_shown(poker)) > 1
    page = visit().open("#/verify")
    _verify(page, json.dumps(poker))
    verdict = page.locator(".verdict")
    expect(verdict.locator("strong")).to_have_text(TRUE)
    expect(verdict).to_contain_text("gives all rolls that were shown.")


@pytest.mark.parametrize("forged", ["a pocket", "no dice", "more dice", "hidden", "taken out"])
def test_a_forged_game(poker: dict[str, Any], visit: Visit, forged: str) -> None:
    """A pocket that a showdown shows otherwise than it was rolled, a roll without dice or with more
    dice, and dice that are hidden or taken out though all have seen them are found out.
    """
    history = copy.deepcopy(poker)
    last = [step for step in _steps(history) if step.get("dice")][-1]
    if forged == "a pocket":
        pocket = _shown(history)[-1]["pocket"]
        pocket[0] = f"{int(pocket[0][0]) % 6 + 1}{pocket[0][1]}"
    elif forged == "no dice":
        last["dice"] = []
    elif forged == "hidden":
        last["dice"] = None
    elif forged == "taken out":
        del last["dice"]
    else:
        last["dice"] = [*last["dice"], "1w"]
    page = visit().open("#/verify")
    _verify(page, json.dumps(history))
    expect(page.locator(".verdict strong")).to_have_text(FORGED)


def test_a_catalogue_that_is_away(finished: Game, service: Service, visit: Visit) -> None:
    """If the service has no time for the catalogue, that is said, not that it is no history."""
    visitor = visit()
    visitor.expects(r"status 429 GET")
    visitor.page.route(
        "**/v1/variants/*",
        lambda route: route.fulfill(status=429, json={"detail": "Ask again in 9 s."}),
    )
    page = visitor.open("#/verify")
    _verify(page, json.dumps(finished.read(service, "/events")))
    expect(page.locator(".result")).to_have_text("Ask again in 9 s.")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"variant": "dice-poker"}'])
def test_no_history(text: str, visit: Visit) -> None:
    """What is no history is refused in a sentence."""
    page = visit().open("#/verify")
    _verify(page, text)
    expect(page.locator(".verdict")).to_have_text(
        "This can\N{RIGHT SINGLE QUOTATION MARK}t be verified. "
        "The text is not the history of a session."
    )
