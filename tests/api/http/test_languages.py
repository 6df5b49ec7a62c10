"""Responses in the language that their client prefers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.api.http.languages import preferred
from service.app import create_app
from service.settings import Settings
from tests.api.sessions.playing import PATH, TABLE, UNTIMED, Session, make, tagged
from tests.live import Service
from tests.trial_games import three_dice

GERMAN = {"Accept-Language": "de"}
DE = {"Accept_Language": "de"}
"""The same as the client of the tests takes it."""

VARIANTS = "/v1/variants"


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("", "en"),
        ("de", "de"),
        ("DE-ch-1996", "de"),
        ("de-AT, en;q=0.5", "de"),
        ("en-US, en;q=0.9, de;q=0.8", "en"),
        ("en;q=0.8, de;q=0.9", "de"),
        ("en, de", "en"),
        ("de, en", "de"),
        ("fr, de;q=0.1", "de"),
        ("fr, *;q=0.5", "en"),
        ("de;q=0", "en"),
        ("de;q=much", "en"),
        (";;,,=\xff", "en"),
    ],
)
def test_the_language(accepted: str, code: str) -> None:
    """It is the one that the client prefers among those that there are; of equal ones, the first.
    Regions make no difference, and without a preference it is English.
    """
    assert preferred(accepted).code == code


def differing(english: Any, german: Any, path: str = "") -> dict[str, tuple[str, str]]:
    """The texts that differ in two answers, by their paths; everything else must be equal."""
    if isinstance(english, dict):
        assert [*english] == [*german]
        parts = [(name, english[name], german[name]) for name in english]
    elif isinstance(english, list):
        assert len(english) == len(german)
        parts = [
            (str(place), *both) for place, both in enumerate(zip(english, german, strict=True))
        ]
    else:
        assert type(english) is type(german)
        return {} if english == german else {path: (english, german)}
    found: dict[str, tuple[str, str]] = {}
    for name, one, other in parts:
        found |= differing(one, other, f"{path}/{name}")
    return found


def test_the_list_of_games(service: Service) -> None:
    """Names and summaries are in German, and nothing else differs."""
    english, german = service.get(VARIANTS), service.get(VARIANTS, Accept_Language="de")
    assert differing(english.json, german.json) == {
        "/variants/0/name": ("Dice poker", "Würfelpoker"),
        "/variants/0/summary": (
            "Thirteen boxes, five dice, three rolls a turn: the highest card wins.",
            "Dreizehn Felder, fünf Würfel, drei Würfe pro Zug: Der höchste Zettel gewinnt.",
        ),
        "/variants/1/name": ("Poker dice", "Pokerwürfel"),
        "/variants/1/summary": (
            "Five plain dice: roll a better hand than the one before you, or bust.",
            "Fünf einfache Würfel: Wirf eine bessere Hand als die vor dir, oder scheitere.",
        ),
        "/variants/2/summary": (
            "Thirteen dice with cards on them, laid out as a crossword of poker hands.",
            "Dreizehn Würfel mit Karten, ausgelegt wie ein Kreuzworträtsel aus Pokerhänden.",
        ),
        "/variants/3/name": ("Texas Hold'em dice", "Texas-Hold'em-Würfel"),
        "/variants/3/summary": (
            "Hold'em with suited dice: the best five out of two in the pocket and five shared.",
            "Hold'em mit farbigen Würfeln: die besten fünf aus zwei verdeckten und fünf "
            "gemeinsamen.",
        ),
        "/variants/4/summary": (
            "Fourteen boxes, six dice, three rolls a turn: the highest card wins.",
            "Vierzehn Felder, sechs Würfel, drei Würfe pro Zug: Der höchste Zettel gewinnt.",
        ),
    }


TEXTS = ("name", "summary", "needs", "scores", "text", "meaning", "notation")
"""The fields of an entry that may be in German."""

SAME = ("Chance", "Full house", "Royal flush", "Straight flush", "Flush", "Yahtzee flush",
        "Yahtzee", "1-2-3-4-5-6", "Roll-a-Royal", "Yahtzee Deluxe")  # fmt: skip
"""Texts that are the same in both languages but for capitals, and names that aren't translated."""


@pytest.mark.parametrize("variant", ["dice-poker", "poker-dice", "roll-a-royal",
                                     "texas-holdem-dice", "yahtzee-deluxe"])  # fmt: skip
