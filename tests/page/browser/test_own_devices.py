"""Two browsers at one table: nobody receives the hidden dice of another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.page.browser.game import NAMES, OWN_DEVICES, REAL_DICE, Game, new_game, shared_table
from tests.page.browser.visitor import Visit, Visitor, expect

YOUR_TURN = "Your turn"


FACE = re.compile(r"[1-6][a-z]")


def received(visitor: Visitor) -> Iterator[Any]:
    """Every session and history that a browser got from the service, whole.

    The page gives up waiting for news when it acts itself. If news have begun to arrive just then,
    the browser drops them, so nobody can read them.
    """
    for response in visitor.responses:
        dropped = "?wait=" in response.url and response.request.failure == "net::ERR_ABORTED"
        if "/v1/sessions" in response.url and response.status in (200, 201) and not dropped:
            yield response.json()


def faces(
    value: Any, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every die of Hold'em in a JSON, with the way to it."""
    if isinstance(value, str) and FACE.fullmatch(value):
        yield path, value
    elif isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from faces(part, (*path, key))


def test_nobody_receives_another_pocket(visit: Visit) -> None:
    """In a whole game of Hold'em on two devices, no response to either device has dice of the
    other's pocket, until both are shown: the dice in it are one's own pocket, the shared dice, and
    those of a showdown.
    """
    ann, ben = shared_table(visit, "texas-holdem-dice", starting_chips=40)
    games = {"Ann": ann, "Ben": ben}
    folds = 1
    while not ann.over:
        name = ann.page.locator(".seats .current strong").inner_text()
        game = games[name]
        game.wait_for_turn()
        version = game.version
        if folds and "fold" in game.offered():
            folds -= 1
            game.do("fold")
        else:
            game.step()
        for other in games.values():
            expect(other.view).not_to_have_attribute("data-version", str(version))
            other.go_on()
    expect(ben.page.locator(".winners")).to_be_visible()
    pockets: dict[str, dict[int, list[str]]] = {"Ann": {}, "Ben": {}}
    for name, game in games.items():
        for session in received(game.visitor):
            if session.get("state", {}).get("pocket"):
                pocket = pockets[name].setdefault(
                    session["state"]["hand"], session["state"]["pocket"]
                )
                assert session["state"]["pocket"] == pocket
    assert pockets["Ann"].keys() == pockets["Ben"].keys()
    assert len(pockets["Ann"]) > 1
    for name, game in games.items():
        for session in received(game.visitor):
            if "events" in session:
                _assert_hidden(session, name)
                continue
            for way, face in faces(session):
                _assert_shown(session, name, pockets[name], way, face)


def _assert_hidden(history: Any, name: str) -> None:
    """Fails if a history that `name` received has dice of another pocket, unless in a showdown."""
    for step in (step for event in history["events"] for step in (event, *event["then"])):
        if step["action"] == "roll_pocket" and step["player"] != name:
            assert step["dice"] is None
        for event in step["news"]:
            for way, _ in faces(event):
                known = event["what"] == "showdown" or way[0] in ("community", "dice")
                assert known, (name, way, event)


def _assert_shown(
    session: Any, name: str, pockets: dict[int, list[str]], way: tuple[str | int, ...], face: str
) -> None:
    """Fails unless a die in a response to `name` is one that `name` may see."""
    if way[:2] in (("state", "pocket"), ("state", "community")):
        return
    state = session["state"]
    if way[:3] == ("state", "holding", "best"):
        assert face in [*pockets[state["hand"]], *state["community"]]
        return
    assert way[:2] in (("state", "last_hand"), ("state", "news")), (name, way, session)
    event = state["last_hand"] if way[1] == "last_hand" else state["news"][int(way[2])]
    place = way[2] if way[1] == "last_hand" else way[3]
    assert event["what"] == "showdown" or place in ("community", "dice"), (name, way, session)


