"""The best layout: against proven cases, an independent oracle, and what must always hold."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import islice

import pytest
from hypothesis import strategies as st

from service.kinds.layout.played import Played
from service.kinds.layout.solver.grid import arrange, lay, placeable
from service.kinds.layout.solver.lineset import LineSet
from service.kinds.layout.variant import LayoutRules
from service.variants.roll_a_royal import DICE_SET, VARIANT
from tests.live import ROOT
from tests.reference import crossword as oracle
from tests.reference.grid_reader import points_of_grid
from tests.reference.turns import CARDS, RANKS, SUITS, Rolls, in_rolls, natural, structured
from tests.sampled import first, sampled

MODES = ("connected", "unconnected", "either")

CASES = [
    json.loads(line) for line in (ROOT / "tests/cases/roll_a_royal.jsonl").read_text().splitlines()
]

GRID_MATTERS: list[tuple[int, Rolls]] = [
    (
        3050,
        [
            ["8c", "Jc", "7d", "8d", "Jh", "Qs", "Ts", "Js", "Th", "--", "8s", "--", "--"],
            ["Tc", "9s", "Qh"],
        ],
    ),
    (
        3050,
        [
            ["Qd", "Kh", "8c", "--", "Jh", "Td", "Ks", "Tc", "Js", "--", "9h", "Qh", "Qc"],
            ["Th", "Jd"],
        ],
    ),
    (
        3050,
        [
            ["6h", "5d", "5h", "4h", "4c", "--", "5s", "--", "7h", "4d", "2s", "3d", "--"],
            ["7d", "6c", "6d"],
        ],
    ),
    (
        5050,
        [
            ["Td", "Qc", "Jd", "--", "Qs", "--", "8d", "Qd", "9d", "Tc", "--", "8s", "Ts"],
            ["Jc", "Js", "Kc"],
        ],
    ),
    (
        3050,
        [
            ["--", "5h", "8h", "6h", "7s", "7h", "--", "--", "4s", "4c", "3c", "--", "5d"],
            ["5s", "4h", "8c", "7c"],
        ],
    ),
]
"""Turns with the points that connected lines would have if they needn't lie in the plane (R33)."""


AREA = 705
"""The cells that the connected layouts of the proven cases take up together."""


def rules(layout: str, *, uses: int = 2, repeated: bool = False) -> LayoutRules:
    """House rules without the need to open."""
    return LayoutRules(layout, uses, "none", repeated)


def played(rolls: Rolls, layout: str, *, uses: int = 2, repeated: bool = False) -> Played:
    """The best layout of a turn."""
    return VARIANT.evaluate(VARIANT.read_rolls(rolls), rules(layout, uses=uses, repeated=repeated))


def points_checked(rolls: Rolls, layout: str) -> int:
    """The points of the best layout, proven and read off its grid once more."""
    best = played(rolls, layout)
    faces, first = oracle.read(rolls)
    points, runs = points_of_grid(best.grid, faces, first, layout)
    listed = [
        ("across" if hand.segment.across else "down", hand.segment.cells()[0], hand.dice)
        for hand in best.hands
        if hand.segment
    ]
    assert sorted(listed) == sorted(runs)
    assert (best.points, best.upper_bound, best.proven) == (points, points, True)
    return points


def disagreements(rolls: Rolls) -> list[tuple[Rolls, str, int, int]]:
    """The turns in which oracle and solver differ."""
    lines = oracle.all_lines(*oracle.read(rolls))
    found = {layout: points_checked(rolls, layout) for layout in MODES}
    expected = {layout: oracle.best(lines, layout) for layout in MODES}
    return [
        (rolls, layout, expected[layout], found[layout])
        for layout in MODES
        if expected[layout] != found[layout]
    ]


@pytest.mark.parametrize("layout", MODES)
def test_proven_cases(layout: str) -> None:
    """40 turns have the points that two independent methods proved (R32)."""
    found = [points_checked(case["rolls"], layout) for case in CASES]
    assert found == [case["best"][layout] for case in CASES]
    assert len(found) == 40


