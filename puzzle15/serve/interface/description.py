"""The description of the interface as an OpenAPI 3.1 document, from the declarations that check requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...system.version import __version__
from .endpoints import Endpoint

__all__ = ["describe"]

_ERROR = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "const": "error"},
        "error": {"type": "string", "description": "What was given, what was expected, and how to correct it."},
    },
    "required": ["status", "error"],
    "additionalProperties": False,
}

_REFUSALS = {
    "400": "The request is not HTTP, not JSON, or has a wrong field, which the sentence names.",
    "403": "The request comes from a page of another site.",
    "405": "The method is another one than POST.",
    "408": "The request took too long to arrive.",
    "411": "The length of the body is not given.",
    "413": "The body is too long.",
    "415": "The body is not `application/json`.",
    "417": "Something is expected that the server does not do.",
    "421": "The host is none of this server's names.",
    "422": "The board cannot reach the goal.",
    "431": "The head of the request is too long.",
    "500": "The server has a fault, which its log describes.",
    "503": "Too many searches run and wait; try again after the seconds of `Retry-After`.",
}


def describe(endpoints: Mapping[str, Endpoint]) -> dict[str, Any]:
    """The interface as an OpenAPI document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "puzzle15",
            "version": __version__,
            "summary": "Shortest solutions of sliding-tile puzzles of up to 16 cells.",
            "description": "A limit that is reached is no error: the status is `limit`, and `lower_bound` is proved. "
            "A client that closes its connection ends its search.",
        },
        "paths": {path: {"post": _operation(endpoint)} for path, endpoint in endpoints.items()},
        "components": {
            "schemas": {"Error": _ERROR},
            "responses": {
                name: {"description": about, "content": {"application/json": {"schema": _ref("schemas", "Error")}}}
                for name, about in _REFUSALS.items()
            },
        },
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    return {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": endpoint.request.schema(), "example": endpoint.example}},
        },
        "responses": {
            "200": {
                "description": "The answer.",
                "content": {"application/json": {"schema": endpoint.answer.schema()}},
            },
            **{name: _ref("responses", name) for name in _REFUSALS},
        },
    }


def _ref(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}