def test_entries(service: Service, variant: str) -> None:
    """All texts of an entry are in German, and nothing else differs."""
    path = f"{VARIANTS}/{variant}"
    english, german = service.get(path).json, service.get(path, Accept_Language="de").json
    found = differing(english, german)
    assert {each.rpartition("/")[2] for each in found} <= {*TEXTS}
    texts = [each for each in texts_of(english) if each not in SAME and not each.isdigit()]
    assert sorted(texts) == sorted(text for text, _ in found.values() if text not in SAME)


def texts_of(entry: Any) -> list[str]:
    """The texts in an entry; the names of house rules are ids."""
    if isinstance(entry, list):
        return [text for each in entry for text in texts_of(each)]
    if not isinstance(entry, dict):
        return []
    own = [
        value
        for name, value in entry.items()
        if name in TEXTS and not (name == "name" and "meaning" in entry)
    ]
    return own + [text for each in entry.values() for text in texts_of(each)]


@pytest.mark.parametrize(
    "path", [VARIANTS, f"{VARIANTS}/dice-poker", "/problems", "/problems/unparsable"]
)
def test_in_caches(service: Service, path: str) -> None:
    """Each language has an ETag of its own, says which it is, and that caches have to tell them
    apart; only the one that the client has is a 304.
    """
    english, german = service.get(path), service.get(path, **DE)
    for reply, code in ((english, "en"), (german, "de")):
        assert reply.status == 200
        assert (reply.headers["Content-Language"], reply.headers["Vary"]) == (
            code,
            "Accept-Encoding, Accept-Language",
        )
    tags = english.headers["ETag"], german.headers["ETag"]
    assert tags[0] != tags[1]
    had = service.get(path, If_None_Match=tags[1], **DE)
    assert (had.status, had.headers["ETag"], had.headers["Vary"]) == (
        304, tags[1], "Accept-Encoding, Accept-Language",
    )  # fmt: skip
    assert "Content-Language" not in had.headers
    other = service.get(path, If_None_Match=tags[0], **DE)
    assert (other.status, other.body) == (200, german.body)


def test_a_game_from_outside() -> None:
    """A game may bring its own translations. What it doesn't translate is as in other games: the
    service's own translation, which comes first, or English.
    """
    app = create_app(Settings(variants=three_dice.__name__))
    english, german = (
        app.test_client().get(f"{VARIANTS}/three-dice", headers=headers).json
        for headers in ({}, GERMAN)
    )
    assert differing(english, german) == {
        "/name": ("Three dice", "Drei Würfel"),
        "/summary": ("Three dice: triples beat pairs.", "Drei Würfel: Pasche schlagen Paare."),
        "/dice/notation": ("a number from 1 to 6", "eine Zahl von 1 bis 6"),
        "/rules/0/text": ("Triples beat pairs.", "Pasche schlagen Paare."),
        "/ranks/0/name": ("Triple", "Pasch"),
        "/ranks/1/name": ("Pair", "Paar"),
        "/ranks/2/needs": ("any dice", "beliebige Würfel"),
    }


RANK = {
    "players": [
        {"id": "ann", "dice": [5, 5, 3, 3, 3]},
        {"id": "ben", "dice": [1, 2, 3, 4, 5]},
        {"id": "cat", "dice": [6, 6, 3, 3, 3]},
    ]
}


def test_reasons(service: Service) -> None:
    """The reason of each place is in German; what it is made of is the same in both languages."""
    path = f"{VARIANTS}/poker-dice/rank"
    english, german = service.post(path, RANK), service.post(path, RANK, **DE)
    for reply, code in ((english, "en"), (german, "de")):
        assert (reply.status, reply.headers["Content-Language"]) == (200, code)
        assert reply.headers["Vary"] == "Accept-Language"
    assert differing(english.json, german.json) == {
        "/places/0/reason": (
            "Same rank, full house: the pair decides, 6 over 5 (P10).",
            "Gleicher Rang, Full House: Paar, 6 schlägt 5 (P10).",
        ),
        "/places/1/reason": (
            "Full house beats straight (P3).",
            "Full House: höher als Straße (P3).",
        ),
        "/places/2/reason": (
            "The lowest hand here: straight.",
            "Die niedrigste Hand hier: Straße.",
        ),
    }


def test_lines_of_a_batch(service: Service) -> None:
    """Each line is in the language that the request prefers."""
    turn = {"rolls": [["As", "Ad", "Ac", *["--"] * 10]], "house_rules": {"layout": "unconnected"}}
    body = (json.dumps(turn) + "\n").encode() * 2
    path, typed = f"{VARIANTS}/roll-a-royal/batch", {"Content-Type": "application/x-ndjson"}
    english = service.ask("POST", path, body, typed)
    german = service.ask("POST", path, body, {**typed, **GERMAN})
    for reply, code in ((english, "en"), (german, "de")):
        assert (reply.status, reply.headers["Content-Language"]) == (200, code)
    reasons = [
        [json.loads(line)["hands"][0]["reason"] for line in reply.body.splitlines()]
        for reply in (english, german)
    ]
    assert reasons == [["Three of a kind: 150 (R9)."] * 2, ["Drilling: 150 (R9)."] * 2]