@pytest.mark.parametrize(
    ("layout", "uses", "most"),
    [
        ("connected", 2, 11_700),
        ("unconnected", 2, 2_457),
        ("either", 2, 11_567),
        pytest.param("connected", 3, 121_982, marks=pytest.mark.proof),
        pytest.param("either", 3, 82_191, marks=pytest.mark.proof),
    ],
)
def test_few_steps(layout: str, uses: int, most: int) -> None:
    """The searches for the layouts of the proven cases take no more steps than they once did."""
    assert sum(played(case["rolls"], layout, uses=uses).steps for case in CASES) <= most


def test_layouts_are_compact() -> None:
    """Connected layouts take up little room, and are no taller than wide."""
    area = 0
    for case in CASES:
        grid = played(case["rolls"], "connected").grid
        height = 1 + max((row for _, row, _ in grid), default=-1)
        width = 1 + max((column for _, _, column in grid), default=-1)
        assert height <= width
        area += height * width
    assert area <= AREA


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.proof) for n in range(1, 100))]
)
def test_oracle_agrees(part: int) -> None:
    """300 turns, natural and structured, have the points that the oracle proves in all layouts.

    A part is every hundredth of them.
    """
    source = random.Random(20)
    turns = [natural(source, DICE_SET) for _ in range(220)]
    turns += islice(structured(source), 80)
    found = [disagreements(rolls) for rolls in turns[part::100]]
    assert len(found) == 3
    assert [wrong for turn in found for wrong in turn] == []


@pytest.mark.parametrize(
    ("without_grid", "rolls"),
    [pytest.param(*case, marks=pytest.mark.proof) for case in GRID_MATTERS],
)
def test_grid_matters(without_grid: int, rolls: Rolls) -> None:
    """Lines that share dice as they should may have no place in the plane (R33)."""
    lines = oracle.all_lines(*oracle.read(rolls))
    assert oracle.best(lines, "connected", grid=False) == without_grid
    assert points_checked(rolls, "connected") == without_grid - 50
    assert oracle.best(lines, "connected") == without_grid - 50


@pytest.mark.parametrize(
    ("uses", "every"),
    [(3, 8), (4, 8), *(pytest.param(n, 1, marks=pytest.mark.proof) for n in (3, 4))],
)
def test_oracle_agrees_on_more_uses(uses: int, every: int) -> None:
    """Where a die may count in three or four hands, proven points are those of CP-SAT (R27)."""
    source = random.Random(21)
    turns = [natural(source, DICE_SET) for _ in range(12)]
    turns += islice(structured(source), 20)
    proven = 0
    for rolls in turns[::every]:
        lines = oracle.all_lines(*oracle.read(rolls))
        for layout in ("connected", "either"):
            best = played(rolls, layout, uses=uses)
            expected = oracle.best(lines, layout, uses)
            assert best.points <= expected <= best.upper_bound
            assert best.points == expected or not best.proven
            proven += best.proven
    assert proven >= 60 // every


@pytest.mark.parametrize("uses", first([3, 2, 4]))
def test_oracle_agrees_on_equal_cards(uses: int) -> None:
    """With cards that show several times, too, proven points are those of CP-SAT (R20, R32)."""
    source = random.Random(22)
    tried = proven = 0
    while tried < 12:
        cards = source.sample(CARDS, source.randint(2, 4))
        faces = [source.choice(cards) for _ in range(source.randint(5, 9))]
        rolls = in_rolls(faces + ["--"] * (13 - len(faces)), [source.random() < 0.8] * 13)
        lines = oracle.all_lines(*oracle.read(rolls))
        if len(lines) > 60:
            continue
        tried += 1
        for layout in ("connected", "either"):
            best = played(rolls, layout, uses=uses, repeated=True)
            expected = oracle.best(lines, layout, uses)
            assert best.points <= expected <= best.upper_bound
            assert best.points == expected or not best.proven
            proven += best.proven
    assert proven >= 20


def card_lists(cards: Sequence[str]) -> st.SearchStrategy[list[str]]:
    """Thirteen different cards of `cards`, some of them blank."""
    faces = st.lists(st.sampled_from(cards), min_size=13, max_size=13, unique=True)
    blanks = st.lists(st.booleans(), min_size=13, max_size=13)
    return st.builds(
        lambda faces, blanks: [
            "--" if blank and index < 4 else face
            for index, (face, blank) in enumerate(zip(faces, blanks, strict=True))
        ],
        faces,
        blanks,
    )


