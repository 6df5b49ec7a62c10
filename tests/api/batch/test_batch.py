"""Batches return what `evaluate` returns for each hand, in every media type."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from service.kinds.community.variant import CommunityRanking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.house_rules import Option, in_force, options
from service.rules.variant import Variant
from service.variants import variants, yahtzee_deluxe
from tests.api.batch.batching import (
    ARROW,
    BODIES,
    NDJSON,
    POKER_DICE,
    SMALL_ANSWER,
    SMALL_COLUMNS,
    arrow,
    batch,
    column,
    columns_of,
    lines,
    post,
    single,
    stream,
)
from tests.api.operations.posting import is_problem
from tests.live import JSON, Reply, Service

LAYOUT = "/v1/variants/roll-a-royal/batch"

SAME_SERVICE = settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
"""A few examples for each variant, all with one service: it is the same for the whole session."""


def values(option: Option) -> st.SearchStrategy[Any]:
    """Any value of a house rule."""
    if option.type == "boolean":
        return st.booleans()
    if option.type == "string":
        return st.sampled_from(option.choices)
    least, most = (option.minimum or 0) // option.step, (option.maximum or 0) // option.step
    numbers = st.integers(least, most).map(lambda steps: steps * option.step)
    return st.none() | numbers if option.nullable else numbers


def house_rules(variant: Variant) -> st.SearchStrategy[dict[str, Any]]:
    """Some of the house rules of `variant`, with any values."""
    declared = {option.name: values(option) for option in options(variant.house_rules)}
    return st.fixed_dictionaries({}, optional=declared)


@st.composite
def hands_of(draw: st.DrawFn, variant: Variant) -> list[list[Any]]:
    """Some possible hands, all of the same size: a roll, or pocket and community dice."""
    dice = variant.dice
    assert isinstance(dice, Dice)
    if isinstance(variant, CommunityRanking):
        sizes = [variant.pocket + stage for stage in variant.stages]
        size = draw(st.sampled_from([size for size in sizes if size >= variant.hand_size]))
        return draw(st.lists(suited_hand(dice, size), min_size=1, max_size=6))
    faces = st.sampled_from(dice.written_faces)
    roll = st.lists(faces, min_size=dice.count, max_size=dice.count)
    return draw(st.lists(roll, min_size=1, max_size=6))


@st.composite
def suited_hand(draw: st.DrawFn, dice: Dice, size: int) -> list[str]:
    """A hand of `size` suited dice out of all `dice`."""
    bag = [suit.letter for suit in dice.suits for _ in range(dice.per_suit)]
    letters = draw(st.permutations(bag))[:size]
    return [f"{draw(st.sampled_from(dice.written_faces))}{letter}" for letter in letters]


def evaluated(service: Service, variant: str, requests: list[Any]) -> list[Reply]:
    """The responses of `evaluate` to `requests`."""
    return [service.post(f"/v1/variants/{variant}/evaluate", request) for request in requests]


def as_columns(variant: Variant, answers: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Responses of `evaluate` as the columns of a batch."""
    if isinstance(variant, ScoreCard):
        return {box.id: [each["scores"][box.id] for each in answers] for box in variant.boxes}
    return {name: [each[name] for each in answers] for name in ("rank", "strength")}


def changed(variant: Variant, rules: dict[str, Any]) -> dict[str, Any]:
    """The part of a response with the house rules, if any differs from its default."""
    given = variant.house_rules(**rules)
    return {} if given == variant.default_rules else {"house_rules": dict(in_force(given))}


@pytest.mark.general("ranking", "community", "scorecard")
@given(data=st.data())
@SAME_SERVICE
def test_every_format_answers_as_evaluate(
    service: Service, variant: str, data: st.DataObject
) -> None:
    """Batches in every format return the results of `evaluate`, under any house rules."""
    game = variants()[variant]
    assert isinstance(game.dice, Dice)
    hands, rules = data.draw(hands_of(game)), data.draw(house_rules(game))
    requests = [{**single(game, hand), "house_rules": rules} for hand in hands]
    replies = evaluated(service, variant, requests)
    columns = as_columns(game, [reply.json for reply in replies])
    answer = {"scores": columns} if isinstance(game, ScoreCard) else columns

    written = [
        "".join(hand) if game.dice.textual and index % 2 else hand
        for index, hand in enumerate(hands)
    ]
    body = json.dumps({"hands": written, "house_rules": rules}).encode()
    reply = post(service, body, JSON, batch(variant))
    expected = {"variant": variant, "count": len(hands), **answer, **changed(game, rules)}
    assert (reply.status, reply.json) == (200, expected)
    assert list(reply.json) == list(expected)

    reply = post(service, lines(requests), NDJSON, batch(variant))
    assert (reply.status, reply.body.split(b"\n")) == (200, [*[r.body for r in replies], b""])

    size = len(hands[0])
    query = json.dumps(rules, separators=(",", ":")).replace('"', "%22")
    path = f"{batch(variant)}?house_rules={query}"
    parts = [{"dice": column(part, size, game.dice)} for part in (hands[:2], [], hands[2:])]
    reply = post(service, stream(parts), ARROW, path)
    assert (reply.status, columns_of(reply.body)) == (200, columns)


