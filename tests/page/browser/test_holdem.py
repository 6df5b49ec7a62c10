"""Hold'em as a game: one's own dice, bets, chips, and the end of a hand."""

from __future__ import annotations

import re

import pytest

from tests.live import Service
from tests.page.browser.game import NAMES, Game, new_game, shared_table
from tests.page.browser.visitor import Visit, expect, labels

VARIANT = "texas-holdem-dice"
HIDDEN = "hidden die"
AGAIN = "If everyone checks, the flop is rolled again."

WINNING = (
    "Yahtzee flush",
    "Straight flush",
    "Yahtzee",
    "Flush",
    "Four of a kind",
    "Straight",
    "Full house",
    "Three of a kind",
    "Two pair",
)
"""The names of the ranks that can win, the best first."""


def _table(visit: Visit, *players: str, **rules: int | str) -> Game:
    """A game on one device."""
    return new_game(visit, VARIANT, players or NAMES, rules)


def _calls_down(tables: tuple[Game, ...]) -> None:
    """Bets and calls until a hand ends by a showdown."""
    while not tables[0].page.locator(".pause").count():
        acts = next(game for game in tables if game.offered())
        offered = acts.offered()
        acts.act(acts.button("call" if "call" in offered else "bet"))
        for game in tables:
            expect(game.view).to_have_attribute("data-version", str(acts.version))


def test_own_dice(visit: Visit) -> None:
    """On one's own device one's dice lie open, with what they make; an eye covers them, which the
    device remembers, and uncovers them. The other's are nowhere.
    """
    tables = shared_table(visit, VARIANT)
    for game in tables:
        game.visitor.allows("ERR_ABORTED")  # the request that waits at the reload
        pocket = game.page.locator(".pocket")
        dice = pocket.get_by_role("img")
        expect(dice).to_have_count(2)
        faces = labels(dice)
        assert HIDDEN not in faces
        expect(pocket).to_contain_text(re.compile("Pair|suit"))
        expect(game.page.locator("hold-to-look")).to_have_count(0)
        eye = game.page.get_by_role("button", name="Hide my dice")
        eye.click()
        expect(pocket.get_by_role("img", name=HIDDEN)).to_have_count(2)
        expect(pocket).not_to_contain_text(re.compile("Pair|suit"))
        game.page.reload()
        expect(eye).to_have_attribute("aria-pressed", "true")
        expect(pocket.get_by_role("img", name=HIDDEN)).to_have_count(2)
        eye.click()
        expect(pocket.get_by_role("img", name=HIDDEN)).to_have_count(0)
        assert labels(dice) == faces


@pytest.mark.parametrize("variant", [VARIANT, "poker-dice"])
def test_the_ranks_are_in_reach(visit: Visit, service: Service, variant: str) -> None:
    """The rules at the table begin with the hands that count there, the best first, each with dice
    that make it.
    """
    game = new_game(visit, variant)
    rules = game.page.locator("details", has_text="The rules of the game").last
    rules.locator("summary").click()
    ranks = service.get(f"/v1/variants/{variant}").json["ranks"]
    names = [rank["name"] for rank in ranks if rank["house_rule"] is None]
    listed = rules.locator(".rolls")
    expect(listed.locator("dt")).to_have_text(names)
    expect(listed.locator("svg.die")).to_have_count(5 * len(names))


def test_the_hands_of_a_crossword_are_in_reach(visit: Visit, service: Service) -> None:
    """The rules of a crossword begin with its hands, what they need and are worth."""
    game = new_game(visit, "roll-a-royal")
    rules = game.page.locator("details", has_text="The rules of the game").last
    rules.locator("summary").click()
    hands = service.get("/v1/variants/roll-a-royal").json["hands"]
    listed = rules.locator("dl").first
    expect(listed.locator("dt")).to_have_text(
        [f"{each['name']} {each['points']:,}" for each in hands]
    )
    expect(listed.locator("dd")).to_have_text([each["needs"] for each in hands])