def test_news(service: Service) -> None:
    """What happened in a session is in German in the response to the action and in the history."""
    session = make(service, "dice-poker", "ann", dice="client", house_rules=UNTIMED)
    session.act("roll", dice=[1, 1, 3, 6, 3])
    session.act("score", box="chance")
    english, german = session.events().json, session.events(**DE).json
    assert differing(english["events"], german["events"]) == {
        "/2/news/0/reason": (
            "1 1 3 6 3 scores 14 in chance (D4).",
            "1 1 3 6 3 zählt 14 im Feld „Chance“ (D4).",
        )
    }
    session.act("roll", dice=[6, 6, 6, 6, 6])
    acted = session.send(b'{"action": "cross_out", "box": "ones"}', {**session.headers(), **GERMAN})
    assert acted.json["state"]["news"][0]["reason"] == "ann streicht das Feld „Einser“ (D12)."
    assert acted.json == session.read(**DE).json


def test_without_texts(service: Service) -> None:
    """A response without texts is the same in all languages, and doesn't vary."""
    path, body = f"{VARIANTS}/poker-dice/evaluate", {"dice": [1, 2, 3, 4, 6]}
    replies = [service.post(path, body, **headers) for headers in ({}, DE)]
    assert replies[0].json == replies[1].json
    for reply in replies:
        assert not {"Vary", "Content-Language"} & reply.headers.keys()


@pytest.fixture
def session(service: Service) -> Session:
    """A session in which every player sees something else."""
    return make(service, "texas-holdem-dice", "ann", "ben")


def test_tags_of_a_session(session: Session) -> None:
    """A session has another ETag in each language, and so has its history. A client that has one
    gets the other in full, even if it waits.
    """
    for below in ("", "/events"):
        english, german = session.read("ann", below), session.read("ann", below, **DE)
        tags = english.headers["ETag"], german.headers["ETag"]
        assert tags[1] == f'{tags[0][:-1]}-de"'
        for own, other, headers in ((0, 1, {}), (1, 0, DE)):
            waits = "" if below else "?wait=1"
            known = session.read("ann", below, If_None_Match=tags[own], **headers)
            assert (known.status, known.headers["ETag"], known.headers["Vary"]) == (
                304, tags[own], "Authorization, Accept-Language",
            )  # fmt: skip
            assert "Content-Language" not in known.headers
            zipped = f'W/"{tags[own][1:-1]}-gzip"'
            assert session.read("ann", below, If_None_Match=zipped, **headers).status == 304
            unknown = session.read("ann", f"{below}{waits}", If_None_Match=tags[other], **headers)
            assert unknown.status == 200
            assert unknown.headers["Content-Language"] == ("en", "de")[own]


def test_an_action_takes_the_tag_of_any_language(session: Session) -> None:
    """The tag that a client got in German names the same version for one that speaks English, and
    the other way round.
    """
    german = session.read("ben", **DE).headers["ETag"]
    checked = session.act("check", who="ben", version=german)
    assert (checked.status, tagged(checked)) == (200, 2)
    headers = {**session.headers("ann", checked.headers["ETag"]), **GERMAN}
    acted = session.send(b'{"action": "check"}', headers)
    assert (acted.status, acted.headers["Content-Language"]) == (200, "de")
    assert acted.headers["ETag"] == session.read("ann", **DE).headers["ETag"]
    late = session.act("check", who="ann", version=german)
    assert (late.status, late.json["status"]) == (412, 412)


def test_no_action_on_the_version_in_any_language(session: Session) -> None:
    """If-None-Match names a version that an action is not for, whatever the language."""
    german = session.read(**DE).headers["ETag"]
    refused = session.send(
        b'{"action": "check"}', {**session.headers("ben"), "If-None-Match": german}
    )
    assert refused.status == 412


def test_a_new_session(service: Service) -> None:
    """The response that creates a session is in the client's language, too."""
    body = {"variant": "dice-poker", "players": ["ann"], "house_rules": UNTIMED}
    reply = service.post(PATH, body, **DE)
    assert (reply.status, reply.headers["Content-Language"]) == (201, "de")
    assert reply.headers["ETag"] == Session(service, reply.json).read(TABLE, **DE).headers["ETag"]
