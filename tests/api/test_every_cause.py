"""Every cause of a problem is raised, and has a test that asserts its body."""

from __future__ import annotations

import re

from service.api.http.causes import Cause
from tests.live import ROOT

OF_THE_PROXY = {"service-away", "too-many-connections", "unknown-version"}
"""What only the proxy before the service says, in English: see tests/deployment/test_proxy.py."""


def texts(folder: str) -> list[str]:
    """The modules in `folder`, except the table of causes."""
    paths = (ROOT / folder).rglob("*.py")
    return [path.read_text() for path in paths if path.name != "causes.py"]


def test_every_body_is_asserted() -> None:
    """The tests have a `Said` for each cause: its text, from which its whole body follows."""
    said = {code for text in texts("tests") for code in re.findall(r'\bSaid\(\s*"([a-z-]+)"', text)}
    assert said | OF_THE_PROXY == {cause.code for cause in Cause}
    proxy = (ROOT / "deploy/nginx.conf").read_text()
    assert {code for code in OF_THE_PROXY if f" {code};" in proxy} == OF_THE_PROXY


def test_every_cause_is_raised() -> None:
    """The service names each cause, by its member of the table or, in the worker, by its code."""
    text = "\n".join(texts("service"))
    members, codes = set(re.findall(r"\bCause\.(\w+)", text)), set(re.findall(r'"([a-z-]+)"', text))
    unused = {each.code for each in Cause if each.name not in members and each.code not in codes}
    assert unused == OF_THE_PROXY