def test_a_slider(visit: Visit, service: Service) -> None:
    """Where a bet has bounds, a slider and a field show the same amount, in steps of a chip, and
    half the pot, the pot and all chips are one click; none of them bets by itself. The button says
    how much, and is the main one once an amount is chosen.
    """
    game = _table(visit, betting="no_limit", starting_chips=300)
    page = game.page
    slide, field = page.locator("[name=slide]"), page.locator("[name=amount]")
    version = game.version
    main = page.locator(".actions .primary")
    expect(main).to_have_text(["Check"])
    page.get_by_role("button", name="Pot", exact=True).click()
    expect(main).to_have_text(["Bet 20"])
    expect(field).to_have_value("20")
    expect(slide).to_have_value("20")
    expect(page.locator(".quick button")).to_have_text(["½ pot", "Pot", "All in"])
    slide.press("ArrowRight")
    expect(field).to_have_value("30")
    field.fill("70")
    expect(slide).to_have_value("70")
    expect(main).to_have_text(["Bet 70"])
    page.get_by_role("button", name="½ pot").click()
    expect(slide).to_have_value("10")
    page.get_by_role("button", name="All in").click()
    expect(field).to_have_value("290")
    expect(slide).to_have_value("290")
    assert game.version == version
    slide.press("Home")
    for _ in range(3):
        slide.press("ArrowRight")
    player = game.read(service)["state"]["to_act"][0]
    game.do("bet")
    expect(page.locator(".told")).to_have_text(f"{player} bets 40.")
    # The pot is 60, and 40 are to call: a raise by the pot is one by 100, by half of it one by 50.
    expect(page.locator(".quick button")).to_have_text(["½ pot", "Pot", "All in"])
    amounts = [button.get_attribute("value") for button in page.locator(".quick button").all()]
    assert amounts == ["50", "100", "250"]


def test_bets_that_are_allowed(visit: Visit) -> None:
    """Nothing is offered that is not allowed: under the pot limit no more than the pot. Few amounts
    are a button each, such as the one before the flop.
    """
    game = _table(visit, betting="pot_limit")
    expect(game.page.locator("[data-action=bet]")).to_have_text(["Bet 10", "Bet 20"])
    game = _table(visit)
    expect(game.page.locator(".actions input")).to_have_count(0)
    expect(game.button("bet")).to_have_text("Bet 10")
    game.do("bet")
    expect(game.button("raise")).to_have_text("Raise 10")


def test_chips_move(visit: Visit) -> None:
    """What somebody bets flies from their seat to the pot, and the pot to who wins it; nothing
    moves for whoever asked for reduced motion.
    """
    game = _table(visit)
    game.page.evaluate(
        """() => {
          globalThis.flown = [];
          Element.prototype.animate = function (steps) {
            if (this.matches(".flying")) flown.push(steps.map(({transform}) => transform));
            return {};
          };
        }"""
    )
    game.do("bet")
    assert game.page.evaluate("flown") == []
    game.page.emulate_media(reduced_motion="no-preference")
    caller = game.page.locator(".seats .current strong").inner_text()
    seat, pot = f"[data-key='seat {caller}']", ".felt .pot"
    game.do("call")
    middles = """(selectors) => selectors.map((selector) => {
        const {x, y, width, height} = document.querySelector(selector).getBoundingClientRect();
        return `translate(${x + width / 2}px, ${y + height / 2}px)`;
      })"""
    assert game.page.evaluate("flown") == [game.page.evaluate(middles, [seat, pot])]
    game.do("bet")
    game.page.evaluate("flown.length = 0")
    folder = game.page.locator(".seats .current strong").inner_text()
    game.do("fold")
    winner = "Ben" if folder == "Ann" else "Ann"
    seat = f"[data-key='seat {winner}']"
    assert game.page.evaluate("flown") == [game.page.evaluate(middles, [pot, seat])]


