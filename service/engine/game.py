"""A whole game in steps: each action turns a state into the next one, in pure functions.

A game has no clock, no randomness and no store: an action brings its time, and its dice or a source
of chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from service.engine.actions import ActionKind
from service.engine.chance import Below, Chance, Rolled, RollOf
from service.engine.parameters import REQUIRED, Bound
from service.rules.house_rules import HouseRules
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation

TIME_UP = "time_up"
"""The action of a turn that runs out; no player can perform it."""

SERVICE_ROLLS = "must be omitted: the service rolls the dice in this session"
"""Why dice are refused in an action whose dice are drawn."""

News = dict[str, Any]
"""What followed from an action by the rules, as JSON: `what`, often the player, and the reason."""


@dataclass(frozen=True)
class GameTable:
    """What is agreed at the start and never changes.

    `players` are listed in the order they sit, clockwise. With `typed_dice` the players roll at a
    real table and type their dice in.
    """

    players: tuple[str, ...]
    rules: HouseRules
    typed_dice: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """An action of `player` at the time `at`, in milliseconds since 1970.

    `values` are those that the move asks for. `dice` are typed in; None if the service rolls them,
    or if the action rolls none.
    """

    name: str
    player: str
    at: int
    values: Mapping[str, object] = field(default_factory=dict)
    dice: object = None


@dataclass(frozen=True, slots=True)
class Move:
    """An action that is legal now: the player who can perform it, and the bounds of its values.

    `dice` is what the dice that it rolls can show, None if it rolls none. A `forced` move leaves
    nothing to decide: where the service rolls the dice, it is made at once.
    """

    kind: ActionKind
    player: str
    values: Mapping[str, Bound] = field(default_factory=dict)
    dice: RollOf | None = None
    forced: bool = False

    @property
    def action(self) -> str:
        """The name of the action."""
        return self.kind.name


class State(Protocol):
    """What all states have in common. A state is an immutable dataclass of JSON types, with tuples
    for lists.

    `news` followed from the last action only. `winners` are known once it is `over`. `deadline` is
    when the turn runs out, in milliseconds since 1970; None without a clock.
    """

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won; several if they tie."""

    @property
    def news(self) -> tuple[News, ...]:
        """What followed from the last action."""

    @property
    def deadline(self) -> int | None:
        """When the turn runs out."""


VariantT = TypeVar("VariantT", bound=Variant[Any])
StateT = TypeVar("StateT", bound=State)