def test_hold_to_look(visit: Visit) -> None:
    """A pocket is on screen only while its button is held, by a pointer or a key."""
    game = new_game(visit, "texas-holdem-dice")
    look = game.page.get_by_role("button", name="Hold to look")
    pocket = game.page.locator("hold-to-look")
    hidden = pocket.get_by_role("img", name="hidden die")
    expect(hidden).to_have_count(2)
    look.hover()
    game.page.mouse.down()
    expect(hidden).to_have_count(0)
    expect(pocket.get_by_role("img")).to_have_count(2)
    game.page.mouse.up()
    expect(hidden).to_have_count(2)
    look.hover()
    game.page.mouse.down()
    expect(hidden).to_have_count(0)
    look.blur()  # as when another window comes to the front
    expect(hidden).to_have_count(2)
    game.page.mouse.up()
    look.focus()
    game.page.keyboard.down("Space")
    expect(hidden).to_have_count(0)
    game.page.keyboard.up("Space")
    expect(hidden).to_have_count(2)


def test_looking_leaves_no_trace(visit: Visit) -> None:
    """On one device, what a player looked at isn't in the panel of requests for the next player."""
    game = new_game(visit, "texas-holdem-dice")
    game.page.get_by_role("button", name="Hold to look").focus()
    game.page.keyboard.down("Space")
    expect(game.page.locator("hold-to-look").get_by_role("img", name="hidden die")).to_have_count(0)
    game.page.keyboard.up("Space")
    sessions = [each["state"] for each in received(game.visitor)]
    (seen,) = [state["pocket"] for state in sessions if state["pocket"]]
    assert len(seen) == 2
    game.visitor.develops()
    game.page.get_by_text("What the page sends").click()
    expect(game.page.locator(".exchanges > li").first).to_be_visible()
    answers = game.page.locator(".exchanges").get_by_label("Answer").all_text_contents()
    assert len(answers) > 1
    for answer in answers:
        assert not json.loads(answer).get("state", {}).get("pocket")


def test_each_sees_what_the_other_does(visit: Visit) -> None:
    """What a player does appears on the other device by itself, which says whose turn it is."""
    ann, ben = shared_table(visit, "poker-dice", rounds=1)
    for game in (ann, ben):
        name = "Ann" if game is ann else "Ben"
        expect(game.view).to_contain_text(f"You are {name}")
        expect(game.page.locator(".status")).to_have_text(
            YOUR_TURN if game.offered() else re.compile("Waiting for (Ann|Ben) …")
        )
    first, second = (ann, ben) if ann.offered() else (ben, ann)
    assert second.offered() == []
    while not second.offered():
        first.act(first.button(first.offered()[0]))
        expect(second.view).to_have_attribute("data-version", str(first.version))
    assert first.offered() == []


def test_names_are_text(visit: Visit) -> None:
    """Names that look like markup are shown as they are, wherever names stand."""
    names = ["<b>Ann</b>", "\"><img src=x onerror='alert(1)'>"]
    game = new_game(visit, "dice-poker", names, None, OWN_DEVICES)
    expect(game.page.locator("thead")).to_contain_text(names[0])
    assert list(game.invitations()) == names[1:]
    other = Game(visit())
    other.visitor.open(game.invitations()[names[1]])
    expect(other.page.locator("thead")).to_contain_text(names[1])
    shown = other.page.locator(".status").inner_text() + game.page.locator(".status").inner_text()
    assert any(name in shown for name in names)
    for page in (game.page, other.page):
        assert page.locator("main b, main img").count() == 0
        page.goto(f"{game.visitor.origin}/play")
        expect(page.locator(".list .muted")).to_contain_text(f"{names[0]} and {names[1]}")


def test_what_happened_while_one_was_away(visit: Visit) -> None:
    """After a connection that was lost, what happened meanwhile is told, too."""
    table, ben = Game(visit()), Game(visit())
    table.set_up("yahtzee-deluxe")
    token = table.seat()["tokens"]["players"]["Ben"]
    ben.visitor.open(f"#/session/{table.id}?player=Ben&token={token}")
    ben.visitor.expects("ERR_INTERNET_DISCONNECTED")
    ben.visitor.context.set_offline(True)
    for _ in range(3):
        table.do("roll")
        table.act(table.page.locator(".write").first)
    told = table.page.locator(".story li").all_inner_texts()
    assert len(told) >= 3
    ben.visitor.context.set_offline(False)
    expect(ben.page.locator(".story li")).to_have_text(told)


