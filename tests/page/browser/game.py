"""A game on the page, set up and played as people do: with a pointer, or with keys alone."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from playwright.sync_api import APIRequestContext, Locator, Page, expect

from tests.api.sessions.playing import Session
from tests.live import Service
from tests.page.browser.pace import STILL
from tests.page.browser.visitor import Visit, Visitor
from tests.sessions.servers import until
from tests.whole_games.legal_player import choose, moves

NAMES = ("Ann", "Ben")
OWN_DEVICES = "Invite"
"""The choice that each player has their own device."""

ROBO = {"Robo": "easy"}
"""An opponent that is a computer."""

REAL_DICE = "We roll real dice and enter them"

SHORT: Mapping[str, Mapping[str, int | bool | str]] = {
    "dice-poker": {"turn_seconds": 600},
    "poker-dice": {"rounds": 2},
    "roll-a-royal": {"turns": 2},
    "texas-holdem-dice": {"starting_chips": 40},
    "yahtzee-deluxe": {},
}
"""For each variant, house rules by which a game is short."""


class Pointer:
    """A hand that clicks."""

    def press(self, target: Locator) -> None:
        """Clicks."""
        target.click()

    def write(self, field: Locator, text: str) -> None:
        """Writes `text` in place of what a field has."""
        field.fill(text)


class Keyboard:
    """Hands on a keyboard; they touch nothing else."""

    MOST = 150
    """How often Tab is pressed at most until something has the focus."""

    def press(self, target: Locator) -> None:
        """Goes to a button or a box by Tab, forwards or backwards, and presses it."""
        self._go(target)
        target.page.keyboard.press("Space")

    def write(self, field: Locator, text: str) -> None:
        """Goes to a field by Tab, and types `text` over what it has."""
        self._go(field)
        field.page.keyboard.press("Control+a")
        field.page.keyboard.type(text)

    def _go(self, target: Locator) -> None:
        element = target.element_handle()
        for _ in range(self.MOST):
            way = element.evaluate(
                """(element) => {
                     const {activeElement} = document;
                     if (element === activeElement) return "";
                     const later = element.compareDocumentPosition(activeElement) & 4;
                     return later ? "Shift+Tab" : "Tab";
                   }"""
            )
            if not way:
                return
            target.page.keyboard.press(way)
        raise AssertionError(f"{target} is not reached by Tab")


def choose_game(page: Page, name: str) -> None:
    """Chooses a game on the first view, so that it lies on the table."""
    page.get_by_role("radio", name=re.compile(f"^{name}")).check()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


class Game:
    """A session that a visitor sees and plays."""

    def __init__(self, visitor: Visitor, hand: Pointer | Keyboard | None = None) -> None:
        self.visitor = visitor
        self.page: Page = visitor.page
        self.hand = hand or Pointer()
        self.view = self.page.locator(".view.session")
        self._chance = Random(1)

    def set_up(
        self,
        variant: str,
        players: Sequence[str] = NAMES,
        rules: Mapping[str, int | bool | str] | None = None,
        *choices: str,
        computers: Mapping[str, str] | None = None,
    ) -> None:
        """Starts a game with `rules`, which are short ones by default, and the named `choices`,
        against `computers` of some strengths.
        """
        page, says = self.visitor.open(f"#/new/{variant}"), self.visitor.says
        self._seat(players, computers or {})
        rules = SHORT[variant] if rules is None else rules
        options = [choice for choice in choices if choice != OWN_DEVICES]
        if rules or options:
            self.hand.press(page.locator("summary", has_text=says("Options")))
        for choice in options:
            self.hand.press(page.get_by_label(says(choice)))
        self._set_rules(rules)
        start = OWN_DEVICES if OWN_DEVICES in choices else "Start the game"
        self.hand.press(page.get_by_role("button", name=says(start)))
        self.view.wait_for(timeout=600_000 if computers else 60_000)  # for a table at low priority

    def _seat(self, players: Sequence[str], computers: Mapping[str, str]) -> None:
        """Has the people and the computers play whose names are given, and nobody else."""
        seats, says = self.page.locator(".seat"), self.visitor.says
        for people, add, others in (
            (True, "Add a player", players),
            (False, "Add a computer", [*computers]),
        ):
            choice = self.page.locator("select")
            chips = seats.filter(has_not=choice) if people else seats.filter(has=choice)
            while chips.count() < len(others):
                self.hand.press(self.page.get_by_role("button", name=says(add)))
            while chips.count() > len(others):
                self.hand.press(chips.last.get_by_role("button"))
            for chip, name in zip(chips.all(), others, strict=True):
                self.hand.write(chip.get_by_role("textbox"), name)
                if not people:
                    chip.get_by_role("combobox").select_option(computers[name])

    def _set_rules(self, rules: Mapping[str, int | bool | str]) -> None:
        says = self.visitor.says
        for rule, value in rules.items():
            field = self.page.locator(f"[aria-describedby='about-{rule}']")
            no_limit = self.page.locator(".rule", has=field).get_by_label(
                says("no limit"), exact=True
            )
            if no_limit.count() and no_limit.is_checked():
                self.hand.press(no_limit)
            if isinstance(value, bool):
                if field.is_checked() != value:
                    self.hand.press(field)
            elif field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(str(value))
            else:
                self.hand.write(field, str(value))

    def invitations(self) -> dict[str, str]:
        """The fragments of the links for the other players, by name."""
        items = self.page.locator(".invitations li")
        names = items.get_by_role("heading").all_inner_texts()
        links = items.get_by_role("link").evaluate_all("all => all.map(each => each.hash)")
        return dict(zip(names, links, strict=True))

    @property
    def id(self) -> str:
        """The id of the session, from the address."""
        found = re.fullmatch(r".*/play#/session/([\w-]+)", self.page.url)
        assert found, self.page.url
        return found[1]

    @property
    def version(self) -> int:
        """The version of the session that is on screen."""
        return int(self.view.get_attribute("data-version") or 0)

    @property
    def over(self) -> bool:
        """Whether the page says who won."""
        return bool(self.page.locator(".winners").count())

    def seat(self) -> dict[str, Any]:
        """What this browser keeps about the session: players and tokens."""
        kept: str = self.page.evaluate("localStorage.getItem('dice-table-games')")
        seat: dict[str, Any] = json.loads(kept)[self.id]
        return seat

    def read(self, service: Service, part: str = "") -> Any:
        """The session, or a part of it such as "/events", with the token of this browser."""
        tokens = self.seat()["tokens"]
        token = tokens.get("table") or next(iter(tokens["players"].values()))
        return service.get(f"/v1/sessions/{self.id}{part}", Authorization=f"Bearer {token}").json

    def act_elsewhere(self, service: Service, **action: Any) -> Any:
        """Has the table act as if on another device; returns the session."""
        reply = Session(service, {"id": self.id, **self.seat()}).act(**action)
        assert reply.status == 200, reply
        return reply.json

    def act(self, button: Locator) -> None:
        """Presses a button that is an action, and waits until the page shows the next version. A
        box of a sheet is pressed twice: the first time chooses it.
        """
        before = self.version
        if button.evaluate("(button) => button.matches('.write[aria-pressed=false]')"):
            self.hand.press(button)
            expect(self.page.locator(".write[aria-pressed=true]")).to_have_count(1)
            button = self.page.locator(".write[aria-pressed=true]")
        self.hand.press(button)
        expect(self.view).not_to_have_attribute("data-version", str(before))
        if isinstance(self.hand, Keyboard) and not self.over:
            # Whoever plays by keys is still in the game, not back at the top of the page.
            assert self.page.evaluate("document.activeElement.closest('.view') !== null")

    def do(self, *actions: str) -> None:
        """Presses the first button of each action, one after the other."""
        for action in actions:
            self.act(self.button(action))

    def go_on(self) -> None:
        """Leaves the end of a hand, or of a player's time, if the page stops there, and throws the
        first dice of a turn that the service has rolled.
        """
        while (button := self.page.locator(".next")).count():
            self.hand.press(button)

    def skip(self) -> None:
        """Taps the table, which shows at once where the moves of computers have led."""
        self.page.locator(".felt.table").click(position={"x": 4, "y": 4})

    def stop_motion(self, selector: str) -> None:
        """Has the page move what it can, but for what matches `selector`, as `STILL` says."""
        self.page.emulate_media(reduced_motion="no-preference")
        self.page.evaluate(STILL, selector)

    def wait_for_turn(self) -> None:
        """Waits until something can be done on this page."""
        expect(self.page.locator("[data-action], .next").first).to_be_visible()

    def offered(self) -> list[str]:
        """The names of the actions whose buttons can be pressed, but not taking back."""
        self.go_on()
        buttons = self.page.locator("[data-action]:enabled:not([data-action=take_back])")
        names: list[str] = buttons.evaluate_all("all => all.map(each => each.dataset.action)")
        return sorted(set(names))

    def button(self, action: str) -> Locator:
        """The first button of an action."""
        return self.page.locator(f"[data-action='{action}']:enabled").first

    def step(self) -> None:
        """Chooses and performs one action, by chance, unless the game is over after all."""
        offered = self.offered()
        if self.over:
            return
        assert offered, self.view.inner_text()
        likely = [each for each in offered if each not in ("fold", "sit_out", "cross_out")]
        if "score" in likely and "roll" in likely:
            likely.append("score")
        if {"check", "bet"} <= set(likely):
            likely.remove("check")  # after checks alone, the flop is rolled again and again (H13)
        action = self._chance.choice(likely or offered)
        if action == "roll":
            self.keep_some()
        self.do(action)

    def keep_some(self) -> None:
        """Keeps some of the dice of the turn, but not all, if there are any to keep."""
        keepable = self.page.locator(".dice.turn button.die")
        if count := keepable.count():
            for place in self._chance.sample(range(count), self._chance.randrange(count)):
                self.hand.press(keepable.nth(place))
            if not self.button("roll").count():  # all dice are held by now
                self.hand.press(keepable.first)

    def type_dice(self, keys: str) -> None:
        """Types dice into the places for them."""
        self.page.locator("dice-entry .places button").first.focus()
        self.page.keyboard.type(keys)

    def enter(self, keys: str) -> None:
        """Types dice into the places for them, and sends them."""
        self.type_dice(keys)
        self.act(self.page.locator(".typed .primary"))

    def play_to_the_end(self) -> None:
        """Performs actions until the page says who won."""
        while not self.over:
            self.step()

    def play_against(self) -> None:
        """Plays against computers until the page says who won. A click on the felt shows at once
        where their moves have led.
        """
        next_ = ".next, .winners, [data-action]:enabled:not([data-action=take_back])"
        able = self.page.locator(next_)
        while not self.over:
            if not able.count():
                self.skip()
                expect(able.first).to_be_visible()
            elif self.page.locator(".next").count():
                self.go_on()
            elif not self.over:
                self.step()

    def play_elsewhere(self, boxes_left: int = 0) -> Any:
        """Plays as if on another device, which takes a tenth of the time: to the end, or until the
        cards have only so many open boxes. Somebody folds once; nobody sits out. Returns the
        session, which is on screen then.
        """
        request, path, bearer = self._over_http()
        folds = 1
        now = request.get(path, headers=bearer).json()
        while (able := moves(now["actions"])) and not 0 < open_boxes(now["state"]) <= boxes_left:
            fold = [each for each in able if each["action"] == "fold"]
            plays = [each for each in able if each["action"] != "sit_out"]
            action = choose(self._chance, fold[:folds] or plays, {})
            folds -= action["action"] == "fold"
            headers = {**bearer, "If-Match": f'"{now["version"]}"'}
            reply = request.post(f"{path}/actions", headers=headers, data=action)
            assert reply.ok, reply.text()
            now = reply.json()
        expect(self.view).to_have_attribute("data-version", str(now["version"]))
        if now["state"]["over"]:
            self.go_on()
        return now

    def wait_for_table(self, part: str) -> None:
        """Waits until the service has the table that a part of the session needs: "advice" or
        "review". It makes it at low priority.
        """
        request, path, bearer = self._over_http()
        until(
            lambda: request.get(f"{path}/{part}", headers=bearer).status != 503,
            f"the table for {part} is made",
            seconds=600,
        )

    def _over_http(self) -> tuple[APIRequestContext, str, dict[str, str]]:
        """A client, the address of the session, and the header with the token of the table."""
        bearer = {"Authorization": f"Bearer {self.seat()['tokens']['table']}"}
        path = f"{self.visitor.origin}/v1/sessions/{self.id}"
        return self.visitor.context.request, path, bearer


def open_boxes(state: Any) -> int:
    """How many boxes of all cards are open; 0 without cards."""
    cards = state.get("cards", {}).values()
    return sum(list(card["scores"].values()).count(None) for card in cards)


def new_game(
    visit: Visit,
    variant: str,
    players: Sequence[str] = NAMES,
    rules: Mapping[str, int | bool | str] | None = None,
    *choices: str,
    computers: Mapping[str, str] | None = None,
    **screen: Any,
) -> Game:
    """A game on the device of a new visitor, which `screen` describes, as `set_up` begins it."""
    game = Game(visit(**screen))
    game.set_up(variant, players, rules, *choices, computers=computers)
    return game


def shared_table(visit: Visit, variant: str, **rules: int | bool) -> tuple[Game, Game]:
    """The same game on the devices of Ann, who set it up, and of Ben, who opened her invitation."""
    ann, ben = Game(visit()), Game(visit())
    ann.set_up(variant, ["Ann", "Ben"], rules or None, OWN_DEVICES)
    ben.visitor.open(ann.invitations()["Ben"])
    return ann, ben
