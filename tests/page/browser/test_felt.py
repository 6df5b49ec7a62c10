"""The table as a game: dice that are held, a sheet that previews, and what is said of each move."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.live import Service
from tests.page.browser.game import NAMES, REAL_DICE, Game, new_game, shared_table
from tests.page.browser.visitor import Locator, Page, ViewportSize, Visit, expect

CARDS = ("dice-poker", "yahtzee-deluxe")
PHONE: ViewportSize = {"width": 390, "height": 844}


def _card(visit: Visit, variant: str = "dice-poker", *players: str) -> Game:
    """A game with a score card on a device, with time to think."""
    return new_game(visit, variant, players or NAMES)


def _hold(game: Game, *places: int) -> None:
    for place in places:
        game.page.locator(f"[data-key='keep {place}']").click()


def _held(page: Page) -> list[int]:
    """The places of the dice that lie in the tray."""
    spots = page.locator(".dice.turn .spot")
    held: list[bool] = spots.evaluate_all(
        "all => all.map(each => each.classList.contains('held')"
        " && each.getBoundingClientRect().top >= each.parentNode.lastChild"
        ".getBoundingClientRect().top)"
    )
    return [place for place, is_held in enumerate(held) if is_held]


def test_held_dice_survive_a_roll(visit: Visit, service: Service) -> None:
    """A die that is held lies in the tray, and is still held after the roll; with the last roll
    nothing can be held any more, and the next player begins with an empty tray.
    """
    game = _card(visit)
    game.do("roll")
    before = game.read(service)["state"]["turn"]["dice"]
    _hold(game, 1, 3)
    assert _held(game.page) == [1, 3]
    game.do("roll")
    after = game.read(service)["state"]["turn"]["dice"]
    assert [after[place] for place in (1, 3)] == [before[place] for place in (1, 3)]
    assert _held(game.page) == [1, 3]
    expect(game.page.locator(".dice.turn [aria-pressed=true]")).to_have_count(2)
    expect(game.button("roll")).to_have_text("Roll 3 dice")
    _hold(game, 3, 0)
    game.do("roll")
    assert _held(game.page) == [0, 1]
    expect(game.page.locator(".dice.turn button")).to_have_count(0)
    game.do("score")
    assert _held(game.page) == []


def test_others_see_what_is_held(visit: Visit) -> None:
    """On another device, the dice that were held for a roll lie in the tray after it."""
    tables = shared_table(visit, "dice-poker", turn_seconds=600)
    first = tables[0].page.locator("thead .current").inner_text()
    game, other = tables if first == "Ann" else tables[::-1]
    game.do("roll")
    _hold(game, 0, 4)
    game.do("roll")
    expect(other.view).to_have_attribute("data-version", str(game.version))
    expect(other.page.locator(".told")).to_have_text(
        re.compile(rf"^{first} keeps \d and \d and rolls the rest\.$")
    )
    assert _held(other.page) == [0, 4]
    expect(other.page).to_have_title("Dice poker · Dice table")
    expect(game.page).to_have_title("Your turn · Dice poker · Dice table")


def test_rolling(visit: Visit) -> None:
    """The dice that are rolled move, one after the other, and no others; the same faces too. None
    moves for whoever asked for reduced motion.
    """
    game = _card(visit)
    moving = """document.getAnimations().filter((each) => !(each instanceof CSSTransition))
        .filter(({effect}) => effect.getKeyframes().some(({transform}) => transform))
        .map(({effect}) => [effect.target.dataset.key, effect.getTiming().delay])"""
    game.do("roll")
    assert game.page.evaluate(moving) == []
    _hold(game, 0, 2)
    game.stop_motion("*")
    game.do("roll")
    found = game.page.evaluate(moving)
    assert [die for die, _ in found] == ["keep 1", "keep 3", "keep 4"]
    delays = [delay for _, delay in found]
    assert delays == sorted(set(delays))


def test_the_dice_of_the_turn_roll(visit: Visit) -> None:
    """Where a hand is to be beaten, the dice of the turn move, and not that hand."""
    game = new_game(visit, "poker-dice", ("Ann", "Ben"), {"rounds": 20})
    while "roll" not in game.offered() or not game.page.locator(".to-beat .die").count():
        game.step()
    game.stop_motion(".die")
    game.do("roll")
    rolled = game.page.evaluate("moving.map(([die]) => die.closest('.turn') !== null)")
    assert set(rolled) == {True}


def test_a_roll_stays_on_the_felt(visit: Visit) -> None:
    """Dice that tumble over the edge of a phone's screen make no page wider."""
    game = new_game(visit, "yahtzee-deluxe", width=390)
    game.page.emulate_media(reduced_motion="no-preference")
    widths = """async () => {
      document.querySelector("[data-action=roll]").click();
      const rolls = () => document.querySelector(".felt").getAnimations({subtree: true}).length > 0;
      const found = [];
      for (let frame = 0; frame < 600 && (rolls() || !found.length); frame++) {
        if (rolls()) found.push(document.documentElement.scrollWidth);
        await new Promise(requestAnimationFrame);
      }
      return found;
    }"""
    assert set(game.page.evaluate(widths)) == {390}


