"""Why something is so: the codes of all reasons, with their texts.

Inside the service and in what is stored, a reason is a JSON object: `decided_by` is its code, and
beside it are the values in its text, often the `clause` of the rules. So what is stored needs the
codes that it was written with: see `FORMAT_VERSION` in `service.sessions.store.codec`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import unique
from typing import Any

from service.rules.sentences import ENGLISH, Sentence, Wording, Words, fill_in

Because = dict[str, Any]
"""A reason as JSON."""


@unique
class Reason(Wording):
    """The codes of reasons."""

    # any game
    TIME_UP = "{player}'s time is up{clause:cited}."
    LEFT = "{player} has left the game{clause:cited}."
    ALL_LEFT = "Everybody has left{clause:cited}."
    STAYED = "Stayed to the end; {player} left{clause:cited}."
    TAKES_BACK = (
        "{player} takes back {undone} {undone:version|versions}, to version {to}{clause:cited}."
    )
    TABLE_TAKES_BACK = (
        "The table takes back {undone} {undone:version|versions}, to version {to}{clause:cited}."
    )

    # places by hands
    RANK = "{better:Name} beats {worse:name}{clause:cited}."
    NUMBER = "Same rank, {rank:name}: the {which:name} decides, {over} over {under}{clause:cited}."
    SUITS = (
        "Same rank and numbers, {rank:name}: {count} dice of one suit beat {next}{clause:cited}."
    )
    EQUAL_HANDS = "{rank:Name}; {tied:text}"
    LOWEST_HAND = "The lowest hand here: {rank:name}."
    ONLY_HAND = "{rank:Name}, and nobody else to compare with."

    # places by totals and scores
    TOTAL = "A total of {total:,} is {ahead:,} more than {next:,}{clause:cited}."
    EQUAL_TOTALS = "A total of {total:,} each; equal totals tie{clause:cited}."
    SHARED_TOTAL = "A total of {total:,} each; equal totals share the place{clause:cited}."
    LOWEST_TOTAL = "The lowest total here: {total:,}."
    ONLY_TOTAL = "A total of {total:,}, and nobody else to compare with."
    SCORE = "A score of {score:,} is {ahead:,} more than {next:,}{clause:cited}."
    SCORE_SO_FAR = (
        "A score of {score:,} is {ahead:,} more than {next:,}{clause:cited}. "
        "Better layouts may exist{search:cited}."
    )
    EQUAL_SCORES = "A score of {score:,} each; equal scores tie{clause:cited}."
    LOWEST_SCORE = "The lowest score here: {score:,}."
    ONLY_SCORE = "A score of {score:,}, and nobody else to compare with."

    # throws to begin
    HIGHEST_THROW = "{player} has the highest throw, {thrown}, and begins{clause:cited}."
    NOBODY_THREW = "Nobody threw, so {player} begins{clause:cited}."
    EQUAL_THROWS = (
        "{players:all} tie for the highest throw, {thrown}, and throw again{clause:cited}."
    )

    # rounds of rolls for chips
    FIRST = "The first player has nobody to beat{clause:cited}."
    EQUAL_HAND = "An equal hand is not a better one{clause:cited}."
    LOWER_RANK = "Not enough: {worse:name} against {better:name}{clause:cited}."
    NOT_COUNTED = "{rank:Name} doesn't count{clause:cited}."
    SAT_OUT = "Didn't put in the ante{clause:cited}."
    FOLDED = "Has folded{clause:cited}."
    HAND_GIVEN_UP = "Gives up the hand{clause:cited}."
    BUST = "Didn't roll a better hand than the best so far{clause:cited}."
    BEATEN = "A later player rolled a better hand{clause:cited}."
    NO_CHIPS = "Has no chips left{clause:cited}."
    CANT_MEET_ANTE = (
        "Can't meet the ante with {chips:,} {chips:chip|chips}: coming in takes {price:,}"
        "{clause:cited}."
    )
    CANT_MEET_RAISE = (
        "Can't meet the raise with {chips:,} {chips:chip|chips}: staying in takes {price:,}"
        "{clause:cited}."
    )
    ALL_OTHERS_OUT = "All others are out{clause:cited}."
    HIGHEST_HAND = "The highest hand takes the pot{clause:cited}."
    LAST_ROLLED_HIGHEST = "The last player rolled the highest hand{clause:cited}."
    OUT_OF_CHIPS = "Has no chips left, and is out of the game{clause:cited}."
    NEXT_ROUND = "The winner of the pot begins the next round{clause:cited}."
    LAST_ROUND = "Round {round} was the last: the highest stack wins{clause:cited}."
    ALL_CHIPS = "One player has all the chips{clause:cited}."

    # hands with community dice
    FLOP_AGAIN = "Everyone checked, so the flop was rolled again{clause:cited}."
    NO_MORE_BETTING = (
        "Nobody can bet any more, so the rest of the community is rolled{clause:cited}."
    )
    WITHOUT_SHOWING = (
        "Everyone else has folded, so {player} takes the pot without showing{clause:cited}."
    )
    SHOWDOWN = "{winners:all} {winners:shows|show} the best hand."
    PLAYER_OUT = "{player} has no chips left and is out of the game{clause:cited}."
    LAST_LEFT = "{player} is the last player left and wins the game{clause:cited}."
    LAST_HAND = "After {count} {count:hand|hands}, the most chips win{clause:cited}."
    HAND_WINS_GAME = "{player} holds a {rank:name} and wins the whole game at once{clause:cited}."
    SHARED_HAND_WINS_GAME = (
        "{winners:all} share a {rank:name} and win the game together{clause:cited}."
    )
    BY_STRATEGY = (
        "The hand is worth {equity}% of the pot; the strategy does this {often}% of the time."
    )
    BY_PRICE = "The hand is worth {equity}% of the pot, and a call pays from {price}% on."
    BY_EQUITY = "The hand is worth {equity}% of the pot, and a check is free."

    # score cards
    SCORED = "{dice} scores {score} in {box:name}{clause:cited}."
    POINTS_WRITTEN = "{player} writes {points} in {box:name}{clause:cited}."
    JOKER = "{dice} scores {score} in {box:name}, as a joker{clause:cited}."
    CROSSED_OUT = "{player} crosses out {box:name}{clause:cited}."
    TURN_GIVEN_UP = "{player} gives up the turn: {box:name} gets a zero{clause:cited}."
    UPPER_BONUS = (
        "An upper section of {upper} earns {bonus} more, as {threshold} or more does{clause:cited}."
    )
    REPEAT_BONUS = (
        "A further {box:name} while that box holds {score} earns {bonus} more{clause:cited}."
    )
    CARDS_FULL = "All cards are full{clause:cited}."

    # choices of the service's players
    UNSAID = "The reason would show hidden dice."
    ONLY_CHOICE = "There is nothing else to do."
    NO_TABLE = "The box that scores most: the best play is not known here."
    BEST_PLAY = "The best play: it brings {expected} points on average."
    WORSE_PLAY = "It brings {expected} points on average, {loss} fewer than the best play."

    BEST_CHANCE = "The best chance to win: {percent}%."
    WORSE_CHANCE = "A chance of {percent}% to win; the best choice has {best}%."
    BEST_VALUE = "Worth {expected} on average, and nothing else is worth more."
    WORSE_VALUE = "Worth {expected} on average, {loss} less than the best choice."
    NO_LOSS = "The rolls were worth {luck} points against the average, and no choice cost any."
    LOSSES = (
        "The rolls were worth {luck} points against the average, and the choices cost {loss}; the "
        "costliest one, in turn {turn}, cost {most}."
    )

    MORE_CARDS = "Further cards never make the best layout worse."

    # layouts
    LINE = "{hand:Name}: {points:,}{clause:cited}."
    LINE_FURTHER = (
        "{hand:Name}: {points:,}, and {further:,} for {cards} further {cards:card|cards}"
        "{clause:cited}."
    )
    LINE_DOUBLED = "{hand:Name}: {points:,} doubled on the first roll ({clause}, {doubles})."
    LINE_DOUBLED_FURTHER = (
        "{hand:Name}: {points:,} doubled on the first roll, and {further:,} for {cards} further "
        "{cards:card|cards} ({clause}, {doubles})."
    )
    NOT_LAID = "{player} gives up the turn, which scores nothing{clause:cited}."
    NOT_OPENED = "A turn that doesn't open scores nothing{clause:cited}."
    LOW_PAIR = (
        "A pair of jacks or better opens; the best here is a pair of {pair:name}{clause:cited}."
    )
    NO_PAIR = "A pair of jacks or better opens; the best here is no pair{clause:cited}."
    LAID_BEST = "The layout is worth {points:,} points, and none is worth more{clause:cited}."
    LAID_BEST_KNOWN = (
        "The layout is worth {points:,} points, and none is known that is worth more{clause:cited}."
    )
    LAID_BELOW_BEST = (
        "The layout is worth {points:,} points; there is one with {best:,}{clause:cited}."
    )
    RISK = "The risk die shows {risk}: {points:,} points times {risk} are {score:,}{clause:cited}."
    RISK_BLANK = "The risk die is blank: the turn scores nothing{clause:cited}."
    BANKED = "The {points:,} points count as they are, without a risk roll{clause:cited}."
    ONE_SUIT = "All dice show cards of one suit{clause:cited}."
    SUPER_ROYAL = "A super royal wins the game at once{clause:cited}."
    TARGET_REACHED = "A total of {total:,} reaches the {target:,} that were agreed{clause:cited}."
    TURNS_PLAYED = (
        "Everyone has had {turns} {turns:turn|turns}, and {total:,} is the highest total"
        "{clause:cited}."
    )

    def because(self, **values: Any) -> Because:
        """The reason as JSON; values that are None are left out."""
        return as_json(self(**values))


def as_json(sentence: Sentence) -> Because:
    """The `sentence` of a `Reason` as JSON."""
    return {"decided_by": sentence.wording.code, **sentence.values}


def of_showdown(winners: list[str], because: Because) -> Because:
    """Why `winners` have the best hand at a showdown, `because` of what their place has."""
    decided_by, *values = because.items()
    return {**Reason.SHOWDOWN.because(winners=winners), "by": decided_by[1], **dict(values)}


def spoken(because: Mapping[str, Any], words: Words = ENGLISH) -> str:
    """The text of a reason that `Reason.because` made, in the language of `words`."""
    codes = [because[name] for name in ("decided_by", "by") if name in because]
    return " ".join([fill_in(Reason[code.upper()].value, because, words) for code in codes])


TEXTS = {"because": "reason", "lacks": "missing"}
"""The field with the text of a reason, by that of the reason."""

_PARTED = frozenset((dict, list, tuple))
"""The types of values that may have reasons in them."""


def with_texts(value: Any, words: Words = ENGLISH) -> Any:
    """`value`, which is JSON, with the text of each reason in it beside the reason.

    A player, a box or a count may be called as the fields are: only reasons have a code.
    """
    kind = type(value)
    if kind not in _PARTED:
        return value
    if kind is not dict:
        return [with_texts(item, words) if type(item) in _PARTED else item for item in value]
    made: dict[str, Any] = {}
    for name, part in value.items():
        if type(part) not in _PARTED:  # `isinstance` takes twice as long
            made[name] = part
        elif name in TEXTS and type(part) is dict and isinstance(part.get("decided_by"), str):
            made[TEXTS[name]] = spoken(part, words)
            made[name] = part
        else:
            made[name] = with_texts(part, words)
    return made
