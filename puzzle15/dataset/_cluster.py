"""`connect`, which makes the workers of a Dask cluster an executor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .._system.workers import Executor
from ..errors import ClusterError

_CONNECT_SECONDS = 5.0


@contextmanager
def connect(address: str) -> Iterator[Executor]:
    """Connect to a Dask cluster during a ``with`` statement, to give it as ``workers=``.

    Each worker needs puzzle15. It opens the solver's tables in the folder that the solver was given, or in its own
    default folder; with ``build=True`` it builds missing tables. `address` is the scheduler's, ``tcp://host:port``.
    ImportError is raised if Dask is not installed, and ClusterError if no scheduler answers within 5 seconds::

        with connect("tcp://scheduler:8786") as cluster:
            lengths = Solver("7-8").distance_many(boards, workers=cluster)
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ImportError("a cluster needs Dask: pip install distributed") from error
    if not isinstance(address, str):  # with None, Dask starts a cluster on this machine
        raise TypeError(f"address {address!r}: expected tcp://host:port, as `dask scheduler` prints it")
    try:
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address} ({error}); expected tcp://host:port, as `dask scheduler` prints it"
        ) from error
    with client:
        yield client.get_executor(pure=False)  # with pure=True, Dask hashes every chunk