odd_requests: st.SearchStrategy[Any] = st.sampled_from(
    [
        {}, [], None, 3, "x", {"dice": [1, 2, 3, 4]}, {"dice": [1, 2, 3, 4, 7]},
        {"dice": [1, 2, 3, 4, 5.0]}, {"dice": [1, 2, 3, 4, True]}, {"dice": "12345"},
        {"dice": [1, 2, 3, 4, 5], "house_rules": {"pairs_rank": 1}},
        {"dice": [2, 2, 4, 4, 5], "house_rules": {"pairs_rank": True}},
        {"dice": [1, 2, 3, 4, 5], "open_boxes": ["chance", "chance"]},
        {"dice": [1, 2, 3, 4, 5], "open_boxes": ["chance", "ones"]},
        {"dice": [1, 2, 3, 4, 5, 6], "extra": "\u00e9"}, {"dice": [10**30, 2, 3, 4, 5]},
        {"dice": [6, 5, 4, 3, 2, 1]}, {"pocket": ["1r", "1r"], "community": []},
        {"pocket": ["1r", "1r"], "community": ["2r", "3r", "4r", "5r"]},
        {"pocket": ["6r", "6b"], "community": ["6w", "6y", "2r", "3b", "4w"]},
        {"rolls": [["5h"]]}, {"rolls": [["As", "Ah", "Kd", *["--"] * 10]], "risk": 2},
    ]
)  # fmt: skip


@pytest.mark.general
@given(requests=st.lists(odd_requests, min_size=1, max_size=6))
@example(requests=[{"rolls": [["5h"]]}, {"rolls": [["As", "Ah", "Kd", *["--"] * 10]], "risk": 2}])
@SAME_SERVICE
def test_lines_are_refused_as_evaluate_does(
    service: Service, variant: str, requests: list[Any]
) -> None:
    """A line gets the response of `evaluate`, or its problem with the line number."""
    expected = []
    for number, reply in enumerate(evaluated(service, variant, requests), start=1):
        line = {"instance": batch(variant), "line": number} if reply.status != 200 else {}
        expected.append({**reply.json, **line})
    reply = post(service, lines(requests), NDJSON, batch(variant))
    assert (reply.status, reply.headers["Content-Type"]) == (200, NDJSON)
    assert [json.loads(line) for line in reply.body.splitlines()] == expected


@pytest.mark.parametrize(
    ("path", "content_type", "taken"),
    [
        (POKER_DICE, "text/csv", [JSON, NDJSON, ARROW]),
        (POKER_DICE, "", [JSON, NDJSON, ARROW]),
        (POKER_DICE, "application/json; charset=latin-1", [JSON, NDJSON, ARROW]),
        (POKER_DICE, "application/x-ndjson; charset=latin-1", [JSON, NDJSON, ARROW]),
        (POKER_DICE, "application/vnd.apache.arrow.file", [JSON, NDJSON, ARROW]),
        (LAYOUT, ARROW, [JSON, NDJSON]),
        (LAYOUT, "text/csv", [JSON, NDJSON]),
    ],
)
def test_media_type_of_the_body(
    service: Service, path: str, content_type: str, taken: list[str]
) -> None:
    """A body of another type or charset gets a 415 whose Accept header lists the supported ones."""
    reply = post(service, BODIES[JSON], content_type, path)
    assert is_problem(reply, 415, path)
    assert reply.headers["Accept"] == ", ".join(taken)
    *others, last = taken
    assert reply.json["detail"] == (
        f"The body must be {', '.join(others)} or {last}; text must be in UTF-8. "
        f"Content-Type is {content_type or 'missing'}."
    )


