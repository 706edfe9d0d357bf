"""The bodies of requests: strict JSON, of bounded depth and with bounded numbers."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from ..http.messages import Refused

__all__ = ["json_value"]

_MOST_DIGITS = 20  # of a whole number


def json_value(body: bytes) -> Any:
    """The value of a body in JSON.

    Raises
    ------
    Refused
        It is not JSON as RFC 8259 defines it, or nothing that a request could hold.

    Examples
    --------
    >>> json_value(b'{"board": "1 2/3 0"}')
    {'board': '1 2/3 0'}
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(400, f"the body: byte {error.start} is not UTF-8; expected JSON in UTF-8") from None
    try:
        return json.loads(text, object_pairs_hook=_once, parse_int=_int, parse_constant=_no_number)
    except RecursionError:
        raise Refused(400, "the body: its lists or objects are nested too deep; expected one flat object") from None
    except ValueError as error:
        raise Refused(400, f"the body: it is not JSON: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Refused(400, f"{name[:40]}: the field is there twice; give it once")
        found[name] = value
    return found


def _int(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise Refused(400, f"a whole number of {len(digits)} digits: expected at most {_MOST_DIGITS}")
    return int(digits)


def _no_number(word: str) -> NoReturn:
    raise Refused(400, f"{word}: JSON has no such number")
