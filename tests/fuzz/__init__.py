"""Fuzzing: each parser gets inputs that atheris mutates, guided by the lines that they reach.

`make fuzz` fuzzes all of them. A module in `parsers` is one parser: `seeds()` has valid inputs,
`DICTIONARY` words that mutations insert, and `check(data)` raises any exception if the parser does
something wrong with `data`. `test_seeds.py` runs each check on its seeds, without atheris.

An input that fails is kept, and can be repeated:

    from tests.fuzz.parser import parser
    parser("bodies").check(Path("build/fuzz/bodies/crash-...").read_bytes())
"""