@pytest.mark.parametrize("kind", ["{}; charset=UTF-8", "{};charset=utf8"])
@pytest.mark.parametrize("media_type", [JSON, NDJSON])
def test_charset_of_the_body(service: Service, media_type: str, kind: str) -> None:
    """UTF-8 is accepted in all its spellings."""
    reply = post(service, BODIES[media_type], kind.format(media_type))
    assert (reply.status, reply.headers["Content-Type"]) == (200, media_type)


@pytest.mark.parametrize(
    ("media_type", "accept", "answered"),
    [
        (JSON, "", JSON),
        (JSON, "*/*", JSON),
        (JSON, ARROW, ARROW),
        (JSON, f"{JSON};q=0.5, {ARROW}", ARROW),
        (JSON, f"{JSON}, {ARROW};q=0.5", JSON),
        (ARROW, "", ARROW),
        (ARROW, "application/*", ARROW),
        (ARROW, JSON, JSON),
        (ARROW, f"{ARROW};q=0, */*", JSON),
        (NDJSON, "", NDJSON),
        (NDJSON, f"text/html, {NDJSON};q=0.1", NDJSON),
    ],
)
def test_media_type_of_the_answer(
    service: Service, media_type: str, accept: str, answered: str
) -> None:
    """JSON and Arrow get a response in either, by Accept; NDJSON gets NDJSON."""
    reply = post(service, BODIES[media_type], media_type, Accept=accept)
    assert (reply.status, reply.headers["Content-Type"]) == (200, answered)
    if answered == JSON:
        assert reply.json == SMALL_ANSWER
    elif answered == ARROW:
        assert columns_of(reply.body) == SMALL_COLUMNS
    else:
        strengths = [json.loads(line)["strength"] for line in reply.body.splitlines()]
        assert strengths == SMALL_ANSWER["strength"]


@pytest.mark.parametrize(
    ("path", "media_type", "accept"),
    [
        *((POKER_DICE, media_type, accept) for media_type, accept in (
            (JSON, NDJSON), (ARROW, NDJSON), (NDJSON, JSON), (NDJSON, ARROW), (JSON, "text/*"))),
        (LAYOUT, JSON, ARROW),
    ],
)  # fmt: skip
def test_no_acceptable_answer(service: Service, path: str, media_type: str, accept: str) -> None:
    """An Accept header that rules out every format of the response gets a 406."""
    assert is_problem(post(service, BODIES[media_type], media_type, path, Accept=accept), 406, path)


def test_types_of_an_arrow_answer(service: Service) -> None:
    """Ranks are a dictionary of all ranks, strengths int32, boxes int16; nothing is null."""
    ranks = pa.ipc.open_stream(post(service, BODIES[ARROW], ARROW).body).schema
    assert ranks == pa.schema(
        [
            pa.field("rank", pa.dictionary(pa.int8(), pa.utf8()), nullable=False),
            pa.field("strength", pa.int32(), nullable=False),
        ]
    )
    body = arrow([[1, 1, 1, 1, 1, 1]], size=6)
    reply = post(service, body, ARROW, batch("yahtzee-deluxe"))
    assert pa.ipc.open_stream(reply.body).schema == pa.schema(
        [pa.field(box.id, pa.int16(), nullable=False) for box in yahtzee_deluxe.BOXES]
    )


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "GZIP"])
@pytest.mark.parametrize("media_type", BODIES)
def test_gzip(service: Service, media_type: str, encoding: str) -> None:
    """A gzip gets the same response as the uncompressed body."""
    body = gzip.compress(BODIES[media_type])
    reply = post(service, body, media_type, Content_Encoding=encoding)
    plain = post(service, BODIES[media_type], media_type)
    assert (reply.status, reply.body) == (200, plain.body)


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip", "zstd"])
@pytest.mark.parametrize("media_type", BODIES)
def test_another_encoding(service: Service, media_type: str, encoding: str) -> None:
    """Another Content-Encoding gets a 415 whose Accept-Encoding lists the supported ones."""
    reply = post(service, BODIES[media_type], media_type, Content_Encoding=encoding)
    assert is_problem(reply, 415, POKER_DICE)
    assert reply.headers["Accept-Encoding"] == "gzip, identity"
    assert reply.json["detail"] == (
        f"The body must be uncompressed or a gzip; Content-Encoding is {encoding}."
    )
