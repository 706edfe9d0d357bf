"""A Dask cluster as workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import ClusterError

__all__ = ["connect"]

_CONNECT_SECONDS = 5.0


@contextmanager
def connect(address: str) -> Iterator[Any]:
    """Connect to a Dask cluster for the time of a ``with`` statement, to give it as ``workers=``.

    Parameters
    ----------
    address : str
        The scheduler's: ``tcp://host:port``.

    Yields
    ------
    executor
        What `spread` and every ``workers=`` takes.

    Raises
    ------
    ImportError
        Dask is not installed.
    ClusterError
        No scheduler answers there within 5 seconds, or it is not an address.

    Notes
    -----
    Each worker needs puzzle15. It opens the solver's tables in the folder that the solver was given, or in
    its own default folder; with ``build=True`` it builds missing tables. If a worker process dies, Dask gives
    its chunk to another worker, three times; then `spread` reports the chunk.

    Examples
    --------
    ::

        with connect("tcp://scheduler:8786") as cluster:
            lengths = Solver("7-8").distance_many(boards, workers=cluster)
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ImportError("a cluster needs Dask: pip install distributed") from error
    try:
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address} ({error}); expected tcp://host:port, as `dask scheduler` tells"
        ) from error
    with client:
        # pure=False: otherwise it would hash every chunk, to find out whether it has its result already
        yield client.get_executor(pure=False)
