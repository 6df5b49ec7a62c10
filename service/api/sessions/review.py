"""Reviews of sessions: what the choices of each player cost, from the history."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus

from service.api.http.problems import Problem
from service.api.operations.operation import Answer, Operation
from service.api.operations.scorecard_review import turns_of
from service.api.sessions.answers import history_json
from service.rules.house_rules import in_force
from service.sessions.session import Event
from service.sessions.view import SessionView

NOT_OVER = "The game isn't over. Until then, only the table token gets the review."
NO_REVIEW = "There are no reviews of this game: only score cards have them."


class SessionReview:
    """Reviews sessions; `operations` are those of all variants."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._review = {each.variant: each for each in operations if each.name == "review"}

    def check(self, session: SessionView) -> None:
        """Raises `Problem` 404 if the game has no reviews, and 403 if it isn't over for a player.

        Otherwise players would learn during the game what they should have done.
        """
        if session.terms.variant not in self._review:
            raise Problem(HTTPStatus.NOT_FOUND, NO_REVIEW)
        if session.viewer is not None and not session.snapshot.state.over:
            raise Problem(HTTPStatus.FORBIDDEN, NOT_OVER)

    def answer(self, session: SessionView, events: Iterable[Event]) -> Answer:
        """What `review` returns for the turns of each player so far.

        Raises what `review` raises while it isn't ready.
        """
        terms = session.terms
        played = turns_of(terms.players, history_json(session, events)["events"])
        rules = in_force(terms.rules)
        review = self._review[terms.variant].run
        return {
            "players": {
                player: review({"turns": turns, "house_rules": rules})
                for player, turns in played.items()
            }
        }