def test_a_rank_is_marked_once_the_dice_lie(visit: Visit) -> None:
    """While dice tumble, no rank is marked among all of them; then theirs is."""
    game = new_game(visit, "poker-dice", ("Ann", "Ben"), None, REAL_DICE)
    game.page.emulate_media(reduced_motion="no-preference")
    while not game.page.locator("dice-entry").count():
        game.step()
    game.type_dice("44412")
    marks = """async () => {
      const felt = document.querySelector(".felt");
      felt.querySelector("[data-action=roll]").click();
      const tumbles = () => felt.getAnimations({subtree: true})
        .some((each) => !(each instanceof CSSTransition));
      const lines = () => [...felt.querySelectorAll(".ladder span")]
        .map((each) => getComputedStyle(each).textDecorationLine);
      const found = [];
      for (let frame = 0; frame < 6000 && (tumbles() || !found.length); frame++) {
        if (tumbles()) found.push(...lines());
        await new Promise(requestAnimationFrame);
      }
      return [...new Set(found)];
    }"""
    assert game.page.evaluate(marks) == ["none"]
    mark = game.page.locator(".ladder .own span")
    expect(mark).to_have_text("Three of a kind")
    expect(mark).to_have_css("text-decoration-line", "underline")


def test_a_fold_names_no_hand(visit: Visit) -> None:
    """The result of a round that a fold has ended says so; it doesn't say by which hand."""
    game = new_game(visit, "poker-dice", ("Ann", "Ben"), {"rounds": 60})
    for _ in range(100):
        offered = game.offered()
        if "fold" in offered:
            game.do("fold")
            break
        first = ("raise", "stop", "meet", "ante", "roll")
        action = next((each for each in first if each in offered), offered[0])
        game.do(action)
    pause = game.page.locator(".pause")
    expect(pause.locator("p").first).to_have_text("All others are out.")
    expect(pause.locator("h2")).to_have_text(re.compile(r"^(Ann|Ben) gets \d+$"))


def _boxes(service: Service) -> list[dict[str, str]]:
    boxes: list[dict[str, str]] = service.get("/v1/variants/dice-poker").json["boxes"]
    return boxes


def _key(element: Locator) -> str | None:
    key: str | None = element.get_attribute("data-key")
    return key


