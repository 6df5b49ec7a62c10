"""The contract as it is handed to schemathesis: with links that lead deep into games.

Its schemas are closed, so that answers with fields that it doesn't name are failures.
"""

from __future__ import annotations

from tests.contract.held import closed
from tests.contract.reading import Contract, operations

ENDING = "delete_session"
LEADING = "act"
MORE = ("act_again", "act_once_more")
"""More links for an action: games get on, and answers are read and told now and then."""


def played(contract: Contract) -> Contract:
    """`contract` with its links as schemathesis takes them; `contract` itself is changed.

    A body that a link gives is all of the body: merged into another, as it would be by default, an
    action would get values that aren't its own. Any link is followed as soon as any other, so there
    are more for actions, and sessions end after an action only: of three ways to an end one would
    be taken before a game has begun.
    """
    for _, _, operation in operations(contract):
        for response in operation["responses"].values():
            links = response.get("links", {})
            for name, link in [*links.items()]:
                if link["operationId"] == LEADING:
                    link["x-schemathesis"] = {"merge_body": False}
                    links.update(dict.fromkeys(MORE, link))
                if link["operationId"] == ENDING and operation["operationId"] != LEADING:
                    del links[name]
    contract["components"]["schemas"] = closed(contract["components"]["schemas"])
    return contract