class Game(ABC, Generic[VariantT, StateT]):
    """The game of `variant` at `table`. Its methods are pure: they never change a state."""

    schema: ClassVar[int] = 1
    """The version of the stored states; raise it if older releases would misread newer states.
    `restore` reads all older versions."""

    hidden: ClassVar[frozenset[str]] = frozenset()
    """The actions whose dice only their player may see."""

    def __init__(self, variant: VariantT, table: GameTable) -> None:
        self.variant = variant
        self.table = table
        self._moves: tuple[StateT, Sequence[Move]] | None = None

    @classmethod
    @abstractmethod
    def actions(cls, variant: VariantT) -> Sequence[ActionKind]:
        """Every action that games of `variant` have."""

    @abstractmethod
    def start(self, at: int) -> StateT:
        """The state before the first action, at the time `at` in milliseconds since 1970."""

    @abstractmethod
    def moves(self, state: StateT) -> Sequence[Move]:
        """Every legal move, always in the same order; none once the game is over."""

    def legal_moves(self, state: StateT) -> Sequence[Move]:
        """`moves`, computed once for a state that is used several times in a row."""
        last = self._moves
        if last is None or last[0] is not state:
            last = self._moves = state, self.moves(state)
        return last[1]

    @abstractmethod
    def chance(self, state: StateT, move: Move, values: Mapping[str, Any]) -> Chance:
        """The dice that `move` rolls; called only for a move that rolls any."""

    @abstractmethod
    def apply_move(
        self, state: StateT, move: Move, values: Mapping[str, Any], dice: Rolled, at: int
    ) -> StateT:
        """The state after a legal move; `dice` is empty if it rolls none.

        May raise `InvalidInput` for values that are illegal though each is within its bounds.
        """

    @abstractmethod
    def restore(self, stored: Mapping[str, Any]) -> StateT:
        """The state from its stored JSON, which has lists instead of tuples."""

    @abstractmethod
    def view(self, state: StateT, viewer: str | None) -> dict[str, Any]:
        """`state` as JSON, as a player or the table (None) may see it.

        Has at least `over`, `winners` and `news`.
        """

    def decided(self, state: StateT) -> Any:
        """What the last action decided beyond the rules and the dice, as JSON; None in most games.

        It is stored with the action, and a replay uses it. So no search is repeated, and a later
        release that would find something else doesn't change the past.
        """
        del state
        return None

    def replay_move(self, state: StateT, move: Move, dice: Rolled, decided: Any) -> StateT:
        """The state after a replayed move, with what was `decided` at first."""
        raise NotImplementedError(f"nothing is decided in {self.variant.id}")

    def time_up(self, state: StateT) -> StateT:
        """The state after a turn that ran out, at its deadline."""
        raise NotImplementedError(f"no clock runs in {self.variant.id}")

    def play(
        self, state: StateT, action: Action, below: Below | None = None, decided: Any = None
    ) -> tuple[StateT, Rolled]:
        """The state after `action`, and the dice rolled for it.

        The dice are drawn from `below`; without it the action brings its own, typed in. A replay
        passes what was `decided` at first. Raises `InvalidInput` with every violation if the action
        isn't legal.
        """
        move = self._find_move(state, action)
        values = self._read_values(move, action.values)
        dice = self._roll(state, move, values, action.dice, below)
        if decided is not None:
            return self.replay_move(state, move, dice, decided), dice
        return self.apply_move(state, move, values, dice, action.at), dice

    def because(self, step: str, sentence: str) -> str:
        """`sentence` as a reason, with the clause that the variant cites for `step` of its game."""
        if step not in self.variant.step_words:
            raise LookupError(f"{step!r} is no step of a {self.variant.kind}")
        clause = self.variant.steps.get(step)
        return f"{sentence} ({clause})." if clause else f"{sentence}."

    def _find_move(self, state: StateT, action: Action) -> Move:
        """The legal move that `action` names."""
        moves = self.legal_moves(state)
        named = [move for move in moves if move.action == action.name]
        for move in named:
            if move.player == action.player:
                return move
        if named:
            players = " or ".join(move.player for move in named)
            raise InvalidInput(
                Violation(("player",), f"can't {action.name} now, only {players} can")
            )
        if not moves:
            raise InvalidInput(Violation(("action",), "can't be performed: the game is over"))
        legal = ", ".join(dict.fromkeys(move.action for move in moves))
        raise InvalidInput(Violation(("action",), f"must be one of {legal} now"))

    def _read_values(self, move: Move, submitted: Mapping[str, object]) -> Mapping[str, Any]:
        """The values of an action, each checked against its bounds."""
        violations: list[Violation] = []
        for name in submitted:
            if name not in move.values:
                fields = ", ".join(move.values) or "none"
                violations.append(
                    Violation((name,), f"is not a field of {move.action}; there are {fields}")
                )
        values: dict[str, Any] = {}
        for name, bound in move.values.items():
            if name not in submitted and bound.default is REQUIRED:
                violations.append(Violation((name,), "is missing"))
                continue
            try:
                values[name] = bound.read(submitted.get(name, bound.default))
            except InvalidInput as refused:
                violations += _under(name, refused.violations)
        if violations:
            raise InvalidInput(*violations)
        return values

    def _roll(
        self,
        state: StateT,
        move: Move,
        values: Mapping[str, Any],
        typed: object,
        below: Below | None,
    ) -> Rolled:
        """The dice of a move, drawn or as typed in; empty if it rolls none."""
        if below is not None and typed is not None:
            raise InvalidInput(Violation(("dice",), SERVICE_ROLLS))
        if move.dice is None:
            if typed is not None:
                raise InvalidInput(Violation(("dice",), f"is not a field of {move.action}"))
            return ()
        chance = self.chance(state, move, values)
        if below is not None:
            return chance.draw(below)
        if typed is None:
            raise InvalidInput(Violation(("dice",), "is missing: this game's dice are typed in"))
        try:
            return chance.read(typed)
        except InvalidInput as refused:
            raise InvalidInput(*_under("dice", refused.violations)) from None


def _under(name: str, violations: Iterable[Violation]) -> list[Violation]:
    """`violations` of a value, with paths that begin at its field `name`."""
    return [Violation((name, *violation.path), violation.detail) for violation in violations]
