"""The sheet of a session: as CSV, as a picture and as a page."""

from __future__ import annotations

import csv
import re
from io import StringIO
from xml.etree import ElementTree

import pytest

from service.api.sessions.sheet import FORMS, Sheet
from service.sessions.result import Result
from tests.api.sessions.playing import TABLE, Session, make, refusal
from tests.api.sessions.test_result import finished
from tests.live import Reply, Service
from tests.sessions.sample_sessions import played, sample_terms

NAMES = ('=SUM("A1") <b>&', "Änne")
SVG = "{http://www.w3.org/2000/svg}"

CARD = [
    *("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes", "Upper section", "Bonus"),
    *("Three of a kind", "Four of a kind", "Full house", "Small straight", "Large straight"),
    *("Five of a kind", "Chance", "Lower section", "Total", "Place"),
]


def sheet(session: Session, form: str | None = None, who: str = TABLE, **headers: str) -> Reply:
    """Reads the sheet, by default without a preference."""
    accept = {"Accept": form} if form else {}
    return session.read(who, "/sheet", **accept, **headers)


def rows(text: str) -> list[list[str]]:
    """The rows of a CSV."""
    return list(csv.reader(StringIO(text, newline="")))


def test_csv(service: Service) -> None:
    """CSV has a column for each player. A name that a spreadsheet would take for a formula begins
    with an apostrophe.
    """
    reply = sheet(finished(service, *NAMES))
    assert (reply.status, reply.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    head, *lines = rows(reply.body.decode())
    assert head == ["", f"'{NAMES[0]}", NAMES[1]]
    assert [label for label, *_ in lines] == CARD
    points = {label: cells for label, *cells in lines}
    assert (points["Chance"], points["Total"], points["Place"]) == (
        *(["13", "0"], ["13", "0"], ["1", "2"]),
    )


def test_page(service: Service) -> None:
    """The page has every cell, no script, and names only as text; it may load nothing."""
    session = finished(service, *NAMES)
    reply = sheet(session, "text/html", "Änne")
    assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
    assert reply.headers["Content-Security-Policy"].startswith("default-src 'none'; ")
    page = reply.body.decode()
    assert page.startswith('<!doctype html>\n<html lang="en">')
    assert "=SUM(&#34;A1&#34;) &lt;b&gt;&amp;</th>" in page
    assert set(re.findall(r"<([a-z0-9]+)", page)) == {
        *("html", "meta", "title", "style", "h1", "p", "table", "thead", "tbody", "tr", "th", "td")
    }
    assert re.findall(r'<th scope="row">(.*?)</th>', page) == CARD
    assert '<tr class="strong"><th scope="row">Total</th><td>13</td><td>0</td></tr>' in page
    assert "@media print" in page


def test_picture(service: Service) -> None:
    """The picture is XML with all texts, and nothing but texts and bars."""
    reply = sheet(finished(service, *NAMES), "image/svg+xml")
    assert reply.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    root = ElementTree.fromstring(reply.body)
    assert {each.tag for each in root.iter()} == {f"{SVG}{tag}" for tag in SHAPES}
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert texts[0] == "Dice poker"
    assert texts[3:6] == [None, *NAMES]
    assert [text for text in texts if text in CARD] == CARD


SHAPES = ("svg", "title", "rect", "text")


def test_what_the_client_accepts(service: Service) -> None:
    """Accept chooses the form, with an ETag for each; what is neither gets 406."""
    session = finished(service, *NAMES)
    replies = {form: sheet(session, form) for form in FORMS}
    tags = {reply.headers["ETag"] for reply in replies.values()}
    assert len(tags) == 3
    for form, reply in replies.items():
        assert "Accept" in reply.headers["Vary"].split(", ")
        again = sheet(session, form, If_None_Match=reply.headers["ETag"])
        assert (again.status, again.body) == (304, b"")
    assert sheet(session, "text/html;q=0.5, image/*").body == replies["image/svg+xml"].body
    assert sheet(session, "*/*").body == replies["text/csv"].body
    assert "text/csv" in refusal(sheet(session, "application/pdf"), 406)


def test_in_german(service: Service) -> None:
    """The words are in the client's language, and so are the names of the boxes."""
    session = finished(service, *NAMES)
    reply = sheet(session, "text/csv", Accept_Language="de")
    assert reply.headers["Content-Language"] == "de"
    labels = [label for label, *_ in rows(reply.body.decode())]
    assert (labels[1], labels[7], labels[-2:]) == ("Einser", "Oberer Teil", ["Gesamt", "Platz"])
    assert 'lang="de"' in sheet(session, "text/html", Accept_Language="de").body.decode()


def test_a_game_that_goes_on(service: Service) -> None:
    """Open boxes are empty, and nobody has won yet."""
    session = make(service, "yahtzee-deluxe", "ann", "ben")
    page = sheet(session, "text/html").body.decode()
    assert "<p>Not over yet</p>" in page
    assert '<th scope="row">Chance</th><td></td><td></td>' in page


@pytest.mark.parametrize("variant", ["poker-dice", "roll-a-royal", "texas-holdem-dice"])
def test_lines_of_other_games(variant: str) -> None:
    """Games for chips have the chips after each hand or round; roll-a-royal has the points of each
    turn, which add up to the total.
    """
    terms = sample_terms(variant)
    snapshot, events = played(terms, 1)
    result = Result.of(terms, snapshot, events)
    head, *lines, last, places = rows(FORMS["text/csv"](Sheet.of(result)))
    assert head == ["", *terms.players]
    assert (last[1:], places[1:]) == ([*map(str, result.scores)], [*map(str, result.places)])
    units = [line[0].rstrip(" 0123456789") for line in lines]
    if variant == "roll-a-royal":
        assert {*units} == {"Turn"}
        points = [[int(cell or 0) for cell in cells] for _, *cells in lines]
        assert [sum(each) for each in zip(*points, strict=True)] == list(result.scores)
    else:
        name = "Round" if variant == "poker-dice" else "Hand"
        assert units == ["At the start", *[name] * len(result.rounds)]
        assert lines[-1][1:] == last[1:]
        chips = sum(result.begun)
        assert {sum(map(int, cells)) for _, *cells in lines if cells[0]} == {chips}


def test_many_players() -> None:
    """A page has tables of at most eight players, so that they fit on paper."""
    terms = sample_terms("dice-poker")
    snapshot, events = played(terms, 1)
    few = Sheet.of(Result.of(terms, snapshot, events))
    lines = [line._replace(cells=[1] * 20) for line in few.lines]
    many = few._replace(players=[f"p{seat}" for seat in range(20)], lines=lines)
    tables = FORMS["text/html"](many).split("<table>")[1:]
    assert [table.count('scope="col"') for table in tables] == [8, 8, 4]
    ElementTree.fromstring(FORMS["image/svg+xml"](many._replace(players=["\uffff<"] * 20)))


@pytest.mark.parametrize("name", ["-1", "+1", "@A1", "=1", "\uff1d1", "a=1", "'=1"])
def test_formulas(name: str) -> None:
    """Only what begins like a formula is marked as text."""
    terms = sample_terms("dice-poker")
    snapshot, events = played(terms, 1)
    made = Sheet.of(Result.of(terms, snapshot, events))._replace(players=[name] * 3)
    marked = name if name in ("a=1", "'=1") else f"'{name}"
    assert rows(FORMS["text/csv"](made))[0] == ["", marked, marked, marked]
