"""The beginning of a game: one tap from the first view, against people or computers, and again."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.live import Service
from tests.page.browser.game import NAMES, REAL_DICE, SHORT, Game, choose_game, shared_table
from tests.page.browser.visitor import Visit, expect, labels

PEOPLE = ("dice-poker", "poker-dice", "texas-holdem-dice")

ABLE = ".felt [data-action]:not(.back, .commit)"
"""The buttons on the felt that do something at once."""

TABLE = r"status 503 POST .*/v1/sessions$"
"""What a game against a computer on a score card may have to wait for: the table of its plays."""


def _tap(game: Game, name: str) -> None:
    """Opens the first view, and begins the game that is chosen there by one tap."""
    page = game.visitor.open()
    choose_game(page, name.split(": ")[1])
    page.get_by_role("button", name=name).click()
    game.view.wait_for()


@pytest.mark.parametrize("variant", PEOPLE)
def test_two_on_this_device(visit: Visit, service: Service, variant: str) -> None:
    """One tap on the first view begins a game for two on the device, without a clock; who goes back
    comes to the first view, and begins no other game.
    """
    game = Game(visit())
    game.visitor.allows("ERR_ABORTED")  # the pictures of the games
    named = service.get(f"/v1/variants/{variant}").json["name"]
    _tap(game, f"Two on this device: {named}")
    session = game.read(service)
    assert (session["variant"], session["players"]) == (variant, ["Player 1", "Player 2"])
    assert session["house_rules"]["turn_seconds"] is None
    assert "computers" not in session
    seat = game.seat()
    assert (seat["one"], seat["me"]) == (True, None)
    expect(game.page.get_by_role("timer")).to_be_hidden()
    assert game.offered()
    game.page.go_back()
    expect(game.page.get_by_role("heading", level=1)).to_have_text("What shall we play?")
    expect(game.page.locator(".list li")).to_have_count(1)


def test_against_the_computer(visit: Visit, service: Service) -> None:
    """One tap begins a game against the computer on a device of one's own. It invites nobody, and
    has no way to send the computer off.
    """
    game = Game(visit())
    game.visitor.allows("ERR_ABORTED")
    _tap(game, "Play the computer: Poker dice")
    session = game.read(service)
    assert session["players"] == ["Player 1", "Computer"]
    assert session["computers"] == {"Computer": "medium"}
    seat = game.seat()
    assert (seat["one"], seat["me"]) == (False, "Player 1")
    expect(game.page.locator(".status")).to_have_text("Your turn")
    expect(game.page.locator(".invite")).to_have_count(0)
    expect(game.page.locator(".leaving button")).to_have_text(["Leave the game"])


def test_inviting(visit: Visit) -> None:
    """One tap begins a game to which the device invites the other player. Once that one is there,
    before anybody has played, the invitation says so, and names only those who are missing; whoever
    went away can be left out.
    """
    ann, ben = Game(visit()), Game(visit())
    ann.visitor.allows("ERR_ABORTED")
    _tap(ann, "Invite: Poker dice")
    assert (ann.seat()["one"], ann.seat()["me"]) == (False, "Player 1")
    there, summary = ann.page.locator(".invitations .there"), ann.page.locator(".invite summary")
    expect(there).to_be_empty()
    expect(summary).to_have_text("Invite the others Player 2")
    ben.visitor.open(ann.invitations()["Player 2"])
    expect(there).to_have_text("is here")
    expect(summary).to_have_text("Invite the others")
    expect(ann.page.locator(".leaving button")).to_have_text(
        ["Leave the game", "Go on without Player 2"]
    )


def test_options_are_remembered(visit: Visit, service: Service) -> None:
    """The players, the strength of the opponent, and the options of a game are there the next time;
    a game that begins at once has them, too, and another game its own options.
    """
    game = Game(visit())
    game.visitor.allows("ERR_ABORTED")
    rules = {"rounds": 3, "pairs_rank": True}
    advice = "Show advice during the game"
    game.set_up("poker-dice", ["Cleo"], rules, advice, computers={"Max": "hard"})
    page = game.visitor.open("#/new/poker-dice")
    names = page.locator(".seat input").evaluate_all("all => all.map(each => each.value)")
    assert names == ["Cleo", "Max"]
    expect(page.get_by_label("Strength")).to_have_value("hard")
    page.locator("summary", has_text="Options").click()
    expect(page.get_by_label("Rounds")).to_have_value("3")
    expect(page.get_by_label("Show advice during the game")).to_be_checked()
    _tap(game, "Play the computer: Poker dice")
    session = game.read(service)
    assert session["players"] == ["Cleo", "Computer"]
    assert session["computers"] == {"Computer": "hard"}
    assert session["house_rules"].items() >= rules.items()
    assert session["advice"] is True
    _tap(game, "Two on this device: Roll-a-Royal")
    session = game.read(service)
    assert session["players"] == ["Cleo", "Player 2"]
    assert session["advice"] is False


def test_people_and_computers(visit: Visit, service: Service) -> None:
    """Any number of people and computers play, whose names are all different; only two people or
    more can be invited.
    """
    game = Game(visit())
    page = game.visitor.open("#/new/poker-dice")
    invite = page.get_by_role("button", name="Invite")
    expect(invite).to_be_hidden()
    for button in ("computer", "player"):
        page.get_by_role("button", name=f"Add a {button}").click()
    names = page.locator(".seat input").evaluate_all("all => all.map(each => each.value)")
    assert names == ["Player 1", "Computer", "Computer 2", "Player 4"]
    expect(invite).to_be_visible()
    page.get_by_label("Strength").last.select_option("best")
    page.get_by_role("button", name="Start the game").click()
    game.view.wait_for()
    session = game.read(service)
    assert session["computers"] == {"Computer": "medium", "Computer 2": "best"}
    assert game.seat()["one"] is True


@pytest.mark.parametrize("variant", SHORT)
def test_a_whole_game(visit: Visit, service: Service, variant: str) -> None:
    """A game against a computer is played to its end by clicks. It can be played again by one tap,
    with the same players, and the page counts who has won.
    """
    game = Game(visit())
    game.set_up(variant, ["Ann"], None, computers={"Robo": "easy"})
    game.visitor.allows(TABLE)
    game.play_against()
    before = game.read(service)
    won = before["state"]["winners"]
    expect(game.page.locator(".winners h2")).to_have_text(
        f"{won[0]} wins!" if len(won) == 1 else "Ann and Robo share the win!"
    )
    expect(game.page.locator(".series")).to_have_count(0)
    first = game.id
    game.page.get_by_role("button", name="Play again").click()
    expect(game.page.locator(".winners")).to_have_count(0)
    assert game.id != first
    after = game.read(service)
    for same in ("variant", "players", "computers", "house_rules", "dice", "advice"):
        assert after[same] == before[same]
    counts = " and ".join(f"{name} ({int(name in won)})" for name in ("Ann", "Robo"))
    expect(game.page.locator(".head")).to_contain_text(f"Games won: {counts}")


def test_a_series(visit: Visit, service: Service) -> None:
    """A series goes on as often as the same players play again, also after a reload."""
    game = Game(visit())
    game.visitor.allows("ERR_ABORTED")  # the request that waits at the reload
    wins = dict.fromkeys(NAMES, 0)
    game.set_up("poker-dice", NAMES, {"rounds": 1})
    for _ in range(3):
        game.play_to_the_end()
        for name in game.read(service)["state"]["winners"]:
            wins[name] += 1
        game.page.reload()
        game.page.get_by_role("button", name="Play again").click()
        expect(game.page.locator(".winners")).to_have_count(0)
        expect(game.page.locator(".head")).to_contain_text(
            f"Games won: Ann ({wins['Ann']}) and Ben ({wins['Ben']})"
        )


def test_again_on_a_phone(visit: Visit) -> None:
    """A game that is played again on a phone looks like the first one: the title is in sight, and
    all that a turn needs is on the screen.
    """
    game = Game(visit(width=390, height=844))
    game.set_up("dice-poker")
    page = game.page
    title, roll = page.locator("h1"), game.button("roll")
    expect(roll).to_be_in_viewport(ratio=1)
    before = title.bounding_box()
    game.play_elsewhere()
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".winners")).to_have_count(0)
    expect(roll).to_be_in_viewport(ratio=1)
    assert title.bounding_box() == before
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_again_on_own_devices(visit: Visit) -> None:
    """The device that set the game up begins the next one by one tap, as the same player, and
    invites the others to it.
    """
    ann, ben = shared_table(visit, "poker-dice", rounds=1)
    while not ann.over:
        acts = ann if ann.offered() else ben
        acts.wait_for_turn()
        if acts.offered():
            version = acts.version
            acts.step()
            for game in (ann, ben):
                expect(game.view).not_to_have_attribute("data-version", str(version))
    expect(ben.page.get_by_role("button", name="Play again")).to_have_count(0)
    first = ann.id
    ann.page.get_by_role("button", name="Play again").click()
    expect(ann.page.locator(".winners")).to_have_count(0)
    expect(ann.page.locator(".invitations li")).to_have_count(1)
    assert ann.id != first
    assert (ann.seat()["one"], ann.seat()["me"]) == (False, "Ann")
    ben.visitor.open(ann.invitations()["Ben"])
    expect(ben.view).to_contain_text("You are Ben")


def test_moves_at_a_pace(visit: Visit, service: Service) -> None:
    """The moves of a computer are shown one after the other, while nothing can be done, the story
    doesn't tell how they end, and the page doesn't say that it is one's turn; then it is.
    """
    game = _against(visit)
    moves = _computer_plays(game, service)
    assert len(moves) > 1
    end = re.sub(r" \(\w+\)", "", moves[max(moves)]["news"][-1]["reason"])
    held: list[int] = []
    for version, move in moves.items():
        expect(game.view).to_have_attribute("data-version", str(version))
        _chose, *news = (re.sub(r" \(\w+\)", "", each["reason"]) for each in move["news"])
        said = re.escape(f"Robo: {news[0]}" if news else "Robo rolls.")
        if held := move.get("keep", []):
            said = r"Robo keeps [\d, and]+ rolls the rest."
        expect(game.page.locator(".told")).to_have_text(re.compile(f"^{said}$"))
        mine = version == max(moves)
        expect(game.page.locator(".status")).to_have_text(
            "Your turn" if mine else "Waiting for Robo \u2026"
        )
        if move["action"] == "roll":
            assert [*map(int, labels(game.page.locator(".dice.turn .die")))] == move["dice"]
            expect(game.page.locator(".dice.turn .held")).to_have_count(len(held))
        expect(game.page.locator(ABLE)).to_have_count(int(mine))
        assert (end in game.page.locator(".story").inner_text()) == mine
        game.page.clock.run_for(1600 if "dice" in move else 800)


def test_moves_are_skipped(visit: Visit, service: Service) -> None:
    """One tap on the felt shows at once where the moves of a computer have led."""
    game = _against(visit)
    moves = _computer_plays(game, service)
    game.skip()
    expect(game.view).to_have_attribute("data-version", str(max(moves)))
    expect(game.page.locator(ABLE)).to_have_count(1)


def test_dice_of_a_computer_are_typed(visit: Visit) -> None:
    """Where people roll real dice, the device asks for those of a computer, too, and says which it
    keeps.
    """
    game = Game(visit())
    game.set_up("poker-dice", ["Ann"], {}, REAL_DICE, computers={"Robo": "best"})
    game.do("ante")
    for name in ("Ann", "Robo"):
        while game.page.locator(".felt strong", has_text=name).count():
            game.go_on()
            kept = game.page.locator(".dice.turn .held").count()
            if game.page.locator("dice-entry").count():
                game.enter("66666"[kept:])
            else:
                game.act(game.button(game.offered()[0]))


def _against(visit: Visit) -> Game:
    """A game of dice poker with Ann's first roll, against a computer; time on the page is still."""
    visitor = visit()
    visitor.page.clock.install()
    game = Game(visitor)
    visitor.allows(TABLE)
    game.set_up("dice-poker", ["Ann"], {}, computers={"Robo": "best"})
    visitor.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    game.do("roll")
    return game


def _computer_plays(game: Game, service: Service) -> dict[int, Any]:
    """Writes a box, and returns the moves of the computer that follow, by their versions."""
    game.act(game.page.locator(".write").first)
    events = game.read(service, "/events")["events"]
    game.page.clock.run_for(800)
    return {event["version"]: event for event in events if "computer" in event}
