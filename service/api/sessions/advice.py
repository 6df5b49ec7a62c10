"""Advice in sessions: that of `advise` for the decision that has to be made now."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus

from marshmallow import ValidationError

from service.api.http.problems import Problem, violations_of
from service.api.operations.operation import Answer, Operation
from service.api.operations.registry import API_KINDS
from service.rules.house_rules import in_force
from service.rules.violations import InvalidInput
from service.sessions.view import SessionView

NOT_AGREED = (
    "This session was created without advice. Only the request that creates a session can ask for "
    'it: "advice": true.'
)
NO_DECISION = (
    "There is nothing to advise on now: nobody has to decide on dice that this token may see."
)


class SessionAdvice:
    """Advises the players of sessions; `operations` are those of all variants.

    It uses nothing but what the token may see of the session.
    """

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._advise = {each.variant: each for each in operations if each.name == "advise"}

    def question(self, session: SessionView) -> Answer:
        """The request to `advise` for the decision that has to be made now.

        Raises `Problem` 409 without such a decision, or if the session was created without advice.
        """
        terms = session.terms
        if not terms.advice:
            raise Problem(HTTPStatus.CONFLICT, NOT_AGREED)
        state = terms.game.view(session.snapshot.state, session.viewer)
        question = API_KINDS.of(terms.variant).question(terms.variant, state, session.viewer)
        if question is None or terms.variant not in self._advise:
            raise Problem(HTTPStatus.CONFLICT, NO_DECISION)
        return {**question, "house_rules": in_force(terms.rules)}

    def answer(self, session: SessionView, question: Answer) -> Answer:
        """What `advise` returns for a `question` of the session.

        Raises `Problem` 409 for a position that `advise` refuses, and what `advise` raises while it
        isn't ready.
        """
        try:
            return self._advise[session.terms.variant].run(question)
        except (ValidationError, InvalidInput) as error:
            pointer, detail = next(violations_of(error))
            refused = f"There is no advice for this position: {pointer} {detail}."
            raise Problem(HTTPStatus.CONFLICT, refused) from None
