"""The contract for schemathesis, with links that lead deep into games.

Its schemas are closed, so that responses with unnamed fields fail.
"""

from __future__ import annotations

from tests.contract.checker import closed_parts
from tests.contract.openapi import Contract, operations

ENDING = "deleteSession"
LEADING = "actInSession"
MORE = ("act_again", "act_once_more")
"""More links for an action, so that games advance."""

FIRST_LEGAL = {
    "action": "$response.body#/actions/0/action",
    "player": "$response.body#/actions/0/player",
}
"""The body of a link for an action. The published links have none: most generators refuse it."""


def with_deep_links(contract: Contract) -> Contract:
    """Changes the links of `contract` for schemathesis, and returns it.

    The body of a link is the whole body: by default it would be merged into another, and an action
    would get values of other actions. Schemathesis follows all links equally often, so there are
    more for actions. A session can be deleted only after an action; otherwise one of three ways
    would delete it before the game begins.
    """
    for _, _, operation in operations(contract):
        for response in operation["responses"].values():
            links = response.get("links", {})
            for name, link in [*links.items()]:
                if link["operationId"] == LEADING:
                    link["requestBody"] = FIRST_LEGAL
                    link["x-schemathesis"] = {"merge_body": False}
                    links.update(dict.fromkeys(MORE, link))
                if link["operationId"] == ENDING and operation["operationId"] != LEADING:
                    del links[name]
    contract["components"]["schemas"] = closed_parts(contract["components"]["schemas"])
    return contract
