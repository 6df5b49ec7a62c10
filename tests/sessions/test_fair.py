"""Fair dice: the protocol against one written anew, against OpenSSL, and against chance."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from random import Random

import pytest

from service.engine.chance import NumberedDice
from service.rules.dice import Dice
from service.sessions.fair import FairDice, blocks, commitment, outcome
from tests.live import ROOT

PAGE = (ROOT / "docs" / "fair-dice.md").read_text()

(_LINE, PRINTED), *_ = re.findall(r"```console\n\$ (.*?)\n.*?= (.*?)\n```", PAGE)
COMMAND = [shlex.split(part) for part in _LINE.split("|")]

COUNTING = bytes(range(32))


def hmac_by_hand(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 as RFC 2104 defines it, for keys of up to 64 bytes."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def drawn_by_hand(seed: bytes, client_seed: str, counter: int, n: int) -> int:
    """A draw as the page describes it, written without a look at the service's own."""
    multiples = [multiple for multiple in range(257) if multiple % n == 0]
    block = 0
    while True:
        message = ":".join([client_seed, str(counter), str(block)])
        fine = [b for b in hmac_by_hand(seed, message.encode("utf-8")) if b < multiples[-1]]
        if fine:
            return fine[0] - fine[0] // n * n
        block += 1


def in_page(name: str) -> str:
    """What the table of the page's example says of `name`."""
    (value,) = re.findall(rf"^\| {name} \| `?(.*?)`? \|$", PAGE, re.MULTILINE)
    return str(value)


def outcomes(given: Iterable[Iterable[int]], n: int) -> tuple[int, int]:
    """The outcome of blocks of these bytes, and how many of them weren't looked at."""
    waiting = iter([bytes(block) for block in given])
    return outcome(waiting, n), len(list(waiting))


def test_draws_are_those_of_a_protocol_written_anew() -> None:
    """Ten thousand draws, of many seeds of each length and all n, equal those of a second
    implementation, wherever they begin; n = 1 counts as a draw, too.
    """
    rng = Random(1)
    letters = "aZ09 :_-éß漢🎲\n\0"
    checked = 0
    for number in range(100):
        seed = rng.randbytes(32)
        client_seed = "".join(rng.choices(letters, k=number % 65))
        first = rng.choice([0, rng.randrange(10), rng.randrange(10**9)])
        fair = FairDice(seed, client_seed, first)
        for counter in range(first, first + 100):
            n = rng.randint(1, 256)
            assert fair.below(n) == drawn_by_hand(seed, client_seed, counter, n)
            checked += 1
        assert fair.drawn == first + 100
    assert checked == 10_000


def test_blocks_are_those_of_openssl() -> None:
    """Blocks, the later ones too, are the digests that OpenSSL 3.0.19 printed for the messages."""
    made = islice(blocks(COUNTING, "amber", 0), 3)
    assert [block.hex() for block in made] == [
        "75465f44d94d990177022273116d903a9415dccae900d61bc0b6cf4f1c907f49",
        "10ee98dc5c34a03fd13751f307d1bd15bce7c287b5848e6d2b1a27e40f145e64",
        "350e25bfc3c9eaf2e0d49ca2e3ae0d66367f8463df46b41a6bfe9977cb3be2ab",
    ]


