"""Every status has its own text and its own exception."""

import pytest

from puzzle15 import errors
from puzzle15._core.base import board as _board

#: By the number of the status, from P15_ERR_SHAPE on.
EXCEPTIONS = [
    errors.BoardError,  # shape
    errors.BoardError,
    errors.UnsolvableError,
    ValueError,  # pattern
    MemoryError,
    errors.TableCorruptError,
    ValueError,  # argument
    errors.InternalError,  # answer
]


def test_each_status_becomes_its_exception():
    texts = _board.status_texts()
    assert len(texts) == len(EXCEPTIONS) + 1 == len(set(texts))
    assert all(text and not text.endswith(".") for text in texts)
    assert _board.raise_status(0, "given") is None
    for code, expected in enumerate(EXCEPTIONS, 1):
        for given, text in (("what was given", f"what was given: {texts[code]}"), (None, texts[code])):
            with pytest.raises(expected) as caught:
                _board.raise_status(code, given)
            assert caught.type is expected and str(caught.value) == text
    with pytest.raises(ValueError, match="unknown status"):
        _board.raise_status(len(texts))


def test_exceptions_are_also_the_fitting_builtin():
    for exception, builtin in (
        (errors.BoardError, ValueError),
        (errors.UnsolvableError, ValueError),
        (errors.TableMissingError, FileNotFoundError),
        (errors.TableCorruptError, OSError),
        (errors.DiskFullError, OSError),
        (errors.ChunkError, RuntimeError),
        (errors.ClusterError, ConnectionError),
    ):
        assert issubclass(exception, errors.Puzzle15Error) and issubclass(exception, builtin)