def test_no_tap_writes_by_itself(visit: Visit, service: Service) -> None:
    """No single tap writes anything, nor a zero: each box of the sheet has what it would get, and
    pales where that is nothing. The first tap chooses it, the second one writes or crosses out.
    """
    game = _card(visit, "dice-poker", "Ann")
    page = game.page
    game.do("roll")
    before = game.version
    boxes = page.locator(".write")
    expect(page.locator(".commit")).to_be_disabled()
    scores = game.read(service)["state"]["turn"]["scores"]
    assert boxes.all_inner_texts() == [str(score) for score in scores.values()]
    for box in boxes.all():
        box.click()
        expect(box).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".write[aria-pressed=true]")).to_have_count(1)
    zeros = page.locator(".write.zero")
    assert zeros.count() == [*scores.values()].count(0)
    zero = zeros.first
    (box,) = [each["name"] for each in _boxes(service) if f"box {each['id']}" == _key(zero)]
    zero.click()
    expect(page.locator(".told")).to_have_text(f"{box}: 0 points. New total: 0.")
    expect(page.locator(".commit")).to_have_text("Cross out")
    assert game.version == before
    game.act(zero)
    expect(page.locator(".told")).to_have_text(re.compile(f"^Ann crosses out {box.lower()}\\.$"))


def test_a_box_is_previewed(visit: Visit, service: Service) -> None:
    """The first tap says what a box gives, and the new total with its bonuses; then the button, or
    a second tap, writes it, and its cell glows once.
    """
    game = _card(visit, "dice-poker", "Ann")
    page = game.page
    game.do("roll")
    state = game.read(service)["state"]
    worth = state["turn"]["scores"]["chance"]
    page.locator("[data-key='box chance']").click()
    expect(page.locator(".told")).to_have_text(f"Chance: {worth} points. New total: {worth}.")
    expect(page.locator(".commit")).to_have_text(f"Write {worth}")
    game.stop_motion("*")
    game.act(page.locator(".commit"))
    assert page.evaluate("moving.at(-1)[0].dataset.cell") == "Ann chance"
    assert game.read(service)["state"]["cards"]["Ann"]["total"] == worth
    expect(page.locator(".told")).to_have_text(re.compile(rf"scores {worth} in chance\.$"))


@pytest.mark.parametrize("variant", CARDS)
def test_a_turn_fits_a_phone(visit: Visit, variant: str) -> None:
    """On a phone, all of a turn is on the screen without scrolling: the dice, at least 56 px wide,
    the actions, and each box of the player whose turn it is; nothing lies over another.
    """
    game = _card(visit, variant)
    page = game.page
    page.set_viewport_size(PHONE)
    names = ["Ann", "Ben"]
    first = page.locator(".turn-line strong").inner_text()
    names.remove(first)
    for rolls in range(3):
        game.do("roll")
        _in_sight(page, ".dice.turn .spot, [data-action], .commit, .half tr, .totals *")
        sizes = page.locator(".dice.turn .die").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().width)"
        )
        assert min(sizes) >= 56
        if rolls < 2:
            _hold(game, rolls)
    page.locator(".write").first.click()
    _in_sight(page, ".commit, .told, .write")
    game.act(page.locator(".commit"))
    _in_sight(page, ".told, .half tr, [data-action]")
    expect(page.locator(".totals [aria-pressed=true]")).to_contain_text(names[0])
    page.locator(".totals button", has_text=names[0]).click()
    expect(page.get_by_role("group", name=f"Card of {names[0]}")).to_be_visible()