def test_a_checked_flop(visit: Visit) -> None:
    """Nobody is offered to fold where they can check. While a check can lead to another flop, the
    felt says so; it has the ranks, with one's own, and says which can't win (H5, H13). Beside the
    result of a fold, seats have their chips after it, though the next hand is dealt.
    """
    tables = shared_table(visit, VARIANT, starting_chips=500)
    for game in tables:
        page = game.page
        expect(page.locator(".ladder span")).to_have_text([*WINNING])
        expect(page.locator(".ladder .muted")).to_have_text(["Don\u2019t count: One pair"])
        expect(page.locator(".felt > .hint")).to_have_count(0)
    for _ in range(2):
        acts = next(game for game in tables if game.offered())
        assert acts.offered() == ["bet", "check"]
        acts.do("check")
        for game in tables:
            expect(game.view).to_have_attribute("data-version", str(acts.version))
    for game in tables:
        expect(game.page.locator(".felt > .hint")).to_have_text(AGAIN)
        makes = game.page.locator(".holding").inner_text()
        expect(game.page.locator(".ladder .own")).to_have_text([makes] if makes in WINNING else [])
    acts = next(game for game in tables if game.offered())
    acts.do("bet")
    for game in tables:
        expect(game.view).to_have_attribute("data-version", str(acts.version))
        expect(game.page.locator(".felt > .hint")).to_have_count(0)
    other = next(game for game in tables if game.offered())
    assert "fold" in other.offered()
    other.do("fold")
    winner = "Ann" if acts is tables[0] else "Ben"
    expect(other.page.locator(".last-hand > p")).to_have_text(
        [
            f"Everyone else has folded, so {winner} takes the pot without showing.",
            "Shared dice",
            "That includes 10 that nobody called.",
        ]
    )
    expect(other.page.locator(".seats .current strong")).to_have_text([winner])
    gained = {"Ann": 490, "Ben": 490, winner: 510}
    for name, chips in gained.items():
        expect(other.page.locator(f'[data-key="seat {name}"] p')).to_have_text(
            [re.compile(f"^{name}{chips} chips$"), "0 in the pot"]
        )


def test_a_showdown_stays(visit: Visit, service: Service) -> None:
    """A showdown stays on each device until "Next hand" is pressed there: who gets what, and
    everybody's dice, each once, with those of the pocket marked, though the next hand is dealt; and
    after a reload.
    """
    tables = shared_table(visit, VARIANT, starting_chips=500)
    _calls_down(tables)
    state = tables[0].read(service)["state"]
    hand = state["last_hand"]
    assert state["hand"] == 2
    for game in tables:
        pause = game.page.locator(".pause")
        for name, amount in hand["payouts"].items():
            expect(pause).to_contain_text(f"{name} gets {amount}")
        expect(pause.get_by_role("group", name="Shared dice").get_by_role("img")).to_have_count(5)
        shown = [each for place in hand["places"] for each in place["hands"]]
        expect(pause.locator(".shown strong")).to_have_text([each["id"] for each in shown])
        for at, each in enumerate(shown):
            best = pause.get_by_role("group", name=f"The dice of {each['id']} that count")
            expect(best.get_by_role("img")).to_have_count(5)
            own = set(each["best"]) & set(each["pocket"])
            pocket = pause.locator(".shown").nth(at).locator("[data-pocket], [data-out]")
            expect(pocket).to_have_count(2)
            assert best.locator("[data-pocket]").count() >= len(own)
        expect(game.page.locator("[data-action]:not(.back)")).to_have_count(0)
        winners = game.page.locator(".seats .current strong")
        assert sorted(winners.all_inner_texts()) == sorted(hand["payouts"])
    one, other = tables
    one.visitor.allows("ERR_ABORTED")
    one.page.reload()
    expect(one.page.locator(".pause")).to_be_visible()
    one.page.get_by_role("button", name="Next hand").click()
    expect(one.page.locator(".pocket")).to_be_visible()
    expect(other.page.locator(".pause")).to_be_visible()
    other.page.get_by_role("button", name="Next hand").click()
    expect(other.page.locator(".pause")).to_have_count(0)
    assert [bool(game.offered()) for game in tables].count(True) == 1


def test_the_move_that_ends_a_round(visit: Visit) -> None:
    """The move that ends a round or a hand is told on all devices, before what it led to, and it is
    a part of the story.
    """
    tables = shared_table(visit, VARIANT)
    acts, other = tables if tables[0].offered() else tables[::-1]
    name, winner = ("Ann", "Ben") if acts is tables[0] else ("Ben", "Ann")
    acts.do("check")
    for game in tables:
        expect(game.page.locator(".told")).to_have_text(f"{name} checks.")
    other.do("check")
    for game in tables:
        expect(game.page.locator(".story li").first).to_have_text(f"{winner} checks.")
    acts.do("bet")
    other.do("fold")
    for game in tables:
        story = game.page.locator(".story li")
        expect(story.nth(0)).to_contain_text(f"{name} takes the pot without showing.")
        expect(story.nth(1)).to_have_text(f"{winner} folds.")
