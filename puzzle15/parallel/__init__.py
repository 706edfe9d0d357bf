"""Threads, locks, and work spread over threads, processes or machines.

`spread` and `connect` are for users. The package itself uses the threads, the locks, and `Sendable`.
"""

from ..system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