def _in_sight(page: Page, selector: str) -> None:
    """Fails if something is not on the screen as a whole, or if its middle is covered."""
    hidden = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
          const {left, right, top, bottom} = each.getBoundingClientRect();
          const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          const free = each === over || each.contains(over) || over?.contains(each);
          return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || !free;
        }).map((each) => each.outerHTML)""",
        selector,
    )
    assert (page.evaluate("scrollY"), hidden) == (0, [])


@pytest.mark.parametrize("variant", CARDS)
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves_between_rolls(visit: Visit, variant: str, width: int) -> None:
    """From the first roll of a turn to a chosen box, nothing on the screen changes its place but
    the dice that go into the tray and back: there is no layout shift.
    """
    game = _card(visit, variant)
    page = game.page
    page.set_viewport_size({"width": width, "height": 844})
    game.do("roll")
    page.evaluate(
        "globalThis.moved = [];"
        "new PerformanceObserver((list) => moved.push(...list.getEntries().flatMap((each) =>"
        " each.sources.map(({node}) => node?.outerHTML ?? node?.data))))"
        ".observe({type: 'layout-shift'});"
    )
    before = _places(page)
    for place in (0, 2):
        _hold(game, place)
        game.do("roll")
        assert _places(page) == before
    page.locator(".write").first.click()
    expect(page.locator(".told")).to_contain_text("New total")
    assert _places(page) == before
    assert page.evaluate("moved") == []


def _places(page: Page) -> Any:
    """Where the parts of the table are that stay through a turn."""
    return page.evaluate(
        """[...document.querySelectorAll(
             "h1, .felt.table, .told, .turn-line, .tray, .commit, .sheet tr, .totals *"
           )].map((each) => {
          const {x, y, width, height} = each.getBoundingClientRect();
          return [each.tagName, x, y, width, height];
        })"""
    )


def test_keys(visit: Visit, service: Service) -> None:
    """Numbers hold dice, R rolls, arrows go from box to box, and Enter chooses and writes one. What
    is typed into a field does none of this.
    """
    game = _card(visit)
    keys = game.page.keyboard
    version = game.version

    def pressed(key: str) -> None:
        nonlocal version
        keys.press(key)
        version += 1
        expect(game.view).to_have_attribute("data-version", str(version))

    pressed("r")
    keys.press("2")
    keys.press("5")
    keys.press("6")  # there is no sixth die
    assert _held(game.page) == [1, 4]
    keys.press("5")
    assert _held(game.page) == [1]
    pressed("R")
    assert _held(game.page) == [1]
    keys.press("ArrowDown")
    focused = "document.activeElement.dataset.key"
    boxes = game.page.locator(".write").evaluate_all("all => all.map((each) => each.dataset.key)")
    assert game.page.evaluate(focused) == boxes[0]
    keys.press("ArrowDown")
    assert game.page.evaluate(focused) == boxes[1]
    keys.press("ArrowUp")
    keys.press("Enter")
    expect(game.page.locator(".write[aria-pressed=true]")).to_be_focused()
    pressed("Enter")
    scores = game.read(service)["state"]["cards"]["Ann"]["scores"]
    assert [f"box {box}" for box, score in scores.items() if score is not None] == [boxes[0]]


def test_nobody_rolls_before_the_dice_lie_still(visit: Visit, service: Service) -> None:
    """While dice tumble, neither a click nor a key rolls again; other buttons work."""
    game = new_game(visit, "dice-poker", ("Ann",), {"turn_seconds": 600})
    page = game.page
    game.do("roll")
    page.evaluate("() => { tumbles = document.querySelector('.spot .die').animate([], 1e9) }")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
    game.button("roll").click()
    page.keyboard.press("r")
    page.locator("[data-key='keep 1']").click()
    expect(page.locator(".spot.held")).to_have_count(1)
    assert "actions" not in sent
    page.evaluate("tumbles.cancel()")
    game.do("roll")
    assert sent.count("actions") == 1
    assert game.read(service)["state"]["turn"]["rolls_left"] == 1


def test_what_happened(visit: Visit) -> None:
    """Each move is told on the felt, on every device, whether the service has a sentence for it or
    not.
    """
    ann, ben = shared_table(visit, "poker-dice")
    told = {"ante": "{} sets the ante: 5.", "meet": "{} puts the chips in and plays."}
    for action, text in told.items():
        acts = ann if ann.offered() else ben
        name = "Ann" if acts is ann else "Ben"
        acts.do(action)
        for game in (ann, ben):
            expect(game.page.locator(".told")).to_have_text(text.format(name))


def test_the_end_of_a_hand_stays(visit: Visit) -> None:
    """Why a hand was won stays on the felt of a device until somebody there goes on, whatever the
    others do.
    """
    ann, ben = shared_table(visit, "texas-holdem-dice")
    acts, other = (ann, ben) if ann.offered() else (ben, ann)
    acts.do("bet")
    other.do("fold")
    for game in (ann, ben):
        expect(game.page.locator(".pause")).to_contain_text("takes the pot without showing.")
        expect(game.page.locator(".felt .actions [data-action]")).to_have_count(0)
    other.go_on()
    first = other if other.offered() else acts
    first.go_on()
    waiting = acts if first is other else other
    first.do("bet")
    expect(waiting.view).to_have_attribute("data-version", str(first.version))
    if waiting is acts:
        expect(waiting.page.locator(".pause")).to_be_visible()
    waiting.go_on()
    assert waiting.offered()


def test_time_that_runs_out(visit: Visit) -> None:
    """When a player's time is up, the device that goes round says what it cost, and to whom it
    goes, and waits until they go on.
    """
    game = new_game(visit, "dice-poker", ("Ann", "Ben"), {"turn_seconds": 2})
    pause = game.page.locator(".pause")
    expect(pause.get_by_role("heading")).to_have_text("Time\u2019s up")
    expect(pause).to_contain_text(re.compile(r"gives up the turn: \w+ gets a zero\."))
    expect(game.page.locator(".next")).to_have_text(re.compile("^Pass to (Ann|Ben)$"))
    expect(game.page.locator(".clock")).to_have_class("clock low")


def test_sound(visit: Visit) -> None:
    """Sound is off until somebody turns it on, which the device remembers."""
    game = _card(visit)
    game.visitor.allows("ERR_ABORTED")  # the request that waits at the reload
    sound = game.page.get_by_role("button", name="Sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    game.do("roll")
    game.page.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("variant", ["poker-dice", "roll-a-royal", "texas-holdem-dice"])
def test_dice_of_other_games(visit: Visit, variant: str) -> None:
    """The dice of a turn are at least 56 px wide on a phone in every game."""
    game = new_game(visit, variant, **PHONE)
    dice = game.page.locator(".felt > .dice .die")
    while not dice.count():
        game.step()
    sizes = dice.evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")
    assert min(sizes) >= 56


def test_take_back(visit: Visit, service: Service) -> None:
    """Until somebody acts, whoever wrote a box can take it back: the dice lie there again, held as
    before, and the box is open. Once the next player has rolled, there is no way back.
    """
    game = _card(visit)
    game.do("roll")
    before = game.read(service)["state"]
    back = game.page.get_by_role("button", name="Take back")
    expect(back).to_have_count(0)
    game.page.keyboard.press("2")
    game.act(game.page.locator("[data-key='box chance']"))
    game.act(back)
    expect(game.page.locator(".spot.held")).to_have_attribute("data-key", "spot 1")
    game.page.keyboard.press("2")
    after = game.read(service)["state"]
    assert (after["turn"], after["cards"]) == (before["turn"], before["cards"])
    expect(game.page.locator(".told")).to_have_text("The last move is taken back.")
    expect(game.page.locator(".dice.turn .die")).to_have_count(5)
    game.act(game.page.locator("[data-key='box chance']"))
    expect(back).to_be_visible()
    game.do("roll")
    expect(back).to_have_count(0)


def test_take_back_on_own_devices(visit: Visit) -> None:
    """Only the player who made a choice is offered to take it back."""
    tables = shared_table(visit, "dice-poker", turn_seconds=600)
    acts, waits = tables if tables[0].offered() else tables[::-1]
    acts.do("roll", "score")
    expect(waits.view).to_have_attribute("data-version", str(acts.version))
    expect(acts.page.get_by_role("button", name="Take back")).to_be_visible()
    expect(waits.page.get_by_role("button", name="Take back")).to_have_count(0)
