"""The code of games from outside: what it raises, and whether their patterns work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from service.rules.patterns import Alike, AnyDice, Match, OneColour, Pattern, Run


def reason(error: BaseException) -> str:
    """`error` in one line: its class and its message, if it has one that can be formatted."""
    try:
        message = " ".join(str(error).split())
    except Exception:  # the class of the error is foreign code, too
        message = ""
    return ": ".join(filter(None, [type(error).__name__, message]))


def is_foreign(pattern: Pattern) -> bool:
    """Whether `pattern`, or one within it, is not from `service.rules.patterns`."""
    if type(pattern) is OneColour:
        return is_foreign(pattern.pattern)
    return type(pattern) not in (Alike, Run, AnyDice)


def pattern_fault(pattern: Pattern, rolls: Iterable[Sequence[int]]) -> str | None:
    """What a foreign `pattern` does wrong with any of `rolls`, as the end of a sentence.

    It can raise anything, and return anything.
    """
    for dice in rolls:
        try:
            found: object = pattern.match(dice)
        except Exception as error:
            return f"raises {reason(error)} for {dice}"
        if found is not None and not _is_match(found, dice):
            return f"must return a Match of the dice {dice}, or None, not {found!r:.120}"
    return None


def word_fault(word: Callable[[int], object], count: int) -> str | None:
    """What `word` does wrong with any of `count` positions, as the end of a sentence."""
    for position in range(count):
        try:
            found = word(position)
        except Exception as error:
            return f"raises {reason(error)} for the word at {position}"
        if not isinstance(found, str) or not found.isprintable() or not found.strip():
            return f"must have a text as the word at {position}, not {found!r:.80}"
    return None


def _is_match(found: object, dice: Sequence[int]) -> bool:
    """Whether `found` is a match of just these `dice`."""
    if not isinstance(found, Match):
        return False
    parts: tuple[object, ...] = (found.making, found.compared, found.rest)
    if not all(isinstance(part, tuple) and all(type(die) is int for die in part) for part in parts):
        return False
    whole = sorted(found.making + found.rest) == sorted(dice)
    return whole and set(found.compared) <= set(found.making)