FACES = st.one_of(
    card_lists(CARDS),
    card_lists([rank + suit for rank in RANKS for suit in "sh"]),
    card_lists([rank + suit for rank in "56789" for suit in SUITS]),
)

FIRST = st.lists(st.booleans(), min_size=13, max_size=13)


def all_points(faces: list[str], first: list[bool]) -> dict[str, int]:
    """The points in every layout of dice that end with `faces`."""
    return {layout: played(in_rolls(faces, first), layout).points for layout in MODES}


@sampled(20, 60, faces=FACES, first=FIRST, source=st.randoms(), suits=st.permutations(SUITS))
def test_order_and_names_of_suits_do_not_matter(
    faces: list[str], first: list[bool], source: random.Random, suits: list[str]
) -> None:
    """The same cards on other dice, or with the suits renamed, have the same points."""
    points = all_points(faces, first)
    order = source.sample(range(13), 13)
    assert points == all_points([faces[die] for die in order], [first[die] for die in order])
    renamed = dict(zip(SUITS, suits, strict=True))
    other = [face if face == "--" else face[0] + renamed[face[1]] for face in faces]
    assert points == all_points(other, first)


@sampled(20, 60, faces=FACES, first=FIRST, die=st.integers(0, 12))
def test_layouts_compare(faces: list[str], first: list[bool], die: int) -> None:
    """A blank instead of a card never helps; `either` scores at least as much as `unconnected`, and
    as `connected` less 500.
    """
    points = all_points(faces, first)
    fewer = all_points([*faces[:die], "--", *faces[die + 1 :]], first)
    assert all(fewer[layout] <= points[layout] for layout in MODES)
    assert points["either"] >= points["unconnected"]
    assert points["either"] >= points["connected"] - 500


@sampled(3, 40, faces=FACES, repeated=st.booleans(), layout=st.sampled_from(MODES))
def test_more_uses_are_never_worse(faces: list[str], repeated: bool, layout: str) -> None:
    """Three uses of a die earn no less than two, four no less than three; bounds hold (R12)."""
    if repeated:
        faces = [faces[index % 5] for index in range(13)]
    found = [played([faces], layout, uses=uses, repeated=repeated) for uses in (2, 3, 4)]
    two, three, four = found
    assert two.points <= three.points <= four.points
    assert all(best.points <= best.upper_bound for best in found)
    assert two.proven or repeated


@pytest.mark.parametrize("layout", MODES)
def test_same_answer_every_time(layout: str) -> None:
    """A result doesn't depend on earlier searches."""
    before = [played(case["rolls"], layout) for case in CASES]
    for remembered in (placeable, lay, arrange):
        remembered.cache_clear()
    assert [played(case["rolls"], layout) for case in reversed(CASES)] == before[::-1]


def test_the_smallest_sheet() -> None:
    """Groups lie beside each other, or one below the other, whichever sheet is smaller."""
    assert arrange(((0b11,) * 4, (0b1,) * 4)) == ((0, 0), (0, 3))
    assert arrange(((0b111111,) * 4, (0b111111,))) == ((0, 0), (5, 0))


def test_search_stops_at_its_limit() -> None:
    """With repeated cards a search may stop: it says so, with a bound that holds (R32)."""
    turn = VARIANT.read_rolls([["As"] * 7 + ["Ah"] * 6])
    rule = rules("connected", repeated=True)
    stopped = VARIANT.evaluate(turn, rule, work=2_000)
    longer = VARIANT.evaluate(turn, rule)
    assert not stopped.proven
    assert stopped.points <= longer.points <= longer.upper_bound <= stopped.upper_bound


def test_distinct_cards_are_proven_whatever_the_limit() -> None:
    """Without equal cards the limit doesn't count, even if they would be allowed (R32)."""
    turn = VARIANT.read_rolls(CASES[0]["rolls"])
    best = VARIANT.evaluate(turn, rules("connected", repeated=True), work=1)
    assert (best.points, best.proven) == (CASES[0]["best"]["connected"], True)


def test_fourteen_dice_are_too_many() -> None:
    """The bounds of the search count how many long lines thirteen dice have room for."""
    with pytest.raises(ValueError, match="13 dice"):
        LineSet({3: 50}, 14)
