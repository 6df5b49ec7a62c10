"""A description that contradicts itself is refused when it is made, by game and field.

There is one case for each kind of mistake in each field.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.kinds.ranking.hand_table import Numbers, Rank, TieBreak
from service.rules.dice import Dice, Suit
from service.rules.house_rules import HouseRules, amount, choice, switch
from service.rules.patterns import Alike, AnyDice, Match, OneColour, Run
from service.rules.reasons import spoken
from service.rules.variant import WrongDescription
from tests.variants.wrong import (
    ANY,
    COLOURS,
    HOLDEM,
    MANY_RANKS,
    MANY_SWITCHES,
    PAIR,
    ROLLS,
    BelowUndecorated,
    Odd,
    OwnPattern,
    Refusing,
    Slotted,
    Undecorated,
    Wrong,
    check,
    cite,
    example,
    rank,
    rule,
    wild,
    wrongly,
)

LINE = "must be one line of printable text, at most 2000 characters, not "
DECORATED = (
    " must be decorated with @dataclass(frozen=True), and have no __post_init__, because players "
    "can combine all values"
)
DIFFERENT = "examples: those of evaluate must have different summaries of letters or digits, not "
ODD_COLOURS = "must be a pattern without colours, or with those of the dice, not "
A_MATCH = "its pattern must give None or a Match of the dice (1, 1, 1), not "

# A case has one or two lines.
# fmt: off
ANY_GAME: list[Wrong] = [
    ({"name": " "}, "name: must be one line of printable text, at most 100 characters, not ' '"),
    ({"name": "x" * 101}, "name: must be one line of printable text, at most 100 characters, not "),
    ({"name": "a\nb"},
     "name: must be one line of printable text, at most 100 characters, not 'a\\nb'"),
    ({"summary": ""}, f"summary: {LINE}''"),
    ({"summary": "a\ud800"}, f"summary: {LINE}'a\\ud800'"),
    ({"summary": 5}, "summary: must be a text, not 5"),
    ({"clauses": {"T 1": "x"}}, "clauses: must be letters and digits, at most 64, not 'T 1'"),
    ({"clauses": {"T1": " "}}, f"clauses: T1 {LINE}' '"),
    ({"clauses": {"T1": "x" * 2_001}}, f"clauses: T1 {LINE}"),
    ({"texts": {"fr": {}}}, "texts: must be a language besides English: de, not 'fr'"),
    ({"texts": {"de": ["a"]}}, "texts: de must be a Mapping, not ['a']"),
    ({"texts": {"de": {"a": ""}}}, f"texts: de.a {LINE}''"),
    ({"texts": {"de": {1: "a"}}}, "texts: de must be a text, not 1"),
    ({"clauses": ["T1"]}, "clauses: must be a Mapping, not ['T1']"),
    ({"clauses": {1: "x"}}, "clauses: must be a text, not 1"),
    ({"rolls": 0}, "rolls: must be from 1 to 100, not 0"),
    ({"rolls": 101}, "rolls: must be from 1 to 100, not 101"),
    ({"rolls": "1"}, "rolls: must be a whole number, not '1'"),
    ({"rolls": True}, "rolls: must be a whole number, not True"),
    ({"players": (0, None)}, "players: [0] must be 1 or more, not 0"),
    ({"players": (3, 2)}, "players: must be the least and the most players"),
    ({"players": ("1", None)}, "players: [0] must be a whole number, not '1'"),
    ({"players": (1, False)}, "players: [1] must be a whole number or None, not False"),
    ({"players": (1,)}, "players: must be a tuple of 2, not (1,)"),
    ({"steps": {"fly": "T1"}}, "steps: must be a step of this kind of game, not 'fly'"),
    ({"steps": {"bust": "T9"}}, "steps: bust must be a clause of the game, not 'T9'"),
    (example(summary="a  PAIR!"), f"{DIFFERENT}'a  PAIR!'"),
    (example(summary="?"), f"{DIFFERENT}'?'"),
    (example(request=[2, 2, 5]), "examples: [1].request must be a Mapping, not [2, 2, 5]"),
    (example(request={"dice": {1, 2}}),
     "examples: the request of 'Another' must be JSON, but raises TypeError: "),
    (example(request={"dice": [float("nan")]}),
     "examples: the request of 'Another' must be JSON, but raises ValueError: "),
    (example(request={"id": "\ud800"}),
     "examples: the request of 'Another' must be JSON, but raises UnicodeEncodeError: "),
    ({"dice": 3}, "dice: must be a Dice, not 3"),
    ({"dice": Dice}, "dice: must be a Dice, not "),
    ({"dice": Dice(1)}, "dice: count must be from 2 to 20, not 1"),
    ({"dice": Dice(21)}, "dice: count must be from 2 to 20, not 21"),
    ({"dice": wrongly(Dice, "3")}, "dice: count must be a whole number, not '3'"),
    ({"dice": Dice(3, faces=1)}, "dice: faces must be from 2 to 100, not 1"),
    ({"dice": Dice(3, faces=101)}, "dice: faces must be from 2 to 100, not 101"),
    ({"dice": Dice(3, names=("A", "K"))},
     "dice: names must have one for each of the 6 faces, or none"),
    ({"dice": Dice(3, 2, names=("A", "A"))},
     "dice: names must be different letters, not ('A', 'A')"),
    ({"dice": Dice(3, 2, names=("A", "10"))}, "dice: names[1] must be a letter or digit, not '10'"),
    ({"dice": Dice(3, 2, colours=("red",))},
     "dice: colours must have one for each of the 2 faces, or none"),
    ({"dice": Dice(3, suits=(Suit("r", "red"), Suit("r", "rose")))},
     "dice: suits must be suits with different letters, not "),
    ({"dice": Dice(3, suits=(Suit("rd", "red"),))},
     "dice: suits[0].letter must be a letter or digit, not 'rd'"),
    ({"house_rules": int},
     "house_rules: must be the class HouseRules or a subclass, not <class 'int'>"),
    ({"house_rules": HouseRules()},
     "house_rules: must be the class HouseRules or a subclass, not HouseRules()"),
    ({"house_rules": Odd}, "house_rules: wild must be made by switch, choice or amount"),
    ({"house_rules": Undecorated}, f"house_rules: Undecorated{DECORATED}"),
    ({"house_rules": BelowUndecorated}, f"house_rules: Undecorated{DECORATED}"),
    ({"house_rules": Slotted}, f"house_rules: Slotted{DECORATED}"),
    ({"house_rules": Refusing}, f"house_rules: Refusing{DECORATED}"),
    (rule(ROLLS, switch(**cite("T1")), "Loud"),
     "house_rules: Loud.name must be lower-case letters, digits and underscores, at most "
     "64, not 'Loud'"),
    (rule(ROLLS, switch(**cite("T9"))),
     "house_rules: wild.clause must be a clause of the game, not 'T9'"),
    (rule(ROLLS, wrongly(switch, clause=["T1"], meaning="?")),
     "house_rules: wild.clause must be a text, not ['T1']"),
    (rule(ROLLS, switch(clause="T1", meaning=" ")), f"house_rules: wild.meaning {LINE}' '"),
    (rule(ROLLS, switch(clause="T1", meaning="two\nlines")),
     f"house_rules: wild.meaning {LINE}'two\\nlines'"),
    (rule(ROLLS, wrongly(switch, clause="T1", meaning=3)),
     "house_rules: wild.meaning must be a text, not 3"),
    (rule(ROLLS, wrongly(switch, **cite("T1"), default="on")),
     "house_rules: wild.default must be true or false"),
    (rule(ROLLS, amount(9, **cite("T1"), maximum=8)),
     "house_rules: wild.default must be a whole number between 0 and 8"),
    (rule(ROLLS, amount(9, **cite("T1"), maximum=10**10)),
     "house_rules: wild.maximum must be from -1000000000 to 1000000000, not 10000000000"),
    (rule(ROLLS, amount(5, **cite("T1"), maximum=10, step=0)),
     "house_rules: wild.step must be from 1 to 1000000000, not 0"),
    (rule(ROLLS, wrongly(amount, 5, **cite("T1"), maximum=10, step=0.5)),
     "house_rules: wild.step must be a whole number, not 0.5"),
    (rule(ROLLS, wrongly(amount, 5.0, **cite("T1"), maximum=10)),
     "house_rules: wild.default must be True or False or a whole number or a text or None, "
     "not 5.0"),
    (rule(ROLLS, choice("a", "a", **cite("T1"))),
     "house_rules: wild.choices must be different words, not ('a', 'a')"),
    (rule(ROLLS, choice("", "a", **cite("T1"))), f"house_rules: wild.choices[0] {LINE}''"),
    (rule(ROLLS, choice(**cite("T1"))), f"house_rules: wild.choices[0] {LINE}''"),
    (rule(ROLLS, wrongly(choice, 3, **cite("T1"))),
     "house_rules: wild.choices[0] must be a text, not 3"),
]
"""Mistakes that a game of any kind can have."""

RANKING: list[Wrong] = [
    ({"hand_size": 3.0}, "hand_size: must be a whole number, not 3.0"),
    ({"hand_size": -1}, "hand_size: must be from 1 to 20, not -1"),
    ({"hand_size": 2}, "hand_size: must be all 3 dice"),
    ({"hand_size": 4}, "hand_size: must be all 3 dice"),
    ({"dice": Dice(3, suits=(Suit("r", "red"),))},
     "dice: must have no suits in a ranking of rolls"),
    ({"dice": Dice(20, 8), "hand_size": 20},
     "hand_size: 888030 different hands are more than the allowed 65535"),
    ({"tied": "two\nlines"}, f"tied: {LINE}'two\\nlines'"),
    ({"tie_breaks": ()}, "tie_breaks: none compares numbers"),
    ({"tie_breaks": (TieBreak("a b", "?", "T1"),)},
     "tie_breaks: a b.id must be lower-case letters, digits and underscores, at most 64, "
     "not 'a b'"),
    ({"tie_breaks": (TieBreak("a", "?", "T9"),)},
     "tie_breaks: a.clause must be a clause of the game, not 'T9'"),
    ({"tie_breaks": (TieBreak("a", "?", "T1"), TieBreak("a", "!", "T1"))},
     "tie_breaks: must be parts with different ids, not "),
    ({"tie_breaks": (TieBreak("a", "?", "T1", only_with="wild"),)},
     "tie_breaks: a.only_with must be a house rule that is a switch, not 'wild'"),
    (rule(ROLLS, wild(), tie_breaks=(TieBreak("a", "?", "T1", only_with="wild"),)),
     "tie_breaks: a has only_with, but numbers always count"),
    ({"ranks": [*ROLLS.ranks]}, "ranks: must be a tuple, not "),
    ({"ranks": ()}, "ranks: must begin with those that count, and end with those that don't"),
    ({"ranks": ROLLS.ranks[:1]}, "ranks: no rank for (1, 1, 2): the last rank must fit any dice"),
    ({"ranks": (*ROLLS.ranks, ROLLS.ranks[0])}, "ranks: must be parts with different ids, not "),
    (rank(id="Pair"),
     "ranks: Pair.id must be lower-case letters, digits and underscores, at most 64, not 'Pair'"),
    (rank(needs=""), f"ranks: pair.needs {LINE}''"),
    (rank(needs="two\talike"), f"ranks: pair.needs {LINE}'two\\talike'"),
    (rank(clause="T9"), "ranks: pair.clause must be a clause of the game, not 'T9'"),
    (rank(compares="all"), "ranks: pair.compares must be a Numbers, not 'all'"),
    (rank(counts=False), "ranks: must begin with those that count, and end with those that don't"),
    (rank(one_suit=True),
     "ranks: pair has one_suit, winning or wins_game_with, which a ranking of rolls ignores"),
    (rank(winning=False),
     "ranks: pair has one_suit, winning or wins_game_with, which a ranking of rolls ignores"),
    (rank(only_with="wild"),
     "ranks: pair.only_with must be a house rule that is a switch, not 'wild'"),
    (rank(others_with="wild"),
     "ranks: pair.others_with must be a house rule that is a switch, not 'wild'"),
    (rule(ROLLS, choice("a", **cite("T1")), **rank(only_with="wild")),
     "ranks: pair.only_with must be a house rule that is a switch, not 'wild'"),
    (rule(ROLLS, wild(), ranks=(replace(PAIR, only_with="wild"), replace(ANY, counts=False))),
     "ranks: one that counts must exist under all house rules, or no turn would end"),
    (rule(ROLLS, wild(), **rank(above=("wild", "nothing"))),
     "ranks: pair.above must name a higher rank, not 'nothing'"),
    (rule(ROLLS, wild(), **rank(above=("wild", "any"))),
     "ranks: pair.above must name a higher rank, not 'any'"),
    (rank(above=("wild",)), "ranks: pair.above must be a tuple of 2 or None, not ('wild',)"),
    (rule(ROLLS, choice("off", **cite("T1")), **rank(wins_game_with="wild")),
     "ranks: pair has one_suit, winning or wins_game_with, which a ranking of rolls ignores"),
    (rank(pattern=(2, 2)), "ranks: pair.pattern must be a Pattern, not (2, 2)"),
    (rank(pattern=Alike), "ranks: pair.pattern must be a Pattern, not "),
    (rank(pattern=wrongly(Alike, 3)), "ranks: pair.pattern.sizes must be a tuple, not 3"),
    (rank(pattern=wrongly(Alike, ("3",))),
     "ranks: pair.pattern.sizes[0] must be a whole number, not '3'"),
    (rank(pattern=wrongly(Alike, (2,), splitting=1)),
     "ranks: pair.pattern.splitting must be True or False, not 1"),
    (rank(pattern=Alike(())),
     "ranks: pair.pattern.sizes must be one or more sizes, the largest first, not ()"),
    (rank(pattern=Alike((1, 2))),
     "ranks: pair.pattern.sizes must be one or more sizes, the largest first, not (1, 2)"),
    (rank(pattern=Alike((2, 0))), "ranks: pair.pattern.sizes[1] must be 1 or more, not 0"),
    (rank(pattern=Alike((4,))), "ranks: pair: no roll makes its pattern"),
    (rank(pattern=wrongly(Run, "3")), "ranks: pair.pattern.length must be a whole number, not '3'"),
    (rank(pattern=Run(0)), "ranks: pair.pattern.length must be 1 or more, not 0"),
    (rank(pattern=Run(3, start=5)), "ranks: pair: no roll makes its pattern"),
    (rank(pattern=OneColour(AnyDice(), COLOURS)), f"ranks: pair.pattern {ODD_COLOURS}"),
    (rank(pattern=OneColour(Alike(()), COLOURS), dice=Dice(3, colours=COLOURS)),
     "ranks: pair.pattern.pattern.sizes must be one or more sizes, the largest first, not ()"),
    (rank(pattern=OneColour(OneColour(AnyDice(), ("x",)), COLOURS), dice=Dice(3, colours=COLOURS)),
     f"ranks: pair.pattern.pattern {ODD_COLOURS}"),
    (rank(pattern=OneColour(OwnPattern(ValueError("no")), COLOURS), dice=Dice(3, colours=COLOURS)),
     "ranks: pair raises ValueError: no"),
    (rank(pattern=OwnPattern(True)), f"ranks: pair: {A_MATCH}True"),
    (rank(pattern=OwnPattern(Match((2, 2), (2,), ()))), f"ranks: pair: {A_MATCH}"),
    (rank(pattern=OwnPattern(Match((1, 1), (2,), (1,)))), f"ranks: pair: {A_MATCH}"),
    (rank(pattern=OwnPattern(KeyError("a\nb"))), "ranks: pair raises KeyError: 'a\\nb'"),
    (rank(pattern=OwnPattern(words=("pair",))),
     "ranks: pair raises IndexError: tuple index out of range"),
    (rank(pattern=OwnPattern(words=("pair", None))),
     "ranks: pair: its words must be a text, not None"),
    (rank(pattern=OwnPattern(words=("pair", " "))), f"ranks: pair: its words {LINE}' '"),
    ({"ranks": (PAIR, replace(PAIR, id="triple", pattern=Alike((3,))), ANY)},
     "ranks: no hand reaches triple"),
    ({"ranks": (replace(PAIR, only_with="wild_0"), *MANY_RANKS, ANY), "house_rules": MANY_SWITCHES},
     "ranks: 56 rolls in each of 12 ranks, under 1024 choices of house rules, are 688128 "
     "scorings, more than the allowed 500000"),
    (rule(ROLLS, switch(**cite("T1")), "starting_chips"),
     "house_rules: starting_chips must be an amount with a minimum of 1 or more, never null"),
    (rule(ROLLS, choice("few", **cite("T1")), "starting_chips"),
     "house_rules: starting_chips must be an amount with a minimum of 1 or more, never null"),
    (rule(ROLLS, amount(None, nullable=True, minimum=1, maximum=9, **cite("T1")), "starting_chips"),
     "house_rules: starting_chips must be an amount with a minimum of 1 or more, never null"),
    (rule(ROLLS, amount(1, maximum=9, **cite("T1")), "starting_chips"),
     "house_rules: starting_chips must be an amount with a minimum of 1 or more, never null"),
    (rule(ROLLS, amount(1, maximum=9, **cite("T1")), "rounds"),
     "house_rules: rounds must be an amount with a minimum of 1 or more"),
    (rule(ROLLS, choice("own_stack", "none", **cite("T1")), "stakes"),
     "house_rules: stakes must be a choice of some or all of: smallest_stack, own_stack"),
    (rule(ROLLS, switch(**cite("T1")), "stakes"),
     "house_rules: stakes must be a choice of some or all of: smallest_stack, own_stack"),
]
"""Mistakes in rankings of rolls."""

COMMUNITY: list[Wrong] = [
    ({"supply": "S9"}, "supply: must be a clause of the game, not 'S9'"),
    ({"hand_size": -1}, "hand_size: must be from 1 to 20, not -1"),
    ({"dice": Dice(10)},
     "dice: must have suits in a game with shared dice, and as many dice of each"),
    ({"dice": replace(HOLDEM.dice, count=9)},
     "dice: must have suits in a game with shared dice, and as many dice of each"),
    ({"dice": replace(HOLDEM.dice, faces=7)},
     "dice: there must be at most 6 faces in a game with shared dice"),
    ({"stages": ()}, "stages: must be one or more numbers in rising order, not ()"),
    ({"stages": (0, 4, 3)}, "stages: must be one or more numbers in rising order, not (0, 4, 3)"),
    ({"stages": (-1, 4)}, "stages: [0] must be 0 or more, not -1"),
    ({"stages": (0, 7), "players": (2, 2), "dice": replace(HOLDEM.dice, count=10)},
     "stages: a player must see from 3 to 7 dice, not 8"),
    ({"pocket": 0}, "pocket: must be 1 or more, not 0"),
    ({"chip": 0}, "chip: must be 1 or more, not 0"),
    ({"players": (2, 50)},
     "players: the most must be so many that 8 dice are enough, community included, not 50"),
    ({"players": (2, None)},
     "players: the most must be so many that 8 dice are enough, community included, not None"),
    ({"tie_breaks": HOLDEM.tie_breaks[:1]}, "tie_breaks: none compares the most dice of one suit"),
    ({"ranks": (*HOLDEM.ranks[:-1], replace(HOLDEM.ranks[-1], compares=Numbers.NONE))},
     "ranks: any must count, and must compare all numbers, because dice are shared"),
    (rule(HOLDEM, switch(**cite("S1")),
          ranks=(replace(HOLDEM.ranks[0], others_with="wild"), HOLDEM.ranks[1])),
     "house_rules: wild must be on by default, so that each strength is of one hand"),
    (rule(HOLDEM, switch(**cite("S1")),
          tie_breaks=(HOLDEM.tie_breaks[0], replace(HOLDEM.tie_breaks[1], only_with="wild"))),
     "house_rules: wild must be on by default, so that each strength is of one hand"),
    (rule(HOLDEM, switch(**cite("S1")), "ante"),
     "house_rules: ante must be an amount with a minimum of 0 or more, in steps of 5, never null"),
    (rule(HOLDEM, amount(6, **cite("S1"), maximum=60, step=6), "ante"),
     "house_rules: ante must be an amount with a minimum of 0 or more, in steps of 5, never null"),
    (rule(HOLDEM, amount(5, **cite("S1"), maximum=50, step=5), "small_limit"),
     "house_rules: small_limit must be an amount with a minimum of 5 or more, in steps of "
     "5, never null"),
    (rule(HOLDEM, amount(0, **cite("S1"), maximum=5, minimum=-1), "max_raises"),
     "house_rules: max_raises must be an amount with a minimum of 0 or more, never null"),
    (rule(HOLDEM, amount(1, **cite("S1"), maximum=5), "betting"),
     "house_rules: betting must be a choice of some or all of: limit, pot_limit, no_limit"),
    (rule(HOLDEM, choice("limit", "other", **cite("S1")), "betting"),
     "house_rules: betting must be a choice of some or all of: limit, pot_limit, no_limit"),
    (rule(HOLDEM, switch(**cite("S1")), "wild", ranks=(
        replace(HOLDEM.ranks[0], wins_game_with="wild"), *HOLDEM.ranks[1:])),
     "ranks: pair.wins_game_with must be a house rule that is a choice of some or all of at_once, "
     "showdown, off, not 'wild'"),
]
"""Mistakes in games with shared dice."""
# fmt: on


@pytest.mark.parametrize(("changes", "sentence"), ANY_GAME + RANKING)
def test_rankings(changes: dict[str, Any], sentence: str) -> None:
    """The message names the game, the field, the part, and what would be right."""
    check(ROLLS, changes, sentence)


@pytest.mark.parametrize(("changes", "sentence"), COMMUNITY)
def test_shared_dice(changes: dict[str, Any], sentence: str) -> None:
    """In games with shared dice, too."""
    check(HOLDEM, changes, sentence)


@pytest.mark.parametrize(
    ("id_", "shown"),
    [("Three", "Three"), ("3-dice", "3-dice"), ("x" * 65, "x" * 65), ("a\nb", "a\\nb")],
)
def test_ids(id_: str, shown: str) -> None:
    """A wrong id is named, too, in one line."""
    with pytest.raises(WrongDescription) as error:
        replace(ROLLS, id=id_)
    assert str(error.value).startswith(
        f"{shown}: id: must be words of lower-case letters and digits, joined by hyphens, at most "
        "64 characters, not "
    )


def test_an_id_that_is_no_text() -> None:
    """An id of another type is shown as it is."""
    with pytest.raises(WrongDescription, match=r"^3: id: must be a text, not 3$"):
        replace(ROLLS, id=wrongly(int, 3))


def test_the_last_ranks_may_not_count() -> None:
    """Ranks that don't count come after those that do, however many there are."""
    rest = replace(ANY, counts=False)
    two = replace(ROLLS, ranks=(PAIR, rest))
    assert [each.counts for each in two.ranks] == [True, False]
    triple = Rank("triple", Alike((3,)), "three alike", "T1")
    three = replace(ROLLS, ranks=(triple, replace(PAIR, counts=False), rest))
    assert [each.counts for each in three.ranks] == [True, False, False]


def test_a_right_pattern_of_ones_own() -> None:
    """A pattern from outside that does what it should can be used."""
    made = replace(ROLLS, **rank(pattern=OwnPattern()))
    hands = [made.evaluate(dice, HouseRules()) for dice in ([2, 5, 2], [4, 2, 2])]
    assert spoken(made.beats(*hands)) == "Same rank, pair: the other decides, 5 over 4 (T2)."


@pytest.mark.parametrize(
    ("count", "faces"), [(10, 3), pytest.param(20, 6, marks=pytest.mark.proof)]
)
def test_many_dice(count: int, faces: int) -> None:
    """Twenty dice with six faces are within the limits, as long as there are few ranks."""
    four = Rank("four", Alike((4,)), "four alike", "T1")
    changes: dict[str, Any] = {
        "dice": Dice(count, faces),
        "hand_size": count,
        "ranks": (four,),
        "examples": (),
    }
    variant = replace(ROLLS, **changes)
    assert variant.evaluate([faces] * count, HouseRules()).rank.id == "four"
