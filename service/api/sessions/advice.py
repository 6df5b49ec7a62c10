"""Advice for the decision that has to be made now, who is ahead, and what the choices cost."""

from __future__ import annotations

from collections.abc import Iterable

from service.advice import Outlook
from service.api.http.causes import Cause
from service.api.operations.advising import Found
from service.api.operations.operation import ADVISE, FORECAST, REVIEW, Answer, Operation
from service.api.operations.registry import API_KINDS
from service.api.operations.scorecard_review import review_requests
from service.api.sessions.answers import history_json
from service.api.sessions.curve import CURVE, curve_of
from service.engine.state import State
from service.rules.house_rules import in_force
from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.sessions.session import Event, Terms
from service.sessions.view import SessionView
from service.settings import Settings


class Unadvised(Exception):
    """There is no advice for a position, because `advise` refuses it."""

    def __init__(self, refused: InvalidInput) -> None:
        super().__init__(refused)
        self.refused = refused


class SessionAdvice:
    """Advises the players of sessions; `operations` are those of all variants.

    Advice and forecasts use nothing but what the token may see of the session.
    """

    def __init__(self, operations: Iterable[Operation], settings: Settings) -> None:
        self._settings = settings
        self._operations: dict[Variant, dict[str, Operation]] = {}
        for each in operations:
            self._operations.setdefault(each.variant, {})[each.name] = each

    def question(self, session: SessionView) -> Answer:
        """The request to `advise` for the decision that has to be made now.

        Raises `Problem` 409 without such a decision, or if the session was created without advice.
        """
        terms = session.terms
        if not terms.advice:
            raise Cause.ADVICE_NOT_AGREED.problem()
        state = terms.game.view(session.snapshot.state, session.viewer)
        question = API_KINDS.of(terms.variant).question(terms.variant, state, session.viewer)
        if question is None or ADVISE not in self._operations[terms.variant]:
            raise Cause.NOTHING_TO_DECIDE.problem()
        return {**question, "house_rules": in_force(terms.rules)}

    def advise(self, session: SessionView, question: Answer) -> Answer:
        """What `advise` returns for a `question` of the session.

        Raises `Unadvised` for a position that `advise` refuses, and what `advise` raises while it
        isn't ready.
        """
        try:
            return self._operations[session.terms.variant][ADVISE].run(question)
        except InvalidInput as error:
            raise Unadvised(error) from None

    def check_forecast(self, session: SessionView) -> None:
        """Raises `Problem` 404 if the game has no forecasts."""
        variant = session.terms.variant
        offered = [*self._operations[variant]]
        if FORECAST not in offered:
            raise Cause.NO_SUCH_OPERATION.problem(variant=variant.id, allowed=offered)

    def forecast(self, session: SessionView) -> Answer:
        """What `forecast` returns for the players who are there. Of those who left, and once the
        game is over, the result is known (G2).

        Raises `Unadvised` for a position that `forecast` refuses, and what `forecast` raises while
        it isn't ready.
        """
        terms, state = session.terms, session.snapshot.state
        variant, operation = terms.variant, self._operations[terms.variant][FORECAST]
        known = dict(zip(terms.players, settled(terms, state), strict=True))
        view = terms.game.view(state, session.viewer)
        asked = API_KINDS.of(variant).forecast_question(variant, view, session.viewer)
        if asked is None:
            return operation.response(Found(known, True, 0.0), terms.rules)
        ids = [player["id"] for player in asked["players"]]
        gone = {terms.players[seat] for seat in state.left}
        there = [player for player in asked["players"] if player["id"] not in gone]
        question = {**asked, "players": there, "house_rules": in_force(terms.rules)}
        try:
            found: Found = operation.compute(operation.read(question))
        except InvalidInput as error:
            raise Unadvised(error) from None
        outlooks = known | {**found.players}
        ordered = found._replace(players={each: outlooks[each] for each in ids})
        return operation.response(ordered, terms.rules)

    def check_review(self, session: SessionView) -> None:
        """Raises `Problem` 404 if the game has no reviews, and 403 if it isn't over for a player.

        Otherwise players would learn during the game what they should have done.
        """
        if REVIEW not in self._operations[session.terms.variant]:
            raise Cause.NO_REVIEW.problem()
        if session.viewer is not None and not session.snapshot.state.over:
            raise Cause.GAME_NOT_OVER.problem()

    def review(self, session: SessionView, events: Iterable[Event]) -> Answer:
        """What `review` returns for the turns so far of each player whose rolls are known, and how
        the chances moved.

        Raises what `review` raises while it isn't ready.
        """
        review, events = self._operations[session.terms.variant][REVIEW].run, [*events]
        asked = review_requests(history_json(session, events))
        reviews = {player: review(request) for player, request in asked.items()}
        return {"players": reviews, **CURVE.write(curve_of(self._settings, session.terms, events))}


def settled(terms: Terms, state: State) -> list[Outlook]:
    """What is known of each player once the game is over, or of who has left.

    The result in a game of chips is the part of the win, as `forecast` has it for a round or hand.
    """
    winners, outlooks = state.winners, []
    for player, score in zip(terms.players, terms.game.scores(state), strict=True):
        win = float(player in winners)
        expected = win / max(1, len(winners)) if terms.game.counts == "chips" else float(score)
        alone = win if len(winners) == 1 else 0.0
        outlooks.append(Outlook(alone, win - alone, expected, 0.0))
    return outlooks
