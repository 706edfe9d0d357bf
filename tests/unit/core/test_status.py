"""Every status has its own text and its own exception."""

import pytest

from puzzle15 import errors
from puzzle15._core.base import board as _board

EXCEPTIONS = [
    None,  # P15_OK
    errors.BoardError,  # P15_ERR_SHAPE
    errors.BoardError,  # P15_ERR_BOARD
    errors.UnsolvableError,  # P15_ERR_UNSOLVABLE
    ValueError,  # P15_ERR_PATTERN
    MemoryError,  # P15_ERR_MEMORY
    errors.TableCorruptError,  # P15_ERR_CORRUPT
    ValueError,  # P15_ERR_ARGUMENT
    errors.InternalError,  # P15_ERR_ANSWER
]


def test_no_status_is_forgotten():
    texts = _board.status_texts()
    assert len(texts) == len(EXCEPTIONS) == len(set(texts))
    assert all(text and not text.endswith(".") for text in texts)
    assert _board.raise_status(0, "given") is None


@pytest.mark.parametrize("code", range(1, len(EXCEPTIONS)))
def test_each_status_becomes_its_exception(code):
    expected = EXCEPTIONS[code]
    with pytest.raises(expected) as caught:
        _board.raise_status(code, "what was given")
    assert caught.type is expected
    assert str(caught.value) == f"what was given: {_board.status_texts()[code]}"
    with pytest.raises(expected) as caught:
        _board.raise_status(code)
    assert str(caught.value) == _board.status_texts()[code]


def test_a_number_that_is_no_status_still_raises():
    with pytest.raises(ValueError, match="unknown status"):
        _board.raise_status(len(EXCEPTIONS))


@pytest.mark.parametrize(
    "exception, builtin",
    [
        (errors.BoardError, ValueError),
        (errors.UnsolvableError, ValueError),
        (errors.TableMissingError, FileNotFoundError),
        (errors.TableCorruptError, OSError),
        (errors.DiskFullError, OSError),
        (errors.ChunkError, RuntimeError),
        (errors.ClusterError, ConnectionError),
    ],
)
def test_exceptions_are_also_the_fitting_builtin(exception, builtin):
    assert issubclass(exception, errors.Puzzle15Error)
    assert issubclass(exception, builtin)
