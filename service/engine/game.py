"""A whole game in steps: each action turns a state into the next one, in pure functions.

A game has no clock, no randomness and no store. Each action carries its time, and its dice or a
source of random numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from service.engine.actions import LEAVE, Action, ActionKind, Move, Step
from service.engine.chance import Below, Chance, Rolled
from service.engine.parameters import REQUIRED
from service.engine.state import State
from service.rules.breaches import Breach
from service.rules.house_rules import TURN_SECONDS, HouseRules
from service.rules.reasons import Reason
from service.rules.variant import LEFT, TIME_UP, Variant
from service.rules.violations import InvalidInput, Violation, gathering, refuse


@dataclass(frozen=True)
class GameTable:
    """What the players agree on before the game; it never changes.

    `players` are listed in the order they sit, clockwise. With `typed_dice` the players roll at a
    real table and type their dice in. `paper` is what each player has, as JSON, if the game goes on
    from paper: what the field `Game.paper` of a new session has.
    """

    players: tuple[str, ...]
    rules: HouseRules
    typed_dice: bool = False
    paper: tuple[Any, ...] = ()


VariantT = TypeVar("VariantT", bound=Variant)
StateT = TypeVar("StateT", bound=State)


class Game(ABC, Generic[VariantT, StateT]):
    """The game of `variant` at `table`. Its methods are pure: they never change a state.

    The clock (G1) and leaving (G2) are here for all games. A kind of game says what the clock is
    for, what the service decides when it runs out, and what follows when a player leaves.
    """

    schema: ClassVar[int] = 1
    """The version of the stored states; raise it if older releases would misread newer states.
    `restore` reads all older versions."""

    paper: ClassVar[str]
    """What a game from paper goes on from, by player."""

    most_actions: int = 100
    """The most actions in one request."""

    hidden: ClassVar[frozenset[str]] = frozenset()
    """The actions whose dice only their player may see."""

    def __init__(self, variant: VariantT, table: GameTable) -> None:
        self.variant = variant
        self.table = table
        self._moves: tuple[StateT, Sequence[Move]] | None = None
        self._leave = [Move(LEAVE, player) for player in table.players]
        seconds = TURN_SECONDS.of(table.rules)
        self.lasts: int | None = None if seconds is None else 1_000 * seconds
        """How long the clock runs, in milliseconds; None without a clock."""

    @classmethod
    @abstractmethod
    def actions(cls, variant: VariantT) -> Sequence[ActionKind]:
        """Every action of the games of `variant`, but `LEAVE`."""

    @abstractmethod
    def opening(self) -> StateT:
        """The state before the first action, or from which a game from paper goes on.

        Raises `InvalidInput` for what can't be on paper, with paths that begin with `paper`.
        """

    def start(self, at: int) -> StateT:
        """The opening, with a clock that starts at `at`, in milliseconds since 1970."""
        state = self.opening()
        return state if state.over else self._timed(state, at)

    @abstractmethod
    def moves(self, state: StateT) -> Sequence[Move]:
        """Every legal move but `LEAVE`, always in the same order; none once the game is over."""

    def known_moves(self, state: StateT) -> Sequence[Move]:
        """`moves`, computed once for several calls in a row with the same state."""
        last = self._moves
        if last is None or last[0] is not state:
            last = self._moves = state, self.moves(state)
        return last[1]

    def to_act(self, state: StateT) -> list[str]:
        """Who can act; nobody at the end."""
        return [*dict.fromkeys(move.player for move in self.known_moves(state))]

    def legal_moves(self, state: StateT) -> list[Move]:
        """`known_moves`, then those of the players who can leave (G2)."""
        moves = self.known_moves(state)
        return [*moves, *[self._leave[seat] for seat in self.present(state)]] if moves else []

    @abstractmethod
    def chance(self, state: StateT, move: Move, values: Mapping[str, Any]) -> Chance:
        """The dice that `move` rolls; called only for a move that rolls any."""

    @abstractmethod
    def apply_move(
        self, state: StateT, move: Move, values: Mapping[str, Any], dice: Rolled
    ) -> StateT:
        """The state after a legal move but `LEAVE`; `dice` is empty if it rolls none.

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

    def reveals(self, before: StateT, after: StateT) -> bool:
        """Whether the action between two states told somebody something about `hidden` dice."""
        del before, after
        return False

    def decided(self, state: StateT) -> Any:
        """The result of a search during the last action, as JSON; None in most games.

        It is stored with the action, and a replay uses it. So no search is repeated, and a later
        release with another result doesn't change the past.
        """
        del state
        return None

    def replay_move(self, state: StateT, move: Move, dice: Rolled, decided: Any) -> StateT:
        """The state after a replayed move, with the `decided` result of its first run."""
        raise NotImplementedError(f"nothing is decided in {self.variant.id}")

    def present(self, state: StateT) -> Iterable[int]:
        """The seats of the players who haven't left, and who play until the game is over (G2)."""
        seats = range(len(self.table.players))
        return [seat for seat in seats if seat not in state.left] if state.left else seats

    counts: ClassVar[str] = "total"
    """What decides the places: `total` or `chips`."""

    @abstractmethod
    def scores(self, state: StateT) -> Sequence[int]:
        """The total or the chips of each seat; chips that are put in belong to who put them in."""

    @abstractmethod
    def ended(self, state: StateT) -> int:
        """How many turns, hands or rounds of the whole game have ended."""

    @abstractmethod
    def playing(self, state: StateT) -> Iterable[int]:
        """The seats that have a part in the turn, hand or round of `state`."""

    @abstractmethod
    def timed(self, state: StateT) -> Hashable:
        """What the clock is for, such as the number of a turn: it starts again if that changes."""

    @abstractmethod
    def default(self, state: StateT) -> tuple[ActionKind, Mapping[str, object]] | None:
        """The legal action, with its values, that the service takes for the player to act when
        time is up (G1); None if the player can only give up the turn.
        """

    @abstractmethod
    def give_up(self, state: StateT) -> StateT:
        """The state after the player to act, or all of them, gave up the turn as time was up (G1).

        The news is added to that of `state`.
        """

    @abstractmethod
    def without(self, state: StateT, seat: int) -> StateT:
        """The state after the player at `seat`, who is one of `left` now, has left (G2).

        The news is added to that of `state`.
        """

    def time_up(
        self, state: StateT, at: int, below: Below | None = None, decided: Sequence[Any] = ()
    ) -> tuple[StateT, list[Step]]:
        """The state after time was up, at the time `at`: the service decides for the player to act,
        until what the clock was for is over (G1). The steps begin with `TIME_UP`, of nobody.

        Dice are drawn with `below`. A replay passes what was `decided` in each step.
        """
        late = [*dict.fromkeys(move.player for move in self.moves(state))]
        news = [
            self.variant.news(TIME_UP, TIME_UP, Reason.TIME_UP(player=player), player=player)
            for player in late
        ]
        after = replace(state, news=tuple(news))
        steps = [Step(None, TIME_UP, news=after.news)]
        while not after.over and self.timed(after) == self.timed(state):
            default = self.default(after)
            if default is None:
                after = self._clocked(state, self.give_up(after), at)
                steps[-1] = replace(steps[-1], news=after.news)
                continue
            kind, values = default
            action = Action(kind.name, late[0], at, values)
            was = decided[len(steps)] if len(steps) < len(decided) else None
            after, step = self.take(after, action, below, was)
            steps.append(step)
        return after, steps

    def take(
        self, state: StateT, action: Action, below: Below | None = None, decided: Any = None
    ) -> tuple[StateT, Step]:
        """The state after `action` as in `play`, and its step."""
        after, dice = self.play(state, action, below, decided)
        decided = self.decided(after)
        return after, Step(action.player, action.name, action.values, dice, after.news, decided)

    def play(
        self, state: StateT, action: Action, below: Below | None = None, decided: Any = None
    ) -> tuple[StateT, Rolled]:
        """The state after `action`, and the dice rolled for it.

        The dice are drawn with `below`; without it, the action has typed dice. A replay passes the
        `decided` result of the first run. Raises `InvalidInput` with all violations if the action
        is illegal.
        """
        move = self._find_move(state, action)
        values = self.read_values(move, action.values)
        dice = self._roll(state, move, values, action.dice, below)
        if move.kind is LEAVE:
            after = self._left(state, move.player)
        elif decided is not None:
            after = self.replay_move(state, move, dice, decided)
        else:
            after = self.apply_move(state, move, values, dice)
        return self._clocked(state, after, action.at), dice

    def _left(self, state: StateT, player: str) -> StateT:
        """The state after `player` left (G2)."""
        seat = self.table.players.index(player)
        news = self.variant.news(LEFT, LEFT, Reason.LEFT(player=player), player=player)
        return self.without(replace(state, left=(*state.left, seat), news=(news,)), seat)

    def _clocked(self, before: StateT, after: StateT, at: int) -> StateT:
        """`after`, which follows from `before` at the time `at`, with its deadline (G1)."""
        if self.lasts is None:
            return after
        if after.over:
            return replace(after, deadline=None)
        if self.timed(after) == self.timed(before):
            same = after.deadline == before.deadline
            return after if same else replace(after, deadline=before.deadline)
        return self._timed(after, at)

    def _timed(self, state: StateT, at: int) -> StateT:
        """`state` with a clock that starts at `at`."""
        return state if self.lasts is None else replace(state, deadline=at + self.lasts)

    def _find_move(self, state: StateT, action: Action) -> Move:
        """The legal move that `action` names."""
        moves = self.known_moves(state)
        named = [move for move in moves if move.action == action.name]
        if not named:
            moves = self.legal_moves(state)
            named = [move for move in moves if move.action == action.name]
        for move in named:
            if move.player == action.player:
                return move
        if named and action.name == LEAVE.name:
            there = Breach.NOT_IN_GAME(allowed=[move.player for move in named])
            raise InvalidInput(Violation(("player",), there))
        if named:
            players = [move.player for move in named]
            detail = Breach.NOT_YOUR_TURN(action=action.name, allowed=players)
            raise InvalidInput(Violation(("player",), detail))
        if not moves:
            raise InvalidInput(Violation(("action",), Breach.GAME_OVER()))
        legal = list(dict.fromkeys(move.action for move in moves))
        raise InvalidInput(Violation(("action",), Breach.ILLEGAL_ACTION(allowed=legal)))

    def read_values(self, move: Move, submitted: Mapping[str, object]) -> Mapping[str, Any]:
        """Parses the values of an action, each by its bounds.

        A value that the action has at other times may be null or its default.
        """
        violations: list[Violation] = []
        for name, value in submitted.items():
            if name in move.values:
                continue
            declared = move.kind.values.get(name)
            if declared is None:
                dice = ["dice"] if self.table.typed_dice and move.dice is not None else []
                detail = Breach.NOT_A_VALUE(action=move.action, allowed=[*move.values, *dice])
                violations.append(Violation((name,), detail))
            elif value not in (None, declared.bound.default):
                violations.append(Violation((name,), Breach.NOTHING_TO_CHOOSE()))
        values: dict[str, Any] = {}
        for name, bound in move.values.items():
            if name not in submitted and bound.default is REQUIRED:
                violations.append(Violation((name,), Breach.MISSING()))
                continue
            with gathering(violations, name):
                values[name] = bound.read(submitted.get(name, bound.default))
        refuse(violations)
        return values

    def _roll(
        self,
        state: StateT,
        move: Move,
        values: Mapping[str, Any],
        typed: object,
        below: Below | None,
    ) -> Rolled:
        """The dice of a move, drawn or typed in; empty if it rolls none."""
        if below is not None and typed is not None:
            raise InvalidInput(Violation(("dice",), Breach.SERVICE_ROLLS()))
        if move.dice is None:
            if typed is not None:
                detail = Breach.ROLLS_NO_DICE(action=move.action)
                raise InvalidInput(Violation(("dice",), detail))
            return ()
        instead = move.kind.instead
        if instead:
            if (values[instead] is None) == (typed is None and below is None):
                detail = Breach.NOT_EXACTLY_ONE(allowed=[instead, "dice"])
                raise InvalidInput(Violation((), detail))
            if values[instead] is not None:
                return ()
        chance = self.chance(state, move, values)
        if below is not None:
            return chance.draw(below)
        if typed is None:
            raise InvalidInput(Violation(("dice",), Breach.DICE_MISSING()))
        try:
            return chance.read(typed)
        except InvalidInput as refused:
            raise refused.within("dice") from None