def test_story_of_hidden_dice(visit: Visit) -> None:
    """The history from which the page tells what happened has one's own pockets, and no dice of
    another's, neither rolled nor in the news.
    """
    ann, ben = shared_table(visit, "texas-holdem-dice", starting_chips=40)
    games = {"Ann": ann, "Ben": ben}
    for _ in range(3):
        game = games[ann.page.locator(".seats .current strong").inner_text()]
        game.wait_for_turn()
        version = game.version
        game.step()
        for other in games.values():
            expect(other.view).not_to_have_attribute("data-version", str(version))
    for name, game in games.items():
        with game.page.expect_response("**/events") as asked:
            game.page.reload()
        steps = [step for event in asked.value.json()["events"] for step in (event, *event["then"])]
        others = [
            step for step in steps if step["action"] == "roll_pocket" and step["player"] != name
        ]
        assert others
        assert [step["dice"] for step in others] == [None] * len(others)
        own = [step for step in steps if step["action"] == "roll_pocket" and step not in others]
        assert own
        assert None not in [step["dice"] for step in own]
        _assert_hidden(asked.value.json(), name)
        game.view.wait_for()


def test_focus_while_others_act(visit: Visit) -> None:
    """What somebody has typed stays after another player, elsewhere, has acted, and they go on
    typing where they were.
    """
    ann, ben = Game(visit()), Game(visit())
    ann.set_up("texas-holdem-dice", NAMES, None, REAL_DICE, OWN_DEVICES)
    ben.visitor.open(ann.invitations()["Ben"])
    ben.type_dice("1w")
    ann.enter("2b3r")
    expect(ben.view).to_have_attribute("data-version", str(ann.version))
    ben.page.keyboard.type("2w")
    places = ben.page.locator("dice-entry .places button")
    for at, die in enumerate(("1 white", "2 white")):
        expect(places.nth(at)).to_have_attribute("aria-label", f"Rolled dice, die {at + 1}: {die}")


def test_advice_names_the_player(visit: Visit) -> None:
    """On every device, the advice says whose card it is about."""
    ann, ben = Game(visit()), Game(visit())
    ann.set_up("poker-dice", NAMES, {"rounds": 1}, OWN_DEVICES, "Show advice during the game")
    ben.visitor.open(ann.invitations()["Ben"])
    first = ann if ann.offered() else ben
    name = "Ann" if first is ann else "Ben"
    second = ben if first is ann else ann
    first.do("ante")
    second.do("meet")
    for game in (ann, ben):
        game.page.locator("advice-panel summary").first.click()
        expect(game.page.locator("advice-panel")).to_contain_text(
            f"With the best play, {name} wins this round in"
        )


def test_a_glance(visit: Visit) -> None:
    """A click of assistive technology shows a pocket for a while, which hides no dice that are held
    meanwhile.
    """
    visitor = visit()
    visitor.page.clock.install()
    game = Game(visitor)
    game.set_up("texas-holdem-dice")
    look = game.page.get_by_role("button", name="Hold to look")
    hidden = game.page.locator("hold-to-look").get_by_role("img", name="hidden die")
    look.dispatch_event("click")
    expect(hidden).to_have_count(0)
    game.page.clock.run_for(4001)
    expect(hidden).to_have_count(2)
    look.dispatch_event("click")
    expect(hidden).to_have_count(0)
    look.hover()
    game.page.mouse.down()
    expect(hidden).to_have_count(0)
    game.page.clock.run_for(4001)
    expect(hidden).to_have_count(0)
    game.page.mouse.up()
    expect(hidden).to_have_count(2)