def test_every_outcome_has_equally_many_bytes() -> None:
    """As many of the 256 bytes lead to one outcome as to any other; fewer than n are passed over.

    A byte was passed over if the second block was needed.
    """
    for n in range(1, 257):
        taken: Counter[int] = Counter()
        for byte in range(256):
            number, untouched = outcomes([[byte], [0]], n)
            if untouched:
                taken[number] += 1
        assert taken == dict.fromkeys(range(n), 256 // n), n
        assert 256 - taken.total() < n


@pytest.mark.parametrize(
    ("given", "n", "number", "untouched"),
    [
        pytest.param([[255, 254, 253, 252, 251, 7], [1]], 6, 5, 1, id="passed over in a block"),
        pytest.param([[255] * 31 + [3], [1]], 200, 3, 1, id="last byte of a block"),
        pytest.param([[255] * 32, [9], [1]], 200, 9, 1, id="first byte of the next block"),
        pytest.param([[200] * 32, range(200, 232), [4]], 200, 4, 0, id="two blocks passed over"),
    ],
)
def test_bytes_beyond_are_passed_over(
    given: list[Iterable[int]], n: int, number: int, untouched: int
) -> None:
    """The first byte that isn't passed over counts, in a later block too; no block beyond it."""
    assert outcomes(given, n) == (number, untouched)


@pytest.mark.parametrize("each", [5_000, pytest.param(100_000, marks=pytest.mark.proof)])
def test_dice_are_even(each: int) -> None:
    """Dice are as even as chance: chi-square with 5 degrees of freedom below its 99 %."""
    fair = FairDice(COUNTING, "chi-square")
    shown = Counter(fair.below(6) for _ in range(6 * each))
    chi_square = sum((shown[number] - each) ** 2 / each for number in range(6))
    assert sorted(shown) == [0, 1, 2, 3, 4, 5]
    assert 0.55 < chi_square < 15.09  # below 0.55, which has 1 % too, they'd be too even


def test_kept_dice_draw_nothing() -> None:
    """Dice are drawn in their places from left to right, and kept ones leave the counter alone."""
    fair = FairDice(COUNTING, "amber")
    assert NumberedDice(Dice(count=5)).draw(fair.below) == (4, 2, 5, 4, 3)
    assert fair.drawn == 5
    assert NumberedDice(Dice(count=5), kept=((0, 4), (3, 4))).draw(fair.below) == (4, 6, 3, 4, 5)
    assert fair.drawn == 8


@pytest.mark.parametrize("n", [-6, 0, 257])
def test_no_byte_could_tell_more_numbers_apart(n: int) -> None:
    """An n outside 1 to 256 is an error, and draws nothing."""
    fair = FairDice(COUNTING, "amber", 3)
    with pytest.raises(ValueError, match=f"^n must be from 1 to 256, not {n}$"):
        fair.below(n)
    assert fair.drawn == 3


@pytest.mark.parametrize(
    ("seed", "client_seed", "drawn", "message"),
    [
        (bytes(31), "amber", 0, "a seed must have 32 bytes, not 31"),
        (bytes(33), "amber", 0, "a seed must have 32 bytes, not 33"),
        (bytes(32), "🎲" * 65, 0, "a client's seed must have up to 64 characters"),
        (bytes(32), "amber", -1, "draws are counted from 0, not -1"),
    ],
)
def test_only_the_protocol_is_served(
    seed: bytes, client_seed: str, drawn: int, message: str
) -> None:
    """Seeds and counters that the protocol doesn't allow are errors."""
    with pytest.raises(ValueError, match=f"^{message}$"):
        FairDice(seed, client_seed, drawn)


def test_example_of_the_page() -> None:
    """The page's commitment and dice are the service's own."""
    seed, client_seed = bytes.fromhex(in_page("seed")), in_page("client's seed")
    plain = FairDice(seed, client_seed)
    bag_first = FairDice(seed, client_seed)
    bag = list("rrrrrbbbbbwwwwwyyyyy")
    suited = []
    for _ in range(5):
        suit = bag.pop(bag_first.below(len(bag)))
        suited.append(f"{bag_first.below(6) + 1}{suit}")
    assert commitment(seed) == in_page("commitment")
    assert " ".join(str(plain.below(6) + 1) for _ in range(10)) == in_page(
        "first ten six-sided dice"
    )
    assert " ".join(suited) == in_page("or the first five of Hold'em")


def test_program_of_the_page() -> None:
    """The page's program, run as it stands, prints the commitment and dice of its table."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        in_page("commitment"),
        in_page("first ten six-sided dice"),
        in_page("or the first five of Hold'em"),
    ]


def test_first_draw_of_the_page() -> None:
    """The command on the page hashes the first draw of its example, and prints its block."""
    printf, _ = COMMAND
    seed, client_seed = bytes.fromhex(in_page("seed")), in_page("client's seed")
    assert printf == ["printf", "%s", f"{client_seed}:0:0"]
    assert next(blocks(seed, client_seed, 0)).hex() == PRINTED


@pytest.mark.skipif(
    shutil.which("openssl") is None, reason="needs the command openssl: apt-get install openssl"
)
def test_openssl_command_of_the_page() -> None:
    """The page's command, run as it stands, prints the digest below it."""
    printf, openssl = COMMAND
    done = subprocess.run(openssl, input=printf[-1].encode(), capture_output=True, check=True)
    assert done.stdout.decode().split()[-1] == PRINTED
