"""The fields of requests: the kinds of their values, which check values and describe themselves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from ..http.messages import Refused

_LONGEST = 72  # characters of a value in a sentence


class Kind(Protocol):
    """What values a field takes."""

    def expects(self) -> str:
        """What is expected, for the sentence about another value."""

    def read(self, value: Any) -> Any:
        """A value from JSON as it is used; ValueError if it is of another kind."""

    def schema(self) -> dict[str, Any]:
        """The kind as a JSON Schema."""


@dataclass(frozen=True)
class Text:
    """A text of some characters at most."""

    most: int

    def expects(self) -> str:
        return f"a text of at most {self.most} characters"

    def read(self, value: Any) -> str:
        if not isinstance(value, str) or len(value) > self.most:
            raise ValueError
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.most}


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    words: Sequence[str]

    def expects(self) -> str:
        return f"one of {', '.join(self.words)}"

    def read(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise ValueError
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}


@dataclass(frozen=True)
class Number:
    """A number in a range."""

    least: float
    most: float
    _kind: ClassVar[str] = "number"
    _noun: ClassVar[str] = "a number"

    def expects(self) -> str:
        return f"{self._noun} of at least {self.least:.17g} and at most {self.most:.17g}"

    def read(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not self.least <= value <= self.most:
            raise ValueError
        return float(value)

    def schema(self) -> dict[str, Any]:
        return {"type": self._kind, "minimum": self.least, "maximum": self.most}


class Whole(Number):
    """A whole number in a range; 2.0 is one, as in JSON Schema."""

    _kind = "integer"
    _noun = "a whole number"

    def read(self, value: Any) -> int:
        if super().read(value) != value // 1:
            raise ValueError
        return int(value)


class Field(NamedTuple):
    """A field by its name; one without a default is required."""

    name: str
    kind: Kind
    about: str
    required: bool = True
    default: Any = None


@dataclass(frozen=True)
class Record:
    """An object with these fields and no others."""

    fields: Sequence[Field]

    def read(self, value: dict[str, Any]) -> dict[str, Any]:
        """The values by their names, with the defaults of those that are missing; Refused names a field."""
        names = [field.name for field in self.fields]
        for name in value:
            if name not in names:
                raise Refused(400, f"{_shown(name)}: no such field; expected {', '.join(names)}")
        return {field.name: _read(field, value) for field in self.fields}

    def schema(self) -> dict[str, Any]:
        properties = {}
        for field in self.fields:
            default = {} if field.default is None else {"default": field.default}
            properties[field.name] = {**field.kind.schema(), "description": field.about, **default}
        return {
            "type": "object",
            "properties": properties,
            "required": [field.name for field in self.fields if field.required],
            "additionalProperties": False,
        }


def _read(field: Field, values: dict[str, Any]) -> Any:
    if field.name not in values:
        if field.required:
            raise Refused(400, f"{field.name}: it is missing; expected {field.kind.expects()}")
        return field.default
    try:
        return field.kind.read(values[field.name])
    except ValueError:
        raise Refused(400, f"{field.name}: {_shown(values[field.name])}; expected {field.kind.expects()}") from None


def _shown(value: Any) -> str:
    """A value as JSON writes it, cut where it is long."""
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
